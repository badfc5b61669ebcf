#include "compare_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "table_text.hpp"

namespace polhode {
namespace {

std::string timings(const Comparison& study) {
  if (study.repeats == 1) return "one timing";
  return fmt::format("median of {}{} timings, interleaved; spread: distance between their quartiles",
                     study.interrupted ? "up to " : "", study.repeats);
}

void add_choice(std::string& text, const Choice& choice) {
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "Of each family the method with\n{}:\n", rule_of(choice));
  for (const FamilyChoice& chosen : choice.families) {
    fmt::format_to(out, "  {:<20} {:<28} of {}\n", chosen.family, chosen.method, chosen.of);
  }
  text += '\n';
}

void add_cells(std::string& text, const std::array<std::string, 7>& cells) {
  constexpr std::array<int, 7> widths{13, 10, 13, 15, 11, 11, 14};
  for (std::size_t i = 0; i < cells.size(); ++i) {
    fmt::format_to(std::back_inserter(text), " {:>{}}", cells[i], widths[i]);
  }
  end_line(text);
}

void add_row(std::string& text, const ComparisonRow& row) {
  const std::optional<Quartiles> cost = row.cost();
  add_cells(text,
            {fmt::format("{:.9g}", row.step), fmt::format("{}", row.steps), fmt::format("{}", row.torque_evaluations),
             row.attitude_error ? fmt::format("{:.2e}", row.attitude_error->value) : "failed",
             cost ? fmt::format("{:.3e}", cost->median) : "",
             row.timings.size() > 1 ? fmt::format("{:.1f}", 100 * cost->range() / cost->median) : "",
             cost ? fmt::format("{:.1f}", 1e9 * cost->median / static_cast<double>(row.steps)) : ""});
}

// Names in lines of at most 100 columns.
void add_names(std::string& text, const char* words, const std::vector<std::string>& names) {
  if (names.empty()) return;
  std::string line = fmt::format("  {}:", words);
  for (const std::string& name : names) {
    if (line.size() + name.size() > 98) {
      text += line + '\n';
      line = "   ";
    }
    line += ' ' + name + (name == names.back() ? "" : ",");
  }
  text += line + '\n';
}

void add_costs(std::string& text, const CostsAtError& at) {
  const auto out = std::back_inserter(text);
  std::size_t width = 28;
  for (const CostsAtError::Cost& cost : at.costs) width = std::max(width, cost.method.size());
  fmt::format_to(out, "\n{:<{}} {:>12} {:>8}\n", fmt::format("error {:g} rad", at.error), width + 2, "time [s]",
                 "ratio");
  for (const CostsAtError::Cost& cost : at.costs) {
    fmt::format_to(out, "  {:<{}} {:>12.3e} {:>8.2f}\n", cost.method, width, cost.seconds, cost.ratio);
  }
  add_names(text, "not reached", at.less_accurate);
  add_names(text, "better at every step", at.more_accurate);
}

}  // namespace

std::string table(const Comparison& study) {
  std::string text = fmt::format("{}: attitude error after {:.9g} s and time of the integration, in {}\ntime: {}\n\n",
                                 study.problem, study.duration, scalar_name(study.scalar), timings(study));
  if (study.choice) add_choice(text, *study.choice);
  std::string_view method;
  for (const ComparisonRow& row : study.rows) {
    if (row.method != method) {
      if (!method.empty()) text += '\n';
      method = row.method;
      text += row.method + '\n';
      add_cells(text,
                {"step [s]", "steps", "torque calls", "attitude [rad]", "time [s]", "spread [%]", "per step [ns]"});
    }
    add_row(text, row);
  }
  if (study.at_errors.empty()) return text;
  text += "\nTime to reach an error, between the two steps around it, the fastest first\n";
  for (const CostsAtError& at : study.at_errors) add_costs(text, at);
  return text;
}

}  // namespace polhode
