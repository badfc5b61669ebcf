// Principal axes of a symmetric tensor by Jacobi's rotations, which need no moments to differ: where two are equal, any axes
// across the third are principal.
#pragma once

#include "polhode/core/rotation.hpp"

namespace polhode {

template <class T>
struct PrincipalAxes {
  Vec3<T> moments;
  Rotation<T> axes;  // takes the principal axes to those of the tensor
};

namespace detail {

// R diag(d) R^T.
template <class T>
constexpr Mat3<T> turned_diagonal(const Rotation<T>& R, const Vec3<T>& d) {
  const Mat3<T> m = matrix(R);
  Mat3<T> made{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      made[i][j] = d.x * (m[i][0] * m[j][0]) + d.y * (m[i][1] * m[j][1]) + d.z * (m[i][2] * m[j][2]);
  return made;
}

// R^T A R.
template <class T>
constexpr Mat3<T> seen_from(const Mat3<T>& A, const Rotation<T>& R) {
  const Mat3<T> m = matrix(R);
  Mat3<T> AR{}, made{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) AR[i][j] = A[i][0] * m[0][j] + A[i][1] * m[1][j] + A[i][2] * m[2][j];
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) made[i][j] = m[0][i] * AR[0][j] + m[1][i] * AR[1][j] + m[2][i] * AR[2][j];
  return made;
}

}  // namespace detail

// The larger of two off-diagonal elements is turned away until none is left above rounding, always from the tensor as it was
// given, so that rounding does not add up. Moments stand in no order, and are no numbers where the tensor is not finite.
template <class T>
constexpr PrincipalAxes<T> principal_axes(const Mat3<T>& tensor) {
  Mat3<T> given{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) given[i][j] = T(0.5) * tensor[i][j] + T(0.5) * tensor[j][i];
  Rotation<T> R;
  Mat3<T> a = given;
  const auto size = [&](std::size_t k) { return abs(a[(k + 1) % 3][(k + 2) % 3]); };
  for (int turns = 0; turns < 32; ++turns) {
    std::size_t k = 0;
    for (std::size_t other : {std::size_t{1}, std::size_t{2}})
      if (size(other) > size(k)) k = other;
    const std::size_t i = (k + 1) % 3, j = (k + 2) % 3;
    if (!(size(k) > T(0.25) * epsilon<T>() * max(T(abs(a[i][i])), T(abs(a[j][j]))))) break;
    // About axis k by the angle whose tangent t is the smaller root of t^2 + 2 t (a_ii - a_jj)/(2 a_ij) - 1 = 0, so that it
    // is at most an eighth of a turn.
    const T ratio = (a[i][i] - a[j][j]) / (T(2) * a[i][j]);
    const T tangent = T(1) / (abs(ratio) + sqrt(ratio * ratio + T(1)));
    const T half = T(0.5) * (ratio < T(0) ? -tangent : tangent);
    // tan of half the angle from t, |t| <= 1.
    const T tangent_of_half = half * T(2) / (T(1) + sqrt(T(1) + tangent * tangent));
    Rotation<T> turn;
    turn.v[k] = tangent_of_half;
    R = normalised(R * normalised(turn));
    a = detail::seen_from(given, R);
  }
  // Zero, or not a number.
  const T flaw = T(0) * (given[0][1] + given[1][2] + given[2][0]);
  return {{a[0][0] + flaw, a[1][1] + flaw, a[2][2] + flaw}, R};
}

}  // namespace polhode
