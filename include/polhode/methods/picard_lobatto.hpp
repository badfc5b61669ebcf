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
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include "polhode/core/instruction_set.hpp"
#include "polhode/core/lanes.hpp"
#include "polhode/core/lobatto.hpp"
#include "polhode/methods/method.hpp"
#include "polhode/model/fields/heavy_top.hpp"

namespace polhode {

namespace picard {

// (q, v) or its rate of change: the four numbers of the quaternion, the three of half the body velocity.
template <class S>
using Motion = std::array<S, 7>;

template <class S>
[[gnu::always_inline]] inline Rotation<S> attitude(const Motion<S>& y) {
  return {y[0], {y[1], y[2], y[3]}};
}
template <class S>
[[gnu::always_inline]] inline Vec3<S> half_velocity(const Motion<S>& y) {
  return {y[4], y[5], y[6]};
}
template <class S>
[[gnu::always_inline]] inline Motion<S> motion(const Rotation<S>& q, const Vec3<S>& v) {
  return {q.w, q.v.x, q.v.y, q.v.z, v.x, v.y, v.z};
}

// One number at every node but the first. A vector that lies across two lines of the cache is slow to read back.
template <class T, std::size_t N>
struct alignas(detail::widest<T, N> > 1 ? N * sizeof(T) : alignof(T)) AtNodes : std::array<T, N> {};

template <class T, std::size_t N>
struct Tables {
  std::array<AtNodes<T, N>, N + 1> collocation{};  // h A, column by column
  std::array<AtNodes<T, N>, N + 1> prediction{};   // h P: the same integrals of the last step's polynomial, carried on
  AtNodes<T, N> times{};                           // h c
  AtNodes<T, N> weights{};                         // h b, but for the first
  AtNodes<T, N> first_weight{};                    // in the first lane
  T h{}, last_h{};                                 // the steps they are for

  // With r = h/last_h, the rates at the new nodes are sum_j L_j(1 + r c_k) F_j.
  void make(const T& step, const T& last_step) {
    // One scalar wider, where the processor has one: what the entries lack in digits every step would lack.
    using W = std::conditional_t<std::is_same_v<T, double>, long double,
                                 std::conditional_t<std::is_same_v<T, float>, double, T>>;
    static const Lobatto<W, N> lobatto;
    std::array<std::array<W, N + 1>, N + 1> ahead{};
    for (std::size_t k = 0; k <= N; ++k)
      for (std::size_t j = 0; j <= N; ++j)
        ahead[k][j] = lobatto.lagrange(j, W(1) + W(step) / W(last_step) * lobatto.node[k]);
    for (std::size_t j = 0; j <= N; ++j) {
      for (std::size_t i = 1; i <= N; ++i) {
        collocation[j][i - 1] = T(W(step) * lobatto.integral[i][j]);
        W sum(0);
        for (std::size_t k = 1; k <= N; ++k) sum = sum + lobatto.integral[i][k] * ahead[k][j];
        prediction[j][i - 1] = T(W(step) * sum);
      }
    }
    for (std::size_t i = 1; i <= N; ++i) {
      times[i - 1] = T(W(step) * lobatto.node[i]);
      weights[i - 1] = T(W(step) * lobatto.integral[N][i]);
    }
    first_weight[0] = T(W(step) * lobatto.integral[N][0]);
    h = step;
    last_h = last_step;
  }
};

// The last node is where the next step begins.
template <class T, std::size_t N>
struct Memory {
  Vec3<T> momentum_S{};
  std::array<AtNodes<T, N>, 7> motion{}, rate{};  // of the last step
  std::array<AtNodes<T, N>, 3> torque_S{};
  std::array<AtNodes<T, N>, 7> first_rate{};  // at its beginning, the same in all lanes
  Tables<T, N> tables;
  bool knows_end = false;  // the last node is where the body is
  bool has_past = false;   // and the polynomial leads there
  int since_velocity_set = 0;

  void attitude_changed() { knows_end = false; }
  // The polynomial runs on in one direction of time only.
  Memory reversed() const {
    Memory other = *this;
    other.has_past = false;
    return other;
  }
};

}  // namespace picard

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
  static constexpr std::string_view not_for = "torques that are dear to evaluate one attitude at a time";
  // The velocity follows from the momentum every so many steps: of the two, the momentum is the one that is balanced.
  static constexpr int steps_with_one_velocity = 4;
  static constexpr Claims claims{.order_attitude = 2 * N,
                                 .order_momentum = 2 * N,
                                 .momentum_free = Keeps::exact,
                                 .momentum_along_field = Keeps::exact,
                                 .torque_evaluations = (Sweeps + 1) * N + 1.0 / steps_with_one_velocity};

