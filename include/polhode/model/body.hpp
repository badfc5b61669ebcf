// A rigid body: its principal moments of inertia about the fixed point, in body (principal) axes; and the momentum of
// wheels inside it, if it has any (docs/theory.md, "Wheels").
#pragma once

#include "polhode/core/rotation.hpp"

namespace polhode {

// What wheels add to the momentum, k_B(t) with pi_B = I w_B + k_B: constant, or growing with the torque of motors.
template <class T>
struct WheelMomentum {
  Vec3<T> at_epoch{}, rate{};
  T epoch{};

  constexpr Vec3<T> at(const T& t) const { return at_epoch + T(t - epoch) * rate; }
};

template <class T>
struct Body {
  Vec3<T> inertia;               // principal moments [kg m^2]
  Vec3<T> inverse_inertia;       // kept, because a division costs as much as ten products
  Rotation<T> principal_axes{};  // R_UB: from principal axes (B) to the axes the user gave the tensor in (U)
  T second{1};                   // one second in the unit of time in use: for a method that is not free of units
  bool carries_wheels = false;  // kernels look at the wheels in a field put together at run time only: carries_wheels()
  WheelMomentum<T> wheels{};

  explicit constexpr Body(const Vec3<T>& moments, const Rotation<T>& axes = {})
      : inertia(moments), inverse_inertia{T(1) / moments.x, T(1) / moments.y, T(1) / moments.z}, principal_axes(axes) {}

  // Without wheels.
  constexpr Vec3<T> velocity(const Vec3<T>& pi_B) const { return times(inverse_inertia, pi_B); }
  constexpr Vec3<T> momentum(const Vec3<T>& w_B) const { return times(inertia, w_B); }
  // Euler's equations without torque: w_x' is the first of these times w_y w_z, and so on around.
  constexpr Vec3<T> gyroscopic() const {
    const Vec3<T>&I = inertia, &J = inverse_inertia;
    return {(I.y - I.z) * J.x, (I.z - I.x) * J.y, (I.x - I.y) * J.z};
  }
  constexpr T kinetic_energy(const Vec3<T>& pi_B) const { return T(0.5) * dot(pi_B, velocity(pi_B)); }

  // With wheels or without: I w_B, the velocity, and the kinetic energy w_B . I w_B/2 that a free body with wheels of
  // constant speed keeps. The wheels' own is no part of it.
  constexpr Vec3<T> carried_momentum(const Vec3<T>& pi_B, const T& t) const {
    return carries_wheels ? pi_B - wheels.at(t) : pi_B;
  }
  constexpr Vec3<T> velocity(const Vec3<T>& pi_B, const T& t) const { return velocity(carried_momentum(pi_B, t)); }
  constexpr T kinetic_energy(const Vec3<T>& pi_B, const T& t) const {
    return kinetic_energy(carried_momentum(pi_B, t));
  }
};

template <class To, class From>
constexpr Body<To> cast(const Body<From>& b) {
  Body<To> body(cast<To>(b.inertia), cast<To>(b.principal_axes));
  body.second = static_cast<To>(b.second);
  body.carries_wheels = b.carries_wheels;
  body.wheels = {cast<To>(b.wheels.at_epoch), cast<To>(b.wheels.rate), static_cast<To>(b.wheels.epoch)};
  return body;
}

}  // namespace polhode
