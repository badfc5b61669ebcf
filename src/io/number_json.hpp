// The numbers of results as JSON.
#pragma once

#include <cmath>
#include <optional>
#include <string>

#include "core/json_text.hpp"
#include "polhode/io/decimal.hpp"

namespace polhode {

inline std::string json_value(const Number& number) {
  const std::string digits = decimal(number);
  return std::isfinite(number.value) ? digits : json_string(digits);
}

// A number, or null for what is not there or not finite.
inline std::string json_number(const std::optional<Number>& number) {
  return number && std::isfinite(number->value) ? decimal(*number) : "null";
}

}  // namespace polhode
