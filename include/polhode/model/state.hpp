// The state of a rotating body: attitude, angular momentum in body axes, time. Velocity is derived.
//
//   dR/dt = R hat(w_B),   d pi_B/dt = pi_B x w_B + tau_B,   pi_B = I w_B
#pragma once

#include <string_view>

#include "polhode/model/body.hpp"

namespace polhode {

// Where a motion is looked at: all of the attitude, or only the direction of the body's third axis (a dumbbell).
enum class Space { rotations, sphere };

constexpr std::string_view space_name(Space space) { return space == Space::sphere ? "S^2" : "SO(3)"; }

template <class T>
struct State {
  Rotation<T> R_SB{};
  Vec3<T> pi_B{};
  T t{};
};

template <class T>
constexpr Vec3<T> spatial_momentum(const State<T>& s) {
  return s.R_SB * s.pi_B;
}

template <class T>
constexpr bool all_finite(const State<T>& s) {
  return all_finite(s.R_SB) && all_finite(s.pi_B) && isfinite(s.t);
}

template <class To, class From>
constexpr State<To> cast(const State<From>& s) {
  return {cast<To>(s.R_SB), cast<To>(s.pi_B), static_cast<To>(s.t)};
}

// A body in a field of torque.
template <class T, class F>
struct System {
  Body<T> body;
  F field;
};
template <class T, class F>
System(Body<T>, F) -> System<T, F>;

}  // namespace polhode
