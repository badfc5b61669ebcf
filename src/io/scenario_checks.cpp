#include "io/scenario_checks.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>
#include <utility>

#include "polhode/io/result_file.hpp"

namespace polhode {
namespace {

[[noreturn]] void refuse(const char* key, const std::string& sentence) { throw SetupError(key, sentence); }

void check_output(const OutputSettings& output) {
  if (output.every < 1) refuse("output.every", fmt::format("{} is below 1; give {}", output.every, every_wanted));
  for (const double t : output.times) {
    if (!std::isfinite(t)) refuse("output.times", fmt::format("{} is not finite; give {}", t, times_wanted));
  }
  if (output.file.empty()) return;
  try {
    result_format(output.file);
  } catch (const std::invalid_argument& error) {
    refuse("output.file", error.what());
  }
}

}  // namespace

void choose(OutputSettings& output, const std::vector<QuantityData>& quantities, ChosenColumns columns) {
  output.columns = std::move(columns.groups);
  output.quantities.reset();
  if (columns.quantities != names_of(quantities)) output.quantities = std::move(columns.quantities);
}

void check_settings(const Scenario& scenario) {
  check(scenario.run);
  check_output(scenario.output);
  if (scenario.ensemble) check(*scenario.ensemble);
}

}  // namespace polhode
