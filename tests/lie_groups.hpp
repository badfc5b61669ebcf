// The Lie groups of core/groups/ as real matrices, written down once more: what their types mean.
//
// A generator's matrix is built here from its coordinates; an element's is what its action does to the basis vectors.
#pragma once

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <array>
#include <cmath>
#include <limits>
#include <string>

#include "polhode/core/groups/s3.hpp"
#include "polhode/core/groups/se3.hpp"
#include "polhode/core/groups/sl2r.hpp"
#include "polhode/core/groups/so3.hpp"
#include "polhode/core/groups/so4.hpp"
#include "polhode/core/groups/su2.hpp"

namespace polhode::groups {

using All = ::testing::Types<SO3, S3, SE3, SO4, SU2, SL2R>;

template <class U, int n>
using Matrix = Eigen::Matrix<U, n, n>;

template <class U>
Matrix<U, 3> hat(const U& x, const U& y, const U& z) {
  Matrix<U, 3> m;
  m << U(0), -z, y, z, U(0), -x, -y, x, U(0);
  return m;
}

// q -> u q (sign +1) or q -> q u (sign -1), on (w, x, y, z).
template <class U>
Matrix<U, 4> multiplication(int sign, const U& x, const U& y, const U& z) {
  Matrix<U, 4> m;
  m << U(0), -x, -y, -z, x, U(0), U(0), U(0), y, U(0), U(0), U(0), z, U(0), U(0), U(0);
  m.template bottomRightCorner<3, 3>() = U(sign) * hat(x, y, z);
  return m;
}

// For each group: the size of its matrices, that of a generator with coordinates x[0], x[1] ... of any scalar, the
// components of a vector of its representation, and a vector from its components.
template <class G>
struct Meaning;

template <>
struct Meaning<SO3> {
  static constexpr int size = 3;
  static constexpr const char* name = "SO3";
  template <class U>
  static Matrix<U, 3> generator(const U* x) {
    return hat(x[0], x[1], x[2]);
  }
  template <class T>
  static std::array<T, 3> components(const Vec3<T>& v) {
    return {v.x, v.y, v.z};
  }
  template <class T>
  static Vec3<T> vector(const std::array<T, 3>& c) {
    return {c[0], c[1], c[2]};
  }
};

struct OnQuaternions {
  static constexpr int size = 4;
  template <class T>
  static std::array<T, 4> components(const Quaternion<T>& q) {
    return {q.w, q.v.x, q.v.y, q.v.z};
  }
  template <class T>
  static Quaternion<T> vector(const std::array<T, 4>& c) {
    return {c[0], {c[1], c[2], c[3]}};
  }
};

template <>
struct Meaning<S3> : OnQuaternions {
  static constexpr const char* name = "S3";
  template <class U>
  static Matrix<U, 4> generator(const U* x) {
    return multiplication(1, x[0], x[1], x[2]);
  }
};

template <>
struct Meaning<SO4> : OnQuaternions {
  static constexpr const char* name = "SO4";
  template <class U>
  static Matrix<U, 4> generator(const U* x) {
    return multiplication(1, x[0], x[1], x[2]) - multiplication(-1, x[3], x[4], x[5]);
  }
};

// On points (x, y, z, 1).
template <>
struct Meaning<SE3> : Meaning<SO3> {
  static constexpr int size = 4;
  static constexpr const char* name = "SE3";
  template <class U>
  static Matrix<U, 4> generator(const U* x) {
    Matrix<U, 4> m = Matrix<U, 4>::Zero();
    m.template topLeftCorner<3, 3>() = hat(x[0], x[1], x[2]);
    for (int i = 0; i < 3; ++i) m(i, 3) = x[3 + i];
    return m;
  }
};

// On (re up, im up, re down, im down). The generator is (i a, b; -b^*, -i a) with x = (a, re b, im b).
template <>
struct Meaning<SU2> {
  static constexpr int size = 4;
  static constexpr const char* name = "SU2";
  template <class U>
  static Matrix<U, 4> generator(const U* x) {
    const U a = x[0], re = x[1], im = x[2], o(0);
    Matrix<U, 4> m;
    m << o, -a, re, -im, a, o, im, re, -re, -im, o, a, im, -re, -a, o;
    return m;
  }
  template <class T>
  static std::array<T, 4> components(const Spinor<T>& s) {
    return {s.up.re, s.up.im, s.down.re, s.down.im};
  }
  template <class T>
  static Spinor<T> vector(const std::array<T, 4>& c) {
    return {{c[0], c[1]}, {c[2], c[3]}};
  }
};

template <>
struct Meaning<SL2R> {
  static constexpr int size = 2;
  static constexpr const char* name = "SL2R";
  template <class U>
  static Matrix<U, 2> generator(const U* x) {
    Matrix<U, 2> m;
    m << x[0], x[1], x[2], -x[0];
    return m;
  }
  template <class T>
  static std::array<T, 2> components(const Vec2<T>& v) {
    return {v.x, v.y};
  }
  template <class T>
  static Vec2<T> vector(const std::array<T, 2>& c) {
    return {c[0], c[1]};
  }
};

template <class G, class U>
using MatrixOf = Matrix<U, Meaning<G>::size>;

// The matrix of a generator, and that of an element, in the scalar U.
template <class G, class U, class T>
MatrixOf<G, U> of_generator(const AlgebraOf<G, T>& x) {
  std::array<U, G::dimension> coordinates;
  for (std::size_t i = 0; i < G::dimension; ++i) coordinates[i] = U(x[i]);
  return Meaning<G>::generator(coordinates.data());
}

template <class G, class U, class T>
MatrixOf<G, U> of_element(const ElementOf<G, T>& g) {
  MatrixOf<G, U> m = MatrixOf<G, U>::Identity();
  const auto zero = Meaning<G>::components(VectorOf<G, T>{});
  for (std::size_t j = 0; j < zero.size(); ++j) {
    auto unit = zero;
    unit[j] = T(1);
    const auto image = [&] {
      if constexpr (std::is_same_v<G, SE3>) return Meaning<G>::components(g.rotation * Meaning<G>::vector(unit));
      if constexpr (!std::is_same_v<G, SE3>) return Meaning<G>::components(g * Meaning<G>::vector(unit));
    }();
    for (std::size_t i = 0; i < zero.size(); ++i) m(i, j) = U(image[i]);
  }
  if constexpr (std::is_same_v<G, SE3>) {
    const auto shift = Meaning<G>::components(g * VectorOf<G, T>{});
    for (std::size_t i = 0; i < 3; ++i) m(i, 3) = U(shift[i]);
  }
  return m;
}

// The larger of two sizes; what is not finite counts as infinite.
inline double larger(double a, double b) {
  if (!std::isfinite(b)) return std::numeric_limits<double>::infinity();
  return std::fmax(a, std::abs(b));
}

// The largest entry of a - b.
template <class U, int n>
double distance(const Matrix<U, n>& a, const Matrix<U, n>& b) {
  double largest = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) largest = larger(largest, static_cast<double>(U(a(i, j) - b(i, j))));
  return largest;
}

// How far a matrix is from its group: from orthogonality and determinant 1.
template <class G, class M>
double defect(const M& m) {
  using U = typename M::Scalar;
  if constexpr (std::is_same_v<G, SL2R>) {
    return std::abs(static_cast<double>(U(m(0, 0) * m(1, 1) - m(0, 1) * m(1, 0) - U(1))));
  } else {
    constexpr int n = std::is_same_v<G, SE3> ? 3 : Meaning<G>::size;
    const Matrix<U, n> block = m.template topLeftCorner<n, n>();
    const double determinant = std::abs(static_cast<double>(U(block.determinant() - U(1))));
    const Matrix<U, n> gram = block.transpose() * block;
    return std::fmax(distance<U, n>(gram, Matrix<U, n>::Identity()), determinant);
  }
}

struct Names {
  template <class G>
  static std::string GetName(int) {
    return Meaning<G>::name;
  }
};

}  // namespace polhode::groups
