// Functions beyond the vocabulary of kernels (scalar.hpp), for what users write: tan, asin, acos, atan, tanh and powers, of
// duals, power series and lanes. As for the others, series follow from differential equations.
#pragma once

#include <cmath>
#include <limits>
#include <type_traits>

#include "polhode/core/dual.hpp"
#include "polhode/core/growing_series.hpp"
#include "polhode/core/lanes.hpp"

namespace polhode {

// x^y = exp(y log x), which is no number where x < 0; whole powers are products, and not asked for here.
template <class T>
  requires(std::is_same_v<value_of<T>, T> && !is_lanes<T>)
T power(const T& x, const T& y) { return x < T(0) ? T(std::numeric_limits<T>::quiet_NaN()) : T(pow(x, y)); }

template <class T, std::size_t N>
constexpr Dual<T, N> tan(const Dual<T, N>& a) {
  const T t = tan(a.value);
  return a.chain(t, T(1) + t * t);
}
template <class T, std::size_t N>
constexpr Dual<T, N> asin(const Dual<T, N>& a) {
  return a.chain(asin(a.value), T(1) / T(sqrt(T(1) - a.value * a.value)));
}
template <class T, std::size_t N>
constexpr Dual<T, N> acos(const Dual<T, N>& a) {
  return a.chain(acos(a.value), T(-1) / T(sqrt(T(1) - a.value * a.value)));
}
template <class T, std::size_t N>
constexpr Dual<T, N> atan(const Dual<T, N>& a) {
  return a.chain(atan(a.value), T(1) / (T(1) + a.value * a.value));
}
template <class T, std::size_t N>
constexpr Dual<T, N> tanh(const Dual<T, N>& a) {
  const T t = tanh(a.value);
  return a.chain(t, T(1) - t * t);
}

namespace detail {

// f with r f' = a', from its value.
template <class T, std::size_t N>
constexpr Series<T, N> integral_of_quotient(const T& value, const Series<T, N>& a, const Series<T, N>& r) {
  Series<T, N> f(value);
  for (std::size_t n = 1; n <= N; ++n) {
    T sum(0);
    for (std::size_t i = 1; i < n; ++i) sum = sum + T(static_cast<int>(i)) * f.c[i] * r.c[n - i];
    f.c[n] = (a.c[n] - sum / T(static_cast<int>(n))) / r.c[0];
  }
  return f;
}
// f with f' = a' (1 + sign f^2), from its value.
template <class T, std::size_t N>
constexpr Series<T, N> solution_of_riccati(const T& value, const Series<T, N>& a, int sign) {
  Series<T, N> f(value), slope;
  for (std::size_t n = 0; n <= N; ++n) {
    if (n > 0) f.c[n] = Series<T, N>::weighted(a, slope, n) / T(static_cast<int>(n));
    slope.c[n] = T(sign) * Series<T, N>::convolution(f, f, n, 0, n) + T(n == 0 ? 1 : 0);
  }
  return f;
}

}  // namespace detail

template <class T, std::size_t N>
constexpr Series<T, N> tan(const Series<T, N>& a) {
  return detail::solution_of_riccati(T(tan(a.c[0])), a, 1);
}
template <class T, std::size_t N>
constexpr Series<T, N> tanh(const Series<T, N>& a) {
  return detail::solution_of_riccati(T(tanh(a.c[0])), a, -1);
}
template <class T, std::size_t N>
constexpr Series<T, N> asin(const Series<T, N>& a) {
  return detail::integral_of_quotient(T(asin(a.c[0])), a, sqrt(T(1) - a * a));
}
template <class T, std::size_t N>
constexpr Series<T, N> acos(const Series<T, N>& a) {
  return detail::integral_of_quotient(T(acos(a.c[0])), a, -sqrt(T(1) - a * a));
}
template <class T, std::size_t N>
constexpr Series<T, N> atan(const Series<T, N>& a) {
  return detail::integral_of_quotient(T(atan(a.c[0])), a, a * a + T(1));
}

// Of numbers that carry derivatives.
template <class S>
  requires(!std::is_same_v<value_of<S>, S> && !is_lanes<S>)
S power(const S& x, const S& y) { return exp(y * log(x)); }

template <class T, std::size_t N, std::size_t W>
constexpr Lanes<T, N, W> tan(const Lanes<T, N, W>& a) {
  return each_lane(a, [](const T& x) { return tan(x); });
}
template <class T, std::size_t N, std::size_t W>
constexpr Lanes<T, N, W> asin(const Lanes<T, N, W>& a) {
  return each_lane(a, [](const T& x) { return asin(x); });
}
template <class T, std::size_t N, std::size_t W>
constexpr Lanes<T, N, W> acos(const Lanes<T, N, W>& a) {
  return each_lane(a, [](const T& x) { return acos(x); });
}
template <class T, std::size_t N, std::size_t W>
constexpr Lanes<T, N, W> atan(const Lanes<T, N, W>& a) {
  return each_lane(a, [](const T& x) { return atan(x); });
}
template <class T, std::size_t N, std::size_t W>
constexpr Lanes<T, N, W> tanh(const Lanes<T, N, W>& a) {
  return each_lane(a, [](const T& x) { return tanh(x); });
}
template <class T, std::size_t N, std::size_t W>
Lanes<T, N, W> power(const Lanes<T, N, W>& x, const Lanes<T, N, W>& y) {
  Lanes<T, N, W> made;
  for (std::size_t i = 0; i < N; ++i) made.set(i, power(T(x[i]), T(y[i])));
  return made;
}

}  // namespace polhode
