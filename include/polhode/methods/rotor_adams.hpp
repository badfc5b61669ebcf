// Adams methods on the torque alone: one torque evaluation a step, and no other error than that of the torque between
// evaluations [HNW93, Sec. III.1].
//
// The torque in space is carried on by the polynomial through its last K values, from which the momentum in space is
// known at any time of the step. With it the attitude follows without torque (driven_turn.hpp). The torque at the end
// then joins the polynomial, and momentum and attitude are found again: order K + 1. Multistep methods for attitude and
// velocity have to resolve how the body turns; this one has to resolve the torque only. A free body moves without error.
//
// The first K - 1 steps are found together: from a constant torque on, each passage over them gains an order or two.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "polhode/core/table.hpp"
#include "polhode/methods/driven_turn.hpp"
#include "polhode/methods/method.hpp"
#include "polhode/model/free_step.hpp"

namespace polhode {

namespace adams {

// Integrals from the beginning of a step to its nodes of the polynomials through values at whole numbers of steps.
template <class T, std::size_t K>
struct Tables {
  std::array<AtTurnNodes<T>, K> predictor{};                 // of values at 0, -1, -2, ...
  std::array<AtTurnNodes<T>, K + 1> corrector{};             // of those at 1, 0, -1, ...
  std::array<std::array<AtTurnNodes<T>, K>, K - 1> first{};  // of the first K values, step by step

  static constexpr const Tables& get() { return table_of<Maker, T>(); }

 private:
  struct Maker {
    template <class>
    static constexpr Tables make() {
      return {};
    }
  };
  using W = typename TurnTables<T>::W;

  constexpr Tables() {
    predictor = integrals_from<K>(0);
    corrector = integrals_from<K + 1>(1);
    for (std::size_t step = 0; step < K - 1; ++step) first[step] = integrals_from<K>(static_cast<int>(K - 1 - step));
  }

  // Of the polynomials that are one at one of the points newest, newest - 1, ... and zero at the others.
  template <std::size_t Count>
  static constexpr std::array<AtTurnNodes<T>, Count> integrals_from(int newest) {
    const auto& lobatto = TurnTables<T>::get().lobatto;
    std::array<W, Count> factor{};
    for (std::size_t j = 0; j < Count; ++j) {
      W differences(1);
      for (std::size_t k = 0; k < Count; ++k)
        if (k != j) differences = differences * W(static_cast<int>(k) - static_cast<int>(j));
      factor[j] = W(1) / differences;
    }
    std::array<AtTurnNodes<T>, Count> made{};
    for (std::size_t i = 0; i < turn_nodes; ++i) {
      const W end = lobatto.node[i + 1];
      std::array<W, Count> sum{};
      // The quadrature of a whole step is exact to degree 15.
      for (std::size_t n = 0; n <= turn_nodes; ++n) {
        const W x = end * lobatto.node[n];
        for (std::size_t j = 0; j < Count; ++j) {
          W product = factor[j] * lobatto.integral[turn_nodes][n];
          for (std::size_t k = 0; k < Count; ++k)
            if (k != j) product = product * (x - W(newest - static_cast<int>(k)));
          sum[j] = sum[j] + product;
        }
      }
      for (std::size_t j = 0; j < Count; ++j) made[j][i] = T(end * sum[j]);
    }
    return made;
  }
};

template <class T, std::size_t K>
struct Memory {
  static constexpr bool carries_momentum = true;
  Vec3<T> momentum_S{};
  LeftOut<T> left_out{};
  std::array<Vec3<T>, K> torque_S{};  // the last values, newest first; of the first steps all K of them
  T h{};                              // the step they are apart
  std::size_t steps = 0;              // taken with it

  // A projection moves the body by no more than the error of a step: the values stay.
  void attitude_changed() { left_out.q = {}; }
  Memory reversed() const {
    Memory other;
    other.momentum_S = momentum_S;
    return other;
  }
};

}  // namespace adams

template <std::size_t K>
struct RotorAdams {
  static constexpr int order = static_cast<int>(K) + 1;
  static constexpr std::string_view family = "rotor splitting";
  static constexpr std::string_view cite = "HNW93, Sec. III.1";
  static constexpr std::string_view about = "Adams method on the torque, attitude without error of its own";
  static constexpr std::string_view good_for = "torques that are expensive to evaluate: one evaluation a step";
  static constexpr std::string_view not_for =
      "steps that change or are longer than a quarter of a radian, torques that are cheap; strong damping: the higher "
      "the order, the shorter the stable step, for order 10 a two-hundredth of the time of damping; long runs: energy "
      "drifts";
  static constexpr Claims claims{.order_attitude = order,
                                 .order_momentum = order,
                                 .order_free = {exact_order, exact_order},
                                 .momentum_free = Keeps::exact,
                                 .momentum_along_field = Keeps::exact,
                                 .energy_free = Keeps::exact,
                                 .variable_steps = false,
                                 .multistep = true};

