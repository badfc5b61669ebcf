#include "experiments/result_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "polhode/core/version.hpp"
#include "polhode/io/scenario.hpp"

namespace polhode::experiments {
namespace {

Json finite(double value) {
  if (std::isfinite(value)) return value;
  return readable(value);
}

Json items_json(const std::vector<ItemOutcome>& items) {
  Json list = Json::array();
  for (const ItemOutcome& item : items) {
    Json fields = Json::object();
    for (const auto& [name, value] : item.fields) fields[name] = value;
    list.push_back({{"item", item.item},
                    {"published", item.published},
                    {"measured", item.measured},
                    {"value", item.allowed == "used" ? Json(nullptr) : finite(item.value)},
                    {"allowed", item.allowed},
                    {"unit", item.unit},
                    {"place", item.place},
                    {"verdict", item.verdict},
                    {"tolerance", item.tolerance},
                    {"reason", item.reason},
                    {"command", item.command},
                    {"fields", fields},
                    {"note", item.note}});
  }
  return list;
}

Json claims_json(const std::vector<ClaimOutcome>& claims) {
  Json list = Json::array();
  for (const ClaimOutcome& claim : claims) {
    Json measured = Json::array();
    for (const MeasuredNumber& number : claim.measured) {
      measured.push_back({{"name", number.name},
                          {"value", finite(number.value)},
                          {"allowed", number.allowed},
                          {"expression", number.expression}});
    }
    list.push_back({{"id", claim.id},
                    {"claim", claim.claim},
                    {"place", claim.place},
                    {"command", claim.command},
                    {"measured", measured},
                    {"criterion", claim.criterion},
                    {"holds_if", claim.holds_if},
                    {"missing", claim.missing},
                    {"verdict", claim.verdict},
                    {"note", claim.note},
                    {"test", claim.test},
                    {"filter", claim.filter},
                    {"test_outcome", claim.test_outcome},
                    {"timed", claim.timed}});
  }
  return list;
}

Json panel_json(const PanelOutcome& outcome) {
  const Panel& panel = *outcome.panel;
  Json curves = Json::array();
  for (const CurveOutcome& curve : outcome.curves) {
    curves.push_back({{"label", curve.label},
                      {"method", curve.method},
                      {"step", finite(curve.step)},
                      {"file", curve.file},
                      {"failure", curve.failure},
                      {"reference", curve.reference}});
  }
  Json marks = Json::array();
  for (const Panel::Mark& mark : panel.marks) marks.push_back({{"label", mark.label}, {"at", mark.at}});
  return {{"title", panel.title},
          {"kind", panel.kind},
          {"columns", panel.columns},
          {"x_label", panel.x_label},
          {"y_label", panel.y_label},
          {"log", panel.log},
          {"reference_slope", panel.reference_slope ? Json(*panel.reference_slope) : Json(nullptr)},
          {"levels", panel.levels},
          {"potential", outcome.potential},
          {"marks", marks},
          {"curves", curves}};
}

// FNV-1a, 64 bits.
void mix(std::uint64_t& hash, std::string_view text) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  hash = (hash ^ 0xffU) * 0x100000001b3ULL;
}

std::uint64_t digest_of_program() {
  std::uint64_t hash = 0xcbf29ce484222325ULL;
  try {
    mix(hash, read_text_file("/proc/self/exe"));
  } catch (const Error&) {
    mix(hash, version());  // a system without it: the version must do
  }
  return hash;
}

std::string measured_text(const Json& claim) {
  if (!claim["test"].get<std::string>().empty()) {
    return fmt::format("{} {}: {}", claim["test"].get<std::string>(), claim["filter"].get<std::string>(),
                       claim["test_outcome"].get<std::string>());
  }
  std::vector<std::string> parts;
  for (const Json& number : claim["measured"]) {
    const Json& value = number["value"];
    parts.push_back(
        fmt::format("{} = {}", number["name"].get<std::string>(),
                    value.is_number() ? fmt::format("{:.4g}", value.get<double>()) : value.get<std::string>()));
  }
  return fmt::format("{}", fmt::join(parts, "; "));
}

}  // namespace

