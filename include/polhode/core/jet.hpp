// A double with its derivatives in six directions: what runs are differentiated with.
//
// Dual (dual.hpp) is for any number of derivatives of any number. This one is for speed: its derivatives are pairs in the
// processor's registers, and functions of an angle take their derivatives from each other instead of differentiating a
// series term by term. Six, because a state has six directions.
#pragma once

#include <concepts>
#include <cstddef>
#include <type_traits>

#include "polhode/core/angle_series.hpp"
#include "polhode/core/dual.hpp"

namespace polhode {

// Derivatives, two in a register.
struct Slopes {
  typedef double Pair __attribute__((vector_size(2 * sizeof(double))));
  static constexpr std::size_t count = 6;

  Pair first{}, second{}, third{};

  // Templates, because clang refuses an element of a vector in a constexpr function that is none.
  template <std::integral Index>
  constexpr double operator[](Index i) const {
    return i < 2 ? first[i] : i < 4 ? second[i - 2] : third[i - 4];
  }
  template <std::integral Index>
  constexpr void set(Index i, double slope) {
    if (i < 2) {
      first[i] = slope;
    } else if (i < 4) {
      second[i - 2] = slope;
    } else {
      third[i - 4] = slope;
    }
  }

  [[gnu::always_inline]] friend constexpr Slopes operator+(const Slopes& a, const Slopes& b) {
    return {a.first + b.first, a.second + b.second, a.third + b.third};
  }
  [[gnu::always_inline]] friend constexpr Slopes operator-(const Slopes& a, const Slopes& b) {
    return {a.first - b.first, a.second - b.second, a.third - b.third};
  }
  [[gnu::always_inline]] friend constexpr Slopes operator-(const Slopes& a) { return {-a.first, -a.second, -a.third}; }
  [[gnu::always_inline]] friend constexpr Slopes operator*(double x, const Slopes& a) {
    return {x * a.first, x * a.second, x * a.third};
  }
  friend constexpr bool operator==(const Slopes& a, const Slopes& b) {
    bool same = true;
    for (std::size_t i = 0; i < count; ++i) same = same && a[i] == b[i];
    return same;
  }
};

struct Jet {
  double value = 0;
  Slopes d{};

  constexpr Jet() = default;
  template <class A>
    requires(std::is_arithmetic_v<A>)
  [[gnu::always_inline]] constexpr Jet(A v) : value(static_cast<double>(v)) {}
  [[gnu::always_inline]] constexpr Jet(double v, const Slopes& slopes) : value(v), d(slopes) {}
  // The i-th independent variable.
  static constexpr Jet variable(double v, std::size_t i) {
    Jet a(v);
    a.d.set(i, 1);
    return a;
  }
  // Without its derivatives: for what only describes a number, or decides by its size.
  explicit constexpr operator double() const { return value; }

  // f(value) with derivative f'(value), by the chain rule.
  [[gnu::always_inline]] constexpr Jet chain(double f, double slope) const { return {f, slope * d}; }

  [[gnu::always_inline]] friend constexpr Jet operator+(const Jet& a, const Jet& b) {
    return {a.value + b.value, a.d + b.d};
  }
  [[gnu::always_inline]] friend constexpr Jet operator-(const Jet& a, const Jet& b) {
    return {a.value - b.value, a.d - b.d};
  }
  [[gnu::always_inline]] friend constexpr Jet operator-(const Jet& a) { return {-a.value, -a.d}; }
  [[gnu::always_inline]] friend constexpr Jet operator*(const Jet& a, const Jet& b) {
    return {a.value * b.value, b.value * a.d + a.value * b.d};
  }
  [[gnu::always_inline]] friend constexpr Jet operator/(const Jet& a, const Jet& b) {
    const double quotient = a.value / b.value;
    return {quotient, (1 / b.value) * (a.d - quotient * b.d)};
  }
  [[gnu::always_inline]] constexpr Jet& operator+=(const Jet& b) { return *this = *this + b; }
  [[gnu::always_inline]] constexpr Jet& operator-=(const Jet& b) { return *this = *this - b; }
  [[gnu::always_inline]] constexpr Jet& operator*=(const Jet& b) { return *this = *this * b; }
  [[gnu::always_inline]] constexpr Jet& operator/=(const Jet& b) { return *this = *this / b; }

