// Tables of Picard sweeps on Lobatto collocation: integrals to every node at once, in lanes.
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "polhode/core/lanes.hpp"
#include "polhode/core/lobatto.hpp"
#include "polhode/core/table.hpp"
#include "polhode/core/wider.hpp"

namespace polhode::picard {

// One number at every node but the first. A vector that lies across two lines of the cache is slow to read back.
template <class T, std::size_t N>
struct alignas(detail::widest<T, N> > 1 ? N * sizeof(T) : alignof(T)) AtNodes : std::array<T, N> {};

// begin + sum_j column_j rate_j over the nodes after the first; two sums, or each addition would wait for the last.
template <class S, class T, std::size_t N, std::size_t... J>
[[gnu::always_inline]] constexpr S integrated(const S& begin, const std::array<AtNodes<T, N>, N + 1>& columns,
                                              const S& rate, std::index_sequence<J...>) {
  S even = begin, odd = S(T(0));
  ((even = even + S::load(columns[2 * J + 1]) * rate.template spread<2 * J>(),
    odd = odd + S::load(columns[2 * J + 2]) * rate.template spread<2 * J + 1>()),
   ...);
  return even + odd;
}

// What does not depend on the step: the integrals of a step of one second, and what predicts from one to the next.
template <class T, std::size_t N>
struct UnitTables {
  // One scalar wider, where the processor has one: what the entries lack in digits every step would lack.
  using W = wider_built_in<T>;
  Lobatto<W, N> lobatto;
  std::array<T, N + 1> node{}, lagrange_factor{};       // L_j(x) = factor_j prod_(k != j) (x - c_k)
  std::array<AtNodes<T, N>, N + 1> integral{};          // A, column by column
  std::array<AtNodes<T, N>, N + 1> after_equal_step{};  // P, where the steps are equal
  AtNodes<T, N> last_coefficient{};                     // of the Legendre polynomial of degree N in values at the nodes
  T first_in_last_coefficient{};

  static constexpr const UnitTables& get() { return table_of<Maker, T>(); }

  // The integrals of the last step's polynomial carried on, where this step is `ratio` times as long: its values at the
  // new nodes are sum_j L_j(1 + ratio c_k) F_j.
  constexpr void predict(const T& ratio, std::array<AtNodes<T, N>, N + 1>& columns) const {
    for (std::size_t j = 0; j <= N; ++j) {
      AtNodes<T, N> ahead{};
      for (std::size_t k = 1; k <= N; ++k) {
        const T x = T(1) + ratio * node[k];
        T product = lagrange_factor[j];
        for (std::size_t i = 0; i <= N; ++i) product = i == j ? product : T(product * (x - node[i]));
        ahead[k - 1] = product;
      }
      columns[j] = {};
      for (std::size_t k = 1; k <= N; ++k)
        for (std::size_t i = 0; i < N; ++i) columns[j][i] = columns[j][i] + integral[k][i] * ahead[k - 1];
    }
  }

 private:
  struct Maker {
    template <class>
    static constexpr UnitTables make() {
      return {};
    }
  };

  constexpr UnitTables() {
    for (std::size_t j = 0; j <= N; ++j) {
      node[j] = T(lobatto.node[j]);
      W difference(1);
      for (std::size_t k = 0; k <= N; ++k)
        if (k != j) difference = difference * (lobatto.node[j] - lobatto.node[k]);
      lagrange_factor[j] = T(W(1) / difference);
      for (std::size_t i = 1; i <= N; ++i) integral[j][i - 1] = T(lobatto.integral[i][j]);
      // Lobatto's quadrature takes P_N^2 for 2/N: the sum of F_j P_N(c_j) w_j becomes that of F_j/((N + 1) P_N(c_j)).
      const T last = T(W(1) / (W(static_cast<int>(N + 1)) * lobatto.last_legendre(j)));
      if (j == 0) {
        first_in_last_coefficient = last;
      } else {
        last_coefficient[j - 1] = last;
      }
    }
    predict(T(1), after_equal_step);
  }
};

template <class T, std::size_t N>
struct Tables {
  std::array<AtNodes<T, N>, N + 1> collocation{};  // h A, column by column
  std::array<AtNodes<T, N>, N + 1> prediction{};   // h P: the same integrals of the last step's polynomial, carried on
  AtNodes<T, N> times{};                           // h c
  AtNodes<T, N> weights{};                         // h b, but for the first
  AtNodes<T, N> first_weight{};                    // in the first lane
  T h{}, last_h{};                                 // the steps they are for

  constexpr void make(const T& step, const T& last_step) {
    const UnitTables<T, N>& unit = UnitTables<T, N>::get();
    using W = typename UnitTables<T, N>::W;
    if (h != step) {
      for (std::size_t i = 1; i <= N; ++i) {
        for (std::size_t j = 0; j <= N; ++j) collocation[j][i - 1] = T(W(step) * unit.lobatto.integral[i][j]);
        times[i - 1] = T(W(step) * unit.lobatto.node[i]);
      }
      for (std::size_t i = 1; i <= N; ++i) weights[i - 1] = collocation[i][N - 1];
      first_weight[0] = collocation[0][N - 1];
    }
    if (step == last_step) {
      prediction = unit.after_equal_step;
    } else {
      unit.predict(T(step / last_step), prediction);
    }
    for (auto& column : prediction)
      for (T& entry : column) entry = step * entry;
    h = step;
    last_h = last_step;
  }
};

}  // namespace polhode::picard
