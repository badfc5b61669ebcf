// Any one-step method of the library for who knows this step's torque and no field of torque. What polhode/engine.hpp has is
// faster; this is for comparing, and for higher orders:
//
//   #include <polhode/engine_methods.hpp>
//   const polhode::Body<double> box({0.9, 1.1, 1.7});                    // principal moments
//   polhode::Spin<double> state;
//   polhode::step<polhode::engine::Accurate>(state, box, torque_B, h);   // torque in body axes
//
// The torque is given in body axes at the beginning of the step and held fixed in space for its length. The momentum
// then changes by h R torque_B whatever the method, and is constant to the bit without torque; the method turns the
// body. Steps may differ in length and sign. Nothing is allocated and nothing is thrown.
#pragma once

#include "polhode/engine.hpp"
#include "polhode/methods/axis_splitting.hpp"
#include "polhode/methods/composition.hpp"
#include "polhode/methods/energy_projection.hpp"
#include "polhode/methods/engine_polhode.hpp"
#include "polhode/methods/munthe_kaas.hpp"
#include "polhode/methods/runge_kutta.hpp"
#include "polhode/methods/taylor.hpp"
#include "polhode/model/fields.hpp"

namespace polhode {

// The attitude of a Spin is that of the axes in which the body was given (U): principal_axes takes principal ones to these.
template <class T>
constexpr Rotation<T> principal_attitude(const Spin<T>& state, const Body<T>& body) noexcept {
  return state.R_SB * body.principal_axes;
}
template <class T>
constexpr Spin<T> spin_from_velocity(const Body<T>& body, const Rotation<T>& R_SU, const Same<Vec3<T>>& w_S) noexcept {
  const Rotation<T> R_SB = R_SU * body.principal_axes;
  return {R_SU, R_SB * body.momentum(inverse(R_SB) * w_S)};
}
template <class T>
constexpr Vec3<T> angular_velocity_spatial(const Spin<T>& state, const Body<T>& body) noexcept {
  const Rotation<T> R_SB = principal_attitude(state, body);
  return R_SB * body.velocity(inverse(R_SB) * state.L);
}
template <class T>
constexpr Vec3<T> angular_velocity_body(const Spin<T>& state, const Body<T>& body) noexcept {
  return inverse(state.R_SB) * angular_velocity_spatial(state, body);
}
template <class T>
constexpr T kinetic_energy(const Spin<T>& state, const Body<T>& body) noexcept {
  return body.kinetic_energy(inverse(principal_attitude(state, body)) * state.L);
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
using Recommended = EnginePolhode;
using Accurate = Taylor<4>;
using Symplectic = AxisSplitting<1, 2, 3>;  // the energy of a free body stays bounded for ever

}  // namespace engine

namespace detail {

// Whether a step was made, and if not, whether its equation has no solution or the numbers are at fault.
enum class Tried { stepped, unsolved, not_finite };

// Turns the body by a step in a field of torque. The momentum a method carries is the state's own, so that it does not go
// through body axes and back.
template <class Method, class T, class F>
Tried turn_by_step(Spin<T>& state, const System<T, F>& system, const T& h) noexcept {
  const Rotation<T> R_SB = principal_attitude(state, system.body);
  const State<T> before{R_SB, inverse(R_SB) * state.L, T(0)};
  Work work;
  auto memory = start<Method>(system, before, h, work);
  if constexpr (MemoryOf<Method, T>::carries_momentum) memory.momentum_S = state.L;
  const Rotation<T> moved = advance<Method>(system, before, memory, h, work).R_SB;
  if (!work.converged) return Tried::unsolved;
  if (!all_finite(moved)) return Tried::not_finite;
  const bool turned = !(system.body.principal_axes == Rotation<T>{});
  state.R_SB = turned ? moved * inverse(system.body.principal_axes) : moved;
  return Tried::stepped;
}

// Of unit length, or false if it cannot be made so.
template <class T>
bool made_unit(Rotation<T>& q) noexcept {
  const T length = squared_norm(q);
  if (abs(length - T(1)) <= T(16) * epsilon<T>()) return true;
  if (!(length > T(0) && isfinite(length))) return false;
  q = normalised(q);
  return true;
}

template <class Method, class T>
Tried try_step(Spin<T>& state, const Body<T>& body, const Vec3<T>& torque_B, const T& h) noexcept {
  const Vec3<T>& I = body.inertia;
  if (!(I.x > T(0) && I.y > T(0) && I.z > T(0) && all_finite(I) && all_finite(state.L) && isfinite(h)))
    return Tried::not_finite;
  Spin<T> s{state.R_SB, state.L};
  if (!made_unit(s.R_SB)) return Tried::not_finite;
  Vec3<T> L = s.L;
  Tried tried = Tried::stepped;
  if (torque_B == Vec3<T>{}) {
    tried = turn_by_step<Method>(s, System{body, Free{}}, h);
  } else {
    const Vec3<T> torque_S = s.R_SB * torque_B;
    L += h * torque_S;
    if (!all_finite(L)) return Tried::not_finite;
    tried = turn_by_step<Method>(s, System{body, ConstantSpatial<T>{torque_S}}, h);
  }
  if (tried == Tried::stepped) state = {s.R_SB, L};
  return tried;
}

}  // namespace detail

// One step of length h; torque_B is in body axes at its beginning. A body without torque, which most are most of the
// time, takes the kernel of a free body: with taylor-2-augmented that is half the cost.
//
// False where the state is left as it was: for an implicit method whose equation has no solution at this step, for numbers
// that are not finite, moments that are not positive, and where the step overflows.
template <class Method, class T>
bool step(Spin<T>& state, const Body<T>& body, const Same<Vec3<T>>& torque_B, const Same<T>& h) noexcept {
  static_assert(engine::is_one_step<Method>,
                "polhode::step takes methods that need nothing but the present state; this one keeps a history of its "
                "steps. Choose another one, e.g. a Taylor or AxisSplitting method");
  static_assert(
      engine::takes_torque<Method>,
      "this method is for a body without torque (for one in closed form see polhode/model/free_rotor.hpp), or "
      "for a dumbbell in a uniform field");
  return detail::try_step<Method>(state, body, torque_B, h) == detail::Tried::stepped;
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
  const Rotation<T> R_SB = principal_attitude(state, body);
  const Vec3<T> pi_B = inverse(R_SB) * state.L;
  const Vec3<T> w_B = body.velocity(pi_B);
  const T power_after = dot(torque_S, R_SB * w_B);
  const T energy = energy_before + T(0.5) * h * (power_before + power_after);
  Work work;
  const Rotation<T> turned = renormalised(R_SB * project_energy(body, pi_B, energy, T(T(abs(h)) * norm(w_B)), work));
  state.R_SB = body.principal_axes == Rotation<T>{} ? turned : turned * inverse(body.principal_axes);
  return true;
}

}  // namespace polhode
