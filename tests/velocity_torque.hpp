// A torque that depends on the angular velocity, in general position: gravity off all principal axes, a fast wheel off
// them too, and drags that differ from axis to axis, linear and quadratic. Strong ones: the error that a method makes
// with the velocity then rules at ordinary steps.
#pragma once

#include "polhode/model/callable.hpp"
#include "polhode/model/state.hpp"

namespace polhode::test {

// The capture is for GCC 12, which takes an object without members for one that is used before it is set.
inline constexpr auto velocity_torque = [tenths = 10](const auto& R_SB, const auto& w_B, const auto&) {
  using S = std::decay_t<decltype(w_B.x)>;
  const auto vector = [](int x, int y, int z, int over) {
    return Vec3<S>{S(x) / S(over), S(y) / S(over), S(z) / S(over)};
  };
  const Vec3<S> up_B = inverse(R_SB) * vector(0, 0, 1, 1);
  const Vec3<S> weight = cross(up_B, vector(1, 2, 2, 6));
  const Vec3<S> wheel = cross(w_B, vector(3, -5, 7, 5));
  const Vec3<S> drag = times(vector(8, 4, 12, tenths), w_B) + S(dot(w_B, w_B) / S(20)) * w_B;
  return Vec3<S>(weight + wheel - drag);
};

template <class T>
Body<T> body_under_velocity_torque() {
  return Body<T>(Vec3<T>{T(9144) / T(10000), T(1098) / T(1000), T(166) / T(100)});
}

template <class T>
State<T> start_under_velocity_torque() {
  const Vec3<T> w_B{T(9) / T(10), T(16) / T(10), T(4) / T(10)};
  return {exp(Vec3<T>{T(3) / T(10), T(-5) / T(10), T(8) / T(10)}), body_under_velocity_torque<T>().momentum(w_B), T(0)};
}

inline constexpr int duration_under_velocity_torque = 4;

}  // namespace polhode::test
