// Lobatto collocation on [0, 1]: nodes c_0 = 0 < c_1 < ... < c_N = 1, the zeros of (1 - t^2) P_N'(t) mapped there, and
// integrals of their Lagrange polynomials L_j. The quadrature at 1 is of order 2 N.
#pragma once

#include <array>
#include <cstddef>

#include "polhode/core/scalar.hpp"

namespace polhode {

template <class T, std::size_t N>
struct Lobatto {
  std::array<T, N + 1> node{};
  // integral[i][j] is that of L_j from 0 to c_i.
  std::array<std::array<T, N + 1>, N + 1> integral{};

  constexpr Lobatto() {
    node[N] = T(1);
    for (std::size_t i = 1; i < N; ++i) node[i] = inner_node(i);
    for (std::size_t i = 1; i <= N; ++i)
      for (std::size_t j = 0; j <= N; ++j) integral[i][j] = integrated(j, node[i]);
  }

  // L_j(t)
  constexpr T lagrange(std::size_t j, const T& t) const {
    T product(1);
    for (std::size_t k = 0; k <= N; ++k)
      if (k != j) product = product * ((t - node[k]) / (node[j] - node[k]));
    return product;
  }

  // P_N at c_j
  constexpr T last_legendre(std::size_t j) const {
    if (j == 0 || j == N) return j == 0 && N % 2 == 1 ? T(-1) : T(1);
    return legendre(T(2) * node[j] - T(1)).p;
  }

 private:
  struct Legendre {
    T p, slope;  // P_N and P_N' at x, |x| < 1
  };
  static constexpr Legendre legendre(const T& x) {
    T before(1), p = x;
    for (std::size_t n = 2; n <= N; ++n) {
      const T next =
          (T(static_cast<int>(2 * n - 1)) * x * p - T(static_cast<int>(n - 1)) * before) / T(static_cast<int>(n));
      before = p;
      p = next;
    }
    return {p, T(static_cast<int>(N)) * (x * p - before) / (x * x - T(1))};
  }

  // By Newton's method on P_N', whose slope follows from Legendre's equation. The zeros of the Chebyshev polynomial of
  // the second kind, -cos(pi i/N), interlace with them and are near enough to begin with, even in Bhaskara's
  // approximation cos(pi s) = (1 - 4 s^2)/(1 + s^2), |s| <= 1/2, which is off by 0.002.
  static constexpr T inner_node(std::size_t i) {
    const double s = static_cast<double>(std::min(i, N - i)) / static_cast<double>(N);
    const double cosine = (1 - 4 * s * s) / (1 + s * s);
    T x(2 * i < N ? -cosine : cosine);
    for (int sweep = 0; sweep < 12; ++sweep) {
      const Legendre at = legendre(x);
      const T curvature = (T(2) * x * at.slope - T(static_cast<int>(N * (N + 1))) * at.p) / (T(1) - x * x);
      x = x - at.slope / curvature;
    }
    return (T(1) + x) / T(2);
  }

  // The quadrature itself, on [0, end], is exact for L_j; its weights are 1/(N (N + 1) P_N^2).
  constexpr T integrated(std::size_t j, const T& end) const {
    T sum(0);
    for (std::size_t k = 0; k <= N; ++k) {
      const T p = last_legendre(k);
      sum = sum + lagrange(j, end * node[k]) / (T(static_cast<int>(N * (N + 1))) * p * p);
    }
    return end * sum;
  }
};

}  // namespace polhode
