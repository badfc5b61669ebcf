// A comparison of methods as JSON and CSV.
#include <fmt/format.h>

#include <iterator>

#include "io/study_text.hpp"
#include "polhode/studies/compare.hpp"

namespace polhode {
namespace {

std::string json_row(const ComparisonRow& row) {
  const std::optional<Quartiles> cost = row.cost();
  JsonObject object(JsonObject::Layout::one_line);
  object.add("method", row.method);
  object.add_raw("step", shortest(row.step));
  object.add("steps", row.steps);
  object.add_raw("attitude_error", json_number(row.attitude_error));
  object.add_raw("cost", cost ? fmt::format("{:.6g}", cost->median) : "null");
  object.add_raw("cost_spread", row.timings.size() > 1 ? fmt::format("{:.3g}", cost->range()) : "null");
  object.add_raw("cost_quartiles", cost ? fmt::format("[{:.6g}, {:.6g}]", cost->lower, cost->upper) : "null");
  object.add("timings", static_cast<long long>(row.timings.size()));
  object.add("torque_evaluations", row.torque_evaluations);
  object.add("converged", row.failure.empty());
  if (!row.failure.empty()) object.add("failure", row.failure);
  return object.text();
}

std::string json_choice(const Choice& choice) {
  std::vector<std::string> families;
  for (const FamilyChoice& chosen : choice.families) {
    JsonObject object(JsonObject::Layout::one_line);
    object.add("family", chosen.family);
    object.add("method", chosen.method);
    object.add("of", static_cast<long long>(chosen.of));
    families.push_back(object.text());
  }
  JsonObject object(JsonObject::Layout::one_line);
  object.add("rule", rule_of(choice));
  object.add_raw("attitude_error", choice.error ? fmt::format("{:.3g}", *choice.error) : "null");
  object.add("methods", static_cast<long long>(choice.methods));
  object.add_raw("families", json_list(families));
  return object.text();
}

std::string json_costs(const CostsAtError& at) {
  std::vector<std::string> costs;
  for (const CostsAtError::Cost& cost : at.costs) {
    JsonObject object(JsonObject::Layout::one_line);
    object.add("method", cost.method);
    object.add_raw("cost", fmt::format("{:.6g}", cost.seconds));
    object.add_raw("ratio", fmt::format("{:.4g}", cost.ratio));
    costs.push_back(object.text());
  }
  JsonObject object(JsonObject::Layout::one_line);
  object.add_raw("attitude_error", shortest(at.error));
  object.add_raw("costs", fmt::format("[{}]", fmt::join(costs, ", ")));
  object.add("more_accurate", at.more_accurate);
  object.add("less_accurate", at.less_accurate);
  return object.text();
}

}  // namespace

std::string rule_of(const Choice& choice) {
  if (!choice.error) return "the smallest error at the smallest step";
  return fmt::format(
      "the least time at an error of {:.2g} rad, the middle of the errors that at least half of {} methods reach",
      *choice.error, choice.methods);
}

std::string to_json(const Comparison& study) {
  std::vector<std::string> rows, costs;
  for (const ComparisonRow& row : study.rows) rows.push_back(json_row(row));
  for (const CostsAtError& at : study.at_errors) costs.push_back(json_costs(at));
  JsonObject object = json_subject(study);
  object.add("unit_of_cost", "s");
  object.add("meaning_of_cost", "median wall-clock time of one integration");
  object.add("meaning_of_cost_spread", "distance between the quartiles of the timings");
  object.add("repeats", static_cast<long long>(study.repeats));
  object.add_raw("choice", study.choice ? json_choice(*study.choice) : "null");
  object.add_raw("rows", json_list(rows));
  object.add_raw("at_error", json_list(costs));
  if (study.interrupted) object.add("interrupted", true);
  return object.text();
}

std::string to_csv(const Comparison& study) {
  std::string out = csv_subject(study);
  const auto line = std::back_inserter(out);
  fmt::format_to(line,
                 "# repeats: {}\n# cost: median wall-clock time of one integration; cost_spread: distance between the "
                 "quartiles\n",
                 study.repeats);
  if (study.choice) {
    fmt::format_to(line, "# chosen by: {}\n", rule_of(*study.choice));
    for (const FamilyChoice& chosen : study.choice->families) {
      fmt::format_to(line, "# chosen of {}: {}, of {}\n", chosen.family, chosen.method, chosen.of);
    }
  }
  for (const CostsAtError& at : study.at_errors) {
    for (const CostsAtError::Cost& cost : at.costs) {
      fmt::format_to(line, "# cost at an error of {}: {} {:.6g} s\n", shortest(at.error), cost.method, cost.seconds);
    }
  }
  out += "method,step[s],steps,attitude_error[rad],cost[s],cost_spread[s],torque_evaluations,converged\n";
  for (const ComparisonRow& row : study.rows) {
    const std::optional<Quartiles> cost = row.cost();
    fmt::format_to(line, "{},{},{},{},{:.6g},{:.3g},{},{}\n", row.method, shortest(row.step), row.steps,
                   csv_number(row.attitude_error), cost ? cost->median : NAN,
                   row.timings.size() > 1 ? cost->range() : NAN, row.torque_evaluations, row.failure.empty());
  }
  return out;
}

}  // namespace polhode
