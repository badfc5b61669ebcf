// Turns about principal axes whose half angles are known to be below a bound, which is asked for once for many of them, with
// as few operations as there can be: for chains of steps on a card. They differ from single turns by rounding.
#pragma once

#include "polhode/core/angle_series.hpp"
#include "polhode/methods/half_turn.hpp"
#include "polhode/model/state.hpp"

namespace polhode::detail {

// c[0] + y (c[1] + y (...)). Each sum waits for the one before, which other bodies fill.
template <class V, std::size_t N, class T>
[[gnu::always_inline]] constexpr T nested(const std::array<V, N>& c, const T& y) {
  T sum = T(c[N - 1]);
  for (std::size_t i = N - 1; i > 0; --i) sum = T(c[i - 1]) + y * sum;
  return sum;
}
template <int Offset, AngleReach reach, class T>
[[gnu::always_inline]] constexpr T nested_polynomial(const T& y) {
  return nested(table_of<EvenTable<Offset, 0, reach>, value_of<T>>(), y);
}

// A map for half angles up to a bound gives cosine and sine.
template <class Map>
concept BoundedMap = requires(double b) {
  { Map::cos_sin(b) } -> std::same_as<CosSin<double>>;
};

// By the polynomials of that reach.
template <AngleReach reach>
struct ShortTurns {
  template <class T>
  [[gnu::always_inline]] static constexpr CosSin<T> cos_sin(const T& b) {
    const T y = b * b;
    return {nested_polynomial<0, reach>(y), b * nested_polynomial<1, reach>(y)};
  }
  using TwoHalves = ShortTurns;
};

// Up to a quarter turn, from the half of that.
struct LongerTurns {
  template <class T>
  [[gnu::always_inline]] static constexpr CosSin<T> cos_sin(const T& b) {
    const CosSin<T> f = ShortTurns<AngleReach::eighth>::cos_sin(T(T(0.5) * b));
    const T twice = f.sine + f.sine;
    return {T(1) - twice * f.sine, twice * f.cosine};
  }
  using TwoHalves = LongerTurns;
};

// About one axis by twice the angle b, in the body: R <- R exp(2 b e_i), pi <- exp(-2 b e_i) pi.
template <BoundedMap Map, int Axis, class T>
[[gnu::always_inline]] constexpr void turn_by_half(State<T>& s, const T& b) {
  constexpr int j = (Axis + 1) % 3, k = (Axis + 2) % 3;
  const CosSin<T> half = Map::cos_sin(b);
  const T c = half.cosine, d = half.sine;
  const Rotation<T> q = s.R_SB;
  s.R_SB.w = c * q.w - d * q.v[Axis];
  s.R_SB.v[Axis] = c * q.v[Axis] + d * q.w;
  s.R_SB.v[j] = c * q.v[j] + d * q.v[k];
  s.R_SB.v[k] = c * q.v[k] - d * q.v[j];
  const T twice = d + d, sine = twice * c, lacking = twice * d;  // sin a, 1 - cos a
  const T pj = s.pi_B[j], pk = s.pi_B[k];
  s.pi_B[j] = (pj - lacking * pj) + sine * pk;
  s.pi_B[k] = (pk - lacking * pk) - sine * pj;
}

// The square of the longest half angle that a turn about a principal axis for a time h can have with a momentum of length
// |pi|, which such turns keep.
template <class T>
[[gnu::always_inline]] constexpr T longest_half_angle_squared(const Vec3<T>& inverse_inertia, const Vec3<T>& pi_B,
                                                              const T& h) {
  const T longest = T(0.5) * h * max(inverse_inertia.x, max(inverse_inertia.y, inverse_inertia.z));
  return longest * longest * dot(pi_B, pi_B);
}

// use(map) with a map that is good up to there. There are few: on a card neighbours that take different ones wait for each
// other, and the second map costs an eighth more than the first. Not of bodies side by side in registers: there sums that
// wait for each other cost more than operations, and a pack is slower by a quarter.
template <class Map, class T, class Use>
[[gnu::always_inline]] constexpr void with_bounded(const T& longest_squared, const Use& use) {
  if constexpr (std::is_same_v<Map, ExponentialMap> && std::floating_point<T> && has_even_polynomials<T>) {
    if (longest_squared <= T(ordinary_limit)) return use(ShortTurns<AngleReach::ordinary>{});
    if (longest_squared <= T(4 * series_limit)) return use(LongerTurns{});
  }
  use(Map{});
}

}  // namespace polhode::detail
