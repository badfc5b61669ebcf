// Truncated power series as a scalar: c0 + c1 s + ... + cN s^N + O(s^(N+1)).
//
// A field written for any scalar, run on series of attitude, velocity and time, returns the series of its torque:
// exact derivatives of any order with none written by hand. Products truncate; the elementary functions use the
// recurrences that follow from their differential equations [HLW06, Sec. III; Moore 1966].
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>

#include "polhode/core/angle_series.hpp"

namespace polhode {

template <class A, class T>
concept NumberOtherThan = std::is_arithmetic_v<A> && !std::is_same_v<A, T>;

template <class T, std::size_t N>
struct Series {
  std::array<T, N + 1> c{};

  constexpr Series() = default;
  constexpr Series(const T& constant) { c[0] = constant; }
  template <NumberOtherThan<T> A>
  constexpr Series(A constant) {
    c[0] = T(constant);
  }
  // value + s
  static constexpr Series variable(const T& value) {
    Series a(value);
    if constexpr (N > 0) a.c[1] = T(1);
    return a;
  }

  friend constexpr Series operator+(Series a, const Series& b) {
    for (std::size_t i = 0; i <= N; ++i) a.c[i] = a.c[i] + b.c[i];
    return a;
  }
  friend constexpr Series operator-(Series a, const Series& b) {
    for (std::size_t i = 0; i <= N; ++i) a.c[i] = a.c[i] - b.c[i];
    return a;
  }
  friend constexpr Series operator-(Series a) {
    for (T& x : a.c) x = -x;
    return a;
  }
  friend constexpr Series operator*(const Series& a, const Series& b) {
    Series p;
    for (std::size_t n = 0; n <= N; ++n) p.c[n] = convolution(a, b, n, 0, n);
    return p;
  }
  // q b = a, solved for one coefficient after the other.
  friend constexpr Series operator/(const Series& a, const Series& b) {
    Series q;
    for (std::size_t n = 0; n <= N; ++n) q.c[n] = (a.c[n] - convolution(b, q, n, 1, n)) / b.c[0];
    return q;
  }

  // A plain number is not convolved.
  friend constexpr Series operator+(Series a, const T& b) { return a.c[0] = a.c[0] + b, a; }
  friend constexpr Series operator+(const T& a, Series b) { return b.c[0] = a + b.c[0], b; }
  friend constexpr Series operator-(Series a, const T& b) { return a.c[0] = a.c[0] - b, a; }
  friend constexpr Series operator-(const T& a, const Series& b) { return a + (-b); }
  friend constexpr Series operator*(Series a, const T& b) {
    for (T& x : a.c) x = x * b;
    return a;
  }
  friend constexpr Series operator*(const T& a, const Series& b) { return b * a; }
  friend constexpr Series operator/(Series a, const T& b) {
    for (T& x : a.c) x = x / b;
    return a;
  }

  // Nor is one of another type: 2.0 times a series of quads or of duals.
  template <NumberOtherThan<T> A>
  friend constexpr Series operator+(const Series& a, A b) {
    return a + T(b);
  }
  template <NumberOtherThan<T> A>
  friend constexpr Series operator+(A a, const Series& b) {
    return T(a) + b;
  }
  template <NumberOtherThan<T> A>
  friend constexpr Series operator-(const Series& a, A b) {
    return a - T(b);
  }
  template <NumberOtherThan<T> A>
  friend constexpr Series operator-(A a, const Series& b) {
    return T(a) - b;
  }
  template <NumberOtherThan<T> A>
  friend constexpr Series operator*(const Series& a, A b) {
    return a * T(b);
  }
  template <NumberOtherThan<T> A>
  friend constexpr Series operator*(A a, const Series& b) {
    return T(a) * b;
  }
  template <NumberOtherThan<T> A>
  friend constexpr Series operator/(const Series& a, A b) {
    return a / T(b);
  }

  constexpr Series& operator+=(const Series& b) { return *this = *this + b; }
  constexpr Series& operator-=(const Series& b) { return *this = *this - b; }
  constexpr Series& operator*=(const Series& b) { return *this = *this * b; }
  constexpr Series& operator/=(const Series& b) { return *this = *this / b; }

  // Order and sign are those of the value at s = 0.
  friend constexpr bool operator<(const Series& a, const Series& b) { return a.c[0] < b.c[0]; }
  friend constexpr bool operator>(const Series& a, const Series& b) { return a.c[0] > b.c[0]; }
  friend constexpr bool operator<=(const Series& a, const Series& b) { return a.c[0] <= b.c[0]; }
  friend constexpr bool operator>=(const Series& a, const Series& b) { return a.c[0] >= b.c[0]; }
  friend constexpr bool operator==(const Series&, const Series&) = default;

