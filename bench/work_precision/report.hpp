// Tables, verdicts on the goals, and JSON.
#pragma once

#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "long_run.hpp"
#include "measure.hpp"

namespace polhode::bench {

// The best peer's cost over ours at one error.
struct Ratio {
  std::optional<Best> peer, ours;
  double least = 0;  // what peers need at least, where none reaches the error; infinite if rounding prevents it

  // Of the costs, or a lower bound of it; empty where ours do not reach the error.
  std::optional<double> value() const {
    if (!ours) return std::nullopt;
    return (peer ? peer->cost : least) / ours->cost;
  }
  bool reaches(double goal) const { return value() && *value() >= goal; }
  bool is_out_of_reach() const { return !peer && !ours; }  // for anybody: rounding from a sensitive start
  std::string text() const;
};
using Ratios = std::array<Ratio, errors.size()>;

Ratios ratios(const Measured& measured, Look look, Currency currency);

struct Verdict {
  std::string row, currency;  // what was compared
  std::array<double, errors.size()> goal;
  Ratios nominal, worst;
  std::vector<std::string> complaints{};  // premises that do not hold

  bool is_judged() const { return complaints.empty(); }
  bool met() const;          // false where it is not judged
  std::string line() const;  // with what is missed, where and by how much
};

// On what one method keeps for a long time, at the steps that reach an error.
// The momentum along the field to 1e-14, and an energy error that does not grow.
struct Keeping {
  std::string method;
  double error, step;
  LongRun run;

  bool met() const { return run.momentum <= 1e-14 && !run.energy_grows(); }
  std::string line() const;
};

struct Verdicts {
  std::vector<Verdict> rows;
  std::vector<Keeping> keeping;  // of the cheapest of ours at each error, and of those that had to take their place

  bool met() const;  // rows only: a method that does not keep what it should is passed over in them
};

Verdicts judged(const Measured& measured);

// "P3, auto: 1e-03 rad picard-lobatto-8 (4.1e-04 rad), 1.1 times picard-lobatto-8; ...".
std::string line_of_auto(const Measured& measured);

// The largest ratio of all; whether each tolerance was kept as well.
struct AutoVerdict {
  double worst = 0;
  std::size_t choices = 0, missed_tolerances = 0;

  void add(const Measured& measured);
  bool met() const { return worst <= goal_of_auto && missed_tolerances == 0; }
  std::string line() const;
};

void print_table(const Measured& measured);
nlohmann::ordered_json json_of(const Measured& measured, const Verdicts& verdicts);

}  // namespace polhode::bench
