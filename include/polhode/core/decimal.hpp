// Constants with more digits than a literal of a built-in type can hold.
#pragma once

#include <limits>
#include <string_view>

#include "polhode/core/scalar.hpp"

namespace polhode {

// "-0.125" as a T: sign, digits and one point, nothing else. As many digits as T holds are one exact quotient and the
// next another, so that the result is off by a rounding unit at most. Digits so far down that a power of ten has no
// place in T are left out.
template <class T>
constexpr T decimal(std::string_view text) {
  T sum(0), digits(0), unit(1);
  bool negative = false, fraction = false;
  int count = 0;
  for (const char ch : text) {
    if (ch == '-') negative = true;
    if (ch == '.') fraction = true;
    if (ch < '0' || ch > '9') continue;
    if (unit > T(std::numeric_limits<value_of<T>>::max() / 10)) break;
    if (fraction && count >= std::numeric_limits<value_of<T>>::digits10) {
      sum = sum + digits / unit;
      digits = T(0);
      count = 0;
    }
    digits = digits * T(10) + T(ch - '0');
    if (fraction) unit = unit * T(10);
    ++count;
  }
  sum = sum + digits / unit;
  return negative ? T(-sum) : sum;
}

}  // namespace polhode
