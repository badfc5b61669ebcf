// The 113-bit scalar: IEEE 754 binary128. GCC and Clang have its arithmetic, the C library its functions; this class gives
// them the names that kernels use. (std::numeric_limits and <cmath> know the built-in type in some dialects only.)
#pragma once

#include <array>
#include <cmath>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <ostream>
#include <string>
#include <type_traits>

#include "polhode/core/wider.hpp"

namespace polhode {
namespace binary128 {

// The C library has these functions for every compiler; its headers show them to GCC alone.
#ifdef __clang__
using Float = __float128;
extern "C" {
Float fabsf128(Float), sqrtf128(Float), expf128(Float), logf128(Float);
Float sinf128(Float), cosf128(Float), tanf128(Float), asinf128(Float), acosf128(Float), atanf128(Float);
Float tanhf128(Float), atan2f128(Float, Float), powf128(Float, Float), copysignf128(Float, Float);
Float floorf128(Float), roundf128(Float), nextafterf128(Float, Float), ldexpf128(Float, int);
Float strtof128(const char*, char**);
int strfromf128(char*, std::size_t, const char*, Float);
}
#else
using Float = _Float128;
using ::copysignf128, ::floorf128, ::roundf128, ::nextafterf128, ::ldexpf128, ::strtof128, ::strfromf128;
using ::fabsf128, ::sqrtf128, ::expf128, ::logf128;
using ::sinf128, ::cosf128, ::tanf128, ::asinf128, ::acosf128, ::atanf128, ::tanhf128, ::atan2f128, ::powf128;
#endif

}  // namespace binary128

// A number of some other library, which converts by way of its leading 64 bits and the next: two long doubles hold a quad.
template <class N>
concept LongerThanQuad = std::is_class_v<N> &&(std::numeric_limits<N>::digits > 113);

class quad {
 public:
  using Float = binary128::Float;

  constexpr quad() = default;
  template <class N>
    requires std::is_arithmetic_v<N> || std::same_as<N, Float>
  constexpr quad(N x) : value_(x) {}
  template <LongerThanQuad N>
  explicit quad(const N& x) : quad(static_cast<long double>(x)) {
    *this += static_cast<long double>(N(x - N(static_cast<long double>(x))));
  }
  explicit quad(const std::string& text) : value_(binary128::strtof128(text.c_str(), nullptr)) {}
  explicit quad(const char* text) : quad(std::string(text)) {}

  template <class N>
    requires std::is_arithmetic_v<N>
  explicit constexpr operator N() const { return static_cast<N>(value_); }

  template <LongerThanQuad N>
  explicit operator N() const {
    const auto leading = static_cast<long double>(value_);
    return N(N(leading) + N(static_cast<long double>(value_ - leading)));
  }

  // As many significant digits as asked for, as "%g" writes them.
  std::string str(int digits = 36) const {
    std::array<char, 64> text{};
    const std::string format = "%." + std::to_string(digits) + "g";
    binary128::strfromf128(text.data(), text.size(), format.c_str(), value_);
    return text.data();
  }

  constexpr quad operator-() const { return -value_; }
  constexpr quad operator+() const { return *this; }
  constexpr quad& operator+=(const quad& b) { return *this = value_ + b.value_; }
  constexpr quad& operator-=(const quad& b) { return *this = value_ - b.value_; }
  constexpr quad& operator*=(const quad& b) { return *this = value_ * b.value_; }
  constexpr quad& operator/=(const quad& b) { return *this = value_ / b.value_; }
  friend constexpr quad operator+(const quad& a, const quad& b) { return a.value_ + b.value_; }
  friend constexpr quad operator-(const quad& a, const quad& b) { return a.value_ - b.value_; }
  friend constexpr quad operator*(const quad& a, const quad& b) { return a.value_ * b.value_; }
  friend constexpr quad operator/(const quad& a, const quad& b) { return a.value_ / b.value_; }
  friend constexpr bool operator==(const quad& a, const quad& b) { return a.value_ == b.value_; }
  friend constexpr std::partial_ordering operator<=>(const quad& a, const quad& b) {
    if (a.value_ < b.value_) return std::partial_ordering::less;
    if (a.value_ > b.value_) return std::partial_ordering::greater;
    return a.value_ == b.value_ ? std::partial_ordering::equivalent : std::partial_ordering::unordered;
  }

