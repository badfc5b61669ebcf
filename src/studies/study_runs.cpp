#include "studies/study_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "io/scenario_checks.hpp"
#include "polhode/core/version.hpp"
#include "polhode/measure/extremes.hpp"

namespace polhode {
namespace {

double rounding_unit(ScalarKind scalar) {
  switch (scalar) {
    case ScalarKind::float_: return std::ldexp(1.0, -23);
    case ScalarKind::double_: return std::ldexp(1.0, -52);
    case ScalarKind::long_double_: return std::ldexp(1.0, -63);
    case ScalarKind::quad_: break;
  }
  return std::ldexp(1.0, -112);
}

// A study states the steps, which auto would choose.
void refuse_auto(const std::string& method) {
  if (method != automatic_method) return;
  throw Error(ErrorKind::bad_request,
              "--methods: auto chooses a method and a step for a tolerance, and a study needs methods "
              "by their names; 'polhode run --method auto' says which one it chooses");
}

Plan checked_plan(const Scenario& scenario) {
  try {
    check_settings(scenario);
  } catch (const SetupError& error) {
    throw located(scenario, error);
  }
  return plan(scenario);
}

}  // namespace

double study_duration(const StudyRequest& request) {
  return request.duration.value_or(std::min(request.problem->duration, request.problem->reference_duration));
}

Scenario study_scenario(const StudyRequest& request) {
  Scenario scenario = problem_scenario(*request.problem);
  scenario.run.scalar = request.scalar;
  scenario.run.duration = study_duration(request);
  if (request.duration) scenario.origins["run.duration"] = {0, "--duration"};
  return scenario;
}

StudySubject subject_of(const StudyRequest& request) {
  const std::string name(request.problem->name);
  return {version(), name,
          fmt::format("reference solution of {}; 'polhode problems --json' tells how it is computed", name),
          request.scalar, study_duration(request)};
}

Result trial(const StudyRequest& request, const char* method, double step, RowSink* rows) {
  Scenario scenario = study_scenario(request);
  scenario.run.scalar = ScalarKind::double_;
  scenario.run.method = method;
  scenario.run.parameters.clear();
  scenario.run.step = step;
  scenario.output.columns = {Column::angular_velocity_body, Column::angular_momentum_spatial};
  return run(scenario, checked_plan(scenario), rows);
}

Motion motion_of(const StudyRequest& request) {
  Table table;
  const Result result = trial(request, "rkmk-4", request.problem->step, &table);
  if (!result.attitude_error) {
    throw Error(ErrorKind::bad_request,
                fmt::format("--duration: {} has no reference at t = {:.9g} s to measure errors against; stay within "
                            "its {} s",
                            request.problem->name, result.end.time.value, request.problem->reference_duration));
  }
  Motion motion;
  for (const std::vector<Number>& row : table.rows) {
    motion.rotation += std::hypot(row[1].value, row[2].value, row[3].value) / static_cast<double>(table.rows.size());
    motion.momentum = larger(motion.momentum, std::hypot(row[4].value, row[5].value, row[6].value));
  }
  motion.rotation *= std::abs(study_duration(request));
  return motion;
}

double attitude_floor(ScalarKind scalar, double rotation, long long steps) {
  return 4 * rounding_unit(scalar) * (1 + rotation) * std::sqrt(static_cast<double>(steps));
}

PlannedRun planned_run(const Scenario& base, const std::string& method, double step) {
  Scenario scenario = base;
  refuse_auto(method);
  scenario.run.method = method;
  scenario.run.parameters.clear();
  scenario.run.step = step;
  scenario.origins["run.method"] = {0, "--methods"};
  scenario.origins["run.step"] = {0, "--step-sizes"};
  Plan made = checked_plan(scenario);
  const double work = static_cast<double>(made.steps.count) * (1 + made.method.claims.torque_evaluations);
  return {std::move(scenario), std::move(made), work};
}

std::vector<double> in_falling_order(std::vector<double> steps) {
  std::sort(steps.begin(), steps.end(), std::greater<>());
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  return steps;
}

}  // namespace polhode
