// A comparison of methods as JSON and CSV.
#include <fmt/format.h>

#include <iterator>

#include "io/study_head.hpp"
#include "polhode/io/study_text.hpp"

namespace polhode {
namespace {

Json json_row(const ComparisonRow& row) {
  const std::optional<Quartiles> cost = row.cost();
  Json object{{"method", row.method},
              {"step", json_number(row.step)},
              {"steps", row.steps},
              {"attitude_error", json_number(row.attitude_error)},
              {"cost", cost ? json_digits(cost->median, 6) : Json()},
              {"cost_spread", row.timings.size() > 1 ? json_digits(cost->range(), 3) : Json()},
              {"cost_quartiles", Json()},
              {"timings", row.timings.size()},
              {"torque_evaluations", row.torque_evaluations},
              {"converged", row.failure.empty()}};
  if (cost) object["cost_quartiles"] = {json_digits(cost->lower, 6), json_digits(cost->upper, 6)};
  if (!row.failure.empty()) object["failure"] = row.failure;
  return object;
}

Json json_choice(const Choice& choice) {
  Json families = Json::array();
  for (const FamilyChoice& chosen : choice.families) {
    families.push_back({{"family", chosen.family}, {"method", chosen.method}, {"of", chosen.of}});
  }
  return {{"rule", rule_of(choice)},
          {"attitude_error", choice.error ? json_digits(*choice.error, 3) : Json()},
          {"methods", choice.methods},
          {"families", std::move(families)}};
}

Json json_costs(const CostsAtError& at) {
  Json costs = Json::array();
  for (const CostsAtError::Cost& cost : at.costs) {
    costs.push_back(
        {{"method", cost.method}, {"cost", json_digits(cost.seconds, 6)}, {"ratio", json_digits(cost.ratio, 4)}});
  }
  return {{"attitude_error", json_number(at.error)},
          {"costs", std::move(costs)},
          {"more_accurate", at.more_accurate},
          {"less_accurate", at.less_accurate}};
}

}  // namespace

std::string to_json(const Comparison& study) {
  Json rows = Json::array(), costs = Json::array();
  for (const ComparisonRow& row : study.rows) rows.push_back(json_row(row));
  for (const CostsAtError& at : study.at_errors) costs.push_back(json_costs(at));
  Json object = json_subject(study);
  object["unit_of_cost"] = "s";
  object["meaning_of_cost"] = "median wall-clock time of one integration";
  object["meaning_of_cost_spread"] = "distance between the quartiles of the timings";
  object["repeats"] = study.repeats;
  object["choice"] = study.choice ? json_choice(*study.choice) : Json();
  object["rows"] = std::move(rows);
  object["at_error"] = std::move(costs);
  if (study.interrupted) object["interrupted"] = true;
  return json_text(object);
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
