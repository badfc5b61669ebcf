// Quaternions as vectors of R^4 with Hamilton's product, scalar first. Those of unit length are in s3.hpp.
#pragma once

#include "polhode/core/vec3.hpp"

namespace polhode {

template <class T>
struct Quaternion {
  T w{};
  Vec3<T> v{};

  friend constexpr Quaternion operator+(const Quaternion& a, const Quaternion& b) { return {a.w + b.w, a.v + b.v}; }
  friend constexpr Quaternion operator-(const Quaternion& a, const Quaternion& b) { return {a.w - b.w, a.v - b.v}; }
  friend constexpr Quaternion operator*(const T& s, const Quaternion& a) { return {s * a.w, s * a.v}; }
  friend constexpr Quaternion operator*(const Quaternion& a, const Quaternion& b) {
    return {a.w * b.w - dot(a.v, b.v), a.w * b.v + b.w * a.v + cross(a.v, b.v)};
  }
  friend constexpr bool operator==(const Quaternion&, const Quaternion&) = default;
};

template <class T>
constexpr Quaternion<T> conjugate(const Quaternion<T>& a) {
  return {a.w, -a.v};
}

template <class T>
constexpr T squared_norm(const Quaternion<T>& a) {
  return a.w * a.w + squared_norm(a.v);
}

template <class To, class From>
constexpr Quaternion<To> cast(const Quaternion<From>& a) {
  return {static_cast<To>(a.w), cast<To>(a.v)};
}

}  // namespace polhode
