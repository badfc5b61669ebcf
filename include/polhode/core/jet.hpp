// A double with its derivatives in a few directions: what runs are differentiated with.
//
// Dual (dual.hpp) is for any number of derivatives of any number. This one is for speed: its derivatives are pairs in
// registers of the processor, its value stands in both halves of one, where it multiplies such pairs as it is, and functions
// of an angle take their derivatives from each other instead of differentiating a series term by term. A state has six
// directions; fewer cost less.
#pragma once

#include <concepts>
#include <cstddef>
#include <type_traits>

#include "polhode/core/angle_series.hpp"
#include "polhode/core/dual.hpp"

namespace polhode {

namespace detail {
typedef double SlopePair __attribute__((vector_size(2 * sizeof(double))));
constexpr SlopePair in_both_halves(double x) { return SlopePair{x, x}; }
}  // namespace detail

// N derivatives, two in a register.
template <std::size_t N>
struct Slopes {
  static_assert(N % 2 == 0);
  static constexpr std::size_t count = N;

  detail::SlopePair first{};
  [[no_unique_address]] Slopes<N - 2> rest{};

  // Templates, because clang refuses an element of a vector in a constexpr function that is none.
  template <std::integral Index>
  constexpr double operator[](Index i) const {
    return i < 2 ? first[i] : rest[i - 2];
  }
  template <std::integral Index>
  constexpr void set(Index i, double slope) {
    if (i < 2) {
      first[i] = slope;
    } else {
      rest.set(i - 2, slope);
    }
  }

  [[gnu::always_inline]] friend constexpr Slopes operator+(const Slopes& a, const Slopes& b) {
    return {a.first + b.first, a.rest + b.rest};
  }
  [[gnu::always_inline]] friend constexpr Slopes operator-(const Slopes& a, const Slopes& b) {
    return {a.first - b.first, a.rest - b.rest};
  }
  [[gnu::always_inline]] friend constexpr Slopes operator-(const Slopes& a) { return {-a.first, -a.rest}; }
  // x times each.
  [[gnu::always_inline]] friend constexpr Slopes operator*(const detail::SlopePair& x, const Slopes& a) {
    return {x * a.first, x * a.rest};
  }
  [[gnu::always_inline]] friend constexpr Slopes operator*(double x, const Slopes& a) {
    return detail::in_both_halves(x) * a;
  }
  friend constexpr bool operator==(const Slopes& a, const Slopes& b) {
    return a.first[0] == b.first[0] && a.first[1] == b.first[1] && a.rest == b.rest;
  }
};
template <>
struct Slopes<0> {
  constexpr double operator[](std::size_t) const { return 0; }
  constexpr void set(std::size_t, double) {}
  [[gnu::always_inline]] friend constexpr Slopes operator+(Slopes, Slopes) { return {}; }
  [[gnu::always_inline]] friend constexpr Slopes operator-(Slopes, Slopes) { return {}; }
  [[gnu::always_inline]] friend constexpr Slopes operator-(Slopes) { return {}; }
  [[gnu::always_inline]] friend constexpr Slopes operator*(const detail::SlopePair&, Slopes) { return {}; }
  friend constexpr bool operator==(Slopes, Slopes) { return true; }
};

template <std::size_t N>
struct Jet {
  detail::SlopePair twice{};  // the value, in both halves
  Slopes<N> d{};

  constexpr Jet() = default;
  template <class A>
    requires(std::is_arithmetic_v<A>)
  [[gnu::always_inline]] constexpr Jet(A v) : twice(detail::in_both_halves(static_cast<double>(v))) {}
  [[gnu::always_inline]] constexpr Jet(double v, const Slopes<N>& slopes)
      : twice(detail::in_both_halves(v)), d(slopes) {}
  [[gnu::always_inline]] constexpr Jet(const detail::SlopePair& v, const Slopes<N>& slopes) : twice(v), d(slopes) {}
  // The i-th independent variable.
  static constexpr Jet variable(double v, std::size_t i) {
    Jet a(v);
    a.d.set(i, 1);
    return a;
  }
  [[gnu::always_inline]] constexpr double value() const { return twice[0]; }
  constexpr void set_value(double v) { twice = detail::in_both_halves(v); }
  // Without its derivatives: for what only describes a number, or decides by its size.
  explicit constexpr operator double() const { return value(); }

