// Picard sweeps on Lobatto collocation, the nodes side by side in one register.
//
// Within a step the quaternion q and half the body velocity v = w_B/2 are polynomials through the nodes
// c_0 = 0 < c_1 < ... < c_N = 1 with
//   q' = q v,   v' = I^-1 (tau_B/2 - 2 v x I v),
// found by sweeps Y <- y_0 + h A f(Y), every node at once: no sweep waits for a node. Converged, they are the Lobatto IIIA
// collocation of order 2 N. The sweeps begin with the polynomial of the step before, carried on; each gains an order, so
// that a few do. The torque is asked for values only, at all nodes in one call where it can take lanes.
//
// The momentum in space is carried: l += h sum_i b_i tau_S(q_i) is its only change, so that what the torque leaves alone
// is kept to rounding however many sweeps were made. Every fourth step the velocity is set from it.
//
// With a tolerance, steps and sweeps are chosen by two estimates that cost next to nothing. What sweeps leave is the change
// in the last of them times the factor by which changes shrink. What collocation leaves follows from the last Legendre
// coefficient a of the rates: for q' = i w q/2 with z = w h/2 the coefficient is (2N + 1) j_N(z) i w/2, the collocation is
// Pade's approximation of exp(2iz), and its error is c (h a)^2/z, c = (N!)^2 2^(2N+1) ((2N-1)!!)^2/(4 (2N)! (2N+1)!).
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include "polhode/core/instruction_set.hpp"
#include "polhode/methods/method.hpp"
#include "polhode/methods/picard_nodes.hpp"
#include "polhode/model/weight_on_axis.hpp"

namespace polhode {

template <std::size_t N, int Sweeps>
struct PicardLobatto {
  static constexpr std::string_view family = "picard";
  static constexpr std::string_view cite = "CN63; HLW06, Sec. II.1";
  static constexpr std::string_view about =
      N == 4 ? "Picard sweeps on Lobatto collocation of order 8, four nodes side by side"
             : "Picard sweeps on Lobatto collocation of order 16, eight nodes side by side";
  static constexpr std::string_view good_for =
      N == 4 ? "any torque known by its values, at accuracies from a hundredth to a millionth of a radian"
             : "any torque known by its values, at accuracies beyond a millionth of a radian";
  static constexpr std::string_view not_for = "torques that are expensive to evaluate one attitude at a time";
  // The velocity follows from the momentum every so many steps: of the two, the momentum is the one that is balanced.
  static constexpr int steps_with_one_velocity = 4;
  static constexpr Claims claims{.order_attitude = 2 * N,
                                 .order_momentum = 2 * N,
                                 .momentum_free = Keeps::exact,
                                 .momentum_along_field = Keeps::exact,
                                 .torque_evaluations = (Sweeps + 1) * N + 1.0 / steps_with_one_velocity,
                                 .takes_tolerance = true};

  template <class T>
  using Memory = picard::Memory<T, N>;

  template <class T, class F>
  static constexpr Memory<T> start(const System<T, F>&, const State<T>& s, const T&, Work&) {
    Memory<T> memory;
    memory.momentum_S = spatial_momentum(s);
    return memory;
  }

  template <class T, class F>
  static constexpr State<T> step(const System<T, F>& sys, const State<T>& s, Memory<T>& memory, const T& h,
                                 Work& work) {
    return memory.tolerance > T(0) ? step_to_tolerance(sys, s, memory, h, work) : one_step(sys, s, memory, h, work);
  }

 private:
  using Nodes = picard::Nodes<N>;

  template <class T, class F>
  static constexpr State<T> one_step(const System<T, F>& sys, const State<T>& s, Memory<T>& memory, const T& h,
                                     Work& work) {
    if (const T past = memory.has_past ? memory.past_h : h; memory.tables.h != h || memory.tables.last_h != past)
      memory.tables.make(h, past);
    const bool begins = !memory.knows_end || is_due(memory);
    const State<T> next = step_in_kind(sys, s, memory);
    if constexpr (!is_free<F>)
      work.torque_evaluations += static_cast<long long>(N) * (memory.sweeps_made + 1) + (begins ? 1 : 0);
    return next;
  }
  template <class T, class F>
  static constexpr State<T> step_in_kind(const System<T, F>& sys, const State<T>& s, Memory<T>& memory) {
    if constexpr (std::is_same_v<T, double> && SumAtRunTime<F>) {
      // A single weight, the commonest field of those put together at run time, is known to the kernel as such.
      return with_weight_or_sum<T>(sys.field, [&](const auto& field) { return step_in(sys.body, field, s, memory); });
    } else {
      return step_in(sys.body, sys.field, s, memory);
    }
  }

