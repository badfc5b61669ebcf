// For tests of the C interface for engines in both precisions.
#pragma once

#include <gtest/gtest.h>

#include <bit>
#include <cstring>
#include <limits>

#include "engine_bodies.hpp"
#include "polhode/engine.h"

// C has no overloading: the function of this name for T.
#define C_ENGINE(name) polhode::c_engine_test::pick<T>(&polhode_##name, &polhode_##name##_f)

namespace polhode::c_engine_test {

template <class T, class OfDouble, class OfFloat>
constexpr auto pick(OfDouble of_double, OfFloat of_float) {
  if constexpr (std::is_same_v<T, float>) {
    return of_float;
  } else {
    return of_double;
  }
}
template <class T, class OfDouble, class OfFloat>
using Pick = std::conditional_t<std::is_same_v<T, float>, OfFloat, OfDouble>;
template <class T>
using CSpin = Pick<T, polhode_spin, polhode_spin_f>;
template <class T>
using CInertia = Pick<T, polhode_inertia, polhode_inertia_f>;
template <class T>
using COptions = Pick<T, polhode_step_options, polhode_step_options_f>;
template <class T>
using CBatch = Pick<T, polhode_batch, polhode_batch_f>;
template <class T>
using CArrays = Pick<T, polhode_arrays, polhode_arrays_f>;

template <class T>
inline constexpr T nan = std::numeric_limits<T>::quiet_NaN();
template <class T>
inline constexpr T infinity = std::numeric_limits<T>::infinity();

template <class A>
bool same_bytes(const A& a, const A& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}
template <class T>
CSpin<T> c_spin(const Spin<T>& s) {  // as a foreign language begins it: the memory is zeros
  return {{s.R_SB.w, s.R_SB.v.x, s.R_SB.v.y, s.R_SB.v.z}, {s.L.x, s.L.y, s.L.z}, {}};
}
template <class T>
bool same(const CSpin<T>& c, const Spin<T>& s) {
  return std::bit_cast<Spin<T>>(c) == s;
}
template <class T>
bool same(const T* numbers, const Vec3<T>& v) {
  return numbers[0] == v.x && numbers[1] == v.y && numbers[2] == v.z;
}
template <class T>
bool same(const CInertia<T>& c, const Inertia<T>& other) {
  const auto made = std::bit_cast<Inertia<T>>(c);
  return made.valid() && other.valid() && made.inverse_moments() == other.inverse_moments() &&
         made.axes() == other.axes() && made.moments() == other.moments() && made.turned() == other.turned();
}

template <class T>
Vec3<T> some_torque(unsigned i) {
  return {T(0.3) * T(i % 3), T(-0.2) + T(0.01) * T(i), T(0.7)};
}
// Every second one has axes of its own.
template <class T>
EngineBody<T> some_body(unsigned i) {
  EngineBody<T> body = engine_body<T>(i, 0.2);
  if (i % 2 == 1)
    body.inertia = Inertia<T>({T(body.moments[0]), T(body.moments[1]), T(body.moments[2])},
                              normalised(Rotation<T>{T(0.9), {T(0.1), T(0.3), T(-0.2)}}));
  return body;
}

using Precisions = testing::Types<float, double>;

}  // namespace polhode::c_engine_test
