// Steps that physics engines make. An engine keeps attitude and velocity, changes the velocity by the torque and, if
// somebody asked for it, by the gyroscopic term at the old attitude, and then turns the body by the new velocity:
//
//   w <- g(w) + h I^-1 T,   q <- turn(h w) q
//
// What differs is g, which stands for  I w' = -w x I w  in body axes. The velocity is kept in space there, and it is kept
// fixed in space while the body turns by it. That is no difference: a turn about w takes w to itself, so that the
// components in body axes stay as well, and the steps here are those of engines in other coordinates. A turn by an
// exponential and one by a normalised quaternion, q + h/2 w q, are about the same axis.
//
// The sources are cited as we read them; the formulas are derived here. Engines also bound the speed, a turn of a step,
// and damp: none of that is here.
#pragma once

#include <string_view>

#include "polhode/methods/gyroscopic_equation.hpp"
#include "polhode/methods/increment.hpp"
#include "polhode/methods/method.hpp"

namespace polhode {

// A method is an EngineStep of itself if it has a static apply_gyroscopic(body, pi_B, h), which returns the momentum I g(w)
// in body axes. The torque is that at the beginning of the step.
template <class M, Increment map>
struct EngineStep {
  static constexpr std::string_view family = "engine";

  template <class T, class F>
  static constexpr State<T> step(const System<T, F>& sys, const State<T>& s, const T& h, Work& work) {
    Vec3<T> pi = M::apply_gyroscopic(sys.body, s.pi_B, h);
    if constexpr (!is_free<F>) pi += h * torque_body(sys, s.R_SB, s.pi_B, s.t, work);
    return {renormalised(s.R_SB * turn_by<map>(h * sys.body.velocity(pi))), pi, s.t + h};
  }
};

// No gyroscopic term at all. The body then turns about a fixed axis for ever, and its spatial momentum turns with it. The
// solution is that of another equation: however small the steps, the error stays. The term does no work, so that this
// equation keeps the energy as well; the step is one of its kick and turn, which are reversible and keep volumes, and in a
// field the energy oscillates and does not drift.
struct EngineSemiImplicitEuler : EngineStep<EngineSemiImplicitEuler, Increment::cayley> {
  static constexpr std::string_view cite = "PhysX; Principia2519";
  static constexpr std::string_view about =
      "velocity by the torque, then the quaternion by the velocity: the gyroscopic term is left out";
  static constexpr std::string_view good_for =
      "seeing what many engines do by default, and what it costs: bodies that neither precess nor tumble";
  static constexpr std::string_view not_for =
      "any body but a ball: order 0, smaller steps help nothing; every other method listed does better";
  static constexpr Claims claims{.energy_free = Keeps::exact, .energy = Keeps::bounded, .batch = true};

  template <class T>
  [[gnu::always_inline]] static constexpr Vec3<T> apply_gyroscopic(const Body<T>&, const Vec3<T>& pi_B, const T&) {
    return pi_B;
  }
};

// The implicit Euler rule for the gyroscopic term, I (g - w) + h g x I g = 0, by one step of Newton's method from g = w.
// In momenta, which are linear in velocities and so leave Newton's step what it is: pi - h pi x I^-1 pi = pi_0.
//
// With D = d(pi x I^-1 pi)/dpi the change is (1 - h D)^-1 h (pi_0 x I^-1 pi_0). For a spin about the axis of the largest or
// the smallest moment D has imaginary eigenvalues, and a wobble decays with energy and momentum: a tumbling body ends up in
// a spin about one of these two axes, on whichever side of the separatrix it began. For one about the middle axis the
// largest eigenvalue is real and positive, and where h times it comes to one the matrix is singular. It is at most the
// velocity, so that this takes a radian a step.
struct EngineImplicitGyroscopic : EngineStep<EngineImplicitGyroscopic, Increment::exponential> {
  static constexpr std::string_view cite = "Catto15; Bullet346";
  static constexpr std::string_view about =
      "gyroscopic term by implicit Euler, one step of Newton's method in body axes, as in Bullet";
  static constexpr std::string_view good_for =
      "comparing with engines that have it: it does not explode at a game's steps, and a wobble dies away";
  static constexpr std::string_view not_for =
      "motion that is to last: first order, and a body that tumbles loses its momentum until it spins without";
  static constexpr Claims claims{.order_attitude = 1, .order_momentum = 1, .dissipative = true, .batch = true};

  template <class T>
  [[gnu::always_inline]] static constexpr Vec3<T> apply_gyroscopic(const Body<T>& body, const Vec3<T>& pi_B,
                                                                   const T& h) {
    return pi_B - GyroscopicEquation<T>{h * gyration(body), pi_B}.newton_change(pi_B);
  }
};

// The explicit Euler rule, which goes outwards in every step, and the length of the momentum restored:
//
//   p = pi_0 + h pi_0 x I^-1 pi_0,   I g = p |pi_0| / |p|
//
// The change d = h pi_0 x I^-1 pi_0 is at right angles to the momentum and to the velocity. With J = I^-1 the kinetic energy
// E changes by
//
//   (d . J d - 2 E |d|^2/|pi_0|^2) / (2 (1 + |d|^2/|pi_0|^2)).
//
// It rises where a spin of that momentum about d has more energy than the body, and falls where it has less. Next to the
// axis of the largest moment every spin about another one has more, next to that of the smallest every one has less: the
// energy goes from either side to that of a spin about the middle axis, and bodies end up tumbling [Avian993].
struct EngineMomentumClamp : EngineStep<EngineMomentumClamp, Increment::exponential> {
  static constexpr std::string_view cite = "Jolt809; Avian738; Avian993";
  static constexpr std::string_view about =
      "gyroscopic term by explicit Euler, the length of the momentum restored, as in Jolt and Avian";
  static constexpr std::string_view good_for =
      "comparing with engines that have it: cheap, and a free body never explodes";
  static constexpr std::string_view not_for =
      "motion that is to last: first order, and every free body is driven to its middle axis, where it tumbles";
  static constexpr Claims claims{.order_attitude = 1, .order_momentum = 1, .batch = true};

  template <class T>
  [[gnu::always_inline]] static constexpr Vec3<T> apply_gyroscopic(const Body<T>& body, const Vec3<T>& pi_B,
                                                                   const T& h) {
    const Vec3<T> p = pi_B + h * gyroscopic(gyration(body), pi_B);
    const T longer = squared_norm(p);
    const auto moves = longer > T(0);
    return T(sqrt(T(select(moves, squared_norm(pi_B), T(1)) / select(moves, longer, T(1))))) * p;
  }
};

}  // namespace polhode
