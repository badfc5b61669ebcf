// Newmark's method on the rotation group [KE05, Sec. 2; BOS09, eq. (3)]: explicit in the torque, implicit in the
// gyroscopic term. In body axes, with A = I^-1 (T - W x I W),
//
//   W_p = W_0 + h/2 A_0,   R_1 = R_0 exp(h W_p),   W_1 = W_p + h/2 A_1   or   I W_1 + h/2 W_1 x I W_1 = I W_p + h/2 T_1
//
// The last torque is kept, so that a step costs one evaluation. Of a torque that depends on the angular velocity T_1 is
// taken at a predicted velocity, good to h^2: order 2 stays, symmetry does not.
//
// The free body's momenta are those of the trapezoidal rule, which the change of variables I W_p takes to the midpoint
// rule: they stay next to a polhode for ever. In a field the method is no more than symmetric, and its energy may drift
// [BOS09].
#pragma once

#include <string_view>
#include <tuple>

#include "polhode/core/tangent.hpp"
#include "polhode/methods/gyroscopic_equation.hpp"
#include "polhode/methods/increment.hpp"
#include "polhode/methods/kick.hpp"

namespace polhode {

namespace newmark {

inline constexpr Claims claims{.order_attitude = 2,
                               .order_momentum = 2,
                               .gains_with_velocity = Gains::nothing,
                               .symmetric = true,
                               .energy_free = Keeps::bounded,
                               .batch = true};

// What is known before the body is turned.
template <class T>
struct Prediction {
  Vec3<T> c;     // gyration
  Vec3<T> rate;  // I A_0
  Vec3<T> pi_p;  // I W_p
  Vec3<T> pi_1;  // at the end of the step, by the explicit midpoint rule with T_0
};

template <class T, class F>
[[gnu::always_inline]] constexpr Prediction<T> predict(const System<T, F>& sys, const State<T>& s,
                                                       KeptTorque<T>& memory, const T& h, Work& work) {
  if constexpr (!is_free<F>) {
    if (!memory.torque_known) memory.torque_B = torque_body(sys, s.R_SB, s.pi_B, s.t, work);
  }
  Prediction<T> at;
  at.c = gyration(sys.body);
  const auto rate = [&](const Vec3<T>& pi_B) {
    if constexpr (is_free<F>) {
      return gyroscopic(at.c, pi_B);
    } else {
      return gyroscopic(at.c, pi_B) + memory.torque_B;
    }
  };
  at.rate = rate(s.pi_B);
  at.pi_p = s.pi_B + T(T(0.5) * h) * at.rate;
  at.pi_1 = s.pi_B + h * rate(at.pi_p);
  return at;
}

// The momentum at the new attitude: I W_1 + a W_1 x I W_1 = known + a T_1.
template <class T, class F>
[[gnu::always_inline]] constexpr State<T> arrive(const System<T, F>& sys, const Prediction<T>& at,
                                                 const Rotation<T>& R1_SB, const Vec3<T>& known, const T& a, const T& t,
                                                 KeptTorque<T>& memory, Work& work) {
  if constexpr (!is_free<F>) {
    memory.torque_B = torque_body(sys, R1_SB, at.pi_1, t, work);
    memory.torque_known = true;
  }
  Vec3<T> b = known;
  if constexpr (!is_free<F>) b += a * memory.torque_B;
  const GyroscopicEquation<T> equation{a * at.c, b};
  return {R1_SB, solve_near(equation, Vec3<T>(b + gyroscopic(equation.ac, at.pi_1)), work), t};
}

}  // namespace newmark

struct NewmarkFamily : KeepsTorque {
  static constexpr std::string_view family = "newmark";
};

template <Increment map = Increment::exponential>
struct Newmark : NewmarkFamily {
  static constexpr bool cayley = map == Increment::cayley;
  static constexpr std::string_view cite = cayley ? "BOS09, eq. (3)" : "KE05, Sec. 2.4";
  static constexpr std::string_view about =
      cayley ? "Newmark's method with the Cayley map in the attitude: no trigonometry, larger attitude error"
             : "Newmark's method in body axes: one torque, an equation for the gyroscopic term, symmetric";
  static constexpr std::string_view good_for =
      cayley ? "reproducing the counterexample: a symmetric method whose energy drifts"
             : "structural codes that have Newmark already: one torque call, 2 small iterations, accurate attitudes";
  static constexpr std::string_view not_for =
      cayley ? "anything else: newmark has the smaller error at the same cost"
             : "long runs: momentum and energy are not kept, and in some fields the energy drifts";
  static constexpr Claims claims = newmark::claims;

