#include "converge_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <set>

#include "polhode/methods/registry.hpp"
#include "table_text.hpp"

namespace polhode {
namespace {

// What stands behind an error that is not part of the fit.
char mark(Standing standing) {
  switch (standing) {
    case Standing::fitted: return ' ';
    case Standing::failed: return ' ';
    case Standing::saturated: return 's';
    case Standing::unsettled: return 'u';
    case Standing::levelled: return 'l';
    case Standing::rounding: break;
  }
  return 'r';
}

std::string_view meaning(Standing standing) {
  switch (standing) {
    case Standing::saturated: return "s  of the size of the motion itself, or coarser than such a step";
    case Standing::unsettled: return "u  local slopes have not settled";
    case Standing::levelled: return "l  near a level below which the error does not fall";
    case Standing::rounding: return "r  near rounding";
    default: return "";
  }
}

std::string error_cell(const std::optional<Number>& error, Standing standing) {
  return error ? fmt::format("{:.2e} {}", error->value, mark(standing)) : "failed  ";
}

// The slope down from the row before, if there is one.
std::string slope_cell(const ConvergenceRow* before, const ConvergenceRow& row,
                       std::optional<Number> ConvergenceRow::*error) {
  if (before == nullptr || !(before->*error) || !(row.*error)) return "";
  const double slope = local_slope({before->step, (before->*error)->value, 0}, {row.step, (row.*error)->value, 0});
  return std::isfinite(slope) ? fmt::format("{:.2f}", slope) : "";
}

void add_line(std::string& text, const std::array<std::string, 7>& cells) {
  constexpr std::array<int, 7> widths{13, 10, 13, 18, 6, 22, 6};
  for (std::size_t i = 0; i < cells.size(); ++i) {
    fmt::format_to(std::back_inserter(text), " {:>{}}", cells[i], widths[i]);
  }
  end_line(text);
}

void add_block(std::string& text, const Convergence& study, const MethodOrders& orders) {
  text += orders.method + '\n';
  add_line(text, {"step [s]", "steps", "torque calls", "attitude [rad]  ", "slope", "momentum [kg m^2/s]  ", "slope"});
  for (std::size_t i = 0; i < orders.attitude.standing.size(); ++i) {
    const ConvergenceRow& row = study.rows[orders.first_row + i];
    const ConvergenceRow* before = i == 0 ? nullptr : &row - 1;
    add_line(text,
             {fmt::format("{:.9g}", row.step), fmt::format("{}", row.steps), fmt::format("{}", row.torque_evaluations),
              error_cell(row.attitude_error, orders.attitude.standing[i]),
              slope_cell(before, row, &ConvergenceRow::attitude_error),
              error_cell(row.momentum_error, orders.momentum.standing[i]),
              slope_cell(before, row, &ConvergenceRow::momentum_error)});
  }
  text += '\n';
}

std::string order_cell(const std::optional<FittedOrder>& fit) {
  return fit ? fmt::format("{:.3f} +- {:.3f}", fit->order, fit->uncertainty) : "none";
}

std::string range(const FittedOrder& fit) { return fmt::format("{:.9g} to {:.9g}", fit.from_step, fit.to_step); }

std::string ranges(const MethodOrders& orders) {
  const auto &attitude = orders.attitude.fit, &momentum = orders.momentum.fit;
  if (!attitude) return momentum ? "momentum " + range(*momentum) : "";
  if (!momentum || range(*attitude) == range(*momentum)) return range(*attitude);
  return fmt::format("{}, momentum {}", range(*attitude), range(*momentum));
}

void add_orders(std::string& text, const Convergence& study) {
  constexpr const char* row = "{:<{}} {:>8}   {:<16} {:<16} {}";
  const auto out = std::back_inserter(text);
  std::size_t width = 20;
  for (const MethodOrders& orders : study.orders) width = std::max(width, orders.method.size());
  fmt::format_to(out, row, "fitted order", width, "claimed", "attitude", "momentum", "over steps [s]");
  end_line(text);
  for (const MethodOrders& orders : study.orders) {
    fmt::format_to(out, row, orders.method, width, order_text(orders.claimed), order_cell(orders.attitude.fit),
                   order_cell(orders.momentum.fit), ranges(orders));
    end_line(text);
    const std::string attitude = reason(orders.attitude), momentum = reason(orders.momentum);
    if (attitude == momentum) {
      if (!attitude.empty()) fmt::format_to(out, "    {}\n", attitude);
      continue;
    }
    if (!attitude.empty()) fmt::format_to(out, "    attitude: {}\n", attitude);
    if (!momentum.empty()) fmt::format_to(out, "    momentum: {}\n", momentum);
  }
}

void add_key(std::string& text, const Convergence& study) {
  std::set<Standing> seen;
  for (const MethodOrders& orders : study.orders) {
    seen.insert(orders.attitude.standing.begin(), orders.attitude.standing.end());
    seen.insert(orders.momentum.standing.begin(), orders.momentum.standing.end());
  }
  std::string lines;
  for (const Standing standing : seen) {
    if (!meaning(standing).empty()) lines += fmt::format("  {}\n", meaning(standing));
  }
  if (!lines.empty()) text += "\nErrors that are not part of the fit:\n" + lines;
}

}  // namespace

std::string table(const Convergence& study) {
  std::string text = fmt::format("{}: errors after {:.9g} s against the reference, in {}\n\n", study.problem,
                                 study.duration, scalar_name(study.scalar));
  for (const MethodOrders& orders : study.orders) add_block(text, study, orders);
  if (!study.orders.empty()) add_orders(text, study);
  add_key(text, study);
  return text;
}

}  // namespace polhode