  friend quad abs(const quad& x) { return binary128::fabsf128(x.value_); }
  friend quad sqrt(const quad& x) { return binary128::sqrtf128(x.value_); }
  friend quad exp(const quad& x) { return binary128::expf128(x.value_); }
  friend quad log(const quad& x) { return binary128::logf128(x.value_); }
  friend quad sin(const quad& x) { return binary128::sinf128(x.value_); }
  friend quad cos(const quad& x) { return binary128::cosf128(x.value_); }
  friend quad tan(const quad& x) { return binary128::tanf128(x.value_); }
  friend quad asin(const quad& x) { return binary128::asinf128(x.value_); }
  friend quad acos(const quad& x) { return binary128::acosf128(x.value_); }
  friend quad atan(const quad& x) { return binary128::atanf128(x.value_); }
  friend quad tanh(const quad& x) { return binary128::tanhf128(x.value_); }
  friend quad atan2(const quad& y, const quad& x) { return binary128::atan2f128(y.value_, x.value_); }
  friend quad pow(const quad& x, const quad& y) { return binary128::powf128(x.value_, y.value_); }
  friend quad copysign(const quad& x, const quad& y) { return binary128::copysignf128(x.value_, y.value_); }
  friend quad floor(const quad& x) { return binary128::floorf128(x.value_); }
  friend quad round(const quad& x) { return binary128::roundf128(x.value_); }
  friend quad nextafter(const quad& x, const quad& to) { return binary128::nextafterf128(x.value_, to.value_); }
  friend quad ldexp(const quad& x, int power) { return binary128::ldexpf128(x.value_, power); }
  friend constexpr bool isfinite(const quad& x) { return x.value_ - x.value_ == 0; }
  friend constexpr bool isnan(const quad& x) { return x.value_ != x.value_; }
  friend constexpr bool isinf(const quad& x) { return !isnan(x) && !isfinite(x); }

  friend std::ostream& operator<<(std::ostream& out, const quad& x) {
    return out << x.str(static_cast<int>(out.precision()));
  }

 private:
  Float value_ = 0;
};

template <>
struct Wider<long double> {
  using type = quad;
};

}  // namespace polhode

template <>
class std::numeric_limits<polhode::quad> {
  using quad = polhode::quad;
  using Long = std::numeric_limits<long double>;  // of the same range: both have exponents of 15 bits

 public:
  static constexpr bool is_specialized = true, is_signed = true, is_integer = false, is_exact = false;
  static constexpr bool is_iec559 = true, is_bounded = true, is_modulo = false;
  static constexpr bool has_infinity = true, has_quiet_NaN = true, has_signaling_NaN = false;
  static constexpr int radix = 2, digits = 113, digits10 = 33, max_digits10 = 36;
  static constexpr int min_exponent = Long::min_exponent, max_exponent = Long::max_exponent;
  static constexpr int min_exponent10 = Long::min_exponent10, max_exponent10 = Long::max_exponent10;
  static constexpr std::float_round_style round_style = std::round_to_nearest;

  static constexpr quad epsilon() { return 0x1p-112; }
  static constexpr quad min() { return Long::min(); }
  static constexpr quad max() { return (2 - epsilon()) * quad(0x1p16383L); }
  static constexpr quad lowest() { return -max(); }
  static constexpr quad denorm_min() { return min() * epsilon(); }
  static constexpr quad round_error() { return 0.5; }
  static constexpr quad infinity() { return Long::infinity(); }
  static constexpr quad quiet_NaN() { return Long::quiet_NaN(); }
};