  friend constexpr bool operator<(const Jet& a, const Jet& b) { return a.value < b.value; }
  friend constexpr bool operator>(const Jet& a, const Jet& b) { return a.value > b.value; }
  friend constexpr bool operator<=(const Jet& a, const Jet& b) { return a.value <= b.value; }
  friend constexpr bool operator>=(const Jet& a, const Jet& b) { return a.value >= b.value; }
  friend constexpr bool operator==(const Jet& a, const Jet& b) { return a.value == b.value && a.d == b.d; }
};

template <>
struct ValueOf<Jet> {
  using type = double;
};
template <>
inline constexpr std::size_t derivatives_of<Jet> = 1;

constexpr double plain(const Jet& a) { return a.value; }
constexpr Jet select(bool mask, const Jet& a, const Jet& b) { return mask ? a : b; }
constexpr Jet abs(const Jet& a) { return a.value < 0 ? -a : a; }
constexpr Jet min(const Jet& a, const Jet& b) { return b < a ? b : a; }
constexpr Jet max(const Jet& a, const Jet& b) { return a < b ? b : a; }
inline Jet copysign(const Jet& a, const Jet& b) { return copysign(1.0, a.value) * copysign(1.0, b.value) < 0 ? -a : a; }
inline bool isfinite(const Jet& a) {
  bool finite = isfinite(a.value);
  for (std::size_t i = 0; i < Slopes::count; ++i) finite = finite && isfinite(a.d[i]);
  return finite;
}
inline Jet ldexp(const Jet& a, int exponent) {
  return a.chain(std::ldexp(a.value, exponent), std::ldexp(1.0, exponent));
}

inline Jet sqrt(const Jet& a) {
  const double root = sqrt(a.value);
  return a.chain(root, 0.5 / root);
}
inline Jet exp(const Jet& a) {
  const double e = exp(a.value);
  return a.chain(e, e);
}
inline Jet log(const Jet& a) { return a.chain(log(a.value), 1 / a.value); }
inline Jet sin(const Jet& a) { return a.chain(sin(a.value), cos(a.value)); }
inline Jet cos(const Jet& a) { return a.chain(cos(a.value), -sin(a.value)); }
inline Jet tan(const Jet& a) {
  const double t = tan(a.value);
  return a.chain(t, 1 + t * t);
}
inline Jet asin(const Jet& a) { return a.chain(asin(a.value), 1 / sqrt(1 - a.value * a.value)); }
inline Jet acos(const Jet& a) { return a.chain(acos(a.value), -1 / sqrt(1 - a.value * a.value)); }
inline Jet atan(const Jet& a) { return a.chain(atan(a.value), 1 / (1 + a.value * a.value)); }
inline Jet tanh(const Jet& a) {
  const double t = tanh(a.value);
  return a.chain(t, 1 - t * t);
}
inline Jet atan2(const Jet& y, const Jet& x) {
  const double per_square = 1 / (x.value * x.value + y.value * y.value);
  return {atan2(y.value, x.value), per_square * (x.value * y.d - y.value * x.d)};
}

// Functions of the squared angle (angle_series.hpp): the derivative of cos is -sinc/2, and that of sinc, sinc2 minus half
// the next. Of the two others nothing is next.
[[gnu::always_inline]] constexpr CosSinc<Jet> cos_sinc_sqrt(const Jet& y) {
  const CosSinc<double> f = cos_sinc_sqrt(y.value);
  return {y.chain(f.cosine, -0.5 * f.sinc), y.chain(f.sinc, -0.5 * sinc2_sqrt(y.value))};
}
constexpr Jet cos_sqrt(const Jet& y) { return cos_sinc_sqrt(y).cosine; }
constexpr Jet sinc_sqrt(const Jet& y) { return cos_sinc_sqrt(y).sinc; }
constexpr Jet sinc2_sqrt(const Jet& y) { return y.chain(sinc2_sqrt(y.value), -0.5 * sinc3_sqrt(y.value)); }
constexpr Jet sinc1_sqrt(const Jet& y) {
  const Dual<double, 1> f = sinc1_sqrt(Dual<double, 1>::variable(y.value, 0));
  return y.chain(f.value, f.d[0]);
}
constexpr Jet sinc3_sqrt(const Jet& y) {
  const Dual<double, 1> f = sinc3_sqrt(Dual<double, 1>::variable(y.value, 0));
  return y.chain(f.value, f.d[0]);
}

}  // namespace polhode
