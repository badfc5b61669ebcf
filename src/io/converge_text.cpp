// A convergence study as sentences, JSON and CSV.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "io/study_text.hpp"
#include "polhode/methods/registry.hpp"
#include "polhode/studies/converge.hpp"

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

std::string too_few(const AsymptoticOrder& order) {
  const auto count = [&](Standing s) { return std::count(order.standing.begin(), order.standing.end(), s); };
  const auto coarse = count(Standing::saturated) + count(Standing::failed);
  const auto fine = count(Standing::rounding) + count(Standing::levelled);
  const auto between = count(Standing::unsettled);
  if (coarse == 0 && fine == 0) return fmt::format("{} step sizes support no slope; give at least three", between);
  const std::string digits = count(Standing::levelled) > 0 ? "" : ", or more digits";
  const std::string remedy = fine == 0     ? "take smaller steps"
                             : coarse == 0 ? "take larger steps" + digits
                                           : "take more steps between" + digits;
  return fmt::format("{} of {} steps {} between saturation and rounding, and a slope needs three; {}", between,
                     order.standing.size(), between == 1 ? "lies" : "lie", remedy);
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

std::string reason(const AsymptoticOrder& order) {
  if (!order.why_none) return "";
  switch (*order.why_none) {
    case NoOrder::all_failed: return "no run came to its end";
    case NoOrder::all_rounding:
      return "every error is at rounding: solved exactly, or the steps are too small to show an order";
    case NoOrder::all_saturated: return "every error is of the size of the motion itself; take smaller steps";
    case NoOrder::level: return "the error does not fall with the step";
    case NoOrder::too_few: return too_few(order);
    case NoOrder::changing: break;
  }
  return fmt::format("the slope still changes from step to step, between {:.2f} and {:.2f}; take smaller steps",
                     order.least_slope, order.greatest_slope);
}

std::string reason(const MethodOrders& orders) {
  std::string attitude = reason(orders.attitude);
  const std::string momentum = reason(orders.momentum);
  if (attitude == momentum) return attitude;
  if (attitude.empty()) return "momentum: " + momentum;
  if (momentum.empty()) return "attitude: " + attitude;
  return fmt::format("attitude: {}. momentum: {}", attitude, momentum);
}

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
