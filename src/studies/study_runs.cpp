#include "studies/study_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "polhode/core/version.hpp"
#include "polhode/measure/extremes.hpp"

namespace polhode {
namespace {

// A study states the steps, which auto would choose.
void refuse_auto(const std::string& method) {
  if (method != automatic_method) return;
  throw SetupError(
      "run.method",
      "auto chooses a method and a step for a tolerance, and a study needs methods by their names; a run by "
      "auto says which one it chooses");
}

}  // namespace

double study_duration(const StudyRequest& request) {
  return request.duration.value_or(std::min(request.problem->duration, request.problem->reference_duration));
}

RunRequest study_run(const StudyRequest& request) {
  RunRequest run;
  run.setup = request.problem->setup;
  run.problem = request.problem;
  run.title = request.problem->name;
  run.run.scalar = request.scalar;
  run.run.step = request.problem->step;
  run.run.duration = study_duration(request);
  return run;
}

StudySubject subject_of(const StudyRequest& request) {
  const std::string name(request.problem->name);
  return {version(), name,
          fmt::format("reference solution of {}; 'polhode problems --json' says how it is computed", name),
          request.scalar, study_duration(request)};
}

Result trial(const StudyRequest& request, const char* method, double step, ResultWriter* rows) {
  RunRequest wanted = study_run(request);
  wanted.run.scalar = ScalarKind::double_;
  wanted.run.method = method;
  wanted.run.step = step;
  wanted.columns = parse_columns({"angular_velocity_body", "angular_momentum_spatial"});
  return run(plan(std::move(wanted)), rows);
}

Motion motion_of(const StudyRequest& request) {
  Table table;
  const Result result = trial(request, "rkmk-4", request.problem->step, &table);
  if (!result.attitude_error) {
    throw SetupError("run.duration",
                     fmt::format("{} has no reference at t = {:.9g} s to measure errors against; stay within "
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

PlannedRun planned_run(const RunRequest& base, const std::string& method, double step) {
  refuse_auto(method);
  RunRequest wanted = base;
  wanted.run.method = method;
  wanted.run.step = step;
  Plan made = plan(std::move(wanted));
  const double work = static_cast<double>(made.steps.count) * (1 + made.method.claims.torque_evaluations);
  return {std::move(made), work};
}

std::vector<double> in_falling_order(std::vector<double> steps) {
  std::sort(steps.begin(), steps.end(), std::greater<>());
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  return steps;
}

}  // namespace polhode
