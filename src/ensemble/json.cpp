#include "polhode/ensemble/json.hpp"

#include <cmath>

#include "core/json_text.hpp"

namespace polhode {
namespace {

Json time_of(const std::optional<double>& time) { return time ? json_number(*time) : Json("end"); }

Json statistics(const EnsembleResult& result) {
  Json rows = Json::array();
  for (const NamedTally& one : result.statistics) {
    const Tally& tally = one.tally;
    rows.push_back({{"quantity", one.quantity},
                    {"time", time_of(one.time)},
                    {"count", tally.count()},
                    {"not_finite", tally.not_finite()},
                    {"least", json_number(tally.least())},
                    {"mean", json_number(tally.mean())},
                    {"largest", json_number(tally.largest())},
                    {"deviation", json_number(tally.deviation())}});
  }
  return rows;
}

Json histograms(const EnsembleResult& result) {
  Json rows = Json::array();
  for (const NamedTally& one : result.statistics) {
    const auto& histogram = one.tally.histogram();
    if (!histogram) continue;
    const auto bins = one.tally.bins();
    rows.push_back({{"quantity", one.quantity},
                    {"time", time_of(one.time)},
                    {"low", json_number(histogram->low)},
                    {"high", json_number(histogram->high)},
                    {"below", one.tally.below()},
                    {"above", one.tally.above()},
                    {"bins", std::vector<std::uint64_t>(bins.begin(), bins.end())}});
  }
  return rows;
}

Json numbers(const std::vector<double>& values) {
  Json all = Json::array();
  for (const double x : values) all.push_back(json_number(x));
  return all;
}

Json quantiles(const EnsembleResult& result) {
  Json rows = Json::array();
  for (const NamedQuantiles& one : result.quantiles) {
    rows.push_back({{"quantity", one.quantity},
                    {"time", time_of(one.time)},
                    {"probabilities", numbers(one.probabilities)},
                    {"values", numbers(one.values)}});
  }
  return rows;
}

Json failures(const EnsembleResult& result) {
  Json rows = Json::array();
  for (const BodyFailure& one : result.failures)
    rows.push_back({{"body", one.body}, {"step", one.step}, {"time", json_number(one.time)}, {"reason", one.reason}});
  return rows;
}

}  // namespace

std::string to_json(const EnsembleResult& result) {
  const EnsembleAbout& about = result.about;
  Json json{{"schema_version", 1},
            {"title", about.title},
            {"method", about.method},
            {"bodies", about.bodies},
            {"first", about.first},
            {"last", about.last},
            {"followed", result.followed},
            {"failed", result.failed},
            {"step", json_number(about.step)},
            {"steps", about.steps},
            {"begin", json_number(about.begin)},
            {"end", json_number(about.end)},
            {"seed", about.seed},
            {"seconds", json_number(result.seconds)},
            {"body_steps_per_second", json_number(result.body_steps_per_second)},
            {"threads", about.threads},
            {"device", about.device},
            {"instruction_set", about.instruction_set},
            {"fused", about.fused}};
  if (about.ranks > 1) json["ranks"] = about.ranks;
  if (!about.card.empty()) json["card"] = about.card;
  if (!about.why_no_packs.empty()) json["why_no_packs"] = about.why_no_packs;
  json["energy_conserved"] = about.energy_conserved;
  for (const NamedTally& one : result.statistics) {
    if (one.quantity == "energy_error") json["energy_error_max"] = json_number(one.tally.largest());
    if (one.quantity == "attitude_error") json["attitude_error_max"] = json_number(one.tally.largest());
  }
  json["statistics"] = statistics(result);
  json["histograms"] = histograms(result);
  json["quantiles"] = quantiles(result);
  json["failures"] = failures(result);
  json["interrupted"] = result.interrupted;
  json["version"] = about.version;
  return json_text(json);
}

}  // namespace polhode
