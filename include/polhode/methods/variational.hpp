// Romero's variational integrator on the rotation group [R08, Sec. 4].
//
// The discrete Lagrangian of a step is the kinetic energy at the constant velocity q/h, where exp(q) is the rotation of
// the step. Its Euler-Poincare equations (26) say that the momentum of one step is carried over to the next, whatever
// their lengths:
//
//   dexpinv(-q) I q = h pi,   R <- R exp(q),   pi <- exp(-q) pi.
//
// Written out the equation is I q + 1/2 q x I q + c(|q|) q x (q x I q) = h pi. For equal moments q = h I^-1 pi.
#pragma once

#include <limits>
#include <numbers>
#include <string_view>

#include "polhode/core/tangent.hpp"
#include "polhode/methods/exponential_turn.hpp"
#include "polhode/methods/kicked_turn.hpp"

namespace polhode {

// Beyond a full turn dexpinv has passed its pole: there is no derivative there for Newton's method.
struct VariationalRule {
  template <class T>
  [[gnu::always_inline]] static constexpr TurnCoefficients<T> coefficients(const T& y) {
    const DexpinvCoefficient<T> c = dexpinv_coefficient_and_slope(y);
    const auto regular = y < T(4 * std::numbers::pi * std::numbers::pi);
    return {T(0.5), c.value, T(0), select(regular, c.slope, T(std::numeric_limits<value_of<T>>::quiet_NaN()))};
  }
};

// Starts from the momentum of the body, which is the discrete Legendre transform of its velocity to second order.
struct VariationalLegendre : KickedTurn<VariationalLegendre> {
  static constexpr std::string_view family = "variational";
  static constexpr std::string_view cite = "R08, Sec. 4";
  static constexpr std::string_view about = "Romero's variational integrator, started from the momentum of the body";
  static constexpr std::string_view good_for =
      "long runs in a conservative field: symplectic, no drift, variable steps";
  static constexpr std::string_view not_for =
      "free bodies that must keep their energy exactly; mclachlan-reich does the same without an equation to solve";
  static constexpr Claims claims{.order_attitude = 2,
                                 .order_momentum = 2,
                                 .gains_with_velocity = Gains::one,
                                 .symmetric = true,
                                 .symplectic = true,
                                 .momentum_free = Keeps::exact,
                                 .momentum_along_field = Keeps::exact,
                                 .energy_free = Keeps::bounded,
                                 .energy = Keeps::bounded,
                                 .wheels = true,
                                 .batch = true};

  template <class T>
  [[gnu::always_inline]] static constexpr void turn_free(const Body<T>& body, State<T>& s, const T& h, Work& work) {
    turn(s, exponential_turn<VariationalRule>(body, Vec3<T>(h * s.pi_B), work));
  }
};

// The same with the paper's own start [R08, Remark 1]: the momentum is that of a step before the first, taken at the
// velocity W_0 - (h/2) W_0'. It differs from I W_0 by O(h^2), once; from there on it is the momentum that is kept, and
// the one that a state shows. Such a start is neither undone by a step backwards nor symplectic; the steps after it are
// both.
struct Variational {
  static constexpr std::string_view family = VariationalLegendre::family;
  static constexpr std::string_view cite = VariationalLegendre::cite;
  static constexpr std::string_view about = "Romero's variational integrator with his start, which shifts the momentum";
  static constexpr std::string_view good_for = "reproducing the paper; steps as good as those of variational-legendre";
  static constexpr std::string_view not_for =
      "anything else: its start shifts the conserved momentum by O(h^2), once and for all";
  static constexpr Claims claims = [] {
    Claims c = VariationalLegendre::claims;
    c.composes = false;  // the shift stays what it is
    c.wheels = false;    // the start is that of a body without them
    c.batch = false;
    return c;
  }();

  template <class T>
  struct Memory {
    static constexpr bool carries_momentum = false;
    KeptTorque<T> kept{};
    Vec3<T> carried_S{};
    bool shown = false;  // by the state, from the first step on

    constexpr void attitude_changed() { kept.attitude_changed(); }
    constexpr Memory reversed() const { return *this; }
  };

  template <class T, class F>
  static constexpr Memory<T> start(const System<T, F>& sys, const State<T>& s, const T& h, Work& work) {
    const Body<T>& body = sys.body;
    const Vec3<T> torque_B = torque_body(sys, s.R_SB, s.pi_B, s.t, work);
    const Vec3<T> W = body.velocity(s.pi_B), W_rate = body.velocity(torque_B - cross(W, s.pi_B));
    const Vec3<T> W_before = W - T(T(0.5) * h) * W_rate;
    // exp(-q) dexpinv(-q) = dexpinv(q); the second half of the kick that ends the step before comes on top.
    const Vec3<T> pi_B = dexpinv(Vec3<T>(h * W_before), body.momentum(W_before)) + T(T(0.5) * h) * torque_B;
    return {{torque_B, !is_free<F>}, s.R_SB * pi_B, false};
  }

  template <class T, class F>
  [[gnu::always_inline]] static constexpr State<T> step(const System<T, F>& sys, State<T> s, Memory<T>& memory,
                                                        const T& h, Work& work) {
    // Without torque the momentum stays the same to the bit. With torque the state's is the one that is carried on:
    // from body to space and back at every step, the rounding of |q| would add up.
    if (is_free<F> || !memory.shown) s.pi_B = inverse(s.R_SB) * memory.carried_S;
    memory.shown = true;
    s = VariationalLegendre::step(sys, s, memory.kept, h, work);
    if constexpr (!is_free<F>) memory.carried_S = spatial_momentum(s);
    return s;
  }
};

}  // namespace polhode
