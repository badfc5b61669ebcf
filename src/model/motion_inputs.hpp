// A state as expressions see it: the numbers that StateInputs::names() lists, in SI units and the user's body axes.
#pragma once

#include <array>

#include "polhode/model/body.hpp"
#include "polhode/model/expression_formulas.hpp"
#include "polhode/model/state.hpp"

namespace polhode {

template <class T>
using MotionInputs = std::array<T, StateInputs::count>;

// A cosine that rounding has taken past one is one: acos(Rzz) is a number.
template <class T>
MotionInputs<T> motion_inputs(const Body<T>& body, const State<T>& s) {
  const Rotation<T>& R_UB = body.principal_axes;
  const Rotation<T> q = s.R_SB * inverse(R_UB);
  const Vec3<T> w_B = R_UB * body.velocity(s.pi_B, s.t);
  const Mat3<T> R = matrix(q);
  const auto cosine = [](const T& c) { return c > T(1) ? T(1) : c < T(-1) ? T(-1) : c; };
  const auto rate = [&](const T& w) { return T(w * body.second); };  // a power of two
  return {T(s.t / body.second),
          q.w,
          q.v.x,
          q.v.y,
          q.v.z,
          rate(w_B.x),
          rate(w_B.y),
          rate(w_B.z),
          cosine(R[0][0]),
          cosine(R[0][1]),
          cosine(R[0][2]),
          cosine(R[1][0]),
          cosine(R[1][1]),
          cosine(R[1][2]),
          cosine(R[2][0]),
          cosine(R[2][1]),
          cosine(R[2][2])};
}

}  // namespace polhode
