// SL(2,R), the real 2x2 matrices of determinant 1: the maps of the plane that keep areas, as in optics and in the phase
// plane of an oscillator q' = p, p' = -k(t) q.
//
// Generators X have trace 0, so that X^2 = -det(X) 1 and exp X = cos f + (sin f / f) X with f^2 = det X. The
// determinant may have either sign: rotations where it is positive, shears at zero, and where it is negative squeezes,
// with cosh and sinh. The group is not compact: its elements may be large.
#pragma once

#include "polhode/core/angle_series.hpp"
#include "polhode/core/lie_group.hpp"

namespace polhode {

// (a, b; c, -a)
template <class T>
struct Traceless2 {
  T a{}, b{}, c{};

  constexpr T& operator[](std::size_t i) { return i == 0 ? a : i == 1 ? b : c; }
  constexpr const T& operator[](std::size_t i) const { return i == 0 ? a : i == 1 ? b : c; }

  friend constexpr Traceless2 operator+(const Traceless2& x, const Traceless2& z) {
    return {x.a + z.a, x.b + z.b, x.c + z.c};
  }
  friend constexpr Traceless2 operator*(const T& s, const Traceless2& x) { return {s * x.a, s * x.b, s * x.c}; }
  friend constexpr bool operator==(const Traceless2&, const Traceless2&) = default;
};

// The commutator of the matrices.
template <class T>
constexpr Traceless2<T> bracket(const Traceless2<T>& x, const Traceless2<T>& z) {
  return {x.b * z.c - x.c * z.b, T(2) * (x.a * z.b - x.b * z.a), T(2) * (x.c * z.a - x.a * z.c)};
}

template <class T>
struct Vec2 {
  T x{}, y{};

  friend constexpr Vec2 operator+(const Vec2& u, const Vec2& v) { return {u.x + v.x, u.y + v.y}; }
  friend constexpr bool operator==(const Vec2&, const Vec2&) = default;
};

// (a, b; c, d) with a d - b c = 1. Nothing is renormalised: where the entries are large, a determinant is mostly
// rounding.
template <class T>
struct Unimodular2 {
  T a{1}, b{}, c{}, d{1};

  friend constexpr Unimodular2 operator*(const Unimodular2& g, const Unimodular2& h) {
    return {g.a * h.a + g.b * h.c, g.a * h.b + g.b * h.d, g.c * h.a + g.d * h.c, g.c * h.b + g.d * h.d};
  }
  friend constexpr Vec2<T> operator*(const Unimodular2& g, const Vec2<T>& v) {
    return {g.a * v.x + g.b * v.y, g.c * v.x + g.d * v.y};
  }
  friend constexpr bool operator==(const Unimodular2&, const Unimodular2&) = default;
};

template <class T>
constexpr Unimodular2<T> inverse(const Unimodular2<T>& g) {
  return {g.d, -g.b, -g.c, g.a};
}

namespace detail {
// cos f and sin f / f of a squared angle of either sign: cosh and sinh below zero. Near zero one power series serves
// both sides.
template <class T>
constexpr CosSinc<T> cos_sinc_signed(const T& squared_angle) {
  if (squared_angle >= T(0)) return cos_sinc_sqrt(squared_angle);
  if (within_series(T(-squared_angle))) return {angle_polynomial<0>(squared_angle), angle_polynomial<1>(squared_angle)};
  const T x = sqrt(T(-squared_angle));
  const T growth = exp(x), decay = T(1) / growth;
  return {T(0.5) * (growth + decay), T(0.5) * (growth - decay) / x};
}
}  // namespace detail

template <class T>
constexpr Unimodular2<T> exp(const Traceless2<T>& x) {
  const CosSinc<T> f = detail::cos_sinc_signed(T(-x.a * x.a - x.b * x.c));
  const T sa = f.sinc * x.a;
  return {f.cosine + sa, f.sinc * x.b, f.sinc * x.c, f.cosine - sa};
}

// The product of the matrices g x g^-1.
template <class T>
constexpr Traceless2<T> adjoint(const Unimodular2<T>& g, const Traceless2<T>& x) {
  const T first = g.a * x.a + g.b * x.c, second = g.a * x.b - g.b * x.a;
  const T third = g.c * x.a + g.d * x.c, fourth = g.c * x.b - g.d * x.a;
  return {first * g.d - second * g.c, second * g.a - first * g.b, third * g.d - fourth * g.c};
}

template <class To, class From>
constexpr Vec2<To> cast(const Vec2<From>& v) {
  return {static_cast<To>(v.x), static_cast<To>(v.y)};
}
template <class To, class From>
constexpr Unimodular2<To> cast(const Unimodular2<From>& g) {
  return {static_cast<To>(g.a), static_cast<To>(g.b), static_cast<To>(g.c), static_cast<To>(g.d)};
}

struct SL2R {
  static constexpr std::size_t dimension = 3;
  template <class T>
  using Algebra = Traceless2<T>;
  template <class T>
  using Element = Unimodular2<T>;
  template <class T>
  using Vector = Vec2<T>;
};

}  // namespace polhode
