// A homogeneous ellipsoid in an ideal fluid that is at rest far away: body and added inertia in closed form.
//
// Green's integrals, with a_1, a_2, a_3 the half axes [L32, Ch. V],
//
//   alpha_i = a_1 a_2 a_3 int_0^inf ds / ((a_i^2 + s) sqrt((a_1^2 + s)(a_2^2 + s)(a_3^2 + s))),
//
// sum to 2. With m the mass of fluid in place of the body the fluid adds alpha_i/(2 - alpha_i) m to the mass along axis i,
// and to the moment about it, with k = (alpha_j - alpha_l)/(a_j^2 - a_l^2) of the other two axes,
//
//   -(m/5) (a_j^2 - a_l^2)^2 k / (2 + (a_j^2 + a_l^2) k).
#pragma once

#include "polhode/core/elliptic.hpp"
#include "polhode/model/moving_body.hpp"

namespace polhode {

namespace detail {
// Carlson's R_D(x, y, z) = 3/2 int_0^inf ds / ((s + z) sqrt((s + x)(s + y)(s + z))) by duplication [C95], until the
// differences of x, y and z count no more: the error is of their second order. (carlson_rj, R_D = R_J(x, y, z, z), asks for
// z to be the largest.)
template <class T>
constexpr T carlson_rd(T x, T y, T z) {
  T sum(0), quarter(1);
  for (;;) {
    const T mean = (x + y + T(3) * z) / T(5);
    const T spread = max(T(abs(mean - x)), max(T(abs(mean - y)), T(abs(mean - z))));
    if (!(spread * spread > T(epsilon<T>()) * mean * mean)) return T(3) * sum + quarter / (mean * sqrt(mean));
    const T rx = sqrt(x), ry = sqrt(y), rz = sqrt(z), lambda = rx * ry + rx * rz + ry * rz;
    sum = sum + quarter / (rz * (z + lambda));
    quarter = T(0.25) * quarter;
    x = T(0.25) * (x + lambda);
    y = T(0.25) * (y + lambda);
    z = T(0.25) * (z + lambda);
  }
}
}  // namespace detail

template <class T>
struct FluidAround {
  Vec3<T> masses, moments;  // added by the fluid, along and about the axes
};

template <class T>
constexpr FluidAround<T> fluid_around_ellipsoid(const Vec3<T>& half_axes, const T& density) {
  const Vec3<T> square = times(half_axes, half_axes);
  const T volume = half_axes.x * half_axes.y * half_axes.z;
  const T fluid = T(4) / T(3) * T(pi_constant<T>()) * density * volume;
  Vec3<T> alpha;
  for (std::size_t i = 0; i < 3; ++i)
    alpha[i] = T(2) / T(3) * volume * detail::carlson_rd(square[(i + 1) % 3], square[(i + 2) % 3], square[i]);
  FluidAround<T> added;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t j = (i + 1) % 3, l = (i + 2) % 3;
    added.masses[i] = alpha[i] / (alpha[j] + alpha[l]) * fluid;  // 2 - alpha_i cancels for a disk
    const T difference = square[j] - square[l];
    if (difference == T(0)) continue;
    const T slope = (alpha[j] - alpha[l]) / difference;
    added.moments[i] = -fluid / T(5) * difference * difference * slope / (T(2) + (square[j] + square[l]) * slope);
  }
  return added;
}

// In its own axes, about its centre.
template <class T>
constexpr MovingBody<T> ellipsoid_in_fluid(const Vec3<T>& half_axes, const T& density, const T& fluid_density) {
  const T mass = T(4) / T(3) * T(pi_constant<T>()) * density * half_axes.x * half_axes.y * half_axes.z;
  const Vec3<T> square = times(half_axes, half_axes);
  const FluidAround<T> fluid = fluid_around_ellipsoid(half_axes, fluid_density);
  const Vec3<T> moments = T(mass / T(5)) * Vec3<T>{square.y + square.z, square.z + square.x, square.x + square.y};
  return {moments + fluid.moments, Vec3<T>{mass, mass, mass} + fluid.masses};
}

}  // namespace polhode
