// References in 50 digits that share nothing with the library: power series and matrices multiplied out.
//
// Heavy to compile: only tests whose reference must be better than long double include this.
#pragma once

#include <array>
#include <boost/multiprecision/cpp_bin_float.hpp>

#include "polhode/core/vec3.hpp"

namespace polhode::reference {

using Big = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<50>, boost::multiprecision::et_off>;
using Matrix = Mat3<Big>;

inline Matrix identity() { return {{{Big(1), Big(0), Big(0)}, {Big(0), Big(1), Big(0)}, {Big(0), Big(0), Big(1)}}}; }

// Every binary format in use has fewer digits than Big: the conversion is exact.
template <class T>
Vec3<Big> big(const Vec3<T>& v) {
  return {Big(v.x), Big(v.y), Big(v.z)};
}
template <class T>
Matrix big(const Mat3<T>& m) {
  Matrix r;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) r[i][j] = Big(m[i][j]);
  return r;
}

template <class V>
Matrix hat(const V& x) {
  return {{{Big(0), Big(-x.z), Big(x.y)}, {Big(x.z), Big(0), Big(-x.x)}, {Big(-x.y), Big(x.x), Big(0)}}};
}

inline Matrix combine(const Big& s, const Matrix& a, const Big& t, const Matrix& b) {
  Matrix r;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) r[i][j] = s * a[i][j] + t * b[i][j];
  return r;
}

inline Matrix product(const Matrix& a, const Matrix& b) {
  Matrix r{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) r[i][j] += a[i][k] * b[k][j];
  return r;
}

inline Matrix transpose(const Matrix& a) {
  Matrix r;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) r[i][j] = a[j][i];
  return r;
}

inline Big determinant(const Matrix& a) {
  Big sum = 0;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    sum += a[0][i] * (a[1][j] * a[2][k] - a[1][k] * a[2][j]);
  }
  return sum;
}

// By cofactors.
inline Matrix inverted(const Matrix& a) {
  const Big d = determinant(a);
  Matrix r;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const int p = (j + 1) % 3, q = (j + 2) % 3, s = (i + 1) % 3, t = (i + 2) % 3;
      r[i][j] = (a[p][s] * a[q][t] - a[p][t] * a[q][s]) / d;
    }
  return r;
}

// sum of X^k / (k + Shift)!: the exponential for 0, its differential for 1. Good to 40 digits for |x| < 20.
template <int Shift = 0>
Matrix exponential_sum(const Vec3<Big>& x) {
  const Matrix X = hat(x);
  Matrix term = identity(), sum = identity();
  for (int k = 1; k <= 150; ++k) {
    term = combine(Big(1) / (k + Shift), product(term, X), Big(0), term);
    sum = combine(Big(1), sum, Big(1), term);
  }
  return sum;
}

// The largest difference of two entries.
inline double difference(const Matrix& a, const Matrix& b) {
  Big largest = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const Big d = abs(a[i][j] - b[i][j]);
      if (!(d <= largest)) largest = d;
    }
  return static_cast<double>(largest);
}
inline double difference(const Vec3<Big>& a, const Vec3<Big>& b) {
  return static_cast<double>(Big(sqrt(squared_norm(a - b))));
}

// |computed - exact| in units of the spacing of T just above 1, relative to exact.
template <class T>
double relative_error(const T& computed, const Big& exact) {
  const Big error = abs(Big(computed) - exact);
  if (exact == 0) return error == 0 ? 0.0 : std::numeric_limits<double>::infinity();
  return static_cast<double>(Big(error / abs(exact) / Big(std::numeric_limits<T>::epsilon())));
}

}  // namespace polhode::reference