  // sum over i from first to last of a_i b_(n-i)
  static constexpr T convolution(const Series& a, const Series& b, std::size_t n, std::size_t first, std::size_t last) {
    T sum(0);
    for (std::size_t i = first; i <= last; ++i) sum = sum + a.c[i] * b.c[n - i];
    return sum;
  }
  // sum over i from 1 to n of i a_i b_(n-i): n times the n-th coefficient of the integral of a' b
  static constexpr T weighted(const Series& a, const Series& b, std::size_t n) {
    T sum(0);
    for (std::size_t i = 1; i <= n; ++i) sum = sum + T(static_cast<int>(i)) * a.c[i] * b.c[n - i];
    return sum;
  }
};

template <class T, std::size_t N>
struct ValueOf<Series<T, N>> {
  using type = value_of<T>;
};
template <class T, std::size_t N>
inline constexpr std::size_t derivatives_of<Series<T, N>> = N + derivatives_of<T>;

template <class T, std::size_t N>
constexpr Series<T, N> select(bool mask, const Series<T, N>& a, const Series<T, N>& b) {
  return mask ? a : b;
}
template <class T, std::size_t N>
constexpr Series<T, N> abs(const Series<T, N>& a) {
  return a.c[0] < T(0) ? -a : a;
}
template <class T, std::size_t N>
constexpr Series<T, N> min(const Series<T, N>& a, const Series<T, N>& b) {
  return b < a ? b : a;
}
template <class T, std::size_t N>
constexpr Series<T, N> max(const Series<T, N>& a, const Series<T, N>& b) {
  return a < b ? b : a;
}
template <class T, std::size_t N>
constexpr Series<T, N> copysign(const Series<T, N>& a, const Series<T, N>& b) {
  return copysign(T(1), a.c[0]) * copysign(T(1), b.c[0]) < T(0) ? -a : a;
}
template <class T, std::size_t N>
constexpr bool isfinite(const Series<T, N>& a) {
  return std::all_of(a.c.begin(), a.c.end(), [](const T& x) { return isfinite(x); });
}

// r^2 = a
template <class T, std::size_t N>
constexpr Series<T, N> sqrt(const Series<T, N>& a) {
  Series<T, N> r(T(sqrt(a.c[0])));
  for (std::size_t n = 1; n <= N; ++n)
    r.c[n] = (a.c[n] - (n > 1 ? Series<T, N>::convolution(r, r, n, 1, n - 1) : T(0))) / (T(2) * r.c[0]);
  return r;
}

// e' = a' e
template <class T, std::size_t N>
constexpr Series<T, N> exp(const Series<T, N>& a) {
  Series<T, N> e(T(exp(a.c[0])));
  for (std::size_t n = 1; n <= N; ++n) e.c[n] = Series<T, N>::weighted(a, e, n) / T(static_cast<int>(n));
  return e;
}

// a l' = a'
template <class T, std::size_t N>
constexpr Series<T, N> log(const Series<T, N>& a) {
  Series<T, N> l(T(log(a.c[0])));
  for (std::size_t n = 1; n <= N; ++n) {
    T sum(0);
    for (std::size_t i = 1; i < n; ++i) sum = sum + T(static_cast<int>(i)) * l.c[i] * a.c[n - i];
    l.c[n] = (a.c[n] - sum / T(static_cast<int>(n))) / a.c[0];
  }
  return l;
}

// s' = a' c, c' = -a' s
template <class T, std::size_t N>
constexpr void sin_cos(const Series<T, N>& a, Series<T, N>& s, Series<T, N>& c) {
  const auto [cosine, sine] = cos_and_sin(a.c[0]);
  s = Series<T, N>(sine);
  c = Series<T, N>(cosine);
  for (std::size_t n = 1; n <= N; ++n) {
    s.c[n] = Series<T, N>::weighted(a, c, n) / T(static_cast<int>(n));
    c.c[n] = -Series<T, N>::weighted(a, s, n) / T(static_cast<int>(n));
  }
}
template <class T, std::size_t N>
constexpr Series<T, N> sin(const Series<T, N>& a) {
  Series<T, N> s, c;
  sin_cos(a, s, c);
  return s;
}
template <class T, std::size_t N>
constexpr Series<T, N> cos(const Series<T, N>& a) {
  Series<T, N> s, c;
  sin_cos(a, s, c);
  return c;
}

// (x^2 + y^2) f' = x y' - y x'
template <class T, std::size_t N>
constexpr Series<T, N> atan2(const Series<T, N>& y, const Series<T, N>& x) {
  Series<T, N> f(T(atan2(y.c[0], x.c[0])));
  const Series<T, N> r = x * x + y * y;
  for (std::size_t n = 1; n <= N; ++n) {
    T sum = Series<T, N>::weighted(y, x, n) - Series<T, N>::weighted(x, y, n);
    for (std::size_t i = 1; i < n; ++i) sum = sum - T(static_cast<int>(i)) * f.c[i] * r.c[n - i];
    f.c[n] = sum / (T(static_cast<int>(n)) * r.c[0]);
  }
  return f;
}

}  // namespace polhode
