// The numbers of results as JSON.
#pragma once

#include <cmath>
#include <optional>

#include "core/json_text.hpp"
#include "polhode/io/decimal.hpp"

namespace polhode {

// What is not finite is a string.
inline void to_json(Json& json, const Number& number) {
  json = std::isfinite(number.value) ? verbatim(decimal(number)) : Json(decimal(number));
}

// A number, or null for what is not there or not finite.
inline Json json_number(const std::optional<Number>& number) {
  return number && std::isfinite(number->value) ? Json(*number) : Json();
}

}  // namespace polhode
