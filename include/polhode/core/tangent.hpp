// Differentials of exp and of the Cayley map on SO(3), applied to a vector.
//
//   (exp x)' = hat(dexp(x) x') exp x      spatial form; in body axes the argument is -x
//   dexp(x)    = 1 + (1 - cos f)/f^2 X + (1 - sin f/f)/f^2 X^2,   f = |x|, X = hat(x)
//   dexpinv(x) = 1 - X/2 + (1 - (f/2) cot(f/2))/f^2 X^2           singular at f = 2 pi
//   dcayinv(x) = 1 - X/2 + x x^T / 4
#pragma once

#include "polhode/core/rotation.hpp"

namespace polhode {

template <class T>
constexpr Vec3<T> dexp(const Vec3<T>& x, const Vec3<T>& a) {
  const T y = squared_norm(x);
  const T half_sinc = sinc_sqrt(T(T(0.25) * y));
  const Vec3<T> xa = cross(x, a);
  return a + T(T(0.5) * half_sinc * half_sinc) * xa + sinc1_sqrt(y) * cross(x, xa);
}

// With g(u) = (sin u - u cos u)/u^3 and u = f/2 the coefficient of X^2 is g(u) / (4 sin u/u): no cancellation.
template <class T>
constexpr T dexpinv_coefficient(const T& squared_angle) {
  const T quarter = T(0.25) * squared_angle;
  return T(0.25) * sinc2_sqrt(quarter) / sinc_sqrt(quarter);
}

// The same with its derivative by the squared angle, (g^2/s - h)/(32 s) with s = sinc u, g as above and h = sinc3 u.
template <class T>
struct DexpinvCoefficient {
  T value, slope;
};
template <class T>
[[gnu::always_inline]] constexpr DexpinvCoefficient<T> dexpinv_coefficient_and_slope(const T& squared_angle) {
  const T quarter = T(0.25) * squared_angle;
  const T inverse_sinc = T(1) / sinc_sqrt(quarter);
  const T ratio = sinc2_sqrt(quarter) * inverse_sinc;
  return {T(0.25) * ratio, T(T(1) / T(32)) * (ratio * ratio - sinc3_sqrt(quarter) * inverse_sinc)};
}

template <class T>
constexpr Vec3<T> dexpinv(const Vec3<T>& x, const Vec3<T>& a) {
  const Vec3<T> xa = cross(x, a);
  return a - T(0.5) * xa + dexpinv_coefficient(squared_norm(x)) * cross(x, xa);
}

// The Cayley map's differential and its inverse: dcay(x) = (1 + X/2) / (1 + f^2/4).
template <class T>
constexpr Vec3<T> dcay(const Vec3<T>& x, const Vec3<T>& a) {
  return (a + T(0.5) * cross(x, a)) / T(T(1) + T(0.25) * squared_norm(x));
}
template <class T>
constexpr Vec3<T> dcayinv(const Vec3<T>& x, const Vec3<T>& a) {
  return a - T(0.5) * cross(x, a) + T(T(0.25) * dot(x, a)) * x;
}

}  // namespace polhode
