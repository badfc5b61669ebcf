// Taylor methods on the rotation group [B01; S11].
//
// The step finds one rotation vector Y(h) with R(t + h) = R exp(Y(h)). In body axes Y' = dexpinv_(-Y)(w_B), and the
// Lie series turns the Taylor coefficients of w_B into those of Y. They follow from
//   d pi_B/dt = pi_B x w_B + tau_B,   pi_B = I w_B,
// one coefficient after the other, with the field itself run on power series of attitude, velocity and time. The
// spatial momentum, whose derivative is the spatial torque, is carried from step to step: a free body's is constant to
// the bit. Truncating Y after h^N and the momentum after h^N gives order N; stopping the momentum one term earlier
// would lose one.
//
// Where the field offers values only, orders 1 and 2 use the derivative of w_B from this step's torque and the
// trapezoidal rule l_1 = l_0 + h/2 (t_0 + t_1), with t_1 at the new attitude and kept for the next step. A torque that
// depends on the angular velocity is evaluated there with the momentum l_0 + h t_0.
#pragma once

#include <array>
#include <string_view>

#include "polhode/core/lie_series.hpp"
#include "polhode/methods/carried_momentum.hpp"
#include "polhode/methods/taylor_coefficients.hpp"
#include "polhode/methods/taylor_expansion.hpp"

namespace polhode {

// How the paper's rules differ from the plain truncation of the Lie series after h^N.
enum class Rule {
  truncation,
  without_bracket,  // h^3/12 w' x w left out: the false third order
  augmented,        // h^3/12 w' x w added to the second order
  averaged_rate     // h^4/36 w'' x w added to the third order, because (w' + h/3 w'') is the mean rate of change
};

template <std::size_t N, Rule rule = Rule::truncation>
struct Taylor : CarriesMomentum {
  static constexpr int order = rule == Rule::without_bracket ? 2 : static_cast<int>(N);
  static constexpr std::string_view family = "taylor";
  static constexpr std::string_view cite = "B01, Sec. 3, 5";
  static constexpr std::string_view about = [] {
    switch (rule) {
      case Rule::without_bracket: return "Taylor's rule without the bracket: one derivative more, no order gained";
      case Rule::augmented: return "second order with the third-order bracket: the recommendation for games";
      case Rule::averaged_rate: return "third order as the paper prints it, with its extra h^3/36 term";
      case Rule::truncation: break;
    }
    return N == 3 ? "third order of the slides: the Lie series truncated" : "the Lie series truncated at this order";
  }();
  static constexpr std::string_view good_for = [] {
    switch (rule) {
      case Rule::without_bracket: return "seeing what the bracket is worth: beside taylor-3 it is one product short";
      case Rule::augmented: return "games and anything that needs one cheap, robust step with values of the torque";
      case Rule::averaged_rate: return "reproducing the paper's third-order rows";
      case Rule::truncation: break;
    }
    return N <= 2   ? "the cheapest step there is, where a degree does not matter"
           : N <= 4 ? "moderate accuracy at few steps, free or in a smooth field"
                    : "high accuracy over some hundred turns, and references to compare with";
  }();
  static constexpr std::string_view not_for = [] {
    if (rule == Rule::without_bracket) return "anything else: one derivative more than taylor-2, and no order for it";
    return N <= 2   ? "long runs without +energy: the energy drifts in one direction"
           : N <= 4 ? "very long runs without +energy, and torques known by their values only"
                    : "torques known by their values only, and torques that jump";
  }();
  static constexpr Claims claims{.order_attitude = order,
                                 .order_momentum = order,
                                 .momentum_free = Keeps::exact,
                                 .momentum_along_field = Keeps::exact,
                                 .needs = N <= 2 ? Needs::values : Needs::series,
                                 .torque_evaluations = static_cast<double>(N),
                                 .knows_work = true,
                                 .wheels = true,
                                 .batch = N <= 6};

  template <class T, class F>
  [[gnu::always_inline]] static constexpr State<T> step(const System<T, F>& sys, const State<T>& s, Memory<T>& memory,
                                                        const T& h, Work& work, StepSeries<T>* kept = nullptr) {
    if constexpr (is_free<F> || SeriesField<F, T>) {
      if (is_free<F> || offers_series<T>(sys.field)) return step_by_series(sys, s, memory, h, work, kept);
    }
    if constexpr (N <= 2) {
      return step_by_values(sys, s, memory, h, work, kept);
    } else {
      static_assert(
          SeriesField<F, T> || requires(const F& f) { f.offers_series(); },
          "this order needs a field that can be run on power series; taylor-1, taylor-2 and "
          "taylor-2-augmented work with values only");
      work.converged = false;
      return s;
    }
  }

