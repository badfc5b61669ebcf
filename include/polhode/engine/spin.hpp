// What an engine keeps of a rotating body, and what it asks of it.
#pragma once

#include "polhode/engine/inertia.hpp"

namespace polhode {

// Momentum and not velocity, because it is what impulses add to: state.L += cross(r, impulse).
template <class T>
struct Spin {
  Rotation<T> R_SB{};  // attitude: takes body components to spatial ones
  Vec3<T> L{};         // angular momentum in spatial axes

  // What the last step of polhode::step left behind: 2E/L^2, and the state and the body it belongs to. A state that was
  // changed since, by an impulse or by hand, is not the one that is remembered, and its energy is found anew.
  struct Memory {
    T rate{};
    Rotation<T> R_SB{T(0), {}};
    Vec3<T> L{};
    T mark{-1};  // of the body

    friend constexpr bool operator==(const Memory&, const Memory&) { return true; }  // no part of the state
  } memory{};

  constexpr Spin() = default;
  constexpr Spin(const Rotation<T>& attitude, const Vec3<T>& momentum) : R_SB(attitude), L(momentum) {}

  friend constexpr bool operator==(const Spin&, const Spin&) = default;
};

// The angular momentum of a body that turns at w_S.
template <class T>
constexpr Vec3<T> momentum_of(const Inertia<T>& body, const Rotation<T>& R_SB, const Same<Vec3<T>>& w_S) {
  return R_SB * body.momentum(inverse(R_SB) * w_S);
}
template <class T>
constexpr Spin<T> spin_from_velocity(const Inertia<T>& body, const Rotation<T>& R_SB, const Same<Vec3<T>>& w_S) {
  return {R_SB, momentum_of(body, R_SB, w_S)};
}

template <class T>
constexpr Vec3<T> angular_velocity_body(const Spin<T>& state, const Inertia<T>& body) {
  return body.velocity(inverse(state.R_SB) * state.L);
}
template <class T>
constexpr Vec3<T> angular_velocity_spatial(const Spin<T>& state, const Inertia<T>& body) {
  return state.R_SB * angular_velocity_body(state, body);
}
template <class T>
constexpr T kinetic_energy(const Spin<T>& state, const Inertia<T>& body) {
  const Vec3<T> pi_B = inverse(state.R_SB) * state.L;
  return T(0.5) * dot(pi_B, body.velocity(pi_B));
}

// Of the world, for contacts and joints: I_S and its inverse.
template <class T>
constexpr Mat3<T> inertia_spatial(const Spin<T>& state, const Inertia<T>& body) {
  return detail::turned_diagonal(state.R_SB * body.axes(), body.moments());
}
template <class T>
constexpr Mat3<T> inverse_inertia_spatial(const Spin<T>& state, const Inertia<T>& body) {
  return detail::turned_diagonal(state.R_SB * body.axes(), body.inverse_moments());
}

}  // namespace polhode
