#include <algorithm>
#include <bit>
#include <boost/multiprecision/cpp_int.hpp>
#include <cassert>
#include <cmath>

#include "polhode/ensemble/statistics.hpp"

namespace polhode {
namespace {

using boost::multiprecision::cpp_int;
__extension__ using TwoWords = unsigned __int128;

constexpr int least_place = -2176;  // of a sum
constexpr int least_place_of_double = -1074;

// |x| = digits 2^place
struct DoubleDigits {
  std::uint64_t digits;
  int place;
};
DoubleDigits digits_of(double x) {
  assert(std::isfinite(x));
  constexpr std::uint64_t implicit_bit = 1ULL << 52;
  const auto bits = std::bit_cast<std::uint64_t>(x);
  const std::uint64_t fraction = bits & (implicit_bit - 1);
  const int exponent = static_cast<int>(bits >> 52 & 0x7ff);
  if (exponent == 0) return {fraction, least_place_of_double};
  return {implicit_bit | fraction, least_place_of_double + exponent - 1};
}

// By hand, because a cpp_int is shifted and added in its whole length: ten times slower.
template <std::size_t words>
void add_digits(std::array<std::uint64_t, words>& sum, TwoWords digits, int place, bool negative) {
  const auto first = static_cast<std::size_t>(place - least_place);
  const std::size_t shift = first % 64;
  const TwoWords low = digits << shift;
  const std::uint64_t shifted[] = {static_cast<std::uint64_t>(low), static_cast<std::uint64_t>(low >> 64),
                                   static_cast<std::uint64_t>(digits >> 64 >> (64 - shift))};
  const std::uint64_t sign = negative ? ~0ULL : 0;
  TwoWords carry = negative;
  std::size_t i = first / 64;
  for (const std::uint64_t word : shifted) {
    carry += static_cast<TwoWords>(sum[i]) + (word ^ sign);
    sum[i++] = static_cast<std::uint64_t>(carry);
    carry >>= 64;
  }
  // From here on every word of what is added is its sign, and changes nothing once the carry makes up for it.
  for (; i < words && carry != negative; ++i) {
    carry += static_cast<TwoWords>(sum[i]) + sign;
    sum[i] = static_cast<std::uint64_t>(carry);
    carry >>= 64;
  }
}

template <std::size_t words>
cpp_int whole_number(const std::array<std::uint64_t, words>& twos_complement) {
  cpp_int number;
  import_bits(number, twos_complement.begin(), twos_complement.end(), 64, false);
  if (twos_complement.back() >> 63 == 1) number -= cpp_int(1) << 64 * words;
  return number;
}

// whole 2^place, and less than 2^place more if there is any.
struct Truncated {
  cpp_int whole;
  int place;
  bool more;
};

// (a/b) 2^place to at least 128 bits; of a place that is even, the result's is even too.
Truncated quotient(cpp_int a, cpp_int b, int place) {
  if (a == 0) return {0, 0, false};
  int shift = 128 + static_cast<int>(msb(b)) - static_cast<int>(msb(a));
  if (shift % 2 != 0) ++shift;
  (shift > 0 ? a : b) <<= std::abs(shift);
  Truncated result{0, place - shift, false};
  cpp_int rest;
  divide_qr(a, b, result.whole, rest);
  result.more = rest != 0;
  return result;
}

Truncated root(const Truncated& x) {
  assert(x.place % 2 == 0);
  cpp_int rest;
  const cpp_int whole = sqrt(x.whole, rest);
  return {whole, x.place / 2, x.more || rest != 0};
}

// To nearest, ties to even. `x` is 0 or has more bits than a double.
double rounded(const Truncated& x) {
  if (x.whole == 0) return 0;
  const int last_place = std::max(static_cast<int>(msb(x.whole)) - 52 + x.place, least_place_of_double);
  const auto dropped = static_cast<unsigned>(last_place - x.place);
  auto kept = static_cast<std::uint64_t>(x.whole >> dropped);
  const bool half = bit_test(x.whole, dropped - 1);
  const bool above_half = half && (x.more || lsb(x.whole) < dropped - 1);
  if (above_half || (half && kept % 2 == 1)) ++kept;
  return std::ldexp(static_cast<double>(kept), last_place);
}

}  // namespace

void ExactSum::add(double x) {
  const auto [digits, place] = digits_of(x);
  add_digits(bits_, digits, place, std::signbit(x));
}

void ExactSum::add_square(double x) {
  const auto [digits, place] = digits_of(x);
  add_digits(bits_, static_cast<TwoWords>(digits) * digits, 2 * place, false);
}

void ExactSum::add(const ExactSum& other) {
  TwoWords carry = 0;
  for (std::size_t i = 0; i < words; ++i) {
    carry += static_cast<TwoWords>(bits_[i]) + other.bits_[i];
    bits_[i] = static_cast<std::uint64_t>(carry);
    carry >>= 64;
  }
}

std::array<std::uint64_t, ExactSum::places> ExactSum::to_places() const {
  std::array<std::uint64_t, places> halves{};
  for (std::size_t i = 0; i < places; ++i) halves[i] = bits_[i / 2] >> 32 * (i % 2) & 0xffffffff;
  return halves;
}

// What a carry takes beyond the last place makes up for the signs.
ExactSum ExactSum::from_places(std::span<const std::uint64_t, places> sums) {
  ExactSum sum;
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < places; ++i) {
    carry += sums[i];
    sum.bits_[i / 2] |= (carry & 0xffffffff) << 32 * (i % 2);
    carry >>= 32;
  }
  return sum;
}

double ExactSum::mean(std::uint64_t count) const {
  assert(count > 0);
  cpp_int sum = whole_number(bits_);
  const bool negative = sum < 0;
  if (negative) sum = -sum;
  const double mean = rounded(quotient(sum, count, least_place));
  return negative ? -mean : mean;
}

double deviation_of(const ExactSum& sum, const ExactSum& squares, std::uint64_t count) {
  assert(count > 1);
  const cpp_int n = count, s = whole_number(sum.bits_);
  const cpp_int one = cpp_int(1) << -least_place;
  return rounded(root(quotient(one * n * whole_number(squares.bits_) - s * s, n * (n - 1), 2 * least_place)));
}

}  // namespace polhode
