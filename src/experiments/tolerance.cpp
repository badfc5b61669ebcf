#include "experiments/tolerance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>

#include "core/number_text.hpp"
#include "experiments/outcome.hpp"

namespace polhode::experiments {

std::string words(const Tolerance& tolerance) {
  if (tolerance.factor) return fmt::format("factor {:g}", *tolerance.factor);
  if (tolerance.absolute == 0) return fmt::format("rel {:g}", tolerance.relative);
  return fmt::format("rel {:g} abs {:g}", tolerance.relative, tolerance.absolute);
}

std::optional<Tolerance> stated_tolerance(const std::string& words) {
  Tolerance tolerance;
  std::istringstream text(words);
  std::string key, number;
  bool any = false;
  while (text >> key >> number) {
    double value = 0;
    if (!read_number(number, value)) return std::nullopt;
    any = true;
    if (key == "rel") {
      tolerance.relative = value;
    } else if (key == "abs") {
      tolerance.absolute = value;
    } else if (key == "factor") {
      tolerance.factor = value;
    } else {
      return std::nullopt;
    }
  }
  if (!any) return std::nullopt;
  return tolerance;
}

bool agrees(double measured, double recorded, const Tolerance& tolerance) {
  if (std::isnan(measured) || std::isnan(recorded)) return std::isnan(measured) && std::isnan(recorded);
  if (measured == recorded) return true;
  if (std::isinf(measured) || std::isinf(recorded)) return false;
  if (tolerance.factor) {
    return std::signbit(measured) == std::signbit(recorded) &&
           std::abs(std::log(measured / recorded)) <= std::log(*tolerance.factor);
  }
  return std::abs(measured - recorded) <= std::max(tolerance.relative * std::abs(recorded), tolerance.absolute);
}

std::string record_text(double value) { return std::isfinite(value) ? fmt::format("{:.12g}", value) : readable(value); }

}  // namespace polhode::experiments
