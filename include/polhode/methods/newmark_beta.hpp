// Newmark's method with both of its parameters [KE05, eq. (21), (22)], implicit in the torque. In body axes, with
// A = I^-1 (T - W x I W),
//
//   q = h W_0 + h^2/2 ((1 - 2 beta) A_0 + 2 beta A_1),   R_1 = R_0 exp(q)
//   W_1 = W_0 + h/2 (A_0 + A_1) + h (1/2 - gamma) (dexp(-q) A_0 - A_1)
//
// The paper gives (21) and (22) for vectors and takes beta = 0 to the rotations. What beta does there is our reading: A_0
// and A_1 enter q by their components in the body, and of the velocity the part that gamma = 1/2 leaves, eq. (36), is not
// shifted. With gamma = 1/2 the method is then symmetric for every beta; with beta = 0 it is newmark-gamma. A torque that
// depends on the angular velocity is taken at W_1: it stays so there.
#pragma once

#include <string_view>
#include <tuple>

#include "polhode/core/tangent.hpp"
#include "polhode/methods/implicit_torque.hpp"
#include "polhode/methods/method.hpp"
#include "polhode/methods/solver.hpp"

namespace polhode {

namespace newmark {

struct BetaGamma {
  double beta = 0.25;
  double gamma = 0.5;
};
constexpr Claims claims_for(const BetaGamma& parameters) {
  const bool second_order = parameters.gamma == 0.5;
  return {.order_attitude = second_order ? 2 : 1,
          .order_momentum = second_order ? 2 : 1,
          .symmetric = second_order,
          .energy_free = second_order ? Keeps::bounded : Keeps::no,
          .torque_evaluations = 4,  // at the start, a guess and two iterations, at ordinary steps
          .implicit_torque = true,
          .dissipative = parameters.gamma > 0.5};
}

// I A_1 + W_1 x I W_1 - T_1 = 0 for the acceleration A_1, in body axes.
template <class T, class F>
struct BetaEquation {
  const System<T, F>& sys;
  const State<T>& s;
  Vec3<T> A_0;
  T beta, gamma, h;
  Work& work;

  struct Arrival {
    Vec3<T> q, w_B;
    std::array<Vec3<T>, 3> turn, velocity;  // by the components of A_1
  };

  // Where the acceleration A_1 takes the body in a step.
  constexpr Arrival arrival(const Vec3<T>& A_1, const T& step) const {
    using D = Dual<T, 3>;
    const T bend = beta * step * step, off = step * (T(0.5) - gamma);
    const Vec3<T> w_0 = sys.body.velocity(s.pi_B);
    Arrival at{};
    at.q = step * (w_0 + T(T(0.5) * step) * A_0) + bend * (A_1 - A_0);
    at.w_B = w_0 + T(T(0.5) * step) * A_0 + T(step * gamma) * A_1;
    Vec3<D> q = cast<D>(at.q);
    for (std::size_t k = 0; k < 3; ++k) q[k].d[k] = bend;
    const Vec3<D> shifted = dexp(Vec3<D>(-q), cast<D>(A_0));
    for (std::size_t i = 0; i < 3; ++i) at.w_B[i] = at.w_B[i] + off * shifted[i].value;
    for (std::size_t k = 0; k < 3; ++k) {
      Vec3<T> e_k{};
      e_k[k] = T(1);
      at.turn[k] = dexp(Vec3<T>(-at.q), Vec3<T>(bend * e_k));
      at.velocity[k] = T(step * gamma) * e_k + off * Vec3<T>{shifted.x.d[k], shifted.y.d[k], shifted.z.d[k]};
    }
    return at;
  }

