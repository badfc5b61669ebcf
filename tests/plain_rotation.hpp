// Rotations in plain arrays, for tests that recompute what the program prints: written from the definitions, apart from
// the library's own.
#pragma once

#include <array>
#include <cmath>

namespace polhode::plain_rotation {

template <class T>
using Vector = std::array<T, 3>;
template <class T>
using Matrix = std::array<std::array<T, 3>, 3>;
template <class T>
using Quaternion = std::array<T, 4>;  // w, x, y, z

template <class T>
T dot(const Vector<T>& a, const Vector<T>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
template <class T>
Vector<T> cross(const Vector<T>& a, const Vector<T>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
template <class T>
T length(const Vector<T>& a) {
  using std::sqrt;
  return sqrt(dot(a, a));
}
template <class T>
Vector<T> minus(const Vector<T>& a, const Vector<T>& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
template <class T>
Vector<T> unit(const Vector<T>& a) {
  const T size = length(a);
  return {a[0] / size, a[1] / size, a[2] / size};
}
template <class T>
Vector<T> times(const Matrix<T>& m, const Vector<T>& v) {
  return {dot(m[0], v), dot(m[1], v), dot(m[2], v)};
}
template <class T>
Matrix<T> times(const Matrix<T>& a, const Matrix<T>& b) {
  Matrix<T> c{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) c[i][j] = a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j];
  }
  return c;
}
template <class T>
Matrix<T> transposed(const Matrix<T>& m) {
  return {{{m[0][0], m[1][0], m[2][0]}, {m[0][1], m[1][1], m[2][1]}, {m[0][2], m[1][2], m[2][2]}}};
}

// Rodrigues' formula, v -> v cos a + (n x v) sin a + n (n . v)(1 - cos a), for the three axes; columns are their images.
template <class T>
Matrix<T> turn(const Vector<T>& axis, const T& cosine, const T& sine) {
  Matrix<T> columns{};
  for (std::size_t i = 0; i < 3; ++i) {
    Vector<T> e{};
    e[i] = 1;
    const Vector<T> across = cross(axis, e);
    const T along = dot(axis, e) * (1 - cosine);
    for (std::size_t j = 0; j < 3; ++j) columns[i][j] = e[j] * cosine + across[j] * sine + axis[j] * along;
  }
  return transposed(columns);
}
template <class T>
Matrix<T> turn_by(const Vector<T>& rotation_vector) {
  using std::cos, std::sin;
  const T angle = length(rotation_vector);
  return turn(unit(rotation_vector), cos(angle), sin(angle));
}

// The turn by the angle a about n of the quaternion (cos a/2, n sin a/2).
template <class T>
Matrix<T> matrix_of(const Quaternion<T>& q) {
  const Vector<T> v{q[1], q[2], q[3]};
  const T sine = length(v), cosine = q[0];  // of half the angle
  if (sine == T(0)) return {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  return turn(unit(v), T(cosine * cosine - sine * sine), T(2 * sine * cosine));
}

// The angle of A^T B, from its antisymmetric part and its trace: exact to rounding for small angles.
template <class T>
T angle_between(const Matrix<T>& a, const Matrix<T>& b) {
  using std::atan2;
  const Matrix<T> d = times(transposed(a), b);
  const Vector<T> twice_sine{d[2][1] - d[1][2], d[0][2] - d[2][0], d[1][0] - d[0][1]};
  return atan2(length(twice_sine), d[0][0] + d[1][1] + d[2][2] - 1);
}

}  // namespace polhode::plain_rotation
