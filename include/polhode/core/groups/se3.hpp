// SE(3), the motions of a rigid body in space: x -> R x + p on the points of R^3.
//
// A generator is a twist, an angular velocity w and the velocity v of the body's point at the origin: x' = w x x + v.
// By Chasles every motion is a screw, a turn about an axis with a shift along it; exp is the screw of a constant twist,
//
//   exp(w, v) = (exp w, dexp(w) v),   dexp(w) = 1 + (1 - cos f)/f^2 hat(w) + (1 - sin f/f)/f^2 hat(w)^2,   f = |w|,
//
// whose coefficients are power series near f = 0, where the screw becomes a shift.
#pragma once

#include "polhode/core/groups/so3.hpp"
#include "polhode/core/tangent.hpp"

namespace polhode {

template <class T>
struct Twist {
  Vec3<T> angular{}, linear{};

  constexpr T& operator[](std::size_t i) { return i < 3 ? angular[i] : linear[i - 3]; }
  constexpr const T& operator[](std::size_t i) const { return i < 3 ? angular[i] : linear[i - 3]; }

  friend constexpr Twist operator+(const Twist& a, const Twist& b) {
    return {a.angular + b.angular, a.linear + b.linear};
  }
  friend constexpr Twist operator*(const T& s, const Twist& a) { return {s * a.angular, s * a.linear}; }
  friend constexpr bool operator==(const Twist&, const Twist&) = default;
};

// The twist of unit angular velocity about the axis through `point`, with a shift of `pitch` along it for each radian.
template <class T>
constexpr Twist<T> screw(const Vec3<T>& unit_axis, const Vec3<T>& point, const Same<T>& pitch) {
  return {unit_axis, cross(point, unit_axis) + pitch * unit_axis};
}

template <class T>
constexpr Twist<T> bracket(const Twist<T>& a, const Twist<T>& b) {
  return {cross(a.angular, b.angular), cross(a.angular, b.linear) + cross(a.linear, b.angular)};
}

template <class T>
struct RigidMotion {
  Rotation<T> rotation{};
  Vec3<T> shift{};

  friend constexpr RigidMotion operator*(const RigidMotion& a, const RigidMotion& b) {
    return {a.rotation * b.rotation, a.rotation * b.shift + a.shift};
  }
  friend constexpr Vec3<T> operator*(const RigidMotion& a, const Vec3<T>& point) {
    return a.rotation * point + a.shift;
  }
  friend constexpr bool operator==(const RigidMotion&, const RigidMotion&) = default;
};

template <class T>
constexpr RigidMotion<T> inverse(const RigidMotion<T>& a) {
  const Rotation<T> back = inverse(a.rotation);
  return {back, -(back * a.shift)};
}

template <class T>
constexpr RigidMotion<T> renormalised(const RigidMotion<T>& a) {
  return {renormalised(a.rotation), a.shift};
}

template <class T>
constexpr RigidMotion<T> exp(const Twist<T>& x) {
  return {exp(x.angular), dexp(x.angular, x.linear)};
}

template <class T>
constexpr Twist<T> adjoint(const RigidMotion<T>& a, const Twist<T>& x) {
  const Vec3<T> angular = a.rotation * x.angular;
  return {angular, a.rotation * x.linear + cross(a.shift, angular)};
}

template <class To, class From>
constexpr RigidMotion<To> cast(const RigidMotion<From>& a) {
  return {cast<To>(a.rotation), cast<To>(a.shift)};
}

// What is paired with twists: the momenta (angular, linear) of a body, or a torque with a force, about the origin of the
// axes in which they are given. w . angular + v . linear is an energy or a power.
template <class T>
struct Cotwist {
  Vec3<T> angular{}, linear{};

  constexpr T& operator[](std::size_t i) { return i < 3 ? angular[i] : linear[i - 3]; }
  constexpr const T& operator[](std::size_t i) const { return i < 3 ? angular[i] : linear[i - 3]; }

  friend constexpr Cotwist operator+(const Cotwist& a, const Cotwist& b) {
    return {a.angular + b.angular, a.linear + b.linear};
  }
  friend constexpr Cotwist operator*(const T& s, const Cotwist& a) { return {s * a.angular, s * a.linear}; }
  // The same seen from the other side of a motion, so that pairing(g * m, adjoint(g, x)) = pairing(m, x).
  friend constexpr Cotwist operator*(const RigidMotion<T>& g, const Cotwist& m) {
    const Vec3<T> turned = g.rotation * m.linear;
    return {g.rotation * m.angular + cross(g.shift, turned), turned};
  }
  friend constexpr bool operator==(const Cotwist&, const Cotwist&) = default;
};

// Momenta of a scalar with derivatives may meet a twist without.
template <class A, class B>
constexpr Product<A, B> pairing(const Cotwist<A>& m, const Twist<B>& x) {
  return dot(m.angular, x.angular) + dot(m.linear, x.linear);
}

template <class To, class From>
constexpr Cotwist<To> cast(const Cotwist<From>& m) {
  return {cast<To>(m.angular), cast<To>(m.linear)};
}

struct SE3 {
  static constexpr std::size_t dimension = 6;
  template <class T>
  using Algebra = Twist<T>;
  template <class T>
  using Element = RigidMotion<T>;
  template <class T>
  using Vector = Vec3<T>;
};

}  // namespace polhode
