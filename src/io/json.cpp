#include "polhode/io/json.hpp"

#include "core/json_text.hpp"

namespace polhode {
namespace {

std::string number_or_null(const std::optional<double>& x) {
  return x ? json_value(Number{*x, fmt::format("{}", *x)}) : "null";
}

std::string json_of(const Selection& selection) {
  JsonObject object(JsonObject::Layout::one_line);
  object.add_raw("tolerance", json_number(selection.tolerance));
  object.add("goal", goal_name(selection.goal));
  object.add("method", selection.method.name);
  object.add_raw("step", json_number(selection.step));
  object.add_raw("predicted_error", json_number(selection.predicted_error));
  object.add("reaches_tolerance", selection.reaches);
  object.add("methods_tried", static_cast<long long>(selection.methods));
  object.add_raw("next_best", selection.next_best.empty() ? "null" : json_string(selection.next_best));
  object.add_raw("next_best_ratio", selection.next_best.empty() ? "null" : json_number(selection.next_best_ratio));
  object.add("extrapolated", selection.extrapolated);
  return object.text();
}

}  // namespace

std::string to_json(const Result& result) {
  const Snapshot& end = result.end;
  const std::optional<Drift>& drift = result.energy_drift;
  JsonObject object;
  object.add_raw("schema_version", "1");
  object.add("version", result.about.version);
  object.add("method", result.about.method);
  object.add("problem", result.about.problem);
  object.add("scalar", scalar_name(result.about.scalar));
  object.add_raw("step", result.about.step.empty() ? "null" : result.about.step);
  if (result.about.tolerance) object.add_raw("tolerance", json_number(*result.about.tolerance));
  if (result.about.selection) object.add_raw("auto", json_of(*result.about.selection));
  if (!result.about.step_file.empty()) object.add("step_file", result.about.step_file);
  object.add("steps", result.steps);
  object.add("time", end.time);
  object.add("attitude_wxyz", end.attitude_wxyz);
  object.add("rotation_matrix", end.rotation_matrix);
  if (result.about.space == Space::sphere) object.add("direction", end.direction);
  object.add("angular_velocity_body", end.angular_velocity_body);
  object.add("angular_momentum_body", end.angular_momentum_body);
  object.add("angular_momentum_spatial", end.angular_momentum_spatial);
  object.add("energy", end.energy);
  object.add("energy_initial", result.start.energy);
  object.add("kinetic_energy", end.kinetic_energy);
  object.add("energy_terms", energy_terms(result.about));
  object.add("energy_conserved", result.about.energy_conserved);
  object.add_raw("energy_drift_rate", number_or_null(drift ? std::optional(drift->rate) : std::nullopt));
  object.add_raw("energy_drift_rate_uncertainty",
                 number_or_null(drift ? std::optional(drift->uncertainty) : std::nullopt));
  object.add_raw("energy_error_max", number_or_null(result.energy_error_max));
  object.add("steps_halved", result.steps_halved);
  object.add("torque_evaluations", result.work.torque_evaluations);
  if (result.work.own_steps > 0) object.add("own_steps", result.work.own_steps);
  object.add("solver_iterations", result.work.solver_iterations);
  object.add("projections_given_up", result.work.projections_given_up);
  object.add("converged", result.work.converged);
  object.add("warnings", result.warnings);
  if (result.attitude_error) object.add("attitude_error", *result.attitude_error);
  if (result.momentum_error) object.add("momentum_error", *result.momentum_error);
  if (result.failure) {
    object.add("failure", result.failure->sentence);
    object.add("failed_step", result.failure->step);
    object.add_raw("failed_residual", number_or_null(result.failure->residual));
    object.add_raw("largest_solvable_step", number_or_null(result.failure->largest_step));
  }
  if (result.interrupted) object.add("interrupted", true);
  return object.text();
}

}  // namespace polhode