  // More sweeps than this, and a shorter step is cheaper.
  static constexpr int most_sweeps = N == 4 ? 7 : 11;
  static constexpr int fewest_sweeps = 2;

  // Over h in as many steps as the tolerance asks for. A step is given up when its error is more than twice what is
  // allowed, and grows when it could by a quarter: each change of length costs new tables.
  template <class T, class F>
  [[gnu::noinline]] static constexpr State<T> step_to_tolerance(const System<T, F>& sys, const State<T>& start,
                                                                Memory<T>& memory, const T& h, Work& work) {
    if (!(memory.own_step > T(0))) begin_control(sys, start, memory, h, work);
    const T end = start.t + h;
    State<T> s = start;
    T rest = abs(h);
    for (int given_up = 0; rest > T(0);) {
      // The last two steps are equal, or the last would be a crumb.
      const T length = rest <= memory.own_step         ? rest
                       : rest < T(2) * memory.own_step ? T(T(0.5) * rest)
                                                       : memory.own_step;
      const State<T> next = one_step(sys, s, memory, h < T(0) ? T(-length) : length, work);
      if (!memory.step_taken) {
        // In front of a jump every step is too long; it is not approached for ever.
        if (++given_up > 60 || length < T(1e-6) * abs(h) * T(sqrt(T(epsilon<T>())))) {
          work.converged = false;
          return s;
        }
        const bool by_sweeps = !(memory.collocation_error > T(0));
        if (by_sweeps) memory.longest = T(0.75) * length;
        set_own_step(memory, length, by_sweeps ? T(0.75) : std::clamp(allowed_growth(memory), T(0.25), T(0.9)));
        continue;
      }
      s = next;
      rest = rest - length;
      given_up = 0;
      ++work.own_steps;
      memory.longest = T(1.01) * memory.longest;
      if (const T growth = std::min({allowed_growth(memory), T(memory.longest / length), T(2)});
          growth > T(1.25) && length == memory.own_step)
        set_own_step(memory, length, growth);
    }
    s.t = end;
    return s;
  }

  // The first step, from how fast the body turns or is about to.
  template <class T, class F>
  static constexpr void begin_control(const System<T, F>& sys, const State<T>& s, Memory<T>& memory, const T& h,
                                      Work& work) {
    const Vec3<T> acceleration = sys.body.velocity(torque_body(sys, s.R_SB, s.pi_B, s.t, work));
    const T rate = norm(sys.body.velocity(s.pi_B)) + T(sqrt(norm(acceleration)));
    const T angle = T(N == 4 ? 2 : 3) * root_of_order(memory.tolerance);
    const T longest = abs(h);
    memory.own_step = rate * longest > angle ? T(angle / rate) : longest;
    memory.longest = std::numeric_limits<value_of<T>>::max();
    memory.sweeps = Sweeps;
  }
  template <class T>
  static constexpr void set_own_step(Memory<T>& memory, const T& length, const T& factor) {
    memory.own_step = factor * length;
    memory.contraction = factor * memory.contraction;
  }
  // By how much the next step may be longer, with a tenth in reserve.
  template <class T>
  static constexpr T allowed_growth(const Memory<T>& memory) {
    if (!(memory.collocation_error > T(0))) return T(2);
    return T(0.9) * root_of_order(T(memory.tolerance / memory.collocation_error));
  }
  // The error of a step goes like its length to the power 2N + 1.
  template <class T>
  static constexpr T root_of_order(const T& x) {
    return T(std::pow(static_cast<double>(plain(x)), 1 / (2.0 * N + 1)));
  }

