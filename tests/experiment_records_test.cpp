// The records beside the experiments: every row that can carry a number carries one with a tolerance, and the comparison
// notices when it moves.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "experiments/expression.hpp"
#include "experiments/record.hpp"

namespace polhode::experiments {
namespace {

const std::string root = POLHODE_SOURCE_DIR "/experiments";

struct Recorded {
  Experiment experiment;
  Record record;
};

const std::vector<Recorded>& all() {
  static const std::vector<Recorded> list = [] {
    std::vector<Recorded> made;
    for (const std::string& name : experiment_names(root)) {
      made.push_back({read_experiment(root + '/' + name), read_record(root + '/' + name + "/verdicts.csv")});
    }
    return made;
  }();
  return list;
}

// Numbers of the clock, by what the experiment measures: its variables, and measures that rows of published.csv fill in.
std::set<std::string> timed_variables(const Experiment& experiment) {
  std::set<std::string> names;
  for (const Measure& measure : experiment.measures) {
    const std::string quantity = measure.parameters.text_or("quantity", "");
    if (quantity != "time_per_step" && quantity != "relative_cost") continue;
    names.insert(measure.name);
    for (const Instance& instance : instances(measure)) names.insert(instance.variable);
  }
  return names;
}

bool speaks_of(const std::string& expression, const std::set<std::string>& names) {
  const std::vector<std::string> used = names_in_expression(expression);
  return std::ranges::any_of(used, [&](const std::string& name) { return names.contains(name); });
}

// What a row of the record must be: "number", "timed", "test" or "used"; by item, and by claim and number.
std::map<std::string, std::string> expected_kinds(const Experiment& experiment) {
  std::map<std::string, std::string> kinds;
  const std::set<std::string> timed = timed_variables(experiment);
  for (std::size_t row = 0; experiment.published && row < experiment.published->rows.size(); ++row) {
    const std::string measure = experiment.published->cell(row, "measure");
    const bool by_clock = measure.starts_with('=') ? speaks_of(measure.substr(1), timed) : timed.contains(measure);
    kinds[experiment.published->cell(row, "item")] = measure.empty() ? "used" : by_clock ? "timed" : "number";
  }
  for (const Claim& claim : experiment.claims) {
    if (!claim.test.empty()) kinds[fmt::format("{}.{} {}", claim.id, claim.test, claim.filter)] = "test";
    std::set<std::string> timed_here = timed;
    for (const std::string& line : claim.measured) {
      const std::size_t equals = line.find(" = ");
      const bool by_clock = speaks_of(line.substr(equals + 3), timed_here);
      if (by_clock) timed_here.insert(line.substr(0, equals));
      kinds[fmt::format("{}.{}", claim.id, line.substr(0, equals))] = by_clock ? "timed" : "number";
    }
  }
  return kinds;
}

std::string name_of(const RecordRow& row) { return row.number.empty() ? row.item : row.item + '.' + row.number; }

double number_in(const RecordRow& row) {
  std::size_t read = 0;
  const double value = std::stod(row.measured, &read);
  return read == row.measured.size() ? value : throw std::invalid_argument(row.measured);
}

TEST(ExperimentRecords, EveryRowThatCanCarryANumberDoes) {
  std::map<std::string, int> counts;
  for (const auto& [experiment, record] : all()) {
    SCOPED_TRACE(experiment.name);
    std::map<std::string, std::string> expected = expected_kinds(experiment);
    for (const RecordRow& row : record) {
      SCOPED_TRACE(name_of(row));
      const bool compared = stated_tolerance(row.tolerance).has_value();
      const std::string kind = compared ? "number" : row.tolerance;
      EXPECT_EQ(kind, expected[name_of(row)]);
      if (kind == "number" || kind == "timed") {
        EXPECT_NO_THROW(number_in(row)) << "'" << row.measured << "' is no number";
      }
      if (kind == "test") {
        EXPECT_EQ(row.measured, "passed");
      }
      EXPECT_EQ(row.verdict == "used", kind == "used");
      expected.erase(name_of(row));
      ++counts[kind];
    }
    for (const auto& [name, kind] : expected) ADD_FAILURE() << name << " (" << kind << ") is not recorded";
  }
  for (const auto& [kind, count] : counts) RecordProperty(kind, count);
  EXPECT_EQ(counts.size(), 4U) << "numbers, timed, test, used";
}

// A number moved to `times` its tolerance, either way.
std::vector<double> moved(double value, const Tolerance& tolerance, double times) {
  if (tolerance.factor) {
    return {value * std::pow(*tolerance.factor, times), value * std::pow(*tolerance.factor, -times)};
  }
  const double allowed = std::max(tolerance.relative * std::abs(value), tolerance.absolute);
  return {value + times * allowed, value - times * allowed};
}

TEST(ExperimentRecords, ANumberThatMovesIsNoticed) {
  int moves = 0;
  for (const auto& [experiment, record] : all()) {
    SCOPED_TRACE(experiment.name);
    const std::vector<std::string> rows = row_names(experiment);
    EXPECT_TRUE(changes(record, record, rows).empty());
    for (const RecordRow& row : record) {
      const std::optional<Tolerance> tolerance = stated_tolerance(row.tolerance);
      if (!tolerance) continue;
      SCOPED_TRACE(name_of(row));
      const auto said_of = [&](double value) {
        RecordRow now = row;
        now.measured = record_text(value);
        return changes({now}, {row}, rows);
      };
      const double value = number_in(row);
      if (!std::isfinite(value)) {
        EXPECT_EQ(said_of(1).size(), 1U);
        continue;
      }
      if (value == 0 && tolerance->absolute == 0) {
        EXPECT_EQ(said_of(1e-300).size(), 1U);
        continue;
      }
      for (const double off : moved(value, *tolerance, 10)) {
        const std::vector<std::string> said = said_of(off);
        ASSERT_EQ(said.size(), 1U) << off;
        for (const std::string& part :
             {row.item, "recorded " + row.measured, "measured " + record_text(off), "tolerance " + row.tolerance}) {
          EXPECT_NE(said[0].find(part), std::string::npos) << said[0];
        }
      }
      for (const double near : moved(value, *tolerance, 0.1)) EXPECT_TRUE(said_of(near).empty()) << near;
      EXPECT_EQ(said_of(std::nan("")).size(), 1U);
      ++moves;
    }
  }
  EXPECT_GT(moves, 1000);
}

// No tolerance is wider than the experiment says, and none is said of a row that is not there.
TEST(ExperimentRecords, TolerancesAreThoseThatTheExperimentsState) {
  for (const auto& [experiment, record] : all()) {
    SCOPED_TRACE(experiment.name);
    for (const RecordRow& row : record) {
      if (!stated_tolerance(row.tolerance)) continue;
      EXPECT_EQ(row.tolerance, words(tolerance_of(experiment, row.item, row.number))) << name_of(row);
    }
    for (const RowTolerance& stated : experiment.tolerances) {
      for (const std::string& pattern : stated.rows) {
        EXPECT_TRUE(std::ranges::any_of(record, [&](const RecordRow& row) {
          return stated_tolerance(row.tolerance) && names_row(pattern, row.item, row.number);
        })) << pattern;
      }
    }
  }
}

// An explanation is for a number that is off; where it is not, there is nothing to explain.
TEST(ExperimentRecords, AnExplanationAppliesToANumberThatDiffers) {
  for (const auto& [experiment, record] : all()) {
    for (const auto& [item, explanation] : experiment.explanations) {
      SCOPED_TRACE(experiment.name + ": " + item);
      const auto row = std::ranges::find(record, item, &RecordRow::item);
      ASSERT_NE(row, record.end());
      EXPECT_EQ(row->verdict, explanation.verdict);
      ASSERT_TRUE(stated_tolerance(row->tolerance));
      if (row->published == "failed") {
        EXPECT_TRUE(std::isfinite(number_in(*row)));
      } else {
        const std::size_t point = row->published.find('.');
        const int decimals = point == std::string::npos ? 0 : static_cast<int>(row->published.size() - point - 1);
        EXPECT_NE(fmt::format("{:.{}f}", number_in(*row), decimals), row->published);
      }
    }
  }
}

}  // namespace
}  // namespace polhode::experiments
