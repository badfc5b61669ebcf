// Functions of an angle x that stay smooth at zero, written in the SQUARED angle y = x^2:
//
//   cos_sqrt(y)    = cos x                     = sum (-y)^k / (2k)!
//   sinc_sqrt(y)   = sin x / x                 = sum (-y)^k / (2k+1)!
//   sinc1_sqrt(y)  = (1 - sin x / x) / x^2     = sum (-y)^k / (2k+3)!
//   sinc2_sqrt(y)  = (sin x - x cos x) / x^3   = sum (-y)^k (2k+2) / (2k+3)!
//   sinc3_sqrt(y)  = (3 sinc2 - sinc) / x^2    = sum (-y)^k (2k+2)(2k+4) / (2k+5)!
//
// sinc, sinc2 and sinc3 are the spherical Bessel functions j_n(x) / x^n; the derivative by y of each is minus half the
// next.
//
// Up to series_limit a polynomial is good to the precision of the scalar: no square root, no division, no cancellation,
// and derivatives (duals, power series) pass through zero. Above it the closed form is used.
//
// Floats and doubles, alone and in lanes, take a short polynomial for the angles of ordinary steps, 6 terms in double, one
// of 8 terms up to an eighth of a turn, and beyond that sine and cosine by the same of what quarter turns leave over. No
// number goes another way for what its neighbours are: a lane has the bits that its number has alone. Other scalars add up
// the series itself, 15 terms in quad, and call their own sine and cosine.
#pragma once

#include "polhode/core/angle_polynomials.hpp"

