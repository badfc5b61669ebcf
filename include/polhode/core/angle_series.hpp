// Functions of an angle x that stay smooth at zero, written in the SQUARED angle y = x^2:
//
//   cos_sqrt(y)    = cos x                     = sum (-y)^k / (2k)!
//   sinc_sqrt(y)   = sin x / x                 = sum (-y)^k / (2k+1)!
//   sinc1_sqrt(y)  = (1 - sin x / x) / x^2     = sum (-y)^k / (2k+3)!
//   sinc2_sqrt(y)  = (sin x - x cos x) / x^3   = sum (-y)^k (2k+2) / (2k+3)!
//   sinc3_sqrt(y)  = (3 sinc2 - sinc) / x^2    = sum (-y)^k (2k+2)(2k+4) / (2k+5)!
//
// sinc, sinc2 and sinc3 are the spherical Bessel functions j_n(x) / x^n; the derivative by y of each is minus half the
// next.
//
// Up to series_limit the alternating series is summed to the precision of the scalar: no square root, no division, no
// cancellation, and derivatives (duals, power series) pass through zero. Above it the closed form is used. The limit,
// (pi/4)^2 rounded up, makes 9 terms in double and 15 in quad; below near_limit 6 suffice in double, and that is where
// the half angle of an ordinary step lies.
#pragma once

#include <array>
#include <cstddef>

#include "polhode/core/scalar.hpp"

