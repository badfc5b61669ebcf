// A convergence study as JSON and CSV.
#include <fmt/format.h>

#include <iterator>

#include "io/study_head.hpp"
#include "polhode/io/study_text.hpp"
#include "polhode/methods/registry.hpp"

namespace polhode {
namespace {

std::string_view name(Standing standing) {
  switch (standing) {
    case Standing::fitted: return "fitted";
    case Standing::failed: return "failed";
    case Standing::saturated: return "saturated";
    case Standing::unsettled: return "unsettled";
    case Standing::levelled: return "levelled";
    case Standing::rounding: break;
  }
  return "rounding";
}

Json json_row(const ConvergenceRow& row, const MethodOrders* orders, std::size_t index) {
  Json object{{"method", row.method},
              {"step", json_number(row.step)},
              {"steps", row.steps},
              {"attitude_error", json_number(row.attitude_error)},
              {"momentum_error", json_number(row.momentum_error)},
              {"torque_evaluations", row.torque_evaluations},
              {"converged", row.failure.empty()},
              {"attitude_floor", json_digits(row.attitude_floor, 3)},
              {"momentum_floor", json_digits(row.momentum_floor, 3)}};
  if (orders != nullptr) {
    object["attitude_standing"] = name(orders->attitude.standing.at(index));
    object["momentum_standing"] = name(orders->momentum.standing.at(index));
  }
  if (!row.failure.empty()) object["failure"] = row.failure;
  return object;
}

Json json_claim(int order) { return order == exact_order ? Json("exact") : Json(order); }

// A number of a fit, or null where there is none.
Json json_fitted(const std::optional<FittedOrder>& fit, double FittedOrder::*number) {
  return fit ? json_number((*fit).*number) : Json();
}

Json json_order(const MethodOrders& orders) {
  const auto& attitude = orders.attitude.fit;
  const auto& momentum = orders.momentum.fit;
  const auto& either = attitude ? attitude : momentum;
  const std::string sentence = reason(orders);
  return {{"method", orders.method},
          {"attitude", json_fitted(attitude, &FittedOrder::order)},
          {"momentum", json_fitted(momentum, &FittedOrder::order)},
          {"from_step", json_fitted(either, &FittedOrder::from_step)},
          {"to_step", json_fitted(either, &FittedOrder::to_step)},
          {"momentum_from_step", json_fitted(momentum, &FittedOrder::from_step)},
          {"momentum_to_step", json_fitted(momentum, &FittedOrder::to_step)},
          {"attitude_uncertainty", json_fitted(attitude, &FittedOrder::uncertainty)},
          {"momentum_uncertainty", json_fitted(momentum, &FittedOrder::uncertainty)},
          {"claimed_attitude", json_claim(orders.claimed.attitude)},
          {"claimed_momentum", json_claim(orders.claimed.momentum)},
          {"reason", sentence.empty() ? Json() : Json(sentence)}};
}

// The orders of the method a row belongs to; none when the study was interrupted in it.
const MethodOrders* orders_of(const Convergence& study, std::size_t row) {
  for (const MethodOrders& orders : study.orders) {
    if (row >= orders.first_row && row < orders.first_row + orders.attitude.standing.size()) return &orders;
  }
  return nullptr;
}

}  // namespace

std::string to_json(const Convergence& study) {
  Json rows = Json::array(), orders = Json::array();
  for (std::size_t i = 0; i < study.rows.size(); ++i) {
    const MethodOrders* of_method = orders_of(study, i);
    rows.push_back(json_row(study.rows[i], of_method, of_method == nullptr ? 0 : i - of_method->first_row));
  }
  for (const MethodOrders& found : study.orders) orders.push_back(json_order(found));
  Json object = json_subject(study);
  object["rotation"] = json_digits(study.rotation, 6);
  object["largest_momentum"] = json_digits(study.momentum, 6);
  object["rows"] = std::move(rows);
  object["orders"] = std::move(orders);
  if (study.interrupted) object["interrupted"] = true;
  return json_text(object);
}

std::string to_json_of_several(const std::vector<std::string>& studies) {
  return fmt::format("{{\n  \"schema_version\": 1,\n  \"studies\": [\n{}\n]}}", fmt::join(studies, ",\n"));
}

std::string to_csv(const Convergence& study) {
  std::string out = csv_subject(study);
  const auto line = std::back_inserter(out);
  for (const MethodOrders& orders : study.orders) {
    const auto order = [&](std::string_view of, const AsymptoticOrder& found) {
      fmt::format_to(line, "# order of {} of {}: {}\n", of, orders.method,
                     found.fit
                         ? fmt::format("{:.4f} +- {:.4f}, steps {} to {}", found.fit->order, found.fit->uncertainty,
                                       shortest(found.fit->from_step), shortest(found.fit->to_step))
                         : "none, " + reason(found));
    };
    order("attitude", orders.attitude);
    order("momentum", orders.momentum);
  }
  out += "method,step[s],steps,attitude_error[rad],momentum_error[kg m^2/s],torque_evaluations,converged\n";
  for (const ConvergenceRow& row : study.rows) {
    fmt::format_to(line, "{},{},{},{},{},{},{}\n", row.method, shortest(row.step), row.steps,
                   csv_number(row.attitude_error), csv_number(row.momentum_error), row.torque_evaluations,
                   row.failure.empty());
  }
  return out;
}

}  // namespace polhode
