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

// The polynomial of a quarter of an angle, in which the quarter is part of the coefficients: as far as 7 terms reach in double,
// and 4 in float.
template <class V>
inline constexpr double quarter_limit = std::is_same_v<V, float> ? 0.221 : 0.348;
template <int Offset>
struct QuarterTable {
  static constexpr bool of_polynomial = true;
  template <class V>
  static constexpr auto make() {
    constexpr double limit = quarter_limit<V>;
    auto c = even_coefficients<V, even_terms<V, Offset, 0>(limit), Offset, 0>(limit);
    V power = Offset == 0 ? V(1) : V(0.25);
    for (V& one : c) {
      one *= power;
      power *= V(0.0625);
    }
    return c;
  }
};

// A map for half angles up to a bound gives cosine and sine.
template <class Map>
concept BoundedMap = requires(double b) {
  { Map::cos_sin(b) } -> std::same_as<CosSin<double>>;
};

// By the polynomials of ordinary steps.
struct ShortTurns {
  template <class V>
  static constexpr double limit = ordinary_limit;

  template <class T>
  [[gnu::always_inline]] static constexpr CosSin<T> cos_sin(const T& b) {
    using V = value_of<T>;
    const T y = b * b;
    return {nested(table_of<EvenTable<0, 0, AngleReach::ordinary>, V>(), y),
            b * nested(table_of<EvenTable<1, 0, AngleReach::ordinary>, V>(), y)};
  }
  using TwoHalves = ShortTurns;
};

// A quarter of the angle doubled twice: up to 2.36 rad in double, 1.88 in float.
struct LongerTurns {
  template <class V>
  static constexpr double limit = 16 * quarter_limit<V>;

  template <class T>
  [[gnu::always_inline]] static constexpr CosSin<T> cos_sin(const T& b) {
    using V = value_of<T>;
    const T y = b * b;
    return doubled(
        doubled(CosSin<T>{nested(table_of<QuarterTable<0>, V>(), y), b * nested(table_of<QuarterTable<1>, V>(), y)}));
  }
  using TwoHalves = LongerTurns;

 private:
  template <class T>
  [[gnu::always_inline]] static constexpr CosSin<T> doubled(const CosSin<T>& f) {
    const T twice = f.sine + f.sine;
    return {T(1) - twice * f.sine, twice * f.cosine};
  }
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
// other, and the second map costs a third more than the first. Not of bodies side by side in registers: there sums that
// wait for each other cost more than operations, and a pack is slower by a quarter.
template <class Map, class T, class Use>
[[gnu::always_inline]] constexpr void with_bounded(const T& longest_squared, const Use& use) {
  if constexpr (std::is_same_v<Map, ExponentialMap> && std::floating_point<T> && has_even_polynomials<T>) {
    constexpr double short_limit = ShortTurns::limit<T>, longer_limit = LongerTurns::limit<T>;
    if (longest_squared <= T(short_limit)) return use(ShortTurns{});
    if (longest_squared <= T(longer_limit)) return use(LongerTurns{});
  }
  use(Map{});
}

// Whether a quaternion is made a unit one after that step of n. Eight steps take it off by some rounding units, which one
// correction takes back like one. Bodies side by side in registers are left as they were.
template <class T>
[[gnu::always_inline]] constexpr bool is_renormalised_after(std::size_t step, std::size_t n) {
  return !std::floating_point<T> || step % 8 == 0 || step == n;
}

}  // namespace polhode::detail