  template <class T, class F>
  [[gnu::always_inline]] static constexpr State<T> step(const System<T, F>& sys, const State<T>& s,
                                                        KeptTorque<T>& memory, const T& h, Work& work) {
    const auto at = newmark::predict(sys, s, memory, h, work);
    const Rotation<T> turn = turn_by<map>(h * sys.body.velocity(at.pi_p));
    const Rotation<T> R1_SB = renormalised(inlined::product(s.R_SB, turn));
    return newmark::arrive(sys, at, R1_SB, at.pi_p, T(T(0.5) * h), T(s.t + h), memory, work);
  }
};

// With a parameter gamma [KE05, eq. (34), (35)]:
//   q = h W_0 + h^2/2 A_0,   R_1 = R_0 exp(q),   W_1 = dexp(-q) (W_0 + h (1 - gamma) A_0) + h gamma A_1
// The sign of dexp's argument is that of increments composed on the right; (33) has the other one. dexp(-q) does
// nothing to W_p, which lies along q: what it acts on is h (1/2 - gamma) A_0, and gamma = 1/2 is Newmark. Every other
// gamma is of order 1 and dissipates if above 1/2, or gains energy if below, which is of no use to anybody: by name
// there is none below.
namespace newmark {

struct Gamma {
  double gamma = 0.6;
};
constexpr Claims claims_for(const Gamma& parameters) {
  if (parameters.gamma == 0.5) return claims;
  return {.order_attitude = 1, .order_momentum = 1, .dissipative = parameters.gamma > 0.5, .batch = true};
}

}  // namespace newmark

struct NewmarkGamma : NewmarkFamily {
  using Parameters = newmark::Gamma;
  static constexpr auto parameters() {
    return std::tuple{Parameter{"gamma", &Parameters::gamma, 0.5, 1,
                                "weight of the new acceleration: 1/2 is newmark itself, and the further above, the "
                                "faster energy is lost"}};
  }

  static constexpr std::string_view cite = "KE05, eq. (34), (35)";
  static constexpr std::string_view about =
      "Newmark's method with gamma off 1/2, as 0.6: order 1, dissipative above 1/2";
  static constexpr std::string_view good_for =
      "bringing a body to rest in a statics search, or showing what gamma does";
  static constexpr std::string_view not_for = "motion: first order, and energy is dissipated";
  static constexpr Claims claims_for(const Parameters& parameters) { return newmark::claims_for(parameters); }
  static constexpr Claims claims = newmark::claims_for({});

  template <class T, class F>
  [[gnu::always_inline]] static constexpr State<T> step(const System<T, F>& sys, const State<T>& s,
                                                        KeptTorque<T>& memory, const Parameters& parameters, const T& h,
                                                        Work& work) {
    const T gamma = static_cast<T>(parameters.gamma);
    const auto at = newmark::predict(sys, s, memory, h, work);
    const Vec3<T> q = h * sys.body.velocity(at.pi_p);
    const Vec3<T> A_0 = dexp(-q, sys.body.velocity(at.rate));
    const Vec3<T> known = at.pi_p + sys.body.momentum(T(h * (T(0.5) - gamma)) * A_0);
    const Rotation<T> R1_SB = renormalised(s.R_SB * exp(q));
    return newmark::arrive(sys, at, R1_SB, known, T(h * gamma), T(s.t + h), memory, work);
  }
};

}  // namespace polhode
