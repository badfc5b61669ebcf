#include "polhode/run/steps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace polhode {
namespace {

constexpr double default_duration = 10.0;  // [s]
constexpr double most_steps = 9007199254740992.0;
constexpr double nearly_whole = 1e-9;  // relative distance to a whole number of steps that counts as none

[[noreturn]] void refuse_steps(const char* key, const std::string& sentence) {
  throw SetupError(key, sentence, {"run.duration", "run.steps", "run.step", "run.step_file", "run.method"});
}

void require_variable_steps(const MethodSpec& method, const char* key, const std::string& sentence) {
  if (!method.claims.variable_steps) refuse_steps(key, sentence);
}

// Of one size, or beginning with it.
Steps sized_steps(const RunOptions& run, const MethodSpec& method) {
  Steps steps;
  steps.size = run.step;
  steps.chosen = method.claims.chooses_steps;
  if (run.steps) {
    steps.count = *run.steps;
    return steps;
  }
  const double duration = duration_of(run);
  steps.backwards = duration < 0;
  const double ratio = std::abs(duration) / run.step;
  if (!(ratio <= most_steps)) {
    refuse_steps("run.step",
                 fmt::format("{} s is too small for a duration of {} s: that would be {:.1e} steps; take a larger one",
                             run.step, duration, ratio));
  }
  const double nearest = std::max(1.0, std::nearbyint(ratio));
  if (steps.chosen) {
    steps.count = static_cast<long long>(nearest);
    steps.length = duration;
    return steps;
  }
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

Steps listed_steps(const RunOptions& run, const MethodSpec& method) {
  require_variable_steps(method, "run.step_file",
                         fmt::format("{} needs equal steps, and '{}' lists its own; give a step instead, or choose a "
                                     "method that takes variable steps",
                                     method.name, run.step_file));
  if (method.claims.chooses_steps)
    refuse_steps("run.step_file",
                 fmt::format("{} chooses its steps, and '{}' lists them; give the first as step, or take "
                             "the method without its last suffix",
                             method.name, run.step_file));
  Steps steps;
  steps.listed = run.listed_steps;
  const auto available = static_cast<long long>(steps.listed.size());
  steps.count = run.steps.value_or(available);
  if (steps.count > available) {
    refuse_steps("run.steps", fmt::format("{} steps are asked for, and '{}' lists {}; ask for fewer, or leave steps "
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
    refuse_steps("run.duration", fmt::format("{} s is longer than the steps of '{}' together, {} s; shorten it, or "
                                             "leave it out to take all steps",
                                             *run.duration, run.step_file, reached));
  }
  if (reached > length * (1 + nearly_whole)) steps.length = *run.duration;
  return steps;
}

}  // namespace

double duration_of(const RunOptions& run) { return run.duration.value_or(default_duration); }

Steps plan_steps(const RunOptions& run, const MethodSpec& method) {
  return run.listed_steps.empty() ? sized_steps(run, method) : listed_steps(run, method);
}

}  // namespace polhode