  // Wider instructions are worth their code for fields that can be inlined. One put together at run time is asked
  // through a table of its kinds, and the time goes there.
  template <class T, class F>
  static constexpr State<T> step_in(const Body<T>& body, const F& field, const State<T>& s, Memory<T>& memory) {
    if constexpr (has_wide_instructions && std::is_same_v<T, double> && !SumAtRunTime<F>) {
      switch (instruction_set()) {
        case InstructionSet::avx512: return step_avx512(body, field, s, memory);
        case InstructionSet::avx2: return step_avx2(body, field, s, memory);
        case InstructionSet::baseline: break;
      }
    }
    return step_on_nodes<Lanes<T, N, (detail::widest<T, N> > 1 ? 2 : 1)>>(body, field, s, memory);
  }
  template <class F>
  POLHODE_AVX512 POLHODE_FUSED static State<double> step_avx512(const Body<double>& body, const F& field,
                                                                const State<double>& s, Memory<double>& memory) {
    return step_on_nodes<Lanes<double, N, N>>(body, field, s, memory);
  }
  template <class F>
  POLHODE_AVX2 POLHODE_FUSED static State<double> step_avx2(const Body<double>& body, const F& field,
                                                            const State<double>& s, Memory<double>& memory) {
    return step_on_nodes<Lanes<double, N, 4>>(body, field, s, memory);
  }

  template <class T>
  static constexpr bool is_due(const Memory<T>& memory) {
    return memory.since_velocity_set == steps_with_one_velocity;
  }
  static constexpr int first_sweeps = Sweeps + static_cast<int>(N) + 1;

  template <class S, class T, class F>
  [[gnu::always_inline]] static constexpr State<T> step_on_nodes(const Body<T>& body, const F& field, const State<T>& s,
                                                                 Memory<T>& memory) {
    using picard::Motion;
    constexpr std::size_t last = N - 1;
    const picard::Tables<T, N>& tables = memory.tables;
    if (!memory.knows_end || is_due(memory)) begin_at(body, field, s, memory);
    Motion<S> y_0, g, D;
#pragma GCC unroll 7
    for (std::size_t k = 0; k < 7; ++k) {
      const S f_0 = S(memory.rate[k][last]);
      y_0[k] = S(memory.motion[k][last]);
      g[k] = (Nodes::carries_rounding ? S(memory.lost[k]) : y_0[k]) + S::load(tables.collocation[0]) * f_0;
      D[k] = memory.has_past
                 ? picard::integrated(S(g[k] + S::load(tables.prediction[0]) * S::load(memory.first_rate[k])),
                                      tables.prediction, S::load(memory.rate[k]), Nodes::pairs)
                 : picard::integrated(g[k], tables.collocation, f_0, Nodes::pairs);
    }
    const S t = S(s.t) + S::load(tables.times);
    const bool to_tolerance = memory.tolerance > T(0);
    const int sweeps = to_tolerance ? memory.sweeps - 1 + (memory.has_past ? 0 : static_cast<int>(N)) : Sweeps;
    memory.sweeps_made = memory.has_past || to_tolerance ? sweeps : first_sweeps;
    for (int i = 0; i < memory.sweeps_made; ++i) Nodes::sweep(body, field, y_0, g, t, tables, D);
    if (to_tolerance) {
      settle(body, field, y_0, g, t, memory, D);
      if (!memory.step_taken) return s;
    }
    const Motion<S> Y = Nodes::template of_unit_length<T>(y_0, D);
    const auto at = Nodes::template rates<S>(body, field, Y, t);
    if (to_tolerance) {
      memory.collocation_error = Nodes::collocation_error(at.of_motion, Y, memory);
      memory.step_taken = memory.collocation_error < T(2) * memory.tolerance;
      if (!memory.step_taken) return s;
    }
#pragma GCC unroll 7
    for (std::size_t k = 0; k < 7; ++k) {
      S(memory.rate[k][last]).store(memory.first_rate[k]);
      at.of_motion[k].store(memory.rate[k]);
      Y[k].store(memory.motion[k]);
      if constexpr (Nodes::carries_rounding) memory.lost[k] = Nodes::lost_in_sum(y_0[k], D[k], Y[k]).back();
    }
    if constexpr (!is_free<F>) {
      const Vec3<S> tau_S = inlined::product(picard::attitude(Y), at.torque_B);
      const S first_weight = S::load(tables.first_weight), weights = S::load(tables.weights);
#pragma GCC unroll 3
      for (std::size_t k = 0; k < 3; ++k) {
        const T before = memory.momentum_S[k];
        const T impulse =
            memory.momentum_lost_S[k] + (first_weight * S(memory.torque_S[k][last]) + weights * tau_S[k]).sum();
        memory.momentum_S[k] = before + impulse;
        memory.momentum_lost_S[k] = Nodes::lost_in_sum(before, impulse, memory.momentum_S[k]);
        tau_S[k].store(memory.torque_S[k]);
      }
    }
    ++memory.since_velocity_set;
    memory.has_past = true;
    memory.past_h = tables.h;
    const auto& end = memory.motion;
    const Rotation<T> R_end{end[0][last], {end[1][last], end[2][last], end[3][last]}};
    return {R_end, inlined::product(inverse(R_end), memory.momentum_S), s.t + tables.h};
  }

