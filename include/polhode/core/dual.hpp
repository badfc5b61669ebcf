// Dual numbers as a scalar: a value and its derivatives with respect to N variables.
//
// A step run on duals returns its exact Jacobian, which decides symplecticity to rounding.
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>

#include "polhode/core/scalar.hpp"

namespace polhode {

template <class T, std::size_t N>
struct Dual {
  T value{};
  std::array<T, N> d{};

  constexpr Dual() = default;
  constexpr Dual(const T& v) : value(v) {}
  template <class A>
    requires(std::is_arithmetic_v<A> && !std::is_same_v<A, T>)
  constexpr Dual(A v) : value(static_cast<T>(v)) {}
  // Of another width.
  template <class U>
    requires(!std::is_same_v<U, T>)
  explicit constexpr Dual(const Dual<U, N>& a) : value(static_cast<T>(a.value)) {
    for (std::size_t i = 0; i < N; ++i) d[i] = static_cast<T>(a.d[i]);
  }
  // The i-th independent variable.
  static constexpr Dual variable(const T& v, std::size_t i) {
    Dual a(v);
    a.d[i] = T(1);
    return a;
  }

  // f(value) with derivative f'(value), by the chain rule.
  constexpr Dual chain(const T& f, const T& slope) const {
    Dual r(f);
    for (std::size_t i = 0; i < N; ++i) r.d[i] = slope * d[i];
    return r;
  }

  friend constexpr Dual operator+(Dual a, const Dual& b) {
    a.value = a.value + b.value;
    for (std::size_t i = 0; i < N; ++i) a.d[i] = a.d[i] + b.d[i];
    return a;
  }
  friend constexpr Dual operator-(Dual a, const Dual& b) {
    a.value = a.value - b.value;
    for (std::size_t i = 0; i < N; ++i) a.d[i] = a.d[i] - b.d[i];
    return a;
  }
  friend constexpr Dual operator-(const Dual& a) { return a.chain(-a.value, T(-1)); }
  friend constexpr Dual operator*(const Dual& a, const Dual& b) {
    Dual r(a.value * b.value);
    for (std::size_t i = 0; i < N; ++i) r.d[i] = a.d[i] * b.value + a.value * b.d[i];
    return r;
  }
  friend constexpr Dual operator/(const Dual& a, const Dual& b) {
    Dual r(a.value / b.value);
    for (std::size_t i = 0; i < N; ++i) r.d[i] = (a.d[i] - r.value * b.d[i]) / b.value;
    return r;
  }
  constexpr Dual& operator+=(const Dual& b) { return *this = *this + b; }
  constexpr Dual& operator-=(const Dual& b) { return *this = *this - b; }
  constexpr Dual& operator*=(const Dual& b) { return *this = *this * b; }
  constexpr Dual& operator/=(const Dual& b) { return *this = *this / b; }

  friend constexpr bool operator<(const Dual& a, const Dual& b) { return a.value < b.value; }
  friend constexpr bool operator>(const Dual& a, const Dual& b) { return a.value > b.value; }
  friend constexpr bool operator<=(const Dual& a, const Dual& b) { return a.value <= b.value; }
  friend constexpr bool operator>=(const Dual& a, const Dual& b) { return a.value >= b.value; }
  friend constexpr bool operator==(const Dual&, const Dual&) = default;
};

template <class T, std::size_t N>
struct ValueOf<Dual<T, N>> {
  using type = value_of<T>;
};
template <class T, std::size_t N>
inline constexpr std::size_t derivatives_of<Dual<T, N>> = 1 + derivatives_of<T>;

template <class T, std::size_t N>
constexpr value_of<T> plain(const Dual<T, N>& a) {
  return plain(a.value);
}
template <class T, std::size_t N>
constexpr Dual<T, N> select(bool mask, const Dual<T, N>& a, const Dual<T, N>& b) {
  return mask ? a : b;
}
template <class T, std::size_t N>
constexpr Dual<T, N> abs(const Dual<T, N>& a) {
  return a.value < T(0) ? -a : a;
}
template <class T, std::size_t N>
constexpr Dual<T, N> min(const Dual<T, N>& a, const Dual<T, N>& b) {
  return b < a ? b : a;
}
template <class T, std::size_t N>
constexpr Dual<T, N> max(const Dual<T, N>& a, const Dual<T, N>& b) {
  return a < b ? b : a;
}
template <class T, std::size_t N>
constexpr Dual<T, N> copysign(const Dual<T, N>& a, const Dual<T, N>& b) {
  return copysign(T(1), a.value) * copysign(T(1), b.value) < T(0) ? -a : a;
}
template <class T, std::size_t N>
constexpr bool isfinite(const Dual<T, N>& a) {
  return isfinite(a.value) && std::all_of(a.d.begin(), a.d.end(), [](const T& x) { return isfinite(x); });
}
template <class T, std::size_t N>
constexpr Dual<T, N> sqrt(const Dual<T, N>& a) {
  const T r = sqrt(a.value);
  return a.chain(r, T(1) / (T(2) * r));
}
template <class T, std::size_t N>
constexpr Dual<T, N> exp(const Dual<T, N>& a) {
  const T e = exp(a.value);
  return a.chain(e, e);
}
template <class T, std::size_t N>
constexpr Dual<T, N> log(const Dual<T, N>& a) {
  return a.chain(log(a.value), T(1) / a.value);
}
template <class T, std::size_t N>
constexpr Dual<T, N> sin(const Dual<T, N>& a) {
  return a.chain(sin(a.value), cos(a.value));
}
template <class T, std::size_t N>
constexpr Dual<T, N> cos(const Dual<T, N>& a) {
  return a.chain(cos(a.value), -sin(a.value));
}
template <class T, std::size_t N>
constexpr Dual<T, N> atan2(const Dual<T, N>& y, const Dual<T, N>& x) {
  const T r2 = x.value * x.value + y.value * y.value;
  Dual<T, N> f(T(atan2(y.value, x.value)));
  for (std::size_t i = 0; i < N; ++i) f.d[i] = (x.value * y.d[i] - y.value * x.d[i]) / r2;
  return f;
}

}  // namespace polhode
