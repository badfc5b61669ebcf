// The smallest way into the library, for games and simulators that know this step's torque and no field of torque:
//
//   polhode::Body<float> box(polhode::Vec3<float>{0.9f, 1.1f, 1.7f});      // principal moments
//   polhode::Spin<float> state;                                            // attitude and angular momentum
//   state.L += polhode::cross(r_S, impulse_S);                             // an impulse is an addition
//   polhode::step<polhode::engine::Recommended>(state, box, torque_B, h);
//
// The torque is given in body axes at the beginning of the step and held fixed in space for its length. The momentum
// then changes by h R torque_B whatever the method, and is constant to the bit without torque; the method turns the
// body. Steps may differ in length and sign. Nothing is allocated and nothing is thrown; the state is taken as it is,
// with a quaternion of unit length, and a NaN put in comes out.
#pragma once

#include "polhode/methods/axis_splitting.hpp"
#include "polhode/methods/composition.hpp"
#include "polhode/methods/energy_projection.hpp"
#include "polhode/methods/munthe_kaas.hpp"
#include "polhode/methods/runge_kutta.hpp"
#include "polhode/methods/taylor.hpp"
#include "polhode/model/fields.hpp"

namespace polhode {

// What an engine keeps of a rotating body. Momentum and not velocity, because it is what impulses add to.
template <class T>
struct Spin {
  Rotation<T> R_SB{};  // attitude, from body (principal) axes to spatial ones
  Vec3<T> L{};         // angular momentum in spatial axes

  friend constexpr bool operator==(const Spin&, const Spin&) = default;
};

template <class T>
Spin<T> spin_from_velocity(const Body<T>& body, const Rotation<T>& R_SB, const Vec3<T>& w_S) noexcept {
  return {R_SB, R_SB * body.momentum(inverse(R_SB) * w_S)};
}

template <class T>
Vec3<T> angular_velocity_body(const Spin<T>& state, const Body<T>& body) noexcept {
  return body.velocity(inverse(state.R_SB) * state.L);
}

template <class T>
Vec3<T> angular_velocity_spatial(const Spin<T>& state, const Body<T>& body) noexcept {
  return state.R_SB * angular_velocity_body(state, body);
}

template <class T>
T kinetic_energy(const Spin<T>& state, const Body<T>& body) noexcept {
  return body.kinetic_energy(inverse(state.R_SB) * state.L);
}

namespace engine {

// A multistep method needs a past, which an impulse would make false, or equal steps. One that chooses steps by itself goes
// on from where it was as well, and would begin anew in every step.
template <class Method>
inline constexpr bool is_one_step =
    Method::claims.variable_steps && !Method::claims.multistep && !Method::claims.takes_tolerance;

template <class Method>
inline constexpr bool takes_torque = takes_any_torque(Method::claims);

using Fastest = Taylor<1>;
using Recommended = Taylor<2, Rule::augmented>;  // what taylor-2-augmented names, for games
using Accurate = Taylor<4>;
using Symplectic = AxisSplitting<1, 2, 3>;  // the energy of a free body stays bounded for ever

}  // namespace engine

namespace detail {

// Turns the body by a step in a field of torque, or returns false. The momentum a method carries is the state's own, so
// that it does not go through body axes and back.
template <class Method, class T, class F>
bool turn_by_step(Spin<T>& state, const System<T, F>& system, const T& h) noexcept {
  const State<T> before{state.R_SB, inverse(state.R_SB) * state.L, T(0)};
  Work work;
  auto memory = start<Method>(system, before, h, work);
  if constexpr (MemoryOf<Method, T>::carries_momentum) memory.momentum_S = state.L;
  const Rotation<T> R_SB = advance<Method>(system, before, memory, h, work).R_SB;
  if (work.converged) state.R_SB = R_SB;
  return work.converged;
}

}  // namespace detail

// One step of length h; torque_B is in body axes at its beginning. A body without torque, which most are most of the
// time, takes the kernel of a free body: with taylor-2-augmented that is half the cost.
//
// True, but for an implicit method whose equation has no solution at this step: the state is then left as it was.
template <class Method, class T>
bool step(Spin<T>& state, const Body<T>& body, const Same<Vec3<T>>& torque_B, const Same<T>& h) noexcept {
  static_assert(engine::is_one_step<Method>,
                "polhode::step takes methods that need nothing but the present state; this one keeps a history of its "
                "steps. Choose another one, e.g. a Taylor or AxisSplitting method");
  static_assert(
      engine::takes_torque<Method>,
      "this method is for a body without torque (for one in closed form see polhode/model/free_rotor.hpp), or "
      "for a dumbbell in a uniform field");
  if (torque_B == Vec3<T>{}) {
    return detail::turn_by_step<Method>(state, System{body, Free{}}, h);
  }
  const Vec3<T> torque_S = state.R_SB * torque_B;
  if (!detail::turn_by_step<Method>(state, System{body, ConstantSpatial<T>{torque_S}}, h)) return false;
  state.L += h * torque_S;
  return true;
}

// The same, and the body turned back to the energy it should have: that before the step plus the work of the torque, by
// the trapezoidal rule. A free body keeps its energy to rounding; a step costs two to four times as much. Where no turn
// of the body has that energy, the step stands with the nearest one and counts as taken.
template <class Method, class T>
bool step_keeping_energy(Spin<T>& state, const Body<T>& body, const Same<Vec3<T>>& torque_B,
                         const Same<T>& h) noexcept {
  const Vec3<T> torque_S = state.R_SB * torque_B;
  const T energy_before = kinetic_energy(state, body);
  const T power_before = dot(torque_B, angular_velocity_body(state, body));
  if (!step<Method>(state, body, torque_B, h)) return false;
  const Vec3<T> pi_B = inverse(state.R_SB) * state.L;
  const Vec3<T> w_B = body.velocity(pi_B);
  const T power_after = dot(torque_S, state.R_SB * w_B);
  const T energy = energy_before + T(0.5) * h * (power_before + power_after);
  Work work;
  state.R_SB = renormalised(state.R_SB * project_energy(body, pi_B, energy, T(T(abs(h)) * norm(w_B)), work));
  return true;
}

}  // namespace polhode
