#include "polhode/io/decimal.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include "polhode/core/quad.hpp"

namespace polhode {
namespace {

template <class T>
void append(std::string& text, T x, int digits) {
  std::array<char, 64> buffer{};
  const auto end =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), x, std::chars_format::general, digits).ptr;
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
    append(text, number.value, digits);  // the digits are the same, and a double's are found faster
  } else {
    append(text, number.high, digits);
  }
}

std::string decimal(const Number& number) {
  std::string text;
  append_decimal(text, number);
  return text;
}

}  // namespace polhode
