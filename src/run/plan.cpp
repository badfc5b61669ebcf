#include "polhode/run/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "run/column_list.hpp"
#include "run/course.hpp"
#include "run/differentiable.hpp"
#include "run/watched.hpp"

namespace polhode {
namespace {

constexpr double customary_rows = 100;

// What a column needs and this situation does not have.
void check_columns(const RunRequest& request) {
  for_each_column([&](auto kind, Column here) {
    if (!request.columns.contains(here)) return;
    if (kind.without_wheels && !request.setup.wheels.empty())
      throw SetupError("output.columns",
                       fmt::format("{} is Poinsot's construction, which a body with wheels does not follow; leave the "
                                   "column out",
                                   kind.name),
                       {"body.wheels"});
    if (!kind.needs) return;
    if (direction_of<double>(request.setup.torques, *kind.needs)) return;
    throw SetupError("output.columns", fmt::format("{} needs a torque that names {}, such as a heavy-top, and this "
                                                   "scenario has none; leave the column out",
                                                   kind.name, kind.needs_in_words));
  });
}

// A parameter is given once, in the name or in the table.
std::string name_with_parameters(const RunOptions& run) {
  if (run.parameters.empty()) return run.method;
  parse_method(run.method.substr(0, run.method.find_first_of(name_marks)));  // or nothing can be said of its parameters
  std::string name = run.method;
  for (const auto& [parameter, value] : run.parameters) {
    try {
      name = with_parameter(name, parameter, value);
    } catch (const MethodError& error) {
      throw SetupError("run.parameters." + parameter, error.what());
    }
  }
  return name;
}

MethodSpec method_of(const RunRequest& request) {
  if (request.run.method.empty())
    throw SetupError("run.method", "no method is chosen; name one ('polhode methods' lists them), or auto");
  try {
    return parse_method(name_with_parameters(request.run));
  } catch (const MethodError& error) {
    throw SetupError("run.method", error.what());
  }
}

// A step taken in halves is not equal to the others.
void check_on_failure(const RunOptions& run, const MethodSpec& method) {
  if (run.on_failure != OnFailure::halve || method.claims.variable_steps) return;
  throw SetupError("run.on_failure",
                   fmt::format("{} needs equal steps, and on_failure = \"halve\" would take shorter ones; choose stop, "
                               "or a method that takes variable steps",
                               method.name),
                   {"run.method"});
}

std::string tolerant_methods() {
  std::vector<std::string_view> names;
  for (const MethodInfo& method : methods()) {
    if (method.claims.takes_tolerance) names.push_back(method.name);
  }
  return names.empty() ? "" : fmt::format("{} take one, and ", fmt::join(names, ", "));
}

void check_tolerance(const RunOptions& run, const MethodSpec& method) {
  if (run.tolerance && !method.claims.takes_tolerance) {
    throw SetupError(
        "run.tolerance",
        fmt::format("{} takes steps as they are given and no tolerance; {}auto chooses a method and a step "
                    "for one",
                    method.name, tolerant_methods()),
        {"run.method"});
  }
  if (run.goal) {
    throw SetupError("run.goal",
                     fmt::format("the goal {} is for auto, which chooses a method for it, and {} is chosen already; "
                                 "leave the goal out, or choose auto",
                                 goal_name(*run.goal), method.name),
                     {"run.method"});
  }
}

void check_step_scale(const RunOptions& run, std::string_view method, bool chooses_steps) {
  if (run.step_scale.empty() || chooses_steps) return;
  std::vector<std::string_view> names;
  for (const SuffixInfo& suffix : suffixes())
    if (suffix.chooses_steps) names.push_back(suffix.name);
  throw SetupError(
      "run.step_scale",
      fmt::format("{} takes steps as they are given, and step_scale = '{}' is for methods that choose them, "
                  "which have one of the suffixes {}; leave the scale out, or add one",
                  method, run.step_scale, fmt::join(names, ", ")),
      {"run.method"});
}

// How far so many steps go is not known before.
void check_row_times(const RunRequest& request, const Steps& steps) {
  if (!steps.chosen || steps.length || request.times.empty()) return;
  throw SetupError(request.times_file.empty() ? "output.times" : "output.times_file",
                   fmt::format("{} chooses its steps, so that it is not known how far {} of them go, and whether these "
                               "times are among them; give a duration in place of steps",
                               request.run.method, steps.count),
                   {"run.steps", "run.method"});
}

// [s], negative backwards.
double length_of(const Steps& steps) {
  if (steps.length) return *steps.length;
  const double length = steps.listed.empty()
                            ? static_cast<double>(steps.count) * steps.size
                            : std::accumulate(steps.listed.begin(), steps.listed.begin() + steps.count, 0.0);
  return steps.backwards ? -length : length;
}

// A torque that is given for some times only must be given for all of the run.
void check_times(const Setup& setup, double length) {
  const double begin = std::min(setup.time, setup.time + length), end = std::max(setup.time, setup.time + length);
  const double rounding = 1e-9 * (std::abs(begin) + std::abs(end));
  for (std::size_t i = 0; i < setup.torques.size(); ++i) {
    std::visit(
        [&](const auto& field) {
          if constexpr (requires { field.time_range(); }) {
            const auto range = field.time_range();
            if (!range || (range->first <= begin + rounding && end - rounding <= range->second)) return;
            throw SetupError(fmt::format("torque[{}]", i),
                             fmt::format("the torque of kind {} is given from {} s to {} s, and the run goes from {} s "
                                         "to {:.12g} s; shorten the run, or give the torque for all of it",
                                         field.kind, range->first, range->second, setup.time, setup.time + length),
                             {"run.duration", "run.steps", "run.step", "run.step_file", "start.time"});
          }
        },
        setup.torques[i]);
  }
}

// Builds the method in the situation; a step that the scalar cannot hold may be due to any of these.
void build(Plan& plan) {
  const RunRequest& request = plan.request;
  try {
    plan.course =
        make_course(request.run.scalar, {request.setup, plan.method, plan.steps, plan.tolerance, plan.tangent.get()});
  } catch (const MethodError& error) {
    throw SetupError("run.method", error.what());
  }
}

// Times of rows in the direction of the run, each once, without those of the first row and the last. Times differ where
// they differ by more than 1e-9 of a step.
std::vector<double> times_within(const RunRequest& request, const Steps& steps) {
  const double begin = request.setup.time, length = length_of(steps), sign = length < 0 ? -1 : 1;
  const double near = 1e-9 * std::abs(length) / static_cast<double>(steps.count);
  std::vector<double> times = request.times;
  for (const double t : times) {
    const double ahead = sign * (t - begin);
    if (ahead >= -near && ahead <= std::abs(length) + near) continue;
    const bool from_file = !request.times_file.empty();
    throw SetupError(
        from_file ? "output.times_file" : "output.times",
        fmt::format(
            "{}{} s is outside the run, which goes from {} s to {} s; leave the time out, or change the duration",
            from_file ? fmt::format("'{}': ", request.times_file) : "", t, begin, begin + length),
        {"run.duration", "run.steps", "run.step", "run.step_file"});
  }
  std::sort(times.begin(), times.end(), [&](double a, double b) { return sign * a < sign * b; });
  std::vector<double> within;
  for (const double t : times) {
    const double ahead = sign * (t - begin);
    if (ahead <= near || ahead >= std::abs(length) - near) continue;
    if (within.empty() || std::abs(t - within.back()) > near) within.push_back(t);
  }
  return within;
}

Plan automatic_plan(RunRequest request, const std::atomic<bool>* stop) {
  const RunOptions& run = request.run;
  check_step_scale(run, automatic_method, false);
  if (!run.parameters.empty()) {
    throw SetupError("run.parameters." + run.parameters.begin()->first,
                     "auto chooses a method with its parameters; leave them out, or name the method");
  }
  if (!run.step_file.empty()) {
    throw SetupError("run.step_file",
                     fmt::format("auto chooses the step, and '{}' lists steps; name a method for them, or leave the "
                                 "step file out",
                                 run.step_file),
                     {"run.method"});
  }
  SelectionRequest wanted;
  wanted.setup = request.setup;
  wanted.duration = run.steps ? static_cast<double>(*run.steps) * run.step : duration_of(run);
  wanted.tolerance = run.tolerance.value_or(default_tolerance);
  wanted.goal = run.goal.value_or(Goal::time);
  wanted.scalar = run.scalar;
  check_times(request.setup, wanted.duration);
  const double length = std::abs(wanted.duration);
  if (!request.times.empty()) {
    wanted.interval.reset();  // rows are where they are asked for, whatever the steps
  } else if (request.says_where_rows_are) {
    wanted.interval = std::min(run.step, length);
  } else if (request.keeps_rows) {
    wanted.interval = length / customary_rows;
  }
  const double intervals = wanted.interval ? length / *wanted.interval : 1;
  const bool whole = std::abs(intervals - std::nearbyint(intervals)) <= 1e-9 * intervals;
  wanted.variable_steps = run.on_failure == OnFailure::halve || !whole;
  Plan made;
  made.selection = choose_method(wanted, stop);
  made.selection->by_default = !run.tolerance;
  made.method = made.selection->method;
  RunOptions options = run;
  options.steps.reset();
  options.duration = wanted.duration;
  options.step = made.selection->step;
  made.steps = plan_steps(options, made.method);
  const double steps_per_row = wanted.interval ? *wanted.interval / made.selection->step : 1;
  made.every = request.every * std::max(1LL, static_cast<long long>(std::nearbyint(steps_per_row)));
  made.request = std::move(request);
  return made;
}

Plan plan_by_name(RunRequest request, MethodSpec method) {
  Plan made;
  made.method = std::move(method);
  check_on_failure(request.run, made.method);
  check_tolerance(request.run, made.method);
  check_step_scale(request.run, made.method.name, made.method.claims.chooses_steps);
  made.method.step_scale = parse_step_scale(request);
  RunOptions options = request.run;
  if (options.tolerance && options.listed_steps.empty() && !request.says_where_rows_are)
    options.step = std::abs(duration_of(options)) / customary_rows;
  made.steps = plan_steps(options, made.method);
  check_row_times(request, made.steps);
  check_times(request.setup, length_of(made.steps));
  made.every = request.every;
  made.tolerance = options.tolerance;
  made.request = std::move(request);
  return made;
}

}  // namespace

Plan plan(RunRequest request, const std::atomic<bool>* stop) {
  check(request.run);
  std::optional<MethodSpec> named;
  if (request.run.method != automatic_method) named = method_of(request);
  check_columns(request);
  std::shared_ptr<const Watched> watched = parse_watched(request);
  Plan made = named ? plan_by_name(std::move(request), *std::move(named)) : automatic_plan(std::move(request), stop);
  made.watched = std::move(watched);
  if (RunRequest& request_made = made.request; request_made.run.reference && !request_made.reference)
    request_made.reference = std::make_shared<MotionReference>(request_made.setup);
  if (!made.request.times.empty()) made.times = times_within(made.request, made.steps);
  if (TangentRequest tangent = tangent_request(made.request, made.method, length_of(made.steps)); tangent.any())
    made.tangent = std::make_shared<const TangentRequest>(std::move(tangent));
  build(made);
  return made;
}

}  // namespace polhode
