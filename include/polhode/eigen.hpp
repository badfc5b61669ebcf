// To and from Eigen, at the boundary: the library itself computes with its own types. Link Eigen3::Eigen to use this
// header.
//
// Mind the order of a quaternion's numbers: Eigen's constructor takes (w, x, y, z), but coeffs() and a Map over memory
// have (x, y, z, w). These functions go by name. The sign of a quaternion is kept, and nothing is normalised.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

#include "polhode/core/rotation.hpp"

namespace polhode {

template <class T>
Eigen::Matrix<T, 3, 1> to_eigen(const Vec3<T>& v) {
  return {v.x, v.y, v.z};
}

template <class T>
Eigen::Quaternion<T> to_eigen(const Rotation<T>& q) {
  return {q.w, q.v.x, q.v.y, q.v.z};
}

// Row i, column j on both sides; that Eigen stores columns first does not show.
template <class T>
Eigen::Matrix<T, 3, 3> to_eigen(const Mat3<T>& m) {
  Eigen::Matrix<T, 3, 3> e;
  for (Eigen::Index i = 0; i < 3; ++i)
    for (Eigen::Index j = 0; j < 3; ++j) e(i, j) = m[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
  return e;
}

// A column or a row of three, or an expression that yields one. An expression is evaluated once.
template <class Derived>
Vec3<typename Derived::Scalar> vec3_from(const Eigen::MatrixBase<Derived>& v) {
  EIGEN_STATIC_ASSERT_VECTOR_SPECIFIC_SIZE(Derived, 3)
  const auto& e = v.derived().eval();
  return {e.coeff(0), e.coeff(1), e.coeff(2)};
}

template <class Derived>
Rotation<typename Derived::Scalar> rotation_from(const Eigen::QuaternionBase<Derived>& q) {
  return {q.w(), {q.x(), q.y(), q.z()}};
}

template <class Derived>
Mat3<typename Derived::Scalar> mat3_from(const Eigen::MatrixBase<Derived>& m) {
  EIGEN_STATIC_ASSERT_MATRIX_SPECIFIC_SIZE(Derived, 3, 3)
  const auto& e = m.derived().eval();
  return {{{e.coeff(0, 0), e.coeff(0, 1), e.coeff(0, 2)},
           {e.coeff(1, 0), e.coeff(1, 1), e.coeff(1, 2)},
           {e.coeff(2, 0), e.coeff(2, 1), e.coeff(2, 2)}}};
}

// The rotation a 3x3 matrix stands for.
template <class Derived>
  requires(Derived::RowsAtCompileTime == 3 && Derived::ColsAtCompileTime == 3)
Rotation<typename Derived::Scalar> rotation_from(const Eigen::MatrixBase<Derived>& m) {
  return from_matrix(mat3_from(m));
}

}  // namespace polhode
