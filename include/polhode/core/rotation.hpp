// Rotations of R^3 as unit quaternions (Hamilton, active, scalar first), and their maps from and to rotation vectors.
#pragma once

#include "polhode/core/angle_series.hpp"
#include "polhode/core/vec3.hpp"

namespace polhode {

template <class T>
struct Rotation;

// The products, to be inlined where a step waits for them (vec3.hpp says why).
namespace inlined {

template <class T>
[[gnu::always_inline]] constexpr Rotation<T> product(const Rotation<T>& a, const Rotation<T>& b) {
  return {a.w * b.w - a.v.x * b.v.x - a.v.y * b.v.y - a.v.z * b.v.z,
          {a.w * b.v.x + a.v.x * b.w + a.v.y * b.v.z - a.v.z * b.v.y,
           a.w * b.v.y + a.v.y * b.w + a.v.z * b.v.x - a.v.x * b.v.z,
           a.w * b.v.z + a.v.z * b.w + a.v.x * b.v.y - a.v.y * b.v.x}};
}

template <class T, class U>
[[gnu::always_inline]] constexpr Vec3<Product<T, U>> product(const Rotation<T>& q, const Vec3<U>& a) {
  const auto u = polhode::cross(q.v, a);
  const auto twice_u = u + u;
  return Vec3<Product<T, U>>{a.x + q.w * twice_u.x, a.y + q.w * twice_u.y, a.z + q.w * twice_u.z} +
         polhode::cross(q.v, twice_u);
}

// q v: how q changes in a second where the body turns by 2 v in its own axes.
template <class T>
[[gnu::always_inline]] constexpr Rotation<T> rate(const Rotation<T>& q, const Vec3<T>& v) {
  return {-(q.v.x * v.x) - q.v.y * v.y - q.v.z * v.z,
          {q.w * v.x + q.v.y * v.z - q.v.z * v.y, q.w * v.y + q.v.z * v.x - q.v.x * v.z,
           q.w * v.z + q.v.x * v.y - q.v.y * v.x}};
}

}  // namespace inlined

// R_SB takes body coordinates to spatial ones: v_S = R_SB * v_B. q and -q are the same rotation.
template <class T>
struct Rotation {
  T w{1};
  Vec3<T> v{};

  friend constexpr Rotation operator*(const Rotation& a, const Rotation& b) { return inlined::product(a, b); }