  // f(value) with derivative f'(value), by the chain rule.
  [[gnu::always_inline]] constexpr Jet chain(double f, double slope) const { return {f, slope * d}; }

  [[gnu::always_inline]] friend constexpr Jet operator+(const Jet& a, const Jet& b) {
    return {a.twice + b.twice, a.d + b.d};
  }
  [[gnu::always_inline]] friend constexpr Jet operator-(const Jet& a, const Jet& b) {
    return {a.twice - b.twice, a.d - b.d};
  }
  [[gnu::always_inline]] friend constexpr Jet operator-(const Jet& a) { return {-a.twice, -a.d}; }
  [[gnu::always_inline]] friend constexpr Jet operator*(const Jet& a, const Jet& b) {
    return {a.twice * b.twice, b.twice * a.d + a.twice * b.d};
  }
  [[gnu::always_inline]] friend constexpr Jet operator*(double x, const Jet& a) {
    return {detail::in_both_halves(x) * a.twice, detail::in_both_halves(x) * a.d};
  }
  [[gnu::always_inline]] friend constexpr Jet operator/(const Jet& a, const Jet& b) {
    const double quotient = a.value() / b.value();
    return {quotient, (1 / b.value()) * (a.d - quotient * b.d)};
  }
  [[gnu::always_inline]] constexpr Jet& operator+=(const Jet& b) { return *this = *this + b; }
  [[gnu::always_inline]] constexpr Jet& operator-=(const Jet& b) { return *this = *this - b; }
  [[gnu::always_inline]] constexpr Jet& operator*=(const Jet& b) { return *this = *this * b; }
  [[gnu::always_inline]] constexpr Jet& operator/=(const Jet& b) { return *this = *this / b; }