  template <class T>
  using Memory = adams::Memory<T, K>;

  template <class T, class F>
  static Memory<T> start(const System<T, F>&, const State<T>& s, const T&, Work&) {
    Memory<T> memory;
    memory.momentum_S = spatial_momentum(s);
    return memory;
  }

  template <class T, class F>
  static State<T> step(const System<T, F>& sys, State<T> s, Memory<T>& memory, const T& h, Work& work) {
    if constexpr (is_free<F>) {
      drift(sys.body, s, h);
      memory.momentum_S = spatial_momentum(s);
      return s;
    } else {
      if constexpr (SumAtRunTime<F>) {
        if (sys.field.empty()) return step(System<T, Free>{sys.body, {}}, s, memory, h, work);
      }
      if (memory.steps == 0 || memory.h != h) find_first_steps(sys, s, memory, h, work);
      const State<T> next =
          memory.steps < K - 1 ? step_of_first(sys.body, s, memory, work) : predict_and_correct(sys, s, memory, work);
      ++memory.steps;
      return next;
    }
  }

 private:
  template <class T>
  using Tables = adams::Tables<T, K>;

  template <class T, class F>
  static State<T> predict_and_correct(const System<T, F>& sys, const State<T>& s, Memory<T>& memory, Work& work) {
    const Tables<T>& tables = Tables<T>::get();
    DrivenTurn<T> turn(sys.body, s.R_SB, memory.momentum_S, memory.h, memory.left_out);
    const State<T> predicted = turn.driven_by(impulses_of(tables.predictor, memory.torque_S, memory.h), s.t, work);
    std::array<Vec3<T>, K + 1> torque_S;
    torque_S[0] = torque_spatial(sys, predicted.R_SB, predicted.pi_B, predicted.t, work);
    std::copy(memory.torque_S.begin(), memory.torque_S.end(), torque_S.begin() + 1);
    const State<T> next = turn.driven_by(impulses_of(tables.corrector, torque_S, memory.h), s.t, work);
    std::copy(torque_S.begin(), torque_S.end() - 1, memory.torque_S.begin());
    memory.momentum_S = turn.momentum_S();
    memory.left_out = turn.left_out();
    return next;
  }

  // One of the first steps, within the polynomial through all of them.
  template <class T>
  static State<T> step_of_first(const Body<T>& body, const State<T>& s, Memory<T>& memory, Work& work) {
    DrivenTurn<T> turn(body, s.R_SB, memory.momentum_S, memory.h, memory.left_out);
    const State<T> next =
        turn.driven_by(impulses_of(Tables<T>::get().first[memory.steps], memory.torque_S, memory.h), s.t, work);
    memory.momentum_S = turn.momentum_S();
    memory.left_out = turn.left_out();
    return next;
  }

  // Passes over the first K - 1 steps until their torques fit the polynomial through them. A passage turns an error h^p of
  // the torque into one of h^(p+2) of the attitude, where the torque depends on that alone, and else of h^(p+1).
  template <class T, class F>
  static void find_first_steps(const System<T, F>& sys, const State<T>& start, Memory<T>& memory, const T& h,
                               Work& work) {
    const Vec3<T> L_S = memory.momentum_S;
    const LeftOut<T> left_out = memory.left_out;
    memory.h = h;
    memory.torque_S.fill(torque_spatial(sys, start.R_SB, start.pi_B, start.t, work));
    const bool slowly = depends_on_velocity<T>(sys.field);
    for (std::size_t passage = 0; passage < (slowly ? K : K / 2 + 1); ++passage) {
      std::array<Vec3<T>, K> torque_S = memory.torque_S;
      State<T> s = start;
      memory.momentum_S = L_S;
      memory.left_out = left_out;
      for (memory.steps = 0; memory.steps < K - 1; ++memory.steps) {
        s = step_of_first(sys.body, s, memory, work);
        torque_S[K - 2 - memory.steps] = torque_spatial(sys, s.R_SB, s.pi_B, s.t, work);
      }
      memory.torque_S = torque_S;
    }
    memory.momentum_S = L_S;
    memory.left_out = left_out;
    memory.steps = 0;
  }
};

}  // namespace polhode
