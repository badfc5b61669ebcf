// Vectors of R^3 and 3x3 matrices over any scalar.
//
// Products may mix scalars (a number times a power series costs one pass, not a convolution).
#pragma once

#include <array>
#include <concepts>
#include <cstddef>

#include "polhode/core/scalar.hpp"

namespace polhode {

template <class T>
struct Vec3 {
  T x{}, y{}, z{};

  constexpr T& operator[](std::size_t i) { return i == 0 ? x : i == 1 ? y : z; }
  constexpr const T& operator[](std::size_t i) const { return i == 0 ? x : i == 1 ? y : z; }

  constexpr Vec3& operator+=(const Vec3& b) { return *this = *this + b; }
  constexpr Vec3& operator-=(const Vec3& b) { return *this = *this - b; }

  friend constexpr Vec3 operator+(const Vec3& a, const Vec3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
  friend constexpr Vec3 operator-(const Vec3& a, const Vec3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  friend constexpr Vec3 operator-(const Vec3& a) { return {-a.x, -a.y, -a.z}; }
  friend constexpr Vec3 operator*(const T& s, const Vec3& a) { return {s * a.x, s * a.y, s * a.z}; }
  friend constexpr Vec3 operator*(const Vec3& a, const T& s) { return s * a; }
  friend constexpr Vec3 operator/(const Vec3& a, const T& s) { return {a.x / s, a.y / s, a.z / s}; }
  friend constexpr bool operator==(const Vec3&, const Vec3&) = default;
};

template <class A, class B>
using Product = decltype(std::declval<const A&>() * std::declval<const B&>());

template <class A, class B>
constexpr Product<A, B> dot(const Vec3<A>& a, const Vec3<B>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

// Formulas that are inlined whatever the compiler thinks of it: in a large translation unit it gives up inlining,
// and a call takes every number of a step through memory.
namespace inlined {
template <class A, class B>
[[gnu::always_inline]] constexpr Vec3<Product<A, B>> cross(const Vec3<A>& a, const Vec3<B>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
}  // namespace inlined

template <class A, class B>
constexpr Vec3<Product<A, B>> cross(const Vec3<A>& a, const Vec3<B>& b) {
  return inlined::cross(a, b);
}
template <std::floating_point T>
[[gnu::always_inline]] constexpr Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b) {
  return inlined::cross(a, b);
}

// Component by component: the action of a diagonal matrix, and of its inverse.
template <class A, class B>
constexpr Vec3<Product<A, B>> times(const Vec3<A>& diagonal, const Vec3<B>& v) {
  return {diagonal.x * v.x, diagonal.y * v.y, diagonal.z * v.z};
}
template <class T>
constexpr Vec3<T> over(const Vec3<T>& v, const Vec3<T>& diagonal) {
  return {v.x / diagonal.x, v.y / diagonal.y, v.z / diagonal.z};
}

template <class T>
constexpr T squared_norm(const Vec3<T>& v) {
  return dot(v, v);
}
template <class T>
constexpr T norm(const Vec3<T>& v) {
  return sqrt(squared_norm(v));
}

template <class T>
constexpr bool all_finite(const Vec3<T>& v) {
  return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

template <class To, class From>
constexpr Vec3<To> cast(const Vec3<From>& v) {
  return {static_cast<To>(v.x), static_cast<To>(v.y), static_cast<To>(v.z)};
}

// Row-major; m[i][j] is row i, column j.
template <class T>
using Mat3 = std::array<std::array<T, 3>, 3>;

template <class T>
constexpr Vec3<T> operator*(const Mat3<T>& m, const Vec3<T>& v) {
  return {m[0][0] * v.x + m[0][1] * v.y + m[0][2] * v.z, m[1][0] * v.x + m[1][1] * v.y + m[1][2] * v.z,
          m[2][0] * v.x + m[2][1] * v.y + m[2][2] * v.z};
}

}  // namespace polhode
