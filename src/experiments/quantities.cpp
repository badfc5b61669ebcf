#include "experiments/quantities.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "experiments/columns.hpp"
#include "experiments/energy_room.hpp"
#include "experiments/search.hpp"
#include "experiments/timing.hpp"
#include "polhode/core/names.hpp"
#include "polhode/studies/converge.hpp"

namespace polhode::experiments {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();

using OfResult = double (*)(const Result&);
// What the end of a run gives, whether or not it got there.
const std::map<std::string, OfResult, std::less<>> of_any_result{
    {"failed", [](const Result& r) { return r.failure ? 1.0 : 0.0; }},
    {"steps_taken", [](const Result& r) { return static_cast<double>(r.steps); }},
    {"largest_solvable_step",
     [](const Result& r) { return r.failure && r.failure->largest_step ? *r.failure->largest_step : none; }}};
const std::map<std::string, OfResult, std::less<>> of_whole_result{
    {"energy", [](const Result& r) { return r.end.energy.value; }},
    {"kinetic_energy", [](const Result& r) { return r.end.kinetic_energy.value; }},
    {"energy_change", [](const Result& r) { return r.energy_change; }},
    {"energy_error_max", [](const Result& r) { return r.energy_error_max.value_or(none); }},
    {"momentum_change", [](const Result& r) { return r.momentum_change; }},
    {"torque_evaluations", [](const Result& r) { return static_cast<double>(r.work.torque_evaluations); }},
    {"solver_iterations", [](const Result& r) { return static_cast<double>(r.work.solver_iterations); }},
    {"projections_given_up", [](const Result& r) { return static_cast<double>(r.work.projections_given_up); }},
    {"iterations_per_step",
     [](const Result& r) { return static_cast<double>(r.work.solver_iterations) / static_cast<double>(r.steps); }}};

// A slope counts only where the energy has room to move.
double drift(const Parameters& parameters, Runs& runs, double Drift::*which) {
  const std::shared_ptr<const Result> result = runs.result(parameters);
  if (result->failure || !result->energy_drift) return none;
  return energy_room(runs.scenario(parameters), *result) < least_room ? none : (*result->energy_drift).*which;
}

using OfErrors = double EndErrors::*;
const std::map<std::string, OfErrors, std::less<>> of_errors{{"attitude_error", &EndErrors::attitude},
                                                             {"momentum_error", &EndErrors::momentum},
                                                             {"rotation_vector_error", &EndErrors::rotation_vector},
                                                             {"velocity_error", &EndErrors::velocity}};

double rows_statistic(const Parameters& parameters, Runs& runs) {
  const std::string& column = parameters.text("column");
  Curve curve = is_matrix_column(column) ? matrix_curve(runs.scenario(parameters), column)
                                         : curve_of(*runs.motion(parameters), column);
  const auto skip = std::min(static_cast<long>(parameters.number_or("from_row", 0)), static_cast<long>(curve.t.size()));
  curve.t.erase(curve.t.begin(), curve.t.begin() + skip);
  curve.values.erase(curve.values.begin(), curve.values.begin() + skip);
  return statistic_of(curve, parameters.text("statistic"));
}

double order(const Parameters& parameters, const Runs& runs, AsymptoticOrder MethodOrders::*which) {
  const Scenario scenario = runs.scenario(parameters);
  if (scenario.problem == nullptr) {
    throw Error(ErrorKind::bad_file, "an order needs problem = \"...\": a scenario has no reference");
  }
  ConvergenceRequest request{
      scenario.problem, {parameters.text("method")}, parameters.numbers("step_sizes"), {}, scenario.run.scalar};
  if (parameters.has("duration")) request.duration = parameters.number("duration");
  try {
    const Convergence study = converge(request, {});
    const AsymptoticOrder& found = study.orders.at(0).*which;
    return found.fit ? found.fit->order : none;
  } catch (const SetupError& error) {
    throw Error(ErrorKind::bad_file, error.what());
  }
}

double initial_speed(const Parameters& parameters, const Runs& runs) {
  const Scenario scenario = runs.scenario(parameters);
  const Prepared<double> prepared = prepare<double>(scenario.setup);
  return norm(prepared.body_in_user_units().velocity(prepared.in_user_units(prepared.start).pi_B));
}

// In degrees, by the speed at the beginning.
double rotation_per_step(const Parameters& parameters, Runs& runs) {
  const double step = parameters.has("accuracy") ? parameters.number("duration") / steps_needed(parameters, runs)
                                                 : parameters.number("step");
  return step * initial_speed(parameters, runs) * 180 / std::numbers::pi;
}

using Direct = double (*)(const Parameters&, Runs&);
const std::map<std::string, Direct, std::less<>> direct{
    {"energy_drift_rate", [](const Parameters& p, Runs& r) { return drift(p, r, &Drift::rate); }},
    {"energy_drift_uncertainty", [](const Parameters& p, Runs& r) { return drift(p, r, &Drift::uncertainty); }},
    {"energy_room", [](const Parameters& p, Runs& r) { return energy_room(r.scenario(p), *r.result(p)); }},
    {"rows", rows_statistic},
    {"order_attitude", [](const Parameters& p, Runs& r) { return order(p, r, &MethodOrders::attitude); }},
    {"order_momentum", [](const Parameters& p, Runs& r) { return order(p, r, &MethodOrders::momentum); }},
    {"steps_needed", [](const Parameters& p, Runs& r) { return steps_needed(p, r); }},
    {"rotation_per_step", rotation_per_step},
    {"time_per_step", [](const Parameters& p, Runs& r) { return time_per_step(p, r); }},
    {"relative_cost", [](const Parameters& p, Runs& r) { return relative_cost(p, r); }},
    {"value", [](const Parameters& p, Runs&) { return p.number("value"); }}};

[[noreturn]] void refuse(const std::string& quantity) {
  std::vector<std::string> names;
  const auto add = [&](const auto& list) {
    for (const auto& [name, unused] : list) names.push_back(name);
  };
  add(of_any_result);
  add(of_whole_result);
  add(of_errors);
  add(direct);
  throw Error(ErrorKind::bad_file,
              fmt::format("quantity = '{}' is none; there are {}", quantity, fmt::join(names, ", ")));
}

std::string where(const Parameters& parameters, const std::string& experiment) {
  return parameters.has("scenario") ? fmt::format("experiments/{}/{}", experiment, parameters.text("scenario"))
                                    : fmt::format("--problem {}", parameters.text_or("problem", ""));
}

}  // namespace

