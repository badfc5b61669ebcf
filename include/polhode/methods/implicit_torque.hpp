// A torque that stands in the equation of a step: its value, and its derivative with respect to the unknown.
#pragma once

#include <array>

#include "polhode/core/dual.hpp"
#include "polhode/model/field.hpp"

namespace polhode {

// Where the torque is taken, and how that changes with the three components of the unknown: the body turns by turn[k],
// on the right, and its velocity changes by velocity[k].
template <class T>
struct TorquePlace {
  Rotation<T> R_SB;
  Vec3<T> w_B;
  std::array<Vec3<T>, 3> turn, velocity;
};

template <class T>
struct TorqueAndSlope {
  Vec3<T> torque_B{};
  std::array<Vec3<T>, 3> slope{};  // by the k-th component of the unknown
};

namespace detail {

template <class T, class F>
constexpr TorqueAndSlope<T> torque_on_duals(const F& field, const TorquePlace<T>& at, const T& t) {
  using D = Dual<T, 3>;
  Rotation<D> R_SB{D(at.R_SB.w), cast<D>(at.R_SB.v)};
  Vec3<D> w_B = cast<D>(at.w_B);
  for (std::size_t k = 0; k < 3; ++k) {
    const Rotation<T> dq = at.R_SB * Rotation<T>{T(0), T(0.5) * at.turn[k]};
    R_SB.w.d[k] = dq.w;
    for (std::size_t i = 0; i < 3; ++i) {
      R_SB.v[i].d[k] = dq.v[i];
      w_B[i].d[k] = at.velocity[k][i];
    }
  }
  const Vec3<D> torque = torque_of(field, R_SB, w_B, D(t));
  TorqueAndSlope<T> result{{torque.x.value, torque.y.value, torque.z.value}, {}};
  for (std::size_t k = 0; k < 3; ++k) result.slope[k] = {torque.x.d[k], torque.y.d[k], torque.z.d[k]};
  return result;
}

// Forward differences over turns of the square root of the rounding unit, or changes of the velocity where the unknown does
// not turn the body. They are good to half the digits, which Newton's method cannot distinguish from all of them.
template <class T, class F>
constexpr TorqueAndSlope<T> torque_by_differences(const F& field, const TorquePlace<T>& at, const T& t) {
  TorqueAndSlope<T> result{torque_of(field, at.R_SB, at.w_B, t), {}};
  for (std::size_t k = 0; k < 3; ++k) {
    const T turn = norm(at.turn[k]);
    const T step = T(sqrt(epsilon<T>())) / (turn > T(0) ? turn : norm(at.velocity[k]));
    const Vec3<T> shifted =
        torque_of(field, Rotation<T>(at.R_SB * exp(step * at.turn[k])), Vec3<T>(at.w_B + step * at.velocity[k]), t);
    result.slope[k] = (shifted - result.torque_B) / step;
  }
  return result;
}

}  // namespace detail

// A field written for any scalar is run once, on dual numbers; one that gives values only is asked for four.
template <class T, class F>
constexpr TorqueAndSlope<T> torque_and_slope(const System<T, F>& sys, const TorquePlace<T>& at, const T& t,
                                             Work& work) {
  if constexpr (SeriesField<F, T> && TorqueField<F, Dual<T, 3>>) {
    if (offers_series<T>(sys.field)) {
      ++work.torque_evaluations;
      return detail::torque_on_duals(sys.field, at, t);
    }
  }
  work.torque_evaluations += 4;
  return detail::torque_by_differences(sys.field, at, t);
}

}  // namespace polhode
