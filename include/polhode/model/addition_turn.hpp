// A free body moved along its polhode by the addition theorem of elliptic functions: no iteration, no trigonometry, and no
// step too long.
//
// In body axes the momentum p of a free body moves by p' = p x m p, m the inverse moments, with al = m_y - m_z,
// be = m_x - m_z, ga = m_x - m_y. Its components are elliptic functions of time, and their addition theorem is algebraic:
// with S = sn(2u)/sqrt(P), C = cn, D = dn at some argument,
//
//   p_new = p + d/N,  d and N polynomials in p, S, C and D,    C^2 = 1 - P S^2,  D^2 = 1 - M S^2,
//   P = al (ga p_y^2 + be p_z^2) (h/2)^2,  M = ga (al p_y^2 + be p_x^2) (h/2)^2.
//
// Whatever S is, p_new is on the polhode of p: energy and momentum do not hang on it, only the pace does. P and M are the
// same all along the polhode, so that the step back undoes the step. S comes from y = P/sn^2(u) for half the step, which is
// Weierstrass' function but for a constant, by the first terms of its Laurent series, y = 1 + (P + M)/3 + (P^2 - P M + M^2)/15
// + ..., and its duplication: a pace of order 6. Nothing hangs on the order of the moments: 0, P and M are the roots of
// y'^2 = 4 y (y - P)(y - M) whatever their signs, and y stays beyond the largest by half of what lies between them. Where the
// nutation turns by more than about a radian in half a step it is taken that slow.
//
// The turn F of the body takes p_new to p: half a turn about their bisector b, composed with one about p by as much as the
// body precesses, h E/|p| less half the area between the path of p and a great circle ([M91]; here to leading order, so that
// the attitude is of order 4).
#pragma once

#include <numbers>

#include "polhode/core/nearest.hpp"
#include "polhode/core/rotation.hpp"

namespace polhode {

// What `addition_turn` finds: F, not of unit length, and d and N by which the direction of the momentum moves.
template <class T>
struct AdditionTurn {
  Rotation<T> turn;
  Vec3<T> d;
  T N;
};

struct SquareRoot {
  template <class T>
  [[gnu::always_inline]] constexpr T operator()(const T& x) const {
    return sqrt(x);
  }
};

namespace detail {

// The longest half-step along the polhode, squared, in terms of the faster of the two Jacobi frequencies.
inline constexpr double longest_nutation = 2.25;

// pi less the double nearest to it.
inline constexpr double rest_of_pi = 1.2246467991473532e-16;

// A quotient of whole numbers as a constant, rounded once, for packs as well.
template <class T>
[[gnu::always_inline]] constexpr T ratio(int a, int b) {
  return T(value_of<T>(a) / value_of<T>(b));
}

}  // namespace detail

// `inverse_inertia`: 1/I. `direction`: the unit vector n of the momentum in body axes. `size`: step times momentum, h |p|.
// `rate`: 2E/|p|^2 = n . m n. `root` takes square roots.
template <class T, class Root = SquareRoot>
[[gnu::always_inline]] constexpr AdditionTurn<T> addition_turn(const Vec3<T>& inverse_inertia, const Vec3<T>& direction,
                                                               const T& size, const T& rate, const Root& root = {}) {
  const Vec3<T>&m = inverse_inertia, &n = direction;
  const T al = m.y - m.z, be = m.x - m.z, ga = m.x - m.y;
  using detail::ratio;
  using detail::rest_of_pi;
  const T longest(detail::longest_nutation);

  Vec3<T> v = T(T(0.5) * size) * n;
  T A = al * ga * (v.y * v.y), P = A + al * be * (v.z * v.z), M = A + ga * be * (v.x * v.x);
  T low = min(min(P, M), T(0)), spread = max(max(P, M), T(0)) - low;
  const auto too_long = spread > longest;
  if (any(too_long)) [[unlikely]] {
    const T share = select(too_long, T(longest / spread), T(1));
    v = root(share) * v;
    A = share * A;
    P = share * P;
    M = share * M;
    low = share * low;
    spread = share * spread;
  }

  const T sum = P + M, product = P * M;
  const T y =
      max(T(T(1) + ratio<T>(1, 3) * sum + ratio<T>(1, 15) * (sum * sum - T(3) * product)), T(low + T(1.5) * spread));
  const T y_P = y - P, y_M = y - M, W = y * y - product, Q = T(4) * y * y_P * y_M, S = root(Q);
  const T C = T(-2) * P * y_M, D = T(-2) * M * y_P, AQ = A * Q, N = W * W - AQ;  // C, D: less 1, times W
  const Vec3<T> d{n.x * (W * C + AQ) - S * (W + D) * (al * v.y * n.z),
                  n.y * (W * C + AQ + (W + C) * D) + S * W * (be * v.x * n.z),
                  n.z * (W * D + AQ) - S * (W + C) * (ga * v.x * n.y)};

  // The precession: tan of half of it is that of f, cut to a quarter turn either way, by a continued fraction.
  const T half_a_turn(value_of<T>(std::numbers::pi) + value_of<T>(rest_of_pi)), quarter = T(0.5) * half_a_turn;
  T f = T(0.5) * size * rate;
  f = f - half_a_turn * nearest(T(f * T(1 / std::numbers::pi)));
  f = max(min(f, quarter), T(-quarter));
  const T f2 = f * f;
  const T cosine = T(1) - f2 * (ratio<T>(4, 9) - ratio<T>(1, 63) * f2),
          sine = f * (T(1) - f2 * (ratio<T>(1, 9) - ratio<T>(1, 945) * f2));
  const T NN = N * N, half = T(0.5) * NN;
  const T area =
      ratio<T>(1, 24) * size * ((rate - m.x) * (d.x * d.x) + (rate - m.y) * (d.y * d.y) + (rate - m.z) * (d.z * d.z));
  const T D_area = max(min(area, half), T(-half));
  const T c = NN * cosine - D_area * sine, s = NN * sine + D_area * cosine;

  const T twice_N = N + N;
  const Vec3<T> b{twice_N * n.x + d.x, twice_N * n.y + d.y, twice_N * n.z + d.z};
  const Vec3<T> arc = inlined::cross(d, n);
  return {{c * (T(0.5) * dot(b, b)), {N * (s * b.x + c * arc.x), N * (s * b.y + c * arc.y), N * (s * b.z + c * arc.z)}},
          d,
          N};
}

}  // namespace polhode