namespace polhode {

// cos x and sin x / x together: what an exponential map needs.
template <class T>
struct CosSinc {
  T cosine, sinc;
};
template <class Mask, class T>
  requires(!std::is_same_v<Mask, bool>)
[[gnu::always_inline]] constexpr CosSinc<T> select(const Mask& mask, const CosSinc<T>& a, const CosSinc<T>& b) {
  return {select(mask, a.cosine, b.cosine), select(mask, a.sinc, b.sinc)};
}

namespace detail {

// A quarter turn in three parts. Of the first two, products with whole numbers up to `most` are exact.
template <class V>
struct QuarterTurn;
template <>
struct QuarterTurn<double> {
  static constexpr double first = 0x1.921fb544p+0, second = 0x1.0b4611a6p-34, third = 0x1.3198a2e037073p-69;
  static constexpr double most = 0x1p20, to_whole = 0x1.8p52;
};
template <>
struct QuarterTurn<float> {
  static constexpr float first = 0x1.92p+0F, second = 0x1.fb4p-12F, third = 0x1.4442d2p-24F;
  static constexpr float most = 0x1p13F, to_whole = 0x1.8p23F;
};

// Added to 1.5 times 2^(digits - 1) a number has no place left for a fraction.
template <class T>
[[gnu::always_inline]] constexpr T nearest_whole(const T& x) {
  const T shift(QuarterTurn<value_of<T>>::to_whole);
  return (x + shift) - shift;
}

template <class T>
struct CosSin {
  T cosine, sine;
};

// For 0 <= x up to most quarter turns: good to one and a half spacings, of floats below 1/256 to those of 1/256.
template <class T>
[[gnu::always_inline]] constexpr CosSin<T> cos_sin(const T& x) {
  using V = value_of<T>;
  using Quarter = QuarterTurn<V>;
  const T k = nearest_whole(T(x * T(V(2 / 3.14159265358979323846))));
  // r + low is x less k quarter turns.
  const T a = x - k * T(Quarter::first), b = k * T(Quarter::second), c = k * T(Quarter::third);
  const T t = a - b, r = t - c, low = ((t - r) - c) + ((a - t) - b);
  const T y = r * r;
  const T near_cosine = even_polynomial<0, 0, AngleReach::eighth>(y);
  const T near_sine = r * even_polynomial<1, 0, AngleReach::eighth>(y);
  const T cosine = near_cosine - near_sine * low, sine = near_sine + near_cosine * low;
  // k modulo 4, from -2 to 2.
  const T quarters = k - T(4) * nearest_whole(T(T(V(0.25)) * k));
  const auto odd = abs(quarters) == T(1);
  const T sign = select(quarters == T(0), T(1), T(-1));
  return {select(odd, T(-quarters * sine), T(sign * cosine)), select(odd, T(quarters * cosine), T(sign * sine))};
}

// Of any size: beyond what can be reduced here, one by one by the library's functions.
template <class T>
[[gnu::always_inline]] constexpr CosSin<T> cos_sin_of_any(const T& x) {
  using V = value_of<T>;
  const auto reduced = x <= T(V(QuarterTurn<V>::most));
  const CosSin<T> made = cos_sin(x);
  if (every(reduced)) [[likely]]
    return made;
  return {select(reduced, made.cosine, T(cos(x))), select(reduced, made.sine, T(sin(x)))};
}

}  // namespace detail

// Of an angle of either sign, such as a phase: in lanes and on a device the bits of a number alone on a processor, up to a
// million quarter turns.
template <class T>
constexpr detail::CosSin<T> cos_and_sin(const T& x) {
  if constexpr (requires(T s, T c) { sin_cos(x, s, c); }) {  // of a power series
    T s, c;
    sin_cos(x, s, c);
    return {c, s};
  } else if constexpr (detail::has_even_polynomials<T>) {
    const detail::CosSin<T> f = detail::cos_sin_of_any(T(abs(x)));
    return {f.cosine, select(x < T(0), T(-f.sine), f.sine)};
  } else {
    return {T(cos(x)), T(sin(x))};
  }
}

namespace detail {

// Beyond the series, in closed form.
template <class T>
constexpr CosSinc<T> closed_cos_sinc(const T& y) {
  const T x = sqrt(y);
  if constexpr (has_even_polynomials<T>) {
    const CosSin<T> f = cos_sin_of_any(x);
    return {f.cosine, f.sine / x};
  } else {
    return {T(cos(x)), T(sin(x)) / x};
  }
}
template <class T>
constexpr T closed_sinc1(const T& y) {
  return (T(1) - closed_cos_sinc(y).sinc) / y;
}
template <class T>
constexpr T closed_sinc2(const T& y) {
  const CosSinc<T> f = closed_cos_sinc(y);
  return (f.sinc - f.cosine) / y;
}
template <class T>
constexpr T closed_sinc3(const T& y) {
  const CosSinc<T> f = closed_cos_sinc(y);
  return (T(3) * T((f.sinc - f.cosine) / y) - f.sinc) / y;
}

// near(y) up to the limit and far(y) beyond; of lanes, each for itself. Of the others what is far is asked at one, where
// nothing is divided by zero.
template <class T, class Near, class Far>
[[gnu::always_inline]] constexpr auto near_or_far(const T& y, double limit, const Near& near, const Far& far) {
  if constexpr (std::is_floating_point_v<T>) {
    if (y <= T(limit)) [[likely]]
      return near(y);
    return far(y);
  } else {
    const auto made = near(y);
    if (every_at_most(y, T(limit))) [[likely]]
      return made;
    const auto small = y <= T(limit);
    return select(small, made, far(T(select(small, T(1), y))));
  }
}

// Up to twice the angle of the series those of half the angle give them without the differences above, in which digits
// would be lost: sinc2 = (cos sinc2 + sinc^2)/4, sinc3 = (sinc sinc3 + sinc2 (4 sinc - 3 sinc2))/16, on the right of u/2.
template <class T>
constexpr T doubled_sinc2(const T& y) {
  const T z = T(0.25) * y, sinc = even_polynomial<1, 0, AngleReach::eighth>(z);
  return T(0.25) *
         (even_polynomial<0, 0, AngleReach::eighth>(z) * even_polynomial<3, 1, AngleReach::eighth>(z) + sinc * sinc);
}
template <class T>
constexpr T doubled_sinc3(const T& y) {
  const T z = T(0.25) * y, sinc = even_polynomial<1, 0, AngleReach::eighth>(z);
  const T sinc2 = even_polynomial<3, 1, AngleReach::eighth>(z);
  return T(0.0625) * (sinc * even_polynomial<5, 2, AngleReach::eighth>(z) + sinc2 * (T(4) * sinc - T(3) * sinc2));
}

// Behind a call: around one every number of a step passes through memory, and the short polynomials need none.
template <class T>
[[gnu::noinline]] constexpr CosSinc<T> cos_sinc_far(T y) {
  if constexpr (has_even_polynomials<T>) {
    return near_or_far(
        y, series_limit,
        [](const T& z) {
          return CosSinc<T>{even_polynomial<0, 0, AngleReach::eighth>(z), even_polynomial<1, 0, AngleReach::eighth>(z)};
        },
        [](const T& z) { return closed_cos_sinc(z); });
  } else {
    return within_series(y) ? CosSinc<T>{angle_polynomial<0>(y), angle_polynomial<1>(y)} : closed_cos_sinc(y);
  }
}
template <class T>
[[gnu::noinline]] constexpr T sinc1_far(T y) {
  if constexpr (has_even_polynomials<T>) {
    return near_or_far(
        y, series_limit, [](const T& z) { return even_polynomial<3, 0, AngleReach::eighth>(z); },
        [](const T& z) { return closed_sinc1(z); });
  } else {
    return within_series(y) ? angle_polynomial<3>(y) : closed_sinc1(y);
  }
}
template <class T>
[[gnu::noinline]] constexpr T sinc2_far(T y) {
  if constexpr (has_even_polynomials<T>) {
    return near_or_far(
        y, series_limit, [](const T& z) { return even_polynomial<3, 1, AngleReach::eighth>(z); },
        [](const T& z) {
          return near_or_far(
              z, 4 * series_limit, [](const T& x) { return doubled_sinc2(x); },
              [](const T& x) { return closed_sinc2(x); });
        });
  } else {
    return within_series(y) ? angle_polynomial<3, 1>(y) : closed_sinc2(y);
  }
}
template <class T>
[[gnu::noinline]] constexpr T sinc3_far(T y) {
  if constexpr (has_even_polynomials<T>) {
    return near_or_far(
        y, series_limit, [](const T& z) { return even_polynomial<5, 2, AngleReach::eighth>(z); },
        [](const T& z) {
          return near_or_far(
              z, 4 * series_limit, [](const T& x) { return doubled_sinc3(x); },
              [](const T& x) { return closed_sinc3(x); });
        });
  } else {
    return within_series(y) ? angle_polynomial<5, 2>(y) : closed_sinc3(y);
  }
}

// Scalars that carry derivatives or have many digits take the one call for all angles.
template <class T, class Near, class Far>
[[gnu::always_inline]] constexpr auto ordinary_or_far(const T& y, const Near& near, const Far& far) {
  if constexpr (has_even_polynomials<T>) {
    return near_or_far(y, ordinary_limit, near, far);
  } else {
    return far(y);
  }
}

}  // namespace detail

template <class T>
[[gnu::always_inline]] constexpr CosSinc<T> cos_sinc_sqrt(const T& y) {
  using namespace detail;
  return ordinary_or_far(
      y, [](const auto& z) __attribute__((always_inline)) {
        return CosSinc<T>{even_polynomial<0>(z), even_polynomial<1>(z)};
      },
      [](const T& z) { return cos_sinc_far<T>(z); });
}

template <class T>
constexpr T cos_sqrt(const T& y) {
  return cos_sinc_sqrt(y).cosine;
}

template <class T>
constexpr T sinc_sqrt(const T& y) {
  return cos_sinc_sqrt(y).sinc;
}

template <class T>
[[gnu::always_inline]] constexpr T sinc1_sqrt(const T& y) {
  using namespace detail;
  return ordinary_or_far(
      y, [](const auto& z) __attribute__((always_inline)) { return even_polynomial<3>(z); },
      [](const T& z) { return sinc1_far<T>(z); });
}

template <class T>
[[gnu::always_inline]] constexpr T sinc2_sqrt(const T& y) {
  using namespace detail;
  return ordinary_or_far(
      y, [](const auto& z) __attribute__((always_inline)) { return even_polynomial<3, 1>(z); },
      [](const T& z) { return sinc2_far<T>(z); });
}

template <class T>
[[gnu::always_inline]] constexpr T sinc3_sqrt(const T& y) {
  using namespace detail;
  return ordinary_or_far(
      y, [](const auto& z) __attribute__((always_inline)) { return even_polynomial<5, 2>(z); },
      [](const T& z) { return sinc3_far<T>(z); });
}

}  // namespace polhode