Json to_json(const Experiment& experiment, const Outcome& outcome, Set run_set, const std::string& digest) {
  Json result{{"experiment", experiment.name},
              {"title", experiment.title},
              {"paper", experiment.paper},
              {"place", experiment.place},
              {"set", set_name(experiment.set)},
              {"about", experiment.about},
              {"command", fmt::format("polhode reproduce {}{}", experiment.name,
                                      run_set == Set::standard ? "" : fmt::format(" --{}", set_name(run_set)))},
              {"version", version()},
              {"digest", digest},
              {"run_set", set_name(run_set)},
              {"seconds", outcome.seconds},
              {"items", items_json(outcome.items)},
              {"claims", claims_json(outcome.claims)}};
  if (!experiment.table_rows.empty()) {
    result["table"] = {{"rows", experiment.table_rows}, {"columns", experiment.table_columns}};
  }
  if (!outcome.panels.empty()) {
    Json panels = Json::array();
    for (const PanelOutcome& panel : outcome.panels) panels.push_back(panel_json(panel));
    result["figure"] = {{"caption", experiment.caption}, {"columns", experiment.figure_columns}, {"panels", panels}};
  }
  result["left_out"] = outcome.left_out;
  result["rows"] = row_names(experiment);
  return result;
}

std::string digest_of(const Experiment& experiment, Set run_set, const std::string& tests) {
  static const std::uint64_t program = digest_of_program();
  std::uint64_t hash = program;
  mix(hash, set_name(run_set));
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(experiment.folder)) {
    const std::string name = entry.path().filename().string();
    if (name != "README.md" && name != "verdicts.csv" && entry.is_regular_file()) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  for (const auto& file : files) {
    mix(hash, file.filename().string());
    mix(hash, read_text_file(file.string()));
  }
  for (const Claim& claim : experiment.claims) {
    std::error_code absent;
    const auto time = std::filesystem::last_write_time(tests + '/' + claim.test, absent);
    if (!claim.test.empty()) mix(hash, absent ? "" : std::to_string(time.time_since_epoch().count()));
  }
  return fmt::format("{:016x}", hash);
}

std::optional<Json> kept_result(const std::string& path, const std::string& digest) {
  if (!std::filesystem::exists(path)) return std::nullopt;
  Json result = Json::parse(read_text_file(path), nullptr, false);
  if (result.is_discarded() || !result.is_object() || result.value("digest", "") != digest) return std::nullopt;
  return result;
}

Json gathered_verdicts(const std::vector<Json>& results) {
  Json list = Json::array();
  for (const Json& result : results) {
    for (const Json& item : result["items"]) {
      list.push_back({{"experiment", result["experiment"]},
                      {"item", item["item"]},
                      {"published", item["published"]},
                      {"measured", item["measured"]},
                      {"verdict", item["verdict"]},
                      {"tolerance", item["tolerance"]},
                      {"reason", item["reason"]}});
    }
    for (const Json& claim : result["claims"]) {
      list.push_back({{"experiment", result["experiment"]},
                      {"item", claim["id"]},
                      {"published", claim["claim"]},
                      {"measured", measured_text(claim)},
                      {"verdict", claim["verdict"]},
                      {"tolerance", claim["criterion"]},
                      {"reason", claim["note"]}});
    }
  }
  return list;
}

std::string gathered_claims(const std::vector<Json>& results) {
  std::string text = "experiment,id,claim,place,command,measured,verdict\n";
  for (const Json& result : results) {
    for (const Json& claim : result["claims"]) {
      const auto field = [&](const char* key) { return csv_field(claim[key].get<std::string>()); };
      text +=
          fmt::format("{},{},{},{},{},{},{}\n", result["experiment"].get<std::string>(), field("id"), field("claim"),
                      field("place"), field("command"), csv_field(measured_text(claim)), field("verdict"));
    }
  }
  return text;
}

}  // namespace polhode::experiments
