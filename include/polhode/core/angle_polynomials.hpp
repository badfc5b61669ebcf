// The polynomials behind angle_series.hpp: how many terms, with which coefficients, added up in which order.
#pragma once

#include <array>
#include <cstddef>

#include "polhode/core/scalar.hpp"
#include "polhode/core/table.hpp"

namespace polhode {

inline constexpr double series_limit = 0.6175;       // of the squared angle: (pi/4)^2 rounded up
inline constexpr double ordinary_limit = 0.095;      // half angles up to 0.308
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

// As few terms as are good to 1/128 of a rounding unit up to the limit, if the error is spread over it evenly: that of n
// terms is then about 2 (limit/4)^n times the next coefficient. Unlike rounding it is the same in every step, and a
// million steps add it up.
template <class V, int Offset, int Even>
constexpr std::size_t even_terms(double limit) {
  constexpr auto series = inverse_factorials<double, 20, Offset, Even>();
  double power = 2 / series[0], unit = 1.0 / 128;
  for (int i = 0; i < std::numeric_limits<V>::digits; ++i) unit /= 2;
  std::size_t n = 0;
  while (n + 5 < series.size() && power * (n % 2 == 0 ? series[n] : -series[n]) > unit) {
    ++n;
    power *= 0.25 * limit;
  }
  return n;
}

// The series made shorter by Lanczos' economisation: its last terms, one by one, less that multiple of a Chebyshev
// polynomial of [0, limit] that takes the highest power away. What is taken from the first coefficients is below
// their rounding: at zero the values are exact.
template <class V, std::size_t N, int Offset, int Even>
constexpr std::array<V, N> even_coefficients(double limit) {
  constexpr std::size_t Long = N + 4;
  const auto series = inverse_factorials<double, Long, Offset, Even>();
  std::array<double, Long> changed = series, taken{};
  for (std::size_t degree = Long - 1; degree >= N; --degree) {
    // T_k(2 y/limit - 1) by its recurrence.
    std::array<double, Long> before{1}, chebyshev{-1, 2 / limit};
    for (std::size_t k = 1; k < degree; ++k) {
      std::array<double, Long> next{};
      for (std::size_t i = 0; i < Long; ++i)
        next[i] = 2 * ((i > 0 ? 2 / limit * chebyshev[i - 1] : 0) - chebyshev[i]) - before[i];
      before = chebyshev;
      chebyshev = next;
    }
    const double share = changed[degree] / chebyshev[degree];
    for (std::size_t i = 0; i <= degree; ++i) {
      changed[i] -= share * chebyshev[i];
      taken[i] += share * chebyshev[i];
    }
  }
  std::array<V, N> c{};
  for (std::size_t i = 0; i < N; ++i) c[i] = V(series[i] - taken[i]);
  return c;
}

// Short, and on a card part of the code: from the memory of constants rotor-verlet would take a hundredth longer.
template <std::size_t N, int Offset, int Even>
struct AngleTable {
  template <class V>
  static constexpr std::array<V, N> make() {
    return inverse_factorials<V, N, Offset, Even>();
  }
};
// Up to which squared angle: that of an ordinary step, or of an eighth of a turn, which quarter turns leave over at most.
enum class AngleReach { ordinary, eighth };
constexpr double limit_of(AngleReach reach) { return reach == AngleReach::ordinary ? ordinary_limit : series_limit; }

template <int Offset, int Even, AngleReach reach>
struct EvenTable {
  static constexpr bool of_polynomial = true;
  template <class V>
  static constexpr auto make() {
    return even_coefficients<V, even_terms<V, Offset, Even>(limit_of(reach)), Offset, Even>(limit_of(reach));
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
[[gnu::always_inline]] constexpr T polynomial(const std::array<V, N>& coefficients, const T& y) {
  static_assert(N <= 128, "powers holds y, y^2, y^4 ... y^64");
  T powers[7];
  powers[0] = y;
  for (int i = 1; i < 7 && (std::size_t{1} << i) < N; ++i) powers[i] = powers[i - 1] * powers[i - 1];
  return estrin<0, N>(coefficients, powers);
}

template <int Offset, int Even = 0, class T>
constexpr T angle_polynomial(const T& y) {
  return polynomial(table_of<AngleTable<angle_terms<T>(), Offset, Even>, value_of<T>>(), y);
}
template <int Offset, int Even = 0, AngleReach reach = AngleReach::ordinary, class T>
[[gnu::always_inline]] constexpr T even_polynomial(const T& y) {
  return polynomial(table_of<EvenTable<Offset, Even, reach>, value_of<T>>(), y);
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

template <std::size_t N>
struct AtanTable {
  static constexpr bool of_polynomial = true;
  template <class V>
  static constexpr std::array<V, N> make() {
    std::array<V, N> c{};
    for (std::size_t k = 0; k < N; ++k) c[k] = V(k % 2 == 0 ? 1 : -1) / V(static_cast<int>(2 * k + 1));
    return c;
  }
};

template <class T>
constexpr T atan_polynomial(const T& t2) {
  return polynomial(table_of<AtanTable<atan_terms<T>()>, value_of<T>>(), t2);
}

// Plain floats and doubles, and lanes of them.
template <class T>
inline constexpr bool has_even_polynomials = derivatives_of<T> == 0 && (std::is_same_v<value_of<T>, double> ||
                                                                        std::is_same_v<value_of<T>, float>);

// Whether a polynomial serves. A dual or a series is small when its value is: the polynomial then serves for its
// derivatives as well. Of lanes, each.
template <class T>
constexpr auto within_series(const T& y) {
  return y <= T(series_limit);
}

}  // namespace detail
}  // namespace polhode
