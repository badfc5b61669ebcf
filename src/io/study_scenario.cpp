#include "polhode/io/study_scenario.hpp"

#include <numeric>

namespace polhode {
namespace {

double length_of_run(const Scenario& scenario) {
  const RunOptions& run = scenario.run;
  if (!run.step_file.empty() && !run.duration && !run.steps) {
    const std::vector<double> steps = read_step_file(run.step_file);
    return std::accumulate(steps.begin(), steps.end(), 0.0);
  }
  return run.steps ? static_cast<double>(*run.steps) * run.step : duration_of(run);
}

}  // namespace

StudyRequest study_request(const Scenario& scenario) {
  StudyRequest request;
  request.scalar = scenario.run.scalar;
  request.problem = scenario.problem;
  if (scenario.source.empty()) {
    if (is_stated(scenario, "run.duration")) request.duration = scenario.run.duration;
  } else {
    request.situation = {scenario.title, scenario.setup, length_of_run(scenario)};
  }
  request.reference = reference_of(scenario);
  return request;
}

}  // namespace polhode
