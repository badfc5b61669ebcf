// What physics engines do with one body in one tick, in the plain scalar code that they have for it. Peers of a benchmark:
// written from descriptions and our reading of the projects named (docs/bibliography.bib), line for line ours.
//
// An engine keeps quaternion and velocity, the velocity in space, and the inverse moments in principal axes. Most keep the
// inverse inertia in space as well, which impulses are multiplied by, and make it again whenever the body has turned; that
// is part of a tick here wherever the engine does it. Tests compare each peer with the method of the catalogue that bears
// the engine's name for it.
#pragma once

#include <array>
#include <cmath>

namespace polhode::bench::engine {

template <class T>
using Triple = std::array<T, 3>;
template <class T>
using Matrix = std::array<Triple<T>, 3>;

template <class T>
struct Peer {
  std::array<T, 4> q{1, 0, 0, 0};  // scalar first, from the body to space
  Triple<T> w{};                   // in space
  Triple<T> torque{};              // in space, for this tick
  Triple<T> inverse_inertia{};     // in principal axes
  Matrix<T> inverse_inertia_S{};   // in space
};

template <class T>
constexpr Triple<T> cross(const Triple<T>& a, const Triple<T>& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
template <class T>
constexpr T dot(const Triple<T>& a, const Triple<T>& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
template <class T>
constexpr Triple<T> plus(const Triple<T>& a, const T& s, const Triple<T>& b) {
  return {a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]};
}
template <class T>
constexpr Triple<T> times(const Matrix<T>& m, const Triple<T>& v) {
  return {dot(m[0], v), dot(m[1], v), dot(m[2], v)};
}
template <class T>
constexpr Triple<T> times(const Triple<T>& diagonal, const Triple<T>& v) {
  return {diagonal[0] * v[0], diagonal[1] * v[1], diagonal[2] * v[2]};
}
template <class T>
constexpr Triple<T> inverted(const Triple<T>& v) {
  return {T(1) / v[0], T(1) / v[1], T(1) / v[2]};
}

template <class T>
constexpr std::array<T, 4> product(const std::array<T, 4>& a, const std::array<T, 4>& b) {
  return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3], a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
          a[0] * b[2] + a[2] * b[0] + a[3] * b[1] - a[1] * b[3], a[0] * b[3] + a[3] * b[0] + a[1] * b[2] - a[2] * b[1]};
}
template <class T>
std::array<T, 4> normalised(const std::array<T, 4>& q) {
  const T s = T(1) / std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  return {s * q[0], s * q[1], s * q[2], s * q[3]};
}
// v from the body to space, or back.
template <class T>
constexpr Triple<T> to_space(const std::array<T, 4>& q, const Triple<T>& v) {
  const Triple<T> u{q[1], q[2], q[3]}, uv = cross(u, v), t{uv[0] + uv[0], uv[1] + uv[1], uv[2] + uv[2]};
  const Triple<T> ut = cross(u, t);
  return {v[0] + q[0] * t[0] + ut[0], v[1] + q[0] * t[1] + ut[1], v[2] + q[0] * t[2] + ut[2]};
}
template <class T>
constexpr Triple<T> to_body(const std::array<T, 4>& q, const Triple<T>& v) {
  return to_space(std::array<T, 4>{q[0], -q[1], -q[2], -q[3]}, v);
}

template <class T>
constexpr Matrix<T> rotation_matrix(const std::array<T, 4>& q) {
  const T x = q[1] + q[1], y = q[2] + q[2], z = q[3] + q[3];
  const T xx = x * q[1], yy = y * q[2], zz = z * q[3], xy = x * q[2], xz = x * q[3], yz = y * q[3];
  const T wx = x * q[0], wy = y * q[0], wz = z * q[0];
  return {{{T(1) - (yy + zz), xy - wz, xz + wy},
           {xy + wz, T(1) - (xx + zz), yz - wx},
           {xz - wy, yz + wx, T(1) - (xx + yy)}}};
}
// R diag(I^-1) R^T, which every engine that keeps it makes after a turn.
template <class T>
constexpr void turn_inertia(Peer<T>& body) {
  const Matrix<T> R = rotation_matrix(body.q);
#pragma GCC unroll 4
  for (std::size_t i = 0; i < 3; ++i) {
    const Triple<T> scaled = times(R[i], body.inverse_inertia);
#pragma GCC unroll 3
    for (std::size_t k = 0; k < 3; ++k) body.inverse_inertia_S[i][k] = dot(scaled, R[k]);
  }
}

