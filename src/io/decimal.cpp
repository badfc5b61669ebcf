#include "polhode/io/decimal.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include "polhode/core/quad.hpp"

namespace polhode {
namespace {

template <class... Format>
void append(std::string& text, Format... format) {
  std::array<char, 64> buffer;  // NOLINT(cppcoreguidelines-pro-type-member-init): written before it is read
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), format...).ptr;
  text.append(buffer.data(), end);
}

}  // namespace

void append_decimal(std::string& text, const Number& number) {
  const int digits = significant_digits(number.scalar);
  if (!std::isfinite(number.high)) {
    text += number.high > 0 ? "inf" : number.high < 0 ? "-inf" : "nan";
  } else if (number.low != 0) {
    text += (quad(number.high) + quad(number.low)).str(digits);
  } else if (static_cast<long double>(number.value) == number.high) {
    append(text, number.value, std::chars_format::general,
           digits);  // the digits are the same, and a double's are found faster
  } else {
    append(text, number.high, std::chars_format::general, digits);
  }
}

void append_shortest(std::string& text, const Number& number) {
  const bool narrow = number.scalar == ScalarKind::float_ || number.scalar == ScalarKind::double_;
  if (!narrow || !std::isfinite(number.value)) {
    append_decimal(text, number);
  } else if (number.scalar == ScalarKind::float_) {
    append(text, static_cast<float>(number.value));
  } else {
    append(text, number.value);
  }
}

std::string decimal(const Number& number) {
  std::string text;
  append_decimal(text, number);
  return text;
}

}  // namespace polhode
