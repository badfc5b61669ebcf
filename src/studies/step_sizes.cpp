// Step sizes of a study: as they are written, and those taken when none are.
#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "core/list_text.hpp"
#include "core/number_text.hpp"
#include "polhode/studies/study.hpp"

namespace polhode {
namespace {

constexpr double same_multiple = 1e-9;  // as for a run: what divides a duration to this, relative, divides it
constexpr const char* wanted_sizes =
    "give positive numbers of seconds, e.g. 0.1,0.05,0.025, or 0.1:0.0125 for halvings";

[[noreturn]] void refuse(const std::string& what) {
  throw std::invalid_argument(fmt::format("{}; {}", what, wanted_sizes));
}

double step_from(std::string_view text) {
  double step = 0;
  if (!read_number(text, step)) refuse(text.empty() ? "a step is missing" : fmt::format("'{}' is not a number", text));
  if (!std::isfinite(step)) refuse(fmt::format("{} is not finite", text));
  if (!(step > 0)) refuse(fmt::format("{} is not positive", text));
  return step;
}

void add(std::string_view item, std::vector<double>& steps) {
  const std::size_t colon = item.find(':');
  const double first = step_from(trimmed(item.substr(0, colon)));
  if (colon == std::string_view::npos) return steps.push_back(first);
  const double last = step_from(trimmed(item.substr(colon + 1)));
  if (last > first) refuse(fmt::format("{} halves a step from {} down to {}, which is larger", item, first, last));
  steps.push_back(first);
  while (steps.back() / 2 >= last * (1 - same_multiple)) steps.push_back(steps.back() / 2);
}

bool divides(double step, double duration) {
  const double ratio = duration / step;
  return std::abs(ratio - std::nearbyint(ratio)) <= same_multiple * ratio;
}

// The largest of 1, 2, 2.5, 4, 5, 8 times a power of ten that divides the duration and is at most `largest`, but not
// much less; otherwise the largest step that does.
double round_step(double duration, double largest) {
  const double fewest = std::ceil(duration / largest);
  const int decade = static_cast<int>(std::floor(std::log10(largest)));
  for (const int exponent : {decade, decade - 1}) {
    for (const double digit : {8.0, 5.0, 4.0, 2.5, 2.0, 1.0}) {
      const double power = std::pow(10.0, std::abs(exponent));
      const double step = exponent < 0 ? digit / power : digit * power;
      if (step <= largest && step > largest / 4 && divides(step, duration)) return step;
    }
  }
  return duration / fewest;
}

}  // namespace

std::vector<double> parse_step_sizes(std::string_view text) {
  std::vector<double> steps;
  for (const std::string_view item : comma_separated(text)) add(item, steps);
  return steps;
}

std::vector<double> customary_steps(double duration, double largest) {
  double step = round_step(std::abs(duration), largest);
  std::vector<double> steps;
  for (int i = 0; i < 6; ++i, step /= 2) steps.push_back(step);
  return steps;
}

}  // namespace polhode
