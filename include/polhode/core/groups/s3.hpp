// S^3, the unit quaternions, acting on R^4 by x -> q x. Generators are the pure quaternions u, those without a scalar
// part: [u, v] = u v - v u = 2 u x v, and exp(u) = cos|u| + sin|u| u/|u|.
//
// S^3 covers SO(3) twice: q turns R^3 by v -> q v q^-1, and -q does the same. Under this map the generator u becomes
// the angular velocity w = 2 u: exp(u) turns by the angle 2|u|, and q' = u q is the familiar q' = w q / 2. The 2 in the
// bracket is the same 2: 2 [u, v] = (2 u) x (2 v). A full turn of SO(3), |w| = 2 pi, leads to -1.
#pragma once

#include "polhode/core/angle_series.hpp"
#include "polhode/core/groups/quaternion.hpp"
#include "polhode/core/lie_group.hpp"
#include "polhode/core/rotation.hpp"

namespace polhode {

template <class T>
struct PureQuaternion {
  Vec3<T> v{};

  constexpr T& operator[](std::size_t i) { return v[i]; }
  constexpr const T& operator[](std::size_t i) const { return v[i]; }

  friend constexpr PureQuaternion operator+(const PureQuaternion& a, const PureQuaternion& b) { return {a.v + b.v}; }
  friend constexpr PureQuaternion operator*(const T& s, const PureQuaternion& a) { return {s * a.v}; }
  friend constexpr bool operator==(const PureQuaternion&, const PureQuaternion&) = default;
};

template <class T>
constexpr PureQuaternion<T> bracket(const PureQuaternion<T>& a, const PureQuaternion<T>& b) {
  const Vec3<T> half = cross(a.v, b.v);
  return {half + half};
}

// Not a Rotation, for which q and -q are the same.
template <class T>
struct UnitQuaternion {
  Quaternion<T> q{T(1), {}};

  friend constexpr UnitQuaternion operator*(const UnitQuaternion& a, const UnitQuaternion& b) { return {a.q * b.q}; }
  friend constexpr Quaternion<T> operator*(const UnitQuaternion& a, const Quaternion<T>& x) { return a.q * x; }
  friend constexpr bool operator==(const UnitQuaternion&, const UnitQuaternion&) = default;
};

template <class T>
constexpr UnitQuaternion<T> inverse(const UnitQuaternion<T>& a) {
  return {conjugate(a.q)};
}

// One Newton step towards |q| = 1, as for a Rotation.
template <class T>
constexpr UnitQuaternion<T> renormalised(const UnitQuaternion<T>& a) {
  return {T(T(1.5) - T(0.5) * squared_norm(a.q)) * a.q};
}

template <class T>
constexpr UnitQuaternion<T> exp(const PureQuaternion<T>& u) {
  const CosSinc<T> f = cos_sinc_sqrt(squared_norm(u.v));
  return {{f.cosine, f.sinc * u.v}};
}

// The rotation v -> q v q^-1 of R^3.
template <class T>
constexpr Rotation<T> rotation(const UnitQuaternion<T>& a) {
  return {a.q.w, a.q.v};
}

template <class T>
constexpr PureQuaternion<T> adjoint(const UnitQuaternion<T>& a, const PureQuaternion<T>& u) {
  return {rotation(a) * u.v};
}

template <class To, class From>
constexpr UnitQuaternion<To> cast(const UnitQuaternion<From>& a) {
  return {cast<To>(a.q)};
}

struct S3 {
  static constexpr std::size_t dimension = 3;
  template <class T>
  using Algebra = PureQuaternion<T>;
  template <class T>
  using Element = UnitQuaternion<T>;
  template <class T>
  using Vector = Quaternion<T>;
};

}  // namespace polhode
