// SO(4), the rotations of R^4.
//
// With R^4 as the quaternions every rotation is x -> p x q^-1 for two unit quaternions (-p and -q give the same one),
// and every skew-symmetric matrix is x -> l x - x r for two pure quaternions. The two sides commute: so(4) is twice the
// algebra of S^3, and its exponential needs no 4x4 matrix. It turns two orthogonal planes, by |l| + |r| and |l| - |r|.
#pragma once

#include "polhode/core/groups/s3.hpp"

namespace polhode {

// The skew-symmetric matrix x -> left x - x right.
template <class T>
struct Skew4 {
  PureQuaternion<T> left{}, right{};

  constexpr T& operator[](std::size_t i) { return i < 3 ? left[i] : right[i - 3]; }
  constexpr const T& operator[](std::size_t i) const { return i < 3 ? left[i] : right[i - 3]; }

  friend constexpr Skew4 operator+(const Skew4& a, const Skew4& b) { return {a.left + b.left, a.right + b.right}; }
  friend constexpr Skew4 operator*(const T& s, const Skew4& a) { return {s * a.left, s * a.right}; }
  friend constexpr bool operator==(const Skew4&, const Skew4&) = default;
};

// From the entries below the diagonal, rows and columns in the order w, x, y, z of a quaternion's components:
// (0, -e^T; e, hat(m)) with e = l - r and m = l + r.
template <class T>
constexpr Skew4<T> skew4(const Vec3<T>& e, const Vec3<T>& m) {
  return {{T(0.5) * (m + e)}, {T(0.5) * (m - e)}};
}

template <class T>
constexpr Skew4<T> bracket(const Skew4<T>& a, const Skew4<T>& b) {
  return {bracket(a.left, b.left), bracket(a.right, b.right)};
}

// x -> left x right^-1
template <class T>
struct Rotation4 {
  UnitQuaternion<T> left{}, right{};

  friend constexpr Rotation4 operator*(const Rotation4& a, const Rotation4& b) {
    return {a.left * b.left, a.right * b.right};
  }
  friend constexpr Quaternion<T> operator*(const Rotation4& a, const Quaternion<T>& x) {
    return a.left.q * x * conjugate(a.right.q);
  }
  friend constexpr bool operator==(const Rotation4&, const Rotation4&) = default;
};

template <class T>
constexpr Rotation4<T> inverse(const Rotation4<T>& a) {
  return {inverse(a.left), inverse(a.right)};
}

template <class T>
constexpr Rotation4<T> renormalised(const Rotation4<T>& a) {
  return {renormalised(a.left), renormalised(a.right)};
}

template <class T>
constexpr Rotation4<T> exp(const Skew4<T>& x) {
  return {exp(x.left), exp(x.right)};
}

template <class T>
constexpr Skew4<T> adjoint(const Rotation4<T>& a, const Skew4<T>& x) {
  return {adjoint(a.left, x.left), adjoint(a.right, x.right)};
}

template <class To, class From>
constexpr Rotation4<To> cast(const Rotation4<From>& a) {
  return {cast<To>(a.left), cast<To>(a.right)};
}

struct SO4 {
  static constexpr std::size_t dimension = 6;
  template <class T>
  using Algebra = Skew4<T>;
  template <class T>
  using Element = Rotation4<T>;
  template <class T>
  using Vector = Quaternion<T>;
};

}  // namespace polhode