  friend constexpr bool operator==(const Rotation&, const Rotation&) = default;
};

template <class T>
constexpr Rotation<T> inverse(const Rotation<T>& q) {
  return {q.w, -q.v};
}

// The vector may have another scalar than the rotation (a constant direction seen from a power series of attitudes).
template <class T, class U>
constexpr Vec3<Product<T, U>> operator*(const Rotation<T>& q, const Vec3<U>& a) {
  return inlined::product(q, a);
}

template <class T>
constexpr T squared_norm(const Rotation<T>& q) {
  return q.w * q.w + squared_norm(q.v);
}

template <class T>
constexpr Rotation<T> normalised(const Rotation<T>& q) {
  const T s = T(1) / sqrt(squared_norm(q));
  return {s * q.w, s * q.v};
}

// One Newton step towards |q| = 1, for a quaternion that is off by rounding only: the defect is squared.
template <class T>
[[gnu::always_inline]] constexpr Rotation<T> renormalised(const Rotation<T>& q) {
  const T s = T(1.5) - T(0.5) * squared_norm(q);
  return {s * q.w, s * q.v};
}

template <class T>
constexpr auto all_finite(const Rotation<T>& q) {
  return isfinite(q.w) && all_finite(q.v);
}

template <class To, class From>
constexpr Rotation<To> cast(const Rotation<From>& q) {
  return {static_cast<To>(q.w), cast<To>(q.v)};
}

// exp(x): by the angle |x| about x.
template <class T>
[[gnu::always_inline]] constexpr Rotation<T> exp(const Vec3<T>& x) {
  const CosSinc<T> half = cos_sinc_sqrt(T(T(0.25) * squared_norm(x)));
  return {half.cosine, T(T(0.5) * half.sinc) * x};
}

// The rotation vector of smallest length, |log q| <= pi; log(exp(x)) = x for |x| < pi. Up to angles of 1 the half angle
// is 2 atan(t) with t = |v| / (|q| + w), whose series has derivatives of any order at zero.
template <class T>
constexpr Vec3<T> log(const Rotation<T>& q) {
  const T sign = copysign(T(1), q.w);
  const T w = sign * q.w;
  const T s2 = squared_norm(q.v);
  const T scale = T(1) / (sqrt(w * w + s2) + w);
  const T t2 = s2 * scale * scale;
  const auto near = t2 <= T(atan_series_limit);
  const T factor = T(4) * scale * detail::atan_polynomial(t2);
  if (every(near)) return T(sign * factor) * q.v;
  const T s = sqrt(T(select(near, T(1), s2)));
  return T(sign * select(near, factor, T(T(2) * T(atan2(s, w)) / s))) * q.v;
}

// cay(x) = (1 - X/2)^-1 (1 + X/2): by the angle 2 atan(|x|/2) about x.
template <class T>
constexpr Rotation<T> cayley(const Vec3<T>& x) {
  return normalised(Rotation<T>{T(1), T(0.5) * x});
}

// The shortest rotation taking the direction of a to that of b, without inverse trigonometry. For opposite directions
// any half turn about a normal of a works.
template <class T>
constexpr Rotation<T> shortest_arc(const Vec3<T>& a, const Vec3<T>& b) {
  const T a_length = norm(a), b_length = norm(b), length = a_length * b_length, cosine = dot(a, b);
  const Vec3<T> normal = cross(a, b);
  if (cosine >= T(0)) return normalised(Rotation<T>{length + cosine, normal});
  // Beyond a right angle length + cosine cancels: half the sum of the unit vectors is as long as the cosine of half the
  // angle. Next to a half turn the normal is small; its errors along a would tilt the axis, those across it do no harm.
  Vec3<T> axis = normal - T(dot(normal, a) / squared_norm(a)) * a;
  if (norm(axis) <= T(8) * T(epsilon<T>()) * length)
    axis = cross(a, abs(a.x) < abs(a.y) ? Vec3<T>{T(1), T(0), T(0)} : Vec3<T>{T(0), T(1), T(0)});
  const T half_cosine = T(0.5) * norm(a / a_length + b / b_length);
  const T half_sine = sqrt(T(1) - half_cosine * half_cosine);
  return normalised(Rotation<T>{half_cosine, T(half_sine / norm(axis)) * axis});
}

template <class T>
constexpr Mat3<T> matrix(const Rotation<T>& q) {
  const T xx = q.v.x * q.v.x, yy = q.v.y * q.v.y, zz = q.v.z * q.v.z, ww = q.w * q.w;
  const T xy = q.v.x * q.v.y, xz = q.v.x * q.v.z, yz = q.v.y * q.v.z;
  const T wx = q.w * q.v.x, wy = q.w * q.v.y, wz = q.w * q.v.z;
  return {{{ww + xx - yy - zz, T(2) * (xy - wz), T(2) * (xz + wy)},
           {T(2) * (xy + wz), ww - xx + yy - zz, T(2) * (yz - wx)},
           {T(2) * (xz - wy), T(2) * (yz + wx), ww - xx - yy + zz}}};
}

// Spurrier's rule [S78]: the largest component first, so that no division is by a small number.
template <class T>
constexpr Rotation<T> from_matrix(const Mat3<T>& m) {
  const T trace = m[0][0] + m[1][1] + m[2][2];
  std::size_t i = 0;
  if (m[1][1] > m[i][i]) i = 1;
  if (m[2][2] > m[i][i]) i = 2;
  Rotation<T> q;
  if (trace >= m[i][i]) {
    q.w = T(0.5) * sqrt(T(1) + trace);
    const T f = T(0.25) / q.w;
    q.v = f * Vec3<T>{m[2][1] - m[1][2], m[0][2] - m[2][0], m[1][0] - m[0][1]};
  } else {
    const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
    q.v[i] = sqrt(T(0.5) * m[i][i] + T(0.25) * (T(1) - trace));
    const T f = T(0.25) / q.v[i];
    q.w = f * (m[k][j] - m[j][k]);
    q.v[j] = f * (m[j][i] + m[i][j]);
    q.v[k] = f * (m[k][i] + m[i][k]);
  }
  return normalised(q);
}

// Modified Rodrigues parameters, tan(angle/4) times the axis.
template <class T>
constexpr Rotation<T> from_mrp(const Vec3<T>& s) {
  const T s2 = squared_norm(s);
  return normalised(Rotation<T>{T(1) - s2, T(2) * s});
}
template <class T>
constexpr Vec3<T> mrp(const Rotation<T>& q) {
  const T sign = copysign(T(1), q.w);
  return T(sign / (T(1) + sign * q.w)) * q.v;
}

// The angle in [0, pi] of the rotation that takes a to b.
template <class T>
constexpr T angle_between(const Rotation<T>& a, const Rotation<T>& b) {
  const Rotation<T> d = inverse(a) * b;
  return T(2) * T(atan2(norm(d.v), T(abs(d.w))));
}

// The distance of the matrices in the Frobenius norm: 2 sqrt(2) sin(angle / 2).
template <class T>
constexpr T chordal_distance(const Rotation<T>& a, const Rotation<T>& b) {
  return T(2) * sqrt(T(2)) * norm((inverse(a) * b).v);
}

}  // namespace polhode
