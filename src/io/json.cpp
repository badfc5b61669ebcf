#include "polhode/io/json.hpp"

#include <fmt/format.h>

#include "core/number_text.hpp"
#include "io/number_json.hpp"

namespace polhode {
namespace {

// What is not finite is a string.
Json number_or_null(const std::optional<double>& x) {
  if (!x) return {};
  return std::isfinite(*x) ? json_number(*x) : Json(shortest(*x));
}

Json json_of(const Selection& selection) {
  const bool alone = selection.next_best.empty();
  return {{"tolerance", json_number(selection.tolerance)},
          {"goal", goal_name(selection.goal)},
          {"method", selection.method.name},
          {"step", json_number(selection.step)},
          {"predicted_error", json_number(selection.predicted_error)},
          {"reaches_tolerance", selection.reaches},
          {"methods_tried", selection.methods},
          {"next_best", alone ? Json() : Json(selection.next_best)},
          {"next_best_ratio", alone ? Json() : json_number(selection.next_best_ratio)},
          {"extrapolated", selection.extrapolated}};
}

Json json_of(const Event& event) {
  return {{"name", event.name},
          {"t", event.at.time},
          {"direction", crossing_name(event.rising ? Crossing::rising : Crossing::falling)},
          {"terminal", event.terminal},
          {"attitude_wxyz", event.at.attitude_wxyz},
          {"angular_velocity_body", event.at.angular_velocity_body}};
}

Json list_of(const std::array<double, 3>& v) {
  return {number_or_null(v[0]), number_or_null(v[1]), number_or_null(v[2])};
}

Json json_of(const Sensitivity& one) {
  return {{"by", one.by.name},
          {"unit", one.by.unit},
          {"rotation_vector_body", list_of(one.theta_B)},
          {"angular_velocity_body", list_of(one.w_B)},
          {"angular_momentum_spatial", list_of(one.L_S)}};
}

Json json_of(const Monodromy& monodromy) {
  Json matrix = Json::array(), multipliers = Json::array();
  for (const auto& row : monodromy.matrix) {
    Json entries = Json::array();
    for (const double entry : row) entries.push_back(number_or_null(entry));
    matrix.push_back(std::move(entries));
  }
  for (const std::complex<double>& one : monodromy.multipliers)
    multipliers.push_back(Json{number_or_null(one.real()), number_or_null(one.imag())});
  return {{"matrix", std::move(matrix)},
          {"multipliers", std::move(multipliers)},
          {"symplectic_defect", number_or_null(monodromy.symplectic_defect)},
          {"return_angle", json_number(monodromy.return_angle)},
          {"return_momentum", json_number(monodromy.return_momentum)}};
}

void add(Json& object, const Sensitivities& all) {
  if (!all.numbers.empty()) {
    object["sensitivities"] = Json::array();
    for (const Sensitivity& one : all.numbers) object["sensitivities"].push_back(json_of(one));
  }
  if (all.monodromy) object["monodromy"] = json_of(*all.monodromy);
  if (!all.lyapunov) return;
  object["lyapunov_exponent"] = number_or_null(all.lyapunov->exponent);
  object["lyapunov_exponent_second_half"] = number_or_null(all.lyapunov->second_half);
}

Json json_of(const ReferenceUse& reference, const Result& result) {
  const auto digits = [](double value) { return verbatim(fmt::format("{:.3g}", value)); };
  return {{"source", source_name(reference.source)},
          {"attitude_uncertainty", digits(reference.attitude_uncertainty)},
          {"momentum_uncertainty", digits(reference.momentum_uncertainty)},
          {"attitude_resolved", result.attitude_error->value >= reference.attitude_uncertainty},
          {"momentum_resolved", result.momentum_error->value >= reference.momentum_uncertainty}};
}

Json quantities_of(const Result& result) {
  Json object = Json::object();
  for (std::size_t i = 0; i < result.quantities.size(); ++i) object[result.about.quantities[i]] = result.quantities[i];
  return object;
}

}  // namespace

std::string to_json(const Result& result) {
  const Snapshot& end = result.end;
  const std::optional<Drift>& drift = result.energy_drift;
  Json object{{"schema_version", 1},
              {"version", result.about.version},
              {"method", result.about.method},
              {"problem", result.about.problem},
              {"scalar", scalar_name(result.about.scalar)},
              {"step", result.about.step ? json_number(*result.about.step) : Json()}};
  if (result.about.tolerance) object["tolerance"] = json_number(*result.about.tolerance);
  if (result.about.selection) object["auto"] = json_of(*result.about.selection);
  if (!result.about.step_file.empty()) object["step_file"] = result.about.step_file;
  if (!result.about.step_scale.empty()) object["step_scale"] = result.about.step_scale;
  object["status"] = status_name(result.status);
  object["steps"] = result.steps;
  if (result.step_range) {
    object["step_smallest"] = json_number((*result.step_range)[0]);
    object["step_largest"] = json_number((*result.step_range)[1]);
  }
  object["time"] = end.time;
  object["attitude_wxyz"] = end.attitude_wxyz;
  object["rotation_matrix"] = end.rotation_matrix;
  if (result.about.space == Space::sphere) object["direction"] = end.direction;
  object["angular_velocity_body"] = end.angular_velocity_body;
  object["angular_momentum_body"] = end.angular_momentum_body;
  object["angular_momentum_spatial"] = end.angular_momentum_spatial;
  object["energy"] = end.energy;
  object["energy_initial"] = result.start.energy;
  object["kinetic_energy"] = end.kinetic_energy;
  object["energy_terms"] = energy_terms(result.about);
  object["energy_conserved"] = result.about.energy_conserved;
  object["energy_drift_rate"] = number_or_null(drift ? std::optional(drift->rate) : std::nullopt);
  object["energy_drift_rate_uncertainty"] = number_or_null(drift ? std::optional(drift->uncertainty) : std::nullopt);
  object["energy_error_max"] = number_or_null(result.energy_error_max);
  if (!result.about.quantities.empty()) object["quantities"] = quantities_of(result);
  if (result.sensitivities) add(object, *result.sensitivities);
  object["events"] = Json::array();
  for (const Event& event : result.events) object["events"].push_back(json_of(event));
  object["steps_halved"] = result.steps_halved;
  object["torque_evaluations"] = result.work.torque_evaluations;
  if (result.work.own_steps > 0) object["own_steps"] = result.work.own_steps;
  object["solver_iterations"] = result.work.solver_iterations;
  object["projections_given_up"] = result.work.projections_given_up;
  object["converged"] = result.work.converged;
  object["warnings"] = result.warnings;
  if (result.attitude_error) object["attitude_error"] = *result.attitude_error;
  if (result.momentum_error) object["momentum_error"] = *result.momentum_error;
  if (result.reference) object["reference"] = json_of(*result.reference, result);
  if (!result.no_reference.empty()) object["reference"] = {{"source", Json()}, {"reason", result.no_reference}};
  if (result.failure) {
    object["failure"] = result.failure->sentence;
    object["failed_step"] = result.failure->step;
    object["failed_residual"] = number_or_null(result.failure->residual);
    object["largest_solvable_step"] = number_or_null(result.failure->largest_step);
  }
  if (result.interrupted) object["interrupted"] = true;
  return json_text(object);
}

}  // namespace polhode
