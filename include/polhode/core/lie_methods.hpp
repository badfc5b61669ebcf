// Methods for y' = W(t, y) y that ask for values of W only (lie_flow.hpp). All of them solve for Y in the Lie algebra,
// y(t + h) = exp(Y) y(t), where sums make sense, or multiply several exponentials.
#pragma once

#include <array>
#include <cstddef>
#include <limits>

#include "polhode/core/lie_flow.hpp"
#include "polhode/core/lie_tables.hpp"

namespace polhode::lie {

// Runge-Kutta-Munthe-Kaas [MK98; IMNZ00]: a Runge-Kutta method of order 1, 2, 4, 6 or 8 applied to
// Y' = dexpinv_Y(W). Of dexpinv the terms up to k = order - 2 are needed. Order 1 is the Lie-Euler method.
template <int Order>
struct MuntheKaas {
  static constexpr int order = Order;
  static constexpr bool symmetric = false;

  template <class G, Frame frame, class T, class W, class Y>
  static constexpr Y step(const W& w, const Y& y, const T& t, const T& h) {
    using V = value_of<T>;
    using Table = RungeKuttaTable<Order>;
    using Algebra = AlgebraOf<G, T>;
    const auto& table = table_of<Table, V>();
    std::array<Algebra, Table::stages> slope;
    const auto reached = [&](const std::array<V, Table::stages>& weights, std::size_t stages) {
      Algebra sum{};
      for (std::size_t j = 0; j < stages; ++j)
        if (weights[j] != V(0)) sum = sum + T(h * T(weights[j])) * slope[j];
      return sum;
    };
    slope[0] = w(t, y);
    for (std::size_t i = 1; i < Table::stages; ++i) {
      const Algebra at = reached(table.a[i], i);
      const Algebra generator = w(T(t + T(table.c[i]) * h), moved<frame>(exp(at), y));
      slope[i] = truncated_dexpinv<(Order > 2 ? Order - 2 : 0), frame, T>(at, generator);
    }
    return moved<frame>(exp(reached(table.b, Table::stages)), y);
  }
};

using Euler = MuntheKaas<1>;

// Without brackets [CMO03]: the classical method with two exponentials each in the fourth stage and in the step,
//
//   y_2 = exp(k_1/2) y,   y_3 = exp(k_2/2) y,   y_4 = exp(k_3 - k_1/2) y_2,
//   y <- exp((-k_1 + 2 k_2 + 2 k_3 + 3 k_4)/12) exp((3 k_1 + 2 k_2 + 2 k_3 - k_4)/12) y,   k_i = h W(y_i),
//
// and in the body form the same from the other side.
struct CommutatorFree4 {
  static constexpr int order = 4;
  static constexpr bool symmetric = false;

  template <class G, Frame frame, class T, class W, class Y>
  static constexpr Y step(const W& w, const Y& y, const T& t, const T& h) {
    using Algebra = AlgebraOf<G, T>;
    const T half = T(0.5) * h, twelfth = h / T(12);
    const Algebra k_1 = w(t, y);
    const Y second = moved<frame>(exp(half * k_1), y);
    const Algebra k_2 = w(T(t + half), second);
    const Algebra k_3 = w(T(t + half), moved<frame>(exp(half * k_2), y));
    const Algebra k_4 = w(T(t + h), moved<frame>(exp(h * k_3 + T(-half) * k_1), second));
    const Algebra middle = T(2) * (k_2 + k_3);
    const Y first = moved<frame>(exp(twelfth * (T(3) * k_1 + middle + T(-1) * k_4)), y);
    return moved<frame>(exp(twelfth * (T(-1) * k_1 + middle + T(3) * k_4)), first);
  }
};

// The implicit midpoint: Y = h W(t + h/2, exp(Y/2) y), y <- exp(Y) y [ZEM01]. The midpoint is the same seen from
// either end, so that a step of -h leads back. Found by iteration; where that does not arrive, for a step that is
// too long, the result is not a number.
struct Midpoint {
  static constexpr int order = 2;
  static constexpr bool symmetric = true;

  template <class G, Frame frame, class T, class W, class Y>
  static constexpr Y step(const W& w, const Y& y, const T& t, const T& h) {
    static_assert(derivatives_of<T> == 0, "the iteration looks at values and would leave derivatives behind");
    const T half = T(0.5) * h;
    AlgebraOf<G, T> step = h * AlgebraOf<G, T>(w(T(t + half), y));
    T change = std::numeric_limits<T>::infinity();
    for (int n = 0; n < most_iterations; ++n) {
      const AlgebraOf<G, T> next = h * AlgebraOf<G, T>(w(T(t + half), moved<frame>(exp(T(0.5) * step), y)));
      const T before = change;
      T size(0);
      change = T(0);
      for (std::size_t i = 0; i < G::dimension; ++i) {
        change = max(change, T(abs(next[i] - step[i])));
        size = max(size, T(abs(next[i])));
      }
      step = next;
      // Rounding in W is unknown: where changes are small and no longer shrink, it is all that is left of them.
      const bool at_rounding = change <= sqrt(epsilon<T>()) * size && change >= before;
      if (change <= epsilon<T>() * size || at_rounding) return moved<frame>(exp(step), y);
    }
    for (std::size_t i = 0; i < G::dimension; ++i) step[i] = std::numeric_limits<T>::quiet_NaN();
    return moved<frame>(exp(step), y);
  }

 private:
  static constexpr int most_iterations = 100;
};

}  // namespace polhode::lie
