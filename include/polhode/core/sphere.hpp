// Directions, the unit vectors of R^3, as rotations see them: d = R e3.
#pragma once

#include <stdexcept>

#include "polhode/core/rotation.hpp"

namespace polhode {

// R e3
template <class T>
constexpr Vec3<T> third_axis(const Rotation<T>& q) {
  return {T(2) * (q.v.x * q.v.z + q.w * q.v.y), T(2) * (q.v.y * q.v.z - q.w * q.v.x),
          q.w * q.w - q.v.x * q.v.x - q.v.y * q.v.y + q.v.z * q.v.z};
}

// The angle in [0, pi] between two vectors.
template <class T>
constexpr T angle_between(const Vec3<T>& a, const Vec3<T>& b) {
  return atan2(norm(cross(a, b)), dot(a, b));
}

// The twist-free rotation that takes e3 to the unit vector d: the shortest one, about e3 x d. For d = -e3 every half
// turn about an axis across e3 does so, and none is more free of twist than another.
template <class T>
constexpr Rotation<T> drill_free(const Vec3<T>& d) {
  const T across = d.x * d.x + d.y * d.y;
  const T two_cosine_squared = d.z < T(0) ? T(across / (T(1) - d.z)) : T(T(1) + d.z);  // 1 + d_3 without cancellation
  if (!(two_cosine_squared > T(0)))
    throw std::domain_error("no single twist-free rotation takes e3 to -e3; choose one of the half turns");
  const T cosine = sqrt(T(0.5) * two_cosine_squared);
  const T half = T(0.5) / cosine;
  return normalised(Rotation<T>{cosine, {-half * d.y, half * d.x, T(0)}});
}

}  // namespace polhode
