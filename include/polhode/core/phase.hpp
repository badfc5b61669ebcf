// What a phase that runs for long is made from, for a double and for lanes of doubles alike: the product of a rate and a
// time with nothing rounded off before whole turns are taken out, and the circle and the exponential function of what
// is left. No branches, and the same bits in every lane as alone.
#pragma once

#include <array>
#include <bit>
#include <concepts>
#include <cstdint>
#include <numbers>

#include "polhode/core/angle_series.hpp"
#include "polhode/core/complex.hpp"
#include "polhode/core/exact_product.hpp"
#include "polhode/core/nearest.hpp"
#include "polhode/core/table.hpp"

namespace polhode {

// What `nearest` adds to a double.
inline constexpr double whole_numbers = 6755399441055744.0;
// 1 where the whole number n is odd, else 0.
template <class S>
[[gnu::always_inline]] constexpr S odd(const S& n) {
  const S rest = n - S(2.0) * nearest(S(0.5) * n);
  return rest * rest;
}

// rate * t, as a product without rounding and what is left of it, 2^-26 as large.
template <class S>
struct LongProduct {
  S exact, rest;

  [[gnu::always_inline]] constexpr LongProduct(const Split<S>& rate, const S& t) {
    const S high = leading(t);
    exact = rate.high * high;
    rest = rate.high * (t - high) + rate.low * t;
  }
};

// cos and sin of pi x for |x| <= 1/2, from those of half the angle by their Taylor series.
template <class S>
[[gnu::always_inline]] constexpr Complex<S> half_turns(const S& x) {
  constexpr std::size_t terms = detail::angle_terms<double>();
  const S half = S(0.5 * std::numbers::pi) * x, y = half * half;
  const S cosine = detail::polynomial(table_of<detail::AngleTable<terms, 0, 0>, double>(), y);
  const S sine = half * detail::polynomial(table_of<detail::AngleTable<terms, 1, 0>, double>(), y);
  return {S(1.0) - S(2.0) * (sine * sine), S(2.0) * (sine * cosine)};
}
// Two of them side by side.
template <std::same_as<double> S>
[[gnu::always_inline]] constexpr void half_turns(S x, S y, Complex<S>& of_x, Complex<S>& of_y) {
  Lanes<S, 2> both;
  both.set(0, x);
  both.set(1, y);
  const Complex<Lanes<S, 2>> turned = half_turns(both);
  of_x = {turned.re[0], turned.im[0]};
  of_y = {turned.re[1], turned.im[1]};
}
template <std::size_t N, std::size_t W>
[[gnu::always_inline]] constexpr void half_turns(const Lanes<double, N, W>& x, const Lanes<double, N, W>& y,
                                                 Complex<Lanes<double, N, W>>& of_x,
                                                 Complex<Lanes<double, N, W>>& of_y) {
  of_x = half_turns(x);
  of_y = half_turns(y);
}

// 2^n, |n| <= 1022, from n + whole_numbers: the last digits of that are those of n.
[[gnu::always_inline]] constexpr double power_of_two(double shifted) {
  return std::bit_cast<double>((std::bit_cast<std::uint64_t>(shifted) << 52) + (std::uint64_t{1023} << 52));
}
template <std::size_t N, std::size_t W>
[[gnu::always_inline]] constexpr Lanes<double, N, W> power_of_two(const Lanes<double, N, W>& shifted) {
  Lanes<double, N, W> made;
  for (std::size_t i = 0; i < shifted.parts; ++i) {
    if constexpr (W > 1) {
      typedef std::uint64_t Bits __attribute__((vector_size(W * sizeof(double))));
      made.part[i] = (typename Lanes<double, N, W>::Part)(((Bits)shifted.part[i] << 52) + (std::uint64_t{1023} << 52));
    } else {
      made.part[i] = power_of_two(shifted.part[i]);
    }
  }
  return made;
}

// exp(x) and exp(-x), |x| <= 700: x less a multiple of log 2, by the even and the odd part of the Taylor series.
template <class S>
struct Exponentials {
  S of_x, of_minus_x;

  [[gnu::always_inline]] explicit constexpr Exponentials(const S& x) {
    // log 2 in two parts; the first has 32 bits, and its multiples are exact.
    constexpr double log2_high = 0x1.62e42feep-1, log2_low = 0x1.a39ef35793c76p-33;
    constexpr std::array<double, 7> even{1, 1.0 / 2, 1.0 / 24, 1.0 / 720, 1.0 / 40320, 1.0 / 3628800, 1.0 / 479001600};
    constexpr std::array<double, 7> odd_part{
        1, 1.0 / 6, 1.0 / 120, 1.0 / 5040, 1.0 / 362880, 1.0 / 39916800, 1.0 / 6227020800};
    const S shifted = S(std::numbers::log2e) * x + S(whole_numbers), n = shifted - S(whole_numbers);
    const S rest = (x - n * S(log2_high)) - n * S(log2_low), square = rest * rest;
    const S cosh = detail::polynomial(even, square), sinh = rest * detail::polynomial(odd_part, square);
    of_x = power_of_two(shifted) * (cosh + sinh);
    of_minus_x = power_of_two(S(S(whole_numbers) - n)) * (cosh - sinh);
  }
};

}  // namespace polhode