// The default of most engines: engine-semi-implicit-euler.
template <class T>
void semi_implicit_euler(Peer<T>& body, T h) {
  body.w = plus(body.w, h, times(body.inverse_inertia_S, body.torque));
  const T half = T(0.5) * h;
  const std::array<T, 4> rate = product({T(0), body.w[0], body.w[1], body.w[2]}, body.q);
#pragma GCC unroll 4
  for (std::size_t i = 0; i < 4; ++i) body.q[i] += half * rate[i];
  body.q = normalised(body.q);
  turn_inertia(body);
}

// By the rule of Cramer.
template <class T>
constexpr Triple<T> solved(const Matrix<T>& m, const Triple<T>& b) {
  const Triple<T> c0{m[0][0], m[1][0], m[2][0]}, c1{m[0][1], m[1][1], m[2][1]}, c2{m[0][2], m[1][2], m[2][2]};
  const Triple<T> c12 = cross(c1, c2);
  const T scale = T(1) / dot(c0, c12);
  return {scale * dot(b, c12), scale * dot(c0, cross(b, c2)), scale * dot(c0, cross(c1, b))};
}
template <class T>
constexpr Matrix<T> skew(const Triple<T>& v) {
  return {{{T(0), -v[2], v[1]}, {v[2], T(0), -v[0]}, {-v[1], v[0], T(0)}}};
}

// Bullet's: engine-implicit-gyroscopic. A general matrix is solved with, as there; a turn of more than an eighth of a circle
// is cut to that length, which the method of the catalogue does not do.
template <class T>
void implicit_gyroscopic(Peer<T>& body, T h) {
  constexpr T eighth_of_a_circle = T(0.785398163397448309616);
  const Triple<T> inertia = inverted(body.inverse_inertia), w_B = to_body(body.q, body.w);
  const Triple<T> pi = times(inertia, w_B), gyroscopic = cross(w_B, pi);
  const Matrix<T> w_hat = skew(w_B), pi_hat = skew(pi);
  Matrix<T> jacobian{};
#pragma GCC unroll 4
  for (std::size_t i = 0; i < 3; ++i) {
#pragma GCC unroll 3
    for (std::size_t k = 0; k < 3; ++k)
      jacobian[i][k] = (i == k ? inertia[i] : T(0)) + h * (w_hat[i][k] * inertia[k] - pi_hat[i][k]);
  }
  const Triple<T> change = solved(jacobian, Triple<T>{h * gyroscopic[0], h * gyroscopic[1], h * gyroscopic[2]});
  const Triple<T> w_S = to_space(body.q, plus(w_B, T(-1), change));
  body.w = plus(w_S, h, times(body.inverse_inertia_S, body.torque));

  T speed = std::sqrt(dot(body.w, body.w));
  if (speed * h > eighth_of_a_circle) speed = eighth_of_a_circle / h;
  const T half = T(0.5) * h;
  // sin(h |w|/2)/|w|, by its series where |w| is small.
  const T factor = speed < T(0.001) ? half - h * h * h * speed * speed / T(48) : std::sin(half * speed) / speed;
  const std::array<T, 4> turn{std::cos(half * speed), factor * body.w[0], factor * body.w[1], factor * body.w[2]};
  body.q = normalised(product(turn, body.q));
  turn_inertia(body);
}

// Jolt's, and Avian's but for the order of torque and gyroscopic term: engine-momentum-clamp. Neither keeps the inverse
// inertia in space from tick to tick; a torque goes through the body's axes.
template <class T>
void momentum_clamp(Peer<T>& body, T h) {
  const Triple<T> inertia = inverted(body.inverse_inertia), w_B = to_body(body.q, body.w), pi = times(inertia, w_B);
  const Triple<T> moved = plus(pi, -h, cross(w_B, pi));
  const T size = dot(moved, moved), scale = size > T(0) ? std::sqrt(dot(pi, pi) / size) : T(0);
  const Triple<T> clamped{scale * moved[0], scale * moved[1], scale * moved[2]};
  body.w = to_space(body.q, times(body.inverse_inertia, clamped));
  body.w = plus(body.w, h, to_space(body.q, times(body.inverse_inertia, to_body(body.q, body.torque))));

  const T angle = h * std::sqrt(dot(body.w, body.w));
  if (std::abs(angle) > T(1e-6)) {
    const T factor = h * std::sin(T(0.5) * angle) / angle;
    const std::array<T, 4> turn{std::cos(T(0.5) * angle), factor * body.w[0], factor * body.w[1], factor * body.w[2]};
    body.q = normalised(product(turn, body.q));
  }
}

}  // namespace polhode::bench::engine
