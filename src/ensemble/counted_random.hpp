// Random numbers that are counted, not drawn one after the other: each is a function of its seed, its stream and its place.
#pragma once

#include <Random123/philox.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string_view>

#include "polhode/core/phase.hpp"

namespace polhode {

// By Philox4x64-10 [SMDS11]: its key is the seed and the stream, its counter the place, and it gives four words at
// a time. No function of the C library is called, whose last bits depend on the machine.
class CountedRandom {
 public:
  // A stream by its name, FNV-1a in 64 bits.
  CountedRandom(std::uint64_t seed, std::string_view name) : key_{{seed, 0xcbf29ce484222325}} {
    for (const char letter : name) key_[1] = (key_[1] ^ static_cast<unsigned char>(letter)) * 0x100000001b3;
  }

  // Words 4 n to 4 n + 3 at a place.
  std::array<std::uint64_t, 4> words(std::uint64_t body, std::uint64_t attempt, std::uint64_t n) const {
    const r123::Philox4x64::ctr_type made = r123::Philox4x64()({{body, attempt, n, 0}}, key_);
    return {made[0], made[1], made[2], made[3]};
  }

 private:
  r123::Philox4x64::key_type key_;
};

// In [0, 1), by 53 bits.
inline double unit_interval(std::uint64_t word) { return static_cast<double>(word >> 11) * 0x1p-53; }

// A point of the circle, none of them preferred: half of it by 53 bits, and which half by the last one.
inline Complex<double> on_circle(std::uint64_t word) {
  const Complex<double> half = half_turns(unit_interval(word) - 0.5);
  return (word & 1) == 0 ? half : Complex<double>{-half.re, -half.im};
}

// log x, x > 0 and normal, to two rounding units: with x = 2^e m and m next to 1, of 2 artanh((m - 1)/(m + 1)), whose series
// ends below 1e-18.
inline double portable_log(double x) {
  int exponent = 0;
  double m = std::frexp(x, &exponent);
  if (m < std::numbers::sqrt2 / 2) {
    m *= 2;
    --exponent;
  }
  constexpr std::array<double, 11> terms{1.0 / 3,  1.0 / 5,  1.0 / 7,  1.0 / 9,  1.0 / 11, 1.0 / 13,
                                         1.0 / 15, 1.0 / 17, 1.0 / 19, 1.0 / 21, 1.0 / 23};
  const double s = (m - 1) / (m + 1), y = s * s;
  return exponent * std::numbers::ln2 + (2 * s + 2 * s * y * detail::polynomial(terms, y));
}

// Two independent ones, of mean 0 and deviation 1, from two words [BM58]. None is beyond 9.5.
inline std::array<double, 2> two_normals(std::uint64_t distance, std::uint64_t direction) {
  const double in_unit = static_cast<double>(distance) * 0x1p-64 + 0x1p-65;  // (0, 1]
  const double r = std::sqrt(-2 * portable_log(in_unit));
  const Complex<double> point = on_circle(direction);
  return {r * point.re, r * point.im};
}

}  // namespace polhode
