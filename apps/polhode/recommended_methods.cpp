#include "recommended_methods.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>

#include "io/method_words.hpp"
#include "polhode/methods/registry.hpp"
#include "polhode/run/options.hpp"
#include "table_text.hpp"

namespace polhode {
namespace {

struct Recommendation {
  std::string_view method, for_what;
};

// Coarse and cheap ones first, then by accuracy, then those for special cases.
constexpr Recommendation recommendations[] = {
    {automatic_method, "a tolerance: method and step are chosen by trials on the situation itself"},
    {"engine-polhode", "games: no step too long, nothing gained or lost by a free body"},
    {"taylor-2-augmented", "one cheap step that needs little of the torque"},
    {"mclachlan-reich-231", "long runs in a conservative field: explicit, cheap, no drift of energy"},
    {"lie-verlet", "the same without trigonometric functions"},
    {"rotor-verlet", "long runs of a fast body in a weak conservative field"},
    {"rotor-srkn14a", "long runs in a conservative field at high accuracy and large steps"},
    {"rkmk-4", "fourth order with values of the torque, drag included, at any sequence of steps"},
    {"picard-lobatto-8", "speed in any torque known by its values, for errors of 1e-2 to 1e-6 rad"},
    {"picard-lobatto-16", "the same for errors below 1e-6 rad"},
    {"taylor-adaptive", "a known accuracy in any smooth field, down to rounding, without choosing a step"},
    {"rotor-extrapolated-8", "high accuracy on a body of revolution, or with an expensive torque"},
    {"rotor-adams-8", "torques that are expensive to evaluate, at equal steps"},
    {"free-exact", "a body without torque: exact at any step, for any time"},
    {"moser-veselov", "a free body that must keep its polhode for ever"},
    {"newmark", "structural codes that have Newmark's method already"}};

using Cells = std::array<std::string, 6>;

const Cells& titles() {
  static const Cells cells{"method", "order", "symplectic", "torque calls", "needs", "good for"};
  return cells;
}

Cells cells(const Recommendation& entry) {
  if (entry.method == automatic_method) return {"auto", "-", "-", "-", "-", std::string(entry.for_what)};
  const Claims& c = methods()[parse_method(entry.method).index].claims;
  return {std::string(entry.method),       order_text(c),
          std::string(text(c.symplectic)), fmt::format("{}", c.torque_evaluations),
          std::string(text(c.needs)),      std::string(entry.for_what)};
}

}  // namespace

std::string recommended_methods() {
  constexpr int widths[] = {20, 13, 10, 12, 9, 0};
  std::string table;
  const auto add = [&](const Cells& row) {
    for (std::size_t i = 0; i < row.size(); ++i) table += fmt::format("{:<{}}  ", row[i], widths[i]);
    end_line(table);
  };
  add(titles());
  for (const Recommendation& entry : recommendations) add(cells(entry));
  return table + "\n'polhode methods' lists every method, 'polhode methods NAME' has a page on one.\n";
}

std::string recommended_methods_as_markdown() {
  std::string table = fmt::format("| {} |\n|---|---|---|---|---|---|\n", fmt::join(titles(), " | "));
  for (const Recommendation& entry : recommendations) {
    Cells row = cells(entry);
    row[0] = fmt::format("`{}`", row[0]);
    table += fmt::format("| {} |\n", fmt::join(row, " | "));
  }
  return table;
}

}  // namespace polhode