namespace polhode {

inline constexpr double series_limit = 0.6175;
inline constexpr double near_limit = 0.048;          // half angles up to 0.219
inline constexpr double atan_series_limit = 0.0652;  // tan(1/4)^2

namespace detail {

// The number n of terms after which limit^n / (2n)! is below a quarter of the rounding unit. Each derivative takes one
// term more: with n + m terms the m-th is as good, relative to itself, as the value is with n.
template <class T>
constexpr std::size_t angle_terms(double limit = series_limit) {
  double term = 1, unit = 0.25;
  for (int i = 0; i < std::numeric_limits<value_of<T>>::digits; ++i) unit /= 2;
  std::size_t n = 0;
  while (term > unit) {
    ++n;
    term *= limit / static_cast<double>((2 * n - 1) * (2 * n));
  }
  return n + derivatives_of<T>;
}

// (-1)^k / (2k + Offset)!, times the largest `Even` even factors of the factorial. The factorials are built up and
// divided once, those for float in double, where they do not overflow.
template <class V, std::size_t N, int Offset, int Even>
constexpr std::array<V, N> inverse_factorials() {
  using Wide = std::conditional_t<std::is_same_v<V, float>, double, V>;
  std::array<V, N> c{};
  Wide factorial(1);
  for (int i = 2; i <= Offset; ++i) factorial = factorial * Wide(i);
  for (std::size_t k = 0; k < N; ++k) {
    const int n = 2 * static_cast<int>(k) + Offset;
    Wide numerator(1);
    for (int i = 0; i < Even; ++i) numerator = numerator * Wide(n - 1 - 2 * i);
    c[k] = V((k % 2 == 0 ? numerator : Wide(-numerator)) / factorial);
    factorial = factorial * Wide(n + 1) * Wide(n + 2);
  }
  return c;
}

template <class V, std::size_t N, int Offset, int Even>
struct AngleTable {
  static const std::array<V, N>& get() {
    if constexpr (std::is_floating_point_v<V>) {
      static constexpr std::array<V, N> table = inverse_factorials<V, N, Offset, Even>();
      return table;
    } else {
      static const std::array<V, N> table = inverse_factorials<V, N, Offset, Even>();
      return table;
    }
  }
};

// Estrin's scheme: c[Begin] + c[Begin+1] y + ... in a tree, whose depth is the logarithm of the length.
template <std::size_t Begin, std::size_t Length, class V, std::size_t N, class T>
[[gnu::always_inline]] constexpr T estrin(const std::array<V, N>& c, const T* powers_of_two) {
  if constexpr (Length == 1) {
    return T(c[Begin]);
  } else {
    constexpr std::size_t level = [] {
      std::size_t l = 0;
      while ((std::size_t{2} << l) < Length) ++l;
      return l;
    }();
    constexpr std::size_t half = std::size_t{1} << level;
    return estrin<Begin, half>(c, powers_of_two) +
           powers_of_two[level] * estrin<Begin + half, Length - half>(c, powers_of_two);
  }
}

template <class V, std::size_t N, class T>
[[gnu::always_inline]] inline T polynomial(const std::array<V, N>& coefficients, const T& y) {
  static_assert(N <= 128, "powers holds y, y^2, y^4 ... y^64");
  T powers[7];
  powers[0] = y;
  for (int i = 1; i < 7 && (std::size_t{1} << i) < N; ++i) powers[i] = powers[i - 1] * powers[i - 1];
  return estrin<0, N>(coefficients, powers);
}

template <int Offset, int Even = 0, class T>
T angle_polynomial(const T& y) {
  return polynomial(AngleTable<value_of<T>, angle_terms<T>(), Offset, Even>::get(), y);
}
template <int Offset, int Even = 0, class T>
[[gnu::always_inline]] inline T near_polynomial(const T& y) {
  return polynomial(AngleTable<T, angle_terms<T>(near_limit), Offset, Even>::get(), y);
}

// atan t / t = sum (-t^2)^k / (2k+1), to the precision of T and of the derivatives it carries: relative to the leading
// term 1/(2m+1) of the m-th, the first one left out is at most binomial(n, m) limit^(n-m).
template <class T>
constexpr std::size_t atan_terms() {
  constexpr std::size_t m = derivatives_of<T>;
  double term = 1, unit = 0.25;
  for (int i = 0; i < std::numeric_limits<value_of<T>>::digits; ++i) unit /= 2;
  std::size_t n = m;
  while (term > unit) {
    ++n;
    term *= atan_series_limit * static_cast<double>(n) / static_cast<double>(n - m);
  }
  return n;
}

template <class T>
T atan_polynomial(const T& t2) {
  using V = value_of<T>;
  static const auto coefficients = [] {
    std::array<V, atan_terms<T>()> c;
    for (std::size_t k = 0; k < c.size(); ++k) c[k] = V(k % 2 == 0 ? 1 : -1) / V(static_cast<int>(2 * k + 1));
    return c;
  }();
  return polynomial(coefficients, t2);
}

// A dual or a series is small when its value is: the polynomial then serves for its derivatives as well.
template <class T>
bool within_series(const T& y) {
  return every(y <= T(series_limit));
}

}  // namespace detail

// cos x and sin x / x together: what an exponential map needs.
template <class T>
struct CosSinc {
  T cosine, sinc;
};

namespace detail {
template <class T>
[[gnu::noinline]] CosSinc<T> cos_sinc_far(T y) {
  if (within_series(y)) return {angle_polynomial<0>(y), angle_polynomial<1>(y)};
  const T x = sqrt(y);
  return {T(cos(x)), T(sin(x)) / x};
}
}  // namespace detail

// The short polynomials are inlined and all else behind a call: around a call every number of a step would pass
// through memory. Scalars that carry derivatives or lanes take the one path for all.
template <class T>
[[gnu::always_inline]] inline CosSinc<T> cos_sinc_sqrt(const T& y) {
  if constexpr (std::is_floating_point_v<T>) {
    if (y <= T(near_limit)) [[likely]]
      return {detail::near_polynomial<0>(y), detail::near_polynomial<1>(y)};
  }
  return detail::cos_sinc_far(y);
}

template <class T>
T cos_sqrt(const T& y) {
  return cos_sinc_sqrt(y).cosine;
}

template <class T>
T sinc_sqrt(const T& y) {
  return cos_sinc_sqrt(y).sinc;
}

namespace detail {
template <class T>
[[gnu::noinline]] T sinc1_far(T y) {
  if (within_series(y)) return angle_polynomial<3>(y);
  return (T(1) - sinc_sqrt(y)) / y;
}

template <class T>
[[gnu::noinline]] T sinc2_far(T y) {
  if (within_series(y)) return angle_polynomial<3, 1>(y);
  const CosSinc<T> f = cos_sinc_sqrt(y);
  return (f.sinc - f.cosine) / y;
}

template <class T>
[[gnu::noinline]] T sinc3_far(T y) {
  if (within_series(y)) return angle_polynomial<5, 2>(y);
  return (T(3) * sinc2_far(y) - sinc_sqrt(y)) / y;
}
}  // namespace detail

template <class T>
[[gnu::always_inline]] inline T sinc1_sqrt(const T& y) {
  if constexpr (std::is_floating_point_v<T>) {
    if (y <= T(near_limit)) [[likely]]
      return detail::near_polynomial<3>(y);
  }
  return detail::sinc1_far(y);
}

template <class T>
[[gnu::always_inline]] inline T sinc2_sqrt(const T& y) {
  if constexpr (std::is_floating_point_v<T>) {
    if (y <= T(near_limit)) [[likely]]
      return detail::near_polynomial<3, 1>(y);
  }
  return detail::sinc2_far(y);
}

template <class T>
[[gnu::always_inline]] inline T sinc3_sqrt(const T& y) {
  if constexpr (std::is_floating_point_v<T>) {
    if (y <= T(near_limit)) [[likely]]
      return detail::near_polynomial<5, 2>(y);
  }
  return detail::sinc3_far(y);
}

}  // namespace polhode
