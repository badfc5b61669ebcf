#include "polhode/run/steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/number_text.hpp"

namespace polhode {
namespace {

constexpr double default_duration = 10.0;  // [s]
constexpr double most_steps = 9007199254740992.0;
constexpr double nearly_whole = 1e-9;  // relative distance to a whole number of steps that counts as none

void require_variable_steps(const MethodSpec& method, const char* key, const std::string& sentence) {
  if (!method.claims.variable_steps) throw SetupError(key, sentence);
}

Steps equal_steps(const RunSettings& run, const MethodSpec& method) {
  Steps steps;
  steps.size = run.step;
  if (run.steps) {
    steps.count = *run.steps;
    return steps;
  }
  const double duration = duration_of(run);
  steps.backwards = duration < 0;
  const double ratio = std::abs(duration) / run.step;
  if (!(ratio <= most_steps)) {
    throw SetupError(
        "run.step",
        fmt::format("{} s is too small for a duration of {} s: that would be {:.1e} steps; take a larger one", run.step,
                    duration, ratio));
  }
  const double nearest = std::max(1.0, std::nearbyint(ratio));
  if (std::abs(ratio - nearest) <= nearly_whole * nearest) {
    steps.count = static_cast<long long>(nearest);
    return steps;
  }
  require_variable_steps(
      method, "run.duration",
      fmt::format(
          "{} s is not a whole number of steps of {} s, and {} cannot shorten its last step; take a duration of "
          "{:.12g} s or a step of {:.12g} s",
          duration, run.step, method.name, std::copysign(nearest * run.step, duration), std::abs(duration) / nearest));
  steps.count = static_cast<long long>(std::ceil(ratio));
  steps.length = duration;
  return steps;
}

Steps listed_steps(const RunSettings& run, const MethodSpec& method) {
  require_variable_steps(method, "run.step_file",
                         fmt::format("{} needs equal steps, and '{}' lists its own; give a step instead, or choose a "
                                     "method that takes variable steps",
                                     method.name, run.step_file));
  Steps steps;
  steps.listed = read_step_file(run.step_file);
  const auto available = static_cast<long long>(steps.listed.size());
  steps.count = run.steps.value_or(available);
  if (steps.count > available) {
    throw SetupError("run.steps",
                     fmt::format("{} steps are asked for, and '{}' lists {}; ask for fewer, or leave steps "
                                 "out to take them all",
                                 steps.count, run.step_file, available));
  }
  if (!run.duration) return steps;
  steps.backwards = *run.duration < 0;
  const double length = std::abs(*run.duration);
  double reached = 0;
  for (steps.count = 0; steps.count < available && reached < length * (1 - nearly_whole); ++steps.count) {
    reached += steps.listed[static_cast<std::size_t>(steps.count)];
  }
  if (reached < length * (1 - nearly_whole)) {
    throw SetupError("run.duration", fmt::format("{} s is longer than the steps of '{}' together, {} s; shorten it, or "
                                                 "leave it out to take all steps",
                                                 *run.duration, run.step_file, reached));
  }
  if (reached > length * (1 + nearly_whole)) steps.length = *run.duration;
  return steps;
}

}  // namespace

double duration_of(const RunSettings& run) { return run.duration.value_or(default_duration); }

Steps plan_steps(const RunSettings& run, const MethodSpec& method) {
  return run.step_file.empty() ? equal_steps(run, method) : listed_steps(run, method);
}

std::vector<double> read_step_file(const std::string& path) {
  const std::string text = read_text_file(path);
  std::vector<double> steps;
  int number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    ++number;
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    std::string line = text.substr(begin, end - begin);
    begin = end + 1;
    line.erase(std::min(line.find('#'), line.size()));
    const std::size_t first = line.find_first_not_of(" \t\r");
    if (first == std::string::npos) continue;
    line = line.substr(first, line.find_last_not_of(" \t\r") - first + 1);
    double step = 0;
    if (!read_number(line, step) || !std::isfinite(step) || !(step > 0)) {
      std::replace_if(
          line.begin(), line.end(), [](char c) { return c < 0x20 || c > 0x7e; }, '?');
      throw Error(ErrorKind::bad_file, fmt::format("{}:{}: '{}' is not a positive number of seconds; a step file has "
                                                   "one step per line, and '#' starts a comment",
                                                   path, number, line.substr(0, 40)));
    }
    steps.push_back(step);
  }
  if (steps.empty()) {
    throw Error(ErrorKind::bad_file,
                fmt::format("{}: lists no steps; write one positive number of seconds per line", path));
  }
  return steps;
}

}  // namespace polhode