  template <class T>
  using Memory = picard::Memory<T, N>;

  template <class T, class F>
  static Memory<T> start(const System<T, F>&, const State<T>& s, const T&, Work&) {
    Memory<T> memory;
    memory.momentum_S = spatial_momentum(s);
    return memory;
  }

  template <class T, class F>
  static State<T> step(const System<T, F>& sys, const State<T>& s, Memory<T>& memory, const T& h, Work& work) {
    if (memory.tables.h != h || memory.tables.last_h != h) make_tables(memory, h);
    if constexpr (!is_free<F>) {
      const bool first = !memory.has_past, begins = !memory.knows_end || is_due(memory);
      work.torque_evaluations += static_cast<long long>(N) * (1 + (first ? first_sweeps : Sweeps)) + (begins ? 1 : 0);
    }
    if constexpr (std::is_same_v<T, double> && requires { sys.field.terms(); }) {
      // A single weight, the commonest field of those put together at run time, is known to the kernel as such.
      if (const auto& terms = sys.field.terms(); terms.size() == 1) {
        if (const auto* top = std::get_if<HeavyTop<T>>(&terms[0])) return step_in(sys.body, *top, s, memory);
      }
    }
    return step_in(sys.body, sys.field, s, memory);
  }

 private:
  // Wider instructions are worth their code for fields that are put in line. One put together at run time is asked
  // through a table of its kinds, and the time goes there.
  template <class T, class F>
  static State<T> step_in(const Body<T>& body, const F& field, const State<T>& s, Memory<T>& memory) {
    if constexpr (std::is_same_v<T, double> && !requires { field.terms(); }) {
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
  static void make_tables(Memory<T>& memory, const T& h) {
    memory.tables.make(h, memory.has_past ? memory.tables.h : h);
  }

  template <class T>
  static bool is_due(const Memory<T>& memory) {
    return memory.since_velocity_set == steps_with_one_velocity;
  }
  static constexpr int first_sweeps = Sweeps + static_cast<int>(N) + 1;

  // tau_B at every lane: in one call, or lane by lane where the field knows single attitudes only.
  template <class S, class T, class F>
  [[gnu::always_inline]] static inline Vec3<S> torque(const F& field, const Rotation<S>& R_SB, const Vec3<S>& w_B,
                                                      const S& t) {
    if constexpr (is_free<F>) {
      return {S(T(0)), S(T(0)), S(T(0))};
    } else if constexpr (TorqueField<F, S>) {
      return torque_of(field, R_SB, w_B, t);
    } else {
      return torque_lane_by_lane<T>(field, R_SB, w_B, t);
    }
  }

  template <class S>
  struct Rates {
    picard::Motion<S> of_motion;
    Vec3<S> torque_B;
  };

  template <class S, class T, class F>
  [[gnu::always_inline]] static inline Rates<S> rates(const Body<T>& body, const F& field, const picard::Motion<S>& y,
                                                      const S& t) {
    const Vec3<T>&I = body.inertia, &J = body.inverse_inertia;
    const Rotation<S> q = picard::attitude(y);
    const Vec3<S> v = picard::half_velocity(y);
    Vec3<S> acceleration{S(T(T(2) * (I.y - I.z) * J.x)) * (v.y * v.z), S(T(T(2) * (I.z - I.x) * J.y)) * (v.z * v.x),
                         S(T(T(2) * (I.x - I.y) * J.z)) * (v.x * v.y)};
    Vec3<S> tau_B{};
    if constexpr (!is_free<F>) {
      tau_B = torque<S, T>(field, q, v + v, t);
      acceleration = {acceleration.x + S(T(T(0.5) * J.x)) * tau_B.x, acceleration.y + S(T(T(0.5) * J.y)) * tau_B.y,
                      acceleration.z + S(T(T(0.5) * J.z)) * tau_B.z};
    }
    const Rotation<S> turn{-(q.v.x * v.x) - q.v.y * v.y - q.v.z * v.z,
                           {q.w * v.x + q.v.y * v.z - q.v.z * v.y, q.w * v.y + q.v.z * v.x - q.v.x * v.z,
                            q.w * v.z + q.v.x * v.y - q.v.y * v.x}};
    return {picard::motion(turn, acceleration), tau_B};
  }

  // begin + sum_j column_j rate_j over the nodes after the first; two sums, or each addition would wait for the last.
  template <class S, class T, std::size_t... J>
  [[gnu::always_inline]] static inline S integrated(const S& begin,
                                                    const std::array<picard::AtNodes<T, N>, N + 1>& columns,
                                                    const S& rate, std::index_sequence<J...>) {
    S even = begin, odd = S(T(0));
    ((even = even + S::load(columns[2 * J + 1]) * rate.template spread<2 * J>(),
      odd = odd + S::load(columns[2 * J + 2]) * rate.template spread<2 * J + 1>()),
     ...);
    return even + odd;
  }
  static constexpr std::make_index_sequence<N / 2> pairs{};

  template <class S, class T, class F>
  [[gnu::always_inline]] static inline State<T> step_on_nodes(const Body<T>& body, const F& field, const State<T>& s,
                                                              Memory<T>& memory) {
    using picard::Motion;
    constexpr std::size_t last = N - 1;
    const picard::Tables<T, N>& tables = memory.tables;
    if (!memory.knows_end || is_due(memory)) begin_at(body, field, s, memory);
    ++memory.since_velocity_set;
    Motion<S> g, Y;
#pragma GCC unroll 7
    for (std::size_t k = 0; k < 7; ++k) {
      const S f_0 = S(memory.rate[k][last]);
      g[k] = S(memory.motion[k][last]) + S::load(tables.collocation[0]) * f_0;
      Y[k] = memory.has_past ? integrated(S(g[k] + S::load(tables.prediction[0]) * S::load(memory.first_rate[k])),
                                          tables.prediction, S::load(memory.rate[k]), pairs)
                             : integrated(g[k], tables.collocation, f_0, pairs);
      f_0.store(memory.first_rate[k]);
    }
    const S t = S(s.t) + S::load(tables.times);
    if (memory.has_past) {
      for (int i = 0; i < Sweeps; ++i) sweep(body, field, g, t, tables, Y);
    } else {
      for (int i = 0; i < first_sweeps; ++i) sweep(body, field, g, t, tables, Y);
    }
    // Twice: after a long step the length is off by more than rounding.
    const Rotation<S> R_SB = renormalised(renormalised(picard::attitude(Y)));
    Y = picard::motion(R_SB, picard::half_velocity(Y));
    const Rates<S> at = rates<S>(body, field, Y, t);
#pragma GCC unroll 7
    for (std::size_t k = 0; k < 7; ++k) {
      at.of_motion[k].store(memory.rate[k]);
      Y[k].store(memory.motion[k]);
    }
    if constexpr (!is_free<F>) {
      const Vec3<S> tau_S = inlined::product(R_SB, at.torque_B);
      const S first_weight = S::load(tables.first_weight), weights = S::load(tables.weights);
#pragma GCC unroll 3
      for (std::size_t k = 0; k < 3; ++k) {
        memory.momentum_S[k] =
            memory.momentum_S[k] + (first_weight * S(memory.torque_S[k][last]) + weights * tau_S[k]).sum();
        tau_S[k].store(memory.torque_S[k]);
      }
    }
    memory.has_past = true;
    const auto& end = memory.motion;
    const Rotation<T> R_end{end[0][last], {end[1][last], end[2][last], end[3][last]}};
    return {R_end, inlined::product(inverse(R_end), memory.momentum_S), s.t + tables.h};
  }

  // Takes the state over, and evaluates there.
  template <class T, class F>
  [[gnu::noinline]] static void begin_at(const Body<T>& body, const F& field, const State<T>& s, Memory<T>& memory) {
    constexpr std::size_t last = N - 1;
    const picard::Motion<T> y = picard::motion(s.R_SB, T(0.5) * body.velocity(s.pi_B));
    const Rates<T> at = rates<T>(body, field, y, s.t);
    const Vec3<T> tau_S = s.R_SB * at.torque_B;
    for (std::size_t k = 0; k < 7; ++k) {
      memory.motion[k][last] = y[k];
      memory.rate[k][last] = at.of_motion[k];
    }
    for (std::size_t k = 0; k < 3; ++k) memory.torque_S[k][last] = tau_S[k];
    memory.knows_end = true;
    memory.since_velocity_set = 0;
  }

  template <class S, class T, class F>
  [[gnu::always_inline]] static inline void sweep(const Body<T>& body, const F& field, const picard::Motion<S>& g,
                                                  const S& t, const picard::Tables<T, N>& tables,
                                                  picard::Motion<S>& Y) {
    const picard::Motion<S> f = rates<S>(body, field, Y, t).of_motion;
#pragma GCC unroll 7
    for (std::size_t k = 0; k < 7; ++k) Y[k] = integrated(g[k], tables.collocation, f[k], pairs);
  }
};

}  // namespace polhode
