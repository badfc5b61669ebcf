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

std::string json_row(const ConvergenceRow& row, const MethodOrders* orders, std::size_t index) {
  JsonObject object(JsonObject::Layout::one_line);
  object.add("method", row.method);
  object.add_raw("step", shortest(row.step));
  object.add("steps", row.steps);
  object.add_raw("attitude_error", json_number(row.attitude_error));
  object.add_raw("momentum_error", json_number(row.momentum_error));
  object.add("torque_evaluations", row.torque_evaluations);
  object.add("converged", row.failure.empty());
  object.add_raw("attitude_floor", fmt::format("{:.3g}", row.attitude_floor));
  object.add_raw("momentum_floor", fmt::format("{:.3g}", row.momentum_floor));
  if (orders != nullptr) {
    object.add("attitude_standing", name(orders->attitude.standing.at(index)));
    object.add("momentum_standing", name(orders->momentum.standing.at(index)));
  }
  if (!row.failure.empty()) object.add("failure", row.failure);
  return object.text();
}

// Orders and their range, or null for each.
void add_fit(JsonObject& object, const std::string& prefix, const std::optional<FittedOrder>& fit) {
  object.add_raw(prefix + "from_step", fit ? shortest(fit->from_step) : "null");
  object.add_raw(prefix + "to_step", fit ? shortest(fit->to_step) : "null");
}

std::string json_claim(int order) { return order == exact_order ? json_string("exact") : order_text(order); }

std::string json_order(const MethodOrders& orders) {
  const auto& attitude = orders.attitude.fit;
  const auto& momentum = orders.momentum.fit;
  JsonObject object(JsonObject::Layout::one_line);
  object.add("method", orders.method);
  object.add_raw("attitude", attitude ? json_number(attitude->order) : "null");
  object.add_raw("momentum", momentum ? json_number(momentum->order) : "null");
  add_fit(object, "", attitude ? attitude : momentum);
  add_fit(object, "momentum_", momentum);
  object.add_raw("attitude_uncertainty", attitude ? json_number(attitude->uncertainty) : "null");
  object.add_raw("momentum_uncertainty", momentum ? json_number(momentum->uncertainty) : "null");
  object.add_raw("claimed_attitude", json_claim(orders.claimed.attitude));
  object.add_raw("claimed_momentum", json_claim(orders.claimed.momentum));
  const std::string sentence = reason(orders);
  object.add_raw("reason", sentence.empty() ? "null" : json_string(sentence));
  return object.text();
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
  std::vector<std::string> rows, orders;
  for (std::size_t i = 0; i < study.rows.size(); ++i) {
    const MethodOrders* of_method = orders_of(study, i);
    rows.push_back(json_row(study.rows[i], of_method, of_method == nullptr ? 0 : i - of_method->first_row));
  }
  for (const MethodOrders& found : study.orders) orders.push_back(json_order(found));
  JsonObject object = json_subject(study);
  object.add_raw("rotation", fmt::format("{:.6g}", study.rotation));
  object.add_raw("largest_momentum", fmt::format("{:.6g}", study.momentum));
  object.add_raw("rows", json_list(rows));
  object.add_raw("orders", json_list(orders));
  if (study.interrupted) object.add("interrupted", true);
  return object.text();
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
