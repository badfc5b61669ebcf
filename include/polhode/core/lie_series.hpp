// The Lie series of a product integral: y' = W(t) y, y(0) = 1, y = exp(Y(t)), for any Lie algebra with a bracket.
//
// Y solves Y' = dexpinv_Y(W) = sum_k B_k/k! ad_Y^k W with the Bernoulli numbers B_k (B_1 = -1/2) [B01, Sec. 5; MK98].
// On truncated power series in t every coefficient follows from earlier ones, so that one recursion gives any order:
// with A_k = ad_Y^k W, coefficient n of A_k is the sum over j of [y_j, (A_(k-1))_(n-j)]. The closed terms Y_0 ... Y_5
// of the papers are what this recursion produces; none is typed in.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <type_traits>

#include "polhode/core/table.hpp"
#include "polhode/core/vec3.hpp"

namespace polhode {

// Which side the generator acts on: y' = W y (spatial) or y' = y W (body). In the body form every bracket changes sign.
enum class Frame { spatial, body };

// b_k = B_k / k! for k = 0 ... N. Those of odd k > 1 vanish; the others follow from Euler's identity
// (2m+1) b_2m = -sum_(j=1..m-1) b_2j b_(2m-2j), whose terms all have the same sign: no digit is lost.
template <class T, std::size_t N>
constexpr std::array<T, N + 1> bernoulli_over_factorial() {
  std::array<T, N + 1> b{};
  b[0] = T(1);
  if constexpr (N >= 1) b[1] = T(-1) / T(2);
  if constexpr (N >= 2) b[2] = T(1) / T(12);
  for (std::size_t k = 4; k <= N; k += 2) {
    T sum(0);
    for (std::size_t j = 2; j < k; j += 2) sum = sum + b[j] * b[k - j];
    b[k] = T(-sum) / T(static_cast<int>(k + 1));
  }
  return b;
}

template <class T>
constexpr Vec3<T> bracket(const Vec3<T>& a, const Vec3<T>& b) {
  return cross(a, b);
}

namespace detail {
template <std::size_t N>
struct Bernoulli {
  template <class V>
  static constexpr std::array<V, N + 1> make() {
    return bernoulli_over_factorial<V, N>();
  }
};
}  // namespace detail

namespace inlined {

// Coefficients of Y = y_1 t + ... + y_N t^N (y_0 = 0) from those of W = w_0 + ... + w_(N-1) t^(N-1).
// `Algebra` needs +, scaling by T, and bracket(a, b). [y_1, w_0] = [w_0, w_0] vanishes, so that for k > 0 the series of
// ad_Y^k W starts at t^(k+1).
template <std::size_t N, Frame frame, class T, class Algebra>
[[gnu::always_inline]] constexpr std::array<Algebra, N + 1> lie_series(const std::array<Algebra, N>& w) {
  const auto& b = table_of<detail::Bernoulli<N>, value_of<T>>();
  std::array<Algebra, N + 1> y{};
  std::array<std::array<Algebra, N>, N> a{};  // a[k][n]: coefficient n of ad_Y^k W; that of W itself is not copied
#pragma GCC unroll 16
  for (std::size_t n = 0; n < N; ++n) {
    Algebra sum = w[n];
#pragma GCC unroll 16
    for (std::size_t k = 1; k < n; ++k) {
      const std::size_t last = std::min(k == 1 ? n : n - k, N - 1);  // N - 1: GCC cannot tell
      const std::array<Algebra, N>& previous = k == 1 ? w : a[k - 1];
      a[k][n] = bracket(y[1], previous[n - 1]);
#if !defined(__clang__)  // which warns that it cannot
#pragma GCC unroll 16
#endif
      for (std::size_t j = 2; j <= last; ++j) a[k][n] = a[k][n] + bracket(y[j], previous[n - j]);
      if (k == 1 || k % 2 == 0) {
        const bool flip = frame == Frame::body && k % 2 == 1;
        sum = sum + T(flip ? value_of<T>(-b[k]) : b[k]) * a[k][n];
      }
    }
    y[n + 1] = T(T(1) / T(static_cast<int>(n + 1))) * sum;
  }
  return y;
}

}  // namespace inlined

// Few terms are inlined, where they stay in registers; many are called, or every caller would hold a copy of them.
template <std::size_t N, Frame frame, class T, class Algebra>
constexpr std::array<Algebra, N + 1> lie_series(const std::array<Algebra, N>& w) {
  return inlined::lie_series<N, frame, T>(w);
}
template <std::size_t N, Frame frame, class T, class Algebra>
  requires(N <= 3)
[[gnu::always_inline]] constexpr std::array<Algebra, N + 1> lie_series(const std::array<Algebra, N>& w) {
  return inlined::lie_series<N, frame, T>(w);
}

}  // namespace polhode
