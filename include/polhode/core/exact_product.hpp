// Products of doubles without rounding, by halves of 26 bits.
//
// A product of two halves fits in a double. All that is added up here are such products, so that a compiler may fuse a
// product with a sum where it likes (-ffp-contract=fast): what it leaves out is a rounding that does nothing. The usual
// way, the rounded product and what it lacks, is lost when the compiler fuses the first and not the second.
#pragma once

#include <bit>
#include <cstdint>

#include "polhode/core/lanes.hpp"

namespace polhode {

// x rounded to 26 bits; the rest, x - leading(x), has 26 as well.
[[gnu::always_inline]] constexpr double leading(double x) {
  constexpr std::uint64_t half = std::uint64_t{1} << 26;
  return std::bit_cast<double>((std::bit_cast<std::uint64_t>(x) + half) & ~(2 * half - 1));
}
template <std::size_t N, std::size_t W>
[[gnu::always_inline]] constexpr Lanes<double, N, W> leading(const Lanes<double, N, W>& x) {
  Lanes<double, N, W> made;
  for (std::size_t i = 0; i < x.parts; ++i) {
    if constexpr (W > 1) {
      typedef std::uint64_t Bits __attribute__((vector_size(W * sizeof(double))));
      constexpr std::uint64_t half = std::uint64_t{1} << 26;
      made.part[i] = (typename Lanes<double, N, W>::Part)(((Bits)x.part[i] + half) & ~(2 * half - 1));
    } else {
      made.part[i] = leading(x.part[i]);
    }
  }
  return made;
}

// A number in two parts, the first of 26 bits, to be multiplied by others.
template <class S>
struct Split {
  S high, low;
};
constexpr Split<double> split(double x) { return {leading(x), x - leading(x)}; }
constexpr Split<double> split(long double x) {
  const double high = leading(static_cast<double>(x));
  return {high, static_cast<double>(x - static_cast<long double>(high))};
}

// An unevaluated sum, the second about 2^-53 of the first or less.
struct DoubleDouble {
  double high = 0, low = 0;
};

constexpr DoubleDouble sum(double a, double b) {
  const double s = a + b, other = s - a;
  return {s, (a - (s - other)) + (b - other)};
}
constexpr DoubleDouble product(double a, double b) {
  const Split<double> x = split(a), y = split(b);
  const double first = x.high * y.high, second = x.high * y.low, third = x.low * y.high;
  const double two = first + second, three = two + third;
  return {three, ((second - (two - first)) + (third - (three - two))) + x.low * y.low};
}
// To 2^-102 of itself.
constexpr DoubleDouble product(const DoubleDouble& a, const DoubleDouble& b) {
  const DoubleDouble p = product(a.high, b.high);
  return {p.high, p.low + (a.high * b.low + a.low * b.high)};
}

}  // namespace polhode
