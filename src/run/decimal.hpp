// Numbers of any scalar in decimal, with all digits that tell them apart.
#pragma once

#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <type_traits>

#include "polhode/core/scalar.hpp"
#include "polhode/run/result.hpp"

namespace polhode {

// Writes into `number`, whose text keeps its capacity from row to row.
template <class T>
void to_number(const T& x, int digits, Number& number) {
  number.value = static_cast<double>(x);
  if (!isfinite(x)) {
    number.digits = number.value > 0 ? "inf" : number.value < 0 ? "-inf" : "nan";
  } else if constexpr (std::is_floating_point_v<T>) {
    std::array<char, 64> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), x, std::chars_format::general, digits).ptr;
    number.digits.assign(text.data(), end);
  } else {
    number.digits = x.str(digits, std::ios_base::fmtflags());
  }
}

template <class T>
Number to_number(const T& x, int digits) {
  Number number;
  to_number(x, digits, number);
  return number;
}

}  // namespace polhode
