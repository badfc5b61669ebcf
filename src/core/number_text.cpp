#include "core/number_text.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>

namespace polhode {

bool read_number(std::string_view text, double& value) {
  if (text.starts_with('+')) text.remove_prefix(1);
  if (text.starts_with('+') || text.empty()) return false;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size()) return false;
  if (error == std::errc::result_out_of_range) {
    // Too large or too small, which from_chars does not tell apart; an exponent does.
    const bool tiny = text.find("e-") != std::string_view::npos || text.find("E-") != std::string_view::npos;
    const double size = tiny ? 0.0 : std::numeric_limits<double>::infinity();
    value = text.starts_with('-') ? -size : size;
    return true;
  }
  return error == std::errc();
}

std::string shortest(double value) { return fmt::format("{}", value); }

std::string shortest(const std::vector<double>& values) { return fmt::format("[{}]", fmt::join(values, ", ")); }

bool is_count(double value) { return why_no_count(value).empty(); }

std::string_view why_no_count(double value) {
  constexpr double largest = 9007199254740992.0;  // 2^53
  if (value != std::nearbyint(value)) return "is not a whole number";
  return std::abs(value) <= largest ? "" : "is too large to be counted to";
}

}  // namespace polhode
