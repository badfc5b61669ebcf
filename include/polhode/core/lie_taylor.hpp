// Taylor's method for y' = W(t, y) y, of any order N: W is run on power series of time and state (lie_flow.hpp).
//
// The coefficients of W along the solution and those of Y, y = exp(Y) y(t), wait for one another by one order: the first
// k of W give k + 1 of Y (lie_series.hpp), and W on exp(Y) y gives its next one. W is therefore called N times; it is
// written for any scalar, as for the product integral, and y has a cast<S>(y) to other scalars.
#pragma once

#include <array>
#include <cstddef>

#include "polhode/core/lie_flow.hpp"
#include "polhode/core/product_integral.hpp"

namespace polhode::lie {

template <std::size_t N>
struct Taylor {
  static constexpr int order = static_cast<int>(N);
  static constexpr bool symmetric = false;

  template <class G, Frame frame, class T, class W, class Y>
  static constexpr Y step(const W& w, const Y& y, const T& t, const T& h) {
    std::array<AlgebraOf<G, T>, N> coefficients{};
    coefficients[0] = w(t, y);
    if constexpr (N > 1) extend<G, frame, 1, 1>(w, y, t, coefficients);
    return moved<frame>(exp(exponent_of<frame, T>(coefficients, h)), y);
  }

 private:
  // Coefficients from K on, by series of degree L >= K. Every degree is a type; few of them are made, each about twice
  // as long as the one before, which costs less to compile than all and less to run than the longest alone.
  template <class G, Frame frame, std::size_t K, std::size_t L, class T, class W, class Y>
  static constexpr void extend(const W& w, const Y& y, const T& t, std::array<AlgebraOf<G, T>, N>& coefficients) {
    using S = Series<T, L>;
    const auto start = cast<S>(y);
    for (std::size_t k = K; k <= L; ++k) {
      std::array<AlgebraOf<G, T>, L + 1> known;
      for (std::size_t n = 0; n <= L; ++n) known[n] = coefficients[n];
      // Beyond k it is wrong, and does not matter there.
      const auto exponent = lie_series<L + 1, frame, T>(known);
      AlgebraOf<G, S> path;
      for (std::size_t i = 0; i < G::dimension; ++i)
        for (std::size_t n = 1; n <= k; ++n) path[i].c[n] = exponent[n][i];
      const AlgebraOf<G, S> generator = w(S::variable(t), moved<frame>(exp(path), start));
      for (std::size_t i = 0; i < G::dimension; ++i) coefficients[k][i] = generator[i].c[k];
    }
    if constexpr (L + 1 < N) extend<G, frame, L + 1, (2 * L + 1 < N - 1 ? 2 * L + 1 : N - 1)>(w, y, t, coefficients);
  }
};

}  // namespace polhode::lie