  constexpr Equation<T> operator()(const Vec3<T>& A_1, const T& share) const {
    const T step = share * h;
    const Arrival at = arrival(A_1, step);
    const Vec3<T> pi = sys.body.momentum(at.w_B), rate = sys.body.momentum(A_1), turning = cross(at.w_B, pi);
    // Where a damped body comes to rest or spins about an axis both terms vanish, and what rounding leaves of them does not.
    const T products = detail::size_of(at.w_B) * detail::size_of(pi);
    Equation<T> e{rate + turning, {}, max(detail::size_of(rate), products)};
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3<T>& dw = at.velocity[k];
      const Vec3<T> column = cross(dw, pi) + cross(at.w_B, sys.body.momentum(dw));
      for (std::size_t i = 0; i < 3; ++i) e.jacobian[i][k] = column[i];
      e.jacobian[k][k] = e.jacobian[k][k] + sys.body.inertia[k];
    }
    if constexpr (!is_free<F>) {
      const TorquePlace<T> place{s.R_SB * exp(at.q), at.w_B, at.turn, at.velocity};
      const TorqueAndSlope<T> torque = torque_and_slope(sys, place, T(s.t + step), work);
      e.value -= torque.torque_B;
      e.size = max(e.size, detail::size_of(torque.torque_B));
      const T bend = beta * step * step;  // how far the unknown turns the body: over it, slopes are torques per radian
      for (std::size_t k = 0; k < 3 && bend > T(0); ++k)
        e.size = max(e.size, T(detail::size_of(torque.slope[k]) / bend));
      for (std::size_t k = 0; k < 3; ++k)
        for (std::size_t i = 0; i < 3; ++i) e.jacobian[i][k] = e.jacobian[i][k] - torque.slope[k][i];
    }
    return e;
  }
};

}  // namespace newmark

struct NewmarkBeta {
  using Parameters = newmark::BetaGamma;
  static constexpr auto parameters() {
    return std::tuple{Parameter{"beta", &Parameters::beta, 0, 0.5,
                                "share of the new acceleration in the turn: 0 is newmark, 1/4 the trapezoidal rule"},
                      Parameter{"gamma", &Parameters::gamma, 0.5, 1,
                                "weight of the new acceleration in the velocity: above 1/2 energy is lost"}};
  }

  static constexpr std::string_view family = "newmark";
  static constexpr std::string_view cite = "KE05, eq. (21), (22)";
  static constexpr std::string_view about =
      "Newmark's method with beta and gamma: implicit, the torque in its equation";
  static constexpr std::string_view good_for =
      "comparing with a structural code that has beta = 1/4, and seeing what beta does on rotations";
  static constexpr std::string_view not_for =
      "costly torques, called about four times a step, and long runs in a field, where the energy may drift";
  static constexpr Claims claims_for(const Parameters& parameters) { return newmark::claims_for(parameters); }
  static constexpr Claims claims = newmark::claims_for(Parameters{});

  template <class T, class F>
  static constexpr State<T> step(const System<T, F>& sys, const State<T>& s, const Parameters& parameters, const T& h,
                                 Work& work) {
    const Vec3<T> w_0 = sys.body.velocity(s.pi_B);
    const Vec3<T> A_0 = acceleration(sys, s.R_SB, w_0, s.t, work);
    const newmark::BetaEquation<T, F> equation{
        sys, s, A_0, static_cast<T>(parameters.beta), static_cast<T>(parameters.gamma), h, work};
    // Where A_0 takes the body: good to h^2.
    const auto there = equation.arrival(A_0, h);
    const Vec3<T> guess =
        acceleration(sys, Rotation<T>(s.R_SB * exp(there.q)), Vec3<T>(w_0 + h * A_0), T(s.t + h), work);
    const auto at = equation.arrival(solve(equation, guess, A_0, work), h);
    return {renormalised(s.R_SB * exp(at.q)), sys.body.momentum(at.w_B), s.t + h};
  }

 private:
  template <class T, class F>
  static constexpr Vec3<T> acceleration(const System<T, F>& sys, const Rotation<T>& R_SB, const Vec3<T>& w_B,
                                        const T& t, Work& work) {
    const Vec3<T> pi_B = sys.body.momentum(w_B);
    Vec3<T> rate = cross(pi_B, w_B);
    if constexpr (!is_free<F>) rate += torque_body(sys, R_SB, pi_B, t, work);
    return sys.body.velocity(rate);
  }
};

}  // namespace polhode
