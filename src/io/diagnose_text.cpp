// A diagnosis as JSON.
#include "io/study_head.hpp"
#include "polhode/io/study_text.hpp"

namespace polhode {
namespace {

Json json_optional(const std::optional<double>& value) { return value ? json_digits(*value, 6) : Json(); }

Json json_finding(const Finding& line) {
  return {{"key", line.key},
          {"about", line.about},
          {"claimed", line.claimed},
          {"measured", line.measured},
          {"value", json_optional(line.value)},
          {"uncertainty", json_optional(line.uncertainty)},
          {"zero", line.zero.empty() ? Json() : Json(line.zero)},
          {"bound", json_optional(line.bound)},
          {"verdict", verdict_name(line.verdict)},
          {"note", line.note.empty() ? Json() : Json(line.note)}};
}

Json json_curve(const ErrorCurve& curve) {
  Json points = Json::array();
  for (std::size_t i = 0; i < curve.points.size(); ++i) {
    const BoundedError& point = curve.points[i];
    points.push_back({{"step", json_digits(point.step, 9)},
                      {"error", std::isfinite(point.error) ? json_digits(point.error, 4) : Json()},
                      {"floor", json_digits(point.floor, 3)},
                      {"fitted", curve.order.standing.at(i) == Standing::fitted}});
  }
  const auto& fit = curve.order.fit;
  return {{"quantity", curve.quantity},
          {"situation", curve.situation},
          {"claimed", curve.claimed == exact_order ? Json("exact") : Json(curve.claimed)},
          {"order", fit ? json_digits(fit->order, 6) : Json()},
          {"uncertainty", fit ? json_digits(fit->uncertainty, 3) : Json()},
          {"points", std::move(points)}};
}

Json json_shares(const std::vector<double>& values) {
  Json list = Json::array();
  for (const double value : values) list.push_back(json_digits(value, 6));
  return list;
}

Json json_energy(const EnergyCurve& curve) {
  return {{"situation", curve.situation},
          {"step", json_digits(curve.step, 9)},
          {"steps", curve.steps},
          {"time", json_shares(curve.time)},
          {"least", json_shares(curve.least)},
          {"greatest", json_shares(curve.greatest)}};
}

}  // namespace

std::string to_json(const Diagnosis& study) {
  Json findings = Json::array(), errors = Json::array(), energies = Json::array();
  for (const Finding& line : study.findings) findings.push_back(json_finding(line));
  for (const ErrorCurve& curve : study.errors) errors.push_back(json_curve(curve));
  for (const EnergyCurve& curve : study.energies) energies.push_back(json_energy(curve));
  Json object{{"schema_version", 1},
              {"version", study.version},
              {"diagnosis_of", study.method},
              {"about", study.about},
              {"plugin", study.plugin.empty() ? Json() : Json(study.plugin)},
              {"problem", study.title},
              {"scalar", study.scalar},
              {"rate", json_digits(study.rate, 6)},
              {"reference_uncertainty", json_digits(study.reference_uncertainty, 3)},
              {"agree", study.count(Verdict::agrees)},
              {"disagree", study.count(Verdict::disagrees)},
              {"findings", std::move(findings)},
              {"errors", std::move(errors)},
              {"energies", std::move(energies)}};
  if (study.interrupted) object["interrupted"] = true;
  return json_text(object);
}

}  // namespace polhode