 private:
  // Y(h) from w_B, w_B', ... The rules speak of spatial derivatives: w' = w_B' and w'' = w_B'' + w_B x w_B' at the
  // start.
  template <class T>
  [[gnu::always_inline]] static constexpr Vec3<T> rotation_vector(const std::array<Vec3<T>, N>& w, const T& h) {
    const auto y = lie_series<N, Frame::body, T>(w);
    // From the largest term down: the last coefficient comes out of the longest chain and must not be waited for first.
    Vec3<T> sum = h * y[1];
    T power = h * h;
    if constexpr (N > 1) sum += power * y[2];
    for (std::size_t n = 3; n <= N; ++n) {
      power = power * h;
      sum += power * y[n];
    }
    // The factors go to w, which is known from the start.
    if constexpr (rule == Rule::without_bracket) sum -= cross(w[1], T(h * h * h / T(12)) * w[0]);
    if constexpr (rule == Rule::augmented) sum += cross(w[1], T(h * h * h / T(12)) * w[0]);
    if constexpr (rule == Rule::averaged_rate) {
      const Vec3<T> half_second_derivative = w[2] + T(0.5) * cross(w[0], w[1]);
      sum += cross(half_second_derivative, T(h * h * h * h / T(18)) * w[0]);
    }
    return sum;
  }

  // The same rotation vector for any part of the step.
  template <class T>
  static constexpr void keep(const State<T>& s, const T& h, bool free_body, const std::array<Vec3<T>, N>& w,
                             StepSeries<T>& kept) {
    kept.keep(s, h, N, free_body, w, lie_series<N, Frame::body, T>(w));
    if constexpr (rule == Rule::without_bracket) kept.add_turn(3, T(T(-1) / T(12)) * cross(w[1], w[0]));
    if constexpr (rule == Rule::augmented) kept.add_turn(3, T(T(1) / T(12)) * cross(w[1], w[0]));
    if constexpr (rule == Rule::averaged_rate)
      kept.add_turn(4, T(T(1) / T(18)) * cross(w[2] + T(0.5) * cross(w[0], w[1]), w[0]));
  }

  template <class T, class F>
  [[gnu::always_inline]] static constexpr State<T> step_by_series(const System<T, F>& sys, const State<T>& s,
                                                                  Memory<T>& memory, const T& h, Work& work,
                                                                  StepSeries<T>* kept) {
    // Short series of a field that is known by its type are inlined, order by order.
    constexpr std::size_t longest_in_line = is_free<F>           ? taylor::lowest_order + 1
                                            : may_be_rotor<T, F> ? taylor::lowest_order - 1
                                                                 : taylor::longest_truncated<T>;
    if constexpr (N <= longest_in_line || N > taylor::highest_order) {  // or an order that the catalogue does not have
      const Expansion<T, N> e = expand<N>(sys, s, work);
      if constexpr (!is_free<F>) advance_momentum(e, memory, h);
      if (is_kept(kept)) keep(s, h, is_free<F>, e.w_B, *kept);
      return memory.turned(s, rotation_vector(e.w_B, h), T(s.t + h));
    } else {
      return taylor::step(sys, s, memory, h, N, work, kept);
    }
  }

  // l(h) = l(0) + integral of R tau_B, to order h^order; and the work of the torque, the integral of w_B . tau_B.
  template <class T>
  static constexpr void advance_momentum(const Expansion<T, N>& e, Memory<T>& memory, const T& h) {
    constexpr std::size_t last = static_cast<std::size_t>(order) - 1;
    const auto torque_B = detail::leading<last>(e.torque_B);
    const auto torque_S = detail::leading<last>(e.R_SB) * torque_B;
    const auto power = dot(torque_B, detail::leading<last>(e.w_B));
    Vec3<T> impulse{};
    T energy(0);
    for (std::size_t n = last + 1; n-- > 0;) {
      const T weight = h / T(static_cast<int>(n + 1));
      impulse = weight * Vec3<T>{torque_S.x.c[n], torque_S.y.c[n], torque_S.z.c[n]} + h * impulse;
      energy = weight * power.c[n] + h * energy;
    }
    memory.momentum_S += impulse;
    memory.work_of_torque = energy;
    memory.work_known = true;
  }

  template <class T, class F>
  static constexpr State<T> step_by_values(const System<T, F>& sys, const State<T>& s, Memory<T>& memory, const T& h,
                                           Work& work, StepSeries<T>* kept) {
    const Vec3<T> t0_S = memory.torque_at(sys, s, work);
    std::array<Vec3<T>, N> w{velocity_at(sys, s.pi_B, s.t)};
    if constexpr (N == 2) {
      w[1] = sys.body.velocity(cross(s.pi_B, w[0]) + inverse(s.R_SB) * t0_S);
      if (carries_wheels(sys)) w[1] -= sys.body.velocity(sys.body.wheels.rate);
    }
    if (is_kept(kept)) keep(s, h, false, w, *kept);
    const Rotation<T> R1_SB = renormalised(s.R_SB * exp(rotation_vector(w, h)));
    const Vec3<T> predicted_B = inverse(R1_SB) * (memory.momentum_S + h * t0_S);
    const Vec3<T> t1_S = torque_spatial(sys, R1_SB, predicted_B, T(s.t + h), work);
    memory.momentum_S += T(T(0.5) * h) * (t0_S + t1_S);
    const State<T> next = memory.arrived(R1_SB, T(s.t + h));
    memory.keep_torque(t1_S);
    return next;
  }
};

}  // namespace polhode