double measure(const Parameters& parameters, Runs& runs) {
  const std::string& quantity = parameters.text("quantity");
  if (const auto found = of_any_result.find(quantity); found != of_any_result.end()) {
    return found->second(*runs.result(parameters));
  }
  if (const auto found = of_whole_result.find(quantity); found != of_whole_result.end()) {
    const std::shared_ptr<const Result> result = runs.result(parameters);
    return result->failure ? none : found->second(*result);
  }
  if (const auto found = of_errors.find(quantity); found != of_errors.end()) {
    const std::optional<EndErrors> errors = runs.errors(parameters);
    return errors ? (*errors).*(found->second) : none;
  }
  if (const auto found = direct.find(quantity); found != direct.end()) return found->second(parameters, runs);
  refuse(quantity);
}

bool is_timing(const Parameters& parameters) {
  const std::string quantity = parameters.text_or("quantity", "");
  return quantity == "time_per_step" || quantity == "relative_cost";
}

bool takes_step_list(const Parameters& parameters) { return parameters.text_or("quantity", "").starts_with("order_"); }

std::string command_of(const Parameters& parameters, const std::string& experiment) {
  const std::string quantity = parameters.text_or("quantity", "");
  if (quantity == "value") return "";
  const bool searched = quantity == "steps_needed" || parameters.has("accuracy");
  if (searched || is_timing(parameters) || is_matrix_column(parameters.text_or("column", ""))) {
    return fmt::format("polhode reproduce {}", experiment);
  }
  std::string command =
      fmt::format("polhode {} {}", takes_step_list(parameters) ? "converge" : "run", where(parameters, experiment));
  const auto add = [&](const char* key, const char* flag) {
    if (parameters.has(key)) command += fmt::format(" {} {}", flag, parameters.text(key));
  };
  if (takes_step_list(parameters)) {
    add("method", "--methods");
    add("step_sizes", "--step-sizes");
  } else {
    add("method", "--method");
    add("step", "--step");
    add("steps", "--steps");
  }
  add("duration", "--duration");
  add("scalar", "--scalar");
  add("every", "--every");
  return command + (quantity == "rows" ? " --output rows.csv" : " --json");
}

}  // namespace polhode::experiments
