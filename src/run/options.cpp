#include "polhode/run/options.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace polhode {

std::string_view on_failure_name(OnFailure choice) { return choice == OnFailure::halve ? "halve" : "stop"; }

OnFailure parse_on_failure(std::string_view name) {
  for (const OnFailure choice : {OnFailure::stop, OnFailure::halve}) {
    if (name == on_failure_name(choice)) return choice;
  }
  throw std::invalid_argument(fmt::format("'{}' is not a choice; give {}", name, on_failure_wanted));
}

std::string_view goal_name(Goal goal) {
  switch (goal) {
    case Goal::time: return "time";
    case Goal::torque_evaluations: return "torque-evaluations";
    case Goal::energy: break;
  }
  return "energy";
}

Goal parse_goal(std::string_view name) {
  for (const Goal goal : {Goal::time, Goal::torque_evaluations, Goal::energy}) {
    if (name == goal_name(goal)) return goal;
  }
  throw std::invalid_argument(fmt::format("'{}' is not a goal; give {}", name, goal_wanted));
}

void check(const RunOptions& run) {
  const auto refuse = [](const char* key, const std::string& sentence) { throw SetupError(key, sentence); };
  if (!std::isfinite(run.step)) refuse("run.step", fmt::format("{} is not finite; give {}", run.step, step_wanted));
  if (!(run.step > 0)) {
    refuse("run.step",
           fmt::format("{} is not positive; give {}, and a negative duration to run backwards", run.step, step_wanted));
  }
  if (run.steps && *run.steps < 1) refuse("run.steps", fmt::format("{} is below 1; give {}", *run.steps, steps_wanted));
  if (run.duration && (!std::isfinite(*run.duration) || *run.duration == 0)) {
    refuse("run.duration", fmt::format("{} is {}; give {}", *run.duration,
                                       *run.duration == 0 ? "no time at all" : "not finite", duration_wanted));
  }
  if (run.tolerance && !(std::isfinite(*run.tolerance) && *run.tolerance > 0)) {
    refuse("run.tolerance", fmt::format("{} is not {}; give {}", *run.tolerance,
                                        std::isfinite(*run.tolerance) ? "positive" : "finite", tolerance_wanted));
  }
  if (run.max_steps && *run.max_steps < 1)
    refuse("run.max_steps", fmt::format("{} is below 1; give {}", *run.max_steps, max_steps_wanted));
  if (run.max_time && !(std::isfinite(*run.max_time) && *run.max_time > 0)) {
    refuse("run.max_time", fmt::format("{} is not {}; give {}", *run.max_time,
                                       std::isfinite(*run.max_time) ? "positive" : "finite", max_time_wanted));
  }
}

}  // namespace polhode
