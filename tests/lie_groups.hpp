// The Lie groups of core/groups/ as real matrices, written down once more: what their types mean.
//
// A generator's matrix is built here from its coordinates; an element's is what its action does to the basis vectors.
#pragma once

#include <gtest/gtest.h>

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
#include "polhode/measure/extremes.hpp"
#include "square_matrix.hpp"

namespace polhode::groups {

using All = ::testing::Types<SO3, S3, SE3, SO4, SU2, SL2R>;

template <class U, std::size_t n>
using Matrix = SquareMatrix<U, n>;

template <class U>
Matrix<U, 3> hat(const U& x, const U& y, const U& z) {
  return {{U(0), U(-z), y, z, U(0), U(-x), U(-y), x, U(0)}};
}

// q -> u q (sign +1) or q -> q u (sign -1), on (w, x, y, z).
template <class U>
Matrix<U, 4> multiplication(int sign, const U& x, const U& y, const U& z) {
  const U a = U(sign) * x, b = U(sign) * y, c = U(sign) * z, o(0);
  return {{o, U(-x), U(-y), U(-z), x, o, U(-c), b, y, c, o, U(-a), z, U(-b), a, o}};
}

// For each group: the size of its matrices, that of a generator with coordinates x[0], x[1] ... of any scalar, the
// components of a vector of its representation, and a vector from its components.
template <class G>
struct Meaning;

template <>
struct Meaning<SO3> {
  static constexpr std::size_t size = 3;
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
  static constexpr std::size_t size = 4;
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
  static constexpr std::size_t size = 4;
  static constexpr const char* name = "SE3";
  template <class U>
  static Matrix<U, 4> generator(const U* x) {
    const U o(0);
    return {{o, U(-x[2]), x[1], x[3], x[2], o, U(-x[0]), x[4], U(-x[1]), x[0], o, x[5], o, o, o, o}};
  }
};

// On (re up, im up, re down, im down). The generator is (i a, b; -b^*, -i a) with x = (a, re b, im b).
template <>
struct Meaning<SU2> {
  static constexpr std::size_t size = 4;
  static constexpr const char* name = "SU2";
  template <class U>
  static Matrix<U, 4> generator(const U* x) {
    const U a = x[0], re = x[1], im = x[2], o(0);
    return {{o, U(-a), re, U(-im), a, o, im, re, U(-re), U(-im), o, a, im, U(-re), U(-a), o}};
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
  static constexpr std::size_t size = 2;
  static constexpr const char* name = "SL2R";
  template <class U>
  static Matrix<U, 2> generator(const U* x) {
    return {{x[0], x[1], x[2], U(-x[0])}};
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
  MatrixOf<G, U> m = MatrixOf<G, U>::identity();
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

// The larger of a size and that of a number; what is not finite counts as infinite.
inline double larger_size(double size, double number) {
  return std::isfinite(number) ? std::max(size, std::abs(number)) : std::numeric_limits<double>::infinity();
}

// The largest entry of a - b.
template <class U, std::size_t n>
double distance(const Matrix<U, n>& a, const Matrix<U, n>& b) {
  return largest_entry(a - b);
}

// How far a matrix is from its group: from orthogonality and determinant 1.
template <class G, class U, std::size_t n>
double defect(const Matrix<U, n>& m) {
  if constexpr (std::is_same_v<G, SE3>) {
    return defect<SO3>(m.minor(3, 3));
  } else {
    const double of_determinant = std::abs(static_cast<double>(U(determinant(m) - U(1))));
    if constexpr (std::is_same_v<G, SL2R>) return of_determinant;
    return larger_size(distance(transpose(m) * m, Matrix<U, n>::identity()), of_determinant);
  }
}

struct Names {
  template <class G>
  static std::string GetName(int) {
    return Meaning<G>::name;
  }
};

}  // namespace polhode::groups
