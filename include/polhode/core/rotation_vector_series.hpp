// The Lie series (lie_series.hpp) of rotations, with its length as a number.
//
// For rotation vectors [Y, [Y, [Y, W]]] = -|Y|^2 [Y, W], which closes the series of dexpinv after two brackets: in body
// axes
//   Y' = W + 1/2 Y x W + f(|Y|^2) Y x (Y x W),   f(x) = sum over k > 0 of |B_2k|/(2k)! x^(k-1),
// and N coefficients cost O(N^2) brackets where the series for any algebra costs O(N^3).
#pragma once

#include <array>
#include <cstddef>

#include "polhode/core/lie_series.hpp"

namespace polhode {

// y_1 ... y_n of Y = y_1 t + ... + y_n t^n, R(t) = R exp(Y(t)), from the body velocity w_0 + ... + w_(n-1) t^(n-1).
template <class T, std::size_t N>
constexpr std::array<Vec3<T>, N + 1> rotation_vector_series(const std::array<Vec3<T>, N>& w, std::size_t n) {
  static_assert(N > 3);
  const auto& b = table_of<detail::Bernoulli<N>, value_of<T>>();
  // What was not written is not read. Powers of x = |Y|^2, which starts at t^2, are needed beside Y x (Y x W) at t^3.
  constexpr std::size_t powers = (N - 2) / 2;
  std::array<std::array<T, N>, powers> x_to;  // x_to[p][m]: coefficient m of x^(p+1)
  std::array<T, N> f;                         // of f(x)
  std::array<Vec3<T>, N> once, twice;         // of Y x W, from t^2 on, and of Y x (Y x W), from t^3 on
  std::array<Vec3<T>, N + 1> y;
  f[0] = T(b[2]);
  for (std::size_t k = 0; k < n; ++k) {
    Vec3<T> sum = w[k];
    if (k > 1) {
      // The newest coefficient last, which the others need not wait for.
      Vec3<T> a = inlined::cross(y[1], w[k - 1]);
      for (std::size_t j = 2; j <= k; ++j) a += inlined::cross(y[j], w[k - j]);
      once[k] = a;
      sum += T(0.5) * a;
    }
    if (k > 2) {
      Vec3<T> a = inlined::cross(y[1], once[k - 1]);
      for (std::size_t j = 2; j + 2 <= k; ++j) a += inlined::cross(y[j], once[k - j]);
      twice[k] = a;
      const std::size_t m = k - 3;
      if (m > 1) {
        T x(0);
        for (std::size_t j = 1; j < m; ++j) x = x + dot(y[j], y[m - j]);
        x_to[0][m] = x;
        f[m] = T(abs(b[4])) * x;
        for (std::size_t p = 1; 2 * p + 2 <= m; ++p) {
          T power(0);
          for (std::size_t j = 2; j + 2 * p <= m; ++j) power = power + x_to[0][j] * x_to[p - 1][m - j];
          x_to[p][m] = power;
          f[m] = f[m] + T(abs(b[2 * p + 4])) * power;
        }
      }
      sum += f[0] * a;
      for (std::size_t j = 2; j <= m; ++j) sum += f[j] * twice[k - j];
    }
    y[k + 1] = T(T(1) / T(static_cast<int>(k + 1))) * sum;
  }
  return y;
}

}  // namespace polhode