  friend constexpr bool operator<(const Jet& a, const Jet& b) { return a.value() < b.value(); }
  friend constexpr bool operator>(const Jet& a, const Jet& b) { return a.value() > b.value(); }
  friend constexpr bool operator<=(const Jet& a, const Jet& b) { return a.value() <= b.value(); }
  friend constexpr bool operator>=(const Jet& a, const Jet& b) { return a.value() >= b.value(); }
  friend constexpr bool operator==(const Jet& a, const Jet& b) { return a.value() == b.value() && a.d == b.d; }
};

template <std::size_t N>
struct ValueOf<Jet<N>> {
  using type = double;
};
template <std::size_t N>
inline constexpr std::size_t derivatives_of<Jet<N>> = 1;
template <std::size_t N>
inline constexpr bool has_inlined_products<Jet<N>> = N <= 2;

template <std::size_t N>
constexpr double plain(const Jet<N>& a) {
  return a.value();
}
template <std::size_t N>
constexpr Jet<N> select(bool mask, const Jet<N>& a, const Jet<N>& b) {
  return mask ? a : b;
}
template <std::size_t N>
constexpr Jet<N> abs(const Jet<N>& a) {
  return a.value() < 0 ? -a : a;
}
template <std::size_t N>
constexpr Jet<N> min(const Jet<N>& a, const Jet<N>& b) {
  return b < a ? b : a;
}
template <std::size_t N>
constexpr Jet<N> max(const Jet<N>& a, const Jet<N>& b) {
  return a < b ? b : a;
}
template <std::size_t N>
inline Jet<N> copysign(const Jet<N>& a, const Jet<N>& b) {
  return copysign(1.0, a.value()) * copysign(1.0, b.value()) < 0 ? -a : a;
}
template <std::size_t N>
inline bool isfinite(const Jet<N>& a) {
  bool finite = isfinite(a.value());
  for (std::size_t i = 0; i < N; ++i) finite = finite && isfinite(a.d[i]);
  return finite;
}
template <std::size_t N>
inline Jet<N> ldexp(const Jet<N>& a, int exponent) {
  return a.chain(std::ldexp(a.value(), exponent), std::ldexp(1.0, exponent));
}

template <std::size_t N>
inline Jet<N> sqrt(const Jet<N>& a) {
  const double root = sqrt(a.value());
  return a.chain(root, 0.5 / root);
}
template <std::size_t N>
inline Jet<N> exp(const Jet<N>& a) {
  const double e = exp(a.value());
  return a.chain(e, e);
}
template <std::size_t N>
inline Jet<N> log(const Jet<N>& a) {
  return a.chain(log(a.value()), 1 / a.value());
}
template <std::size_t N>
inline Jet<N> sin(const Jet<N>& a) {
  return a.chain(sin(a.value()), cos(a.value()));
}
template <std::size_t N>
inline Jet<N> cos(const Jet<N>& a) {
  return a.chain(cos(a.value()), -sin(a.value()));
}
template <std::size_t N>
inline Jet<N> tan(const Jet<N>& a) {
  const double t = tan(a.value());
  return a.chain(t, 1 + t * t);
}
template <std::size_t N>
inline Jet<N> asin(const Jet<N>& a) {
  return a.chain(asin(a.value()), 1 / sqrt(1 - a.value() * a.value()));
}
template <std::size_t N>
inline Jet<N> acos(const Jet<N>& a) {
  return a.chain(acos(a.value()), -1 / sqrt(1 - a.value() * a.value()));
}
template <std::size_t N>
inline Jet<N> atan(const Jet<N>& a) {
  return a.chain(atan(a.value()), 1 / (1 + a.value() * a.value()));
}
template <std::size_t N>
inline Jet<N> tanh(const Jet<N>& a) {
  const double t = tanh(a.value());
  return a.chain(t, 1 - t * t);
}
template <std::size_t N>
inline Jet<N> atan2(const Jet<N>& y, const Jet<N>& x) {
  const double per_square = 1 / (x.value() * x.value() + y.value() * y.value());
  return {atan2(y.value(), x.value()), per_square * (x.value() * y.d - y.value() * x.d)};
}

// Functions of the squared angle (angle_series.hpp): the derivative of cos is -sinc/2, and that of sinc, sinc2 minus half
// the next. Of the two others nothing is next.
template <std::size_t N>
[[gnu::always_inline]] constexpr CosSinc<Jet<N>> cos_sinc_sqrt(const Jet<N>& y) {
  const CosSinc<double> f = cos_sinc_sqrt(y.value());
  return {y.chain(f.cosine, -0.5 * f.sinc), y.chain(f.sinc, -0.5 * sinc2_sqrt(y.value()))};
}
template <std::size_t N>
constexpr Jet<N> cos_sqrt(const Jet<N>& y) {
  return cos_sinc_sqrt(y).cosine;
}
template <std::size_t N>
constexpr Jet<N> sinc_sqrt(const Jet<N>& y) {
  return cos_sinc_sqrt(y).sinc;
}
template <std::size_t N>
constexpr Jet<N> sinc2_sqrt(const Jet<N>& y) {
  return y.chain(sinc2_sqrt(y.value()), -0.5 * sinc3_sqrt(y.value()));
}
template <std::size_t N>
constexpr Jet<N> sinc1_sqrt(const Jet<N>& y) {
  const Dual<double, 1> f = sinc1_sqrt(Dual<double, 1>::variable(y.value(), 0));
  return y.chain(f.value, f.d[0]);
}
template <std::size_t N>
constexpr Jet<N> sinc3_sqrt(const Jet<N>& y) {
  const Dual<double, 1> f = sinc3_sqrt(Dual<double, 1>::variable(y.value(), 0));
  return y.chain(f.value, f.d[0]);
}

// Of dexpinv (tangent.hpp): the value as there, and the slope from plain numbers in place of a quotient of two jets.
template <std::size_t N>
constexpr Jet<N> dexpinv_coefficient(const Jet<N>& squared_angle) {
  const double quarter = 0.25 * squared_angle.value(), sinc = sinc_sqrt(quarter), g = sinc2_sqrt(quarter);
  const double ratio = g / sinc;
  return squared_angle.chain(0.25 * g / sinc, (ratio * ratio - sinc3_sqrt(quarter) / sinc) / 32);
}

}  // namespace polhode