  // Sweeps on until what they leave at the end is half of what is allowed, and remembers how many that were.
  template <class S, class T, class F>
  [[gnu::always_inline]] static constexpr void settle(const Body<T>& body, const F& field, const picard::Motion<S>& y_0,
                                                      const picard::Motion<S>& g, const S& t, Memory<T>& memory,
                                                      picard::Motion<S>& D) {
    const T allowed = T(0.5) * memory.tolerance;
    const int most = most_sweeps + (memory.has_past ? 0 : static_cast<int>(N));
    T change{}, last_change{};
    do {
      const picard::Motion<S> before = D;
      Nodes::sweep(body, field, y_0, g, t, memory.tables, D);
      ++memory.sweeps_made;
      change = Nodes::turn_between(before, D, memory.tables.h);
      if (last_change > T(0)) memory.contraction = change / last_change;
      last_change = change;
    } while (!(change * memory.contraction < allowed) && memory.sweeps_made < most);
    memory.step_taken = change * memory.contraction < allowed;
    memory.collocation_error = T(0);
    const int needed = memory.sweeps_made - (memory.has_past ? 0 : static_cast<int>(N));
    // One less would have done where even the last change is none to speak of.
    memory.sweeps = std::max(change < T(0.5) * allowed ? needed - 1 : needed, fewest_sweeps);
  }
  // Takes the state over, and evaluates there. The velocity is set from the momentum; at high accuracy in a wider scalar,
  // and with what rounding had taken from momentum and attitude, or the motion would spread that as well.
  template <class T, class F>
  [[gnu::noinline]] static constexpr void begin_at(const Body<T>& body, const F& field, const State<T>& s,
                                                   Memory<T>& memory) {
    using W = std::conditional_t<Nodes::carries_rounding, typename picard::UnitTables<T, N>::W, T>;
    constexpr std::size_t last = N - 1;
    if (!memory.knows_end) memory.lost = {};
    const auto& lost = memory.lost;
    const Rotation<T>& q = s.R_SB;
    const Rotation<W> R_SB = renormalised(
        Rotation<W>{W(q.w) + W(lost[0]), {W(q.v.x) + W(lost[1]), W(q.v.y) + W(lost[2]), W(q.v.z) + W(lost[3])}});
    const Vec3<W> pi_B = inverse(R_SB) * (cast<W>(memory.momentum_S) + cast<W>(memory.momentum_lost_S));
    const Vec3<W> v{pi_B.x / W(T(2) * body.inertia.x), pi_B.y / W(T(2) * body.inertia.y),
                    pi_B.z / W(T(2) * body.inertia.z)};
    const picard::Motion<T> y = picard::motion(q, cast<T>(v));
    const auto at = Nodes::template rates<T>(body, field, y, s.t);
    const Vec3<T> tau_S = q * at.torque_B;
    for (std::size_t k = 0; k < 7; ++k) {
      memory.motion[k][last] = y[k];
      memory.rate[k][last] = at.of_motion[k];
    }
    for (std::size_t k = 0; k < 3; ++k) {
      memory.torque_S[k][last] = tau_S[k];
      memory.lost[4 + k] = T(v[k] - W(y[4 + k]));
    }
    memory.knows_end = true;
    memory.since_velocity_set = 0;
  }
};

}  // namespace polhode
