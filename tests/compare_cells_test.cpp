// Every number that `polhode compare` prints, recomputed from its own rows: no speed is tested, only that what one output
// says of a time is the same in all its places.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <optional>
#include <regex>

#include "printed_table.hpp"

namespace polhode::compare_cells_test {
namespace {

using nlohmann::json;

// Costs are printed with six digits.
constexpr double six_digits = 5.1e-6;

// Those that are named first are not the fastest, on any machine.
const std::vector<std::string> some{"compare",
                                    "--problem",
                                    "asymmetric-top",
                                    "--duration",
                                    "4",
                                    "--methods",
                                    "implicit-midpoint,simo-wong,mclachlan-reich-231,taylor-4,taylor-12",
                                    "--repeats",
                                    "2",
                                    "--step-sizes",
                                    "0.0125,0.2:0.025",
                                    "--quiet"};
// Steps of more than about a second have no solution there.
const std::vector<std::string> failing{"compare",
                                       "--problem",
                                       "free-mclachlan-zanna",
                                       "--duration",
                                       "10",
                                       "--methods",
                                       "rkmk-4,moser-veselov",
                                       "--repeats",
                                       "1",
                                       "--scalar",
                                       "long-double",
                                       "--step-sizes",
                                       "5,2,0.5,0.25,0.125",
                                       "--quiet"};

// Measured once, as it takes its time.
const WrittenStudy& some_study() {
  static const WrittenStudy study = written_study(some);
  return study;
}
const WrittenStudy& failing_study() {
  static const WrittenStudy study = written_study(failing);
  return study;
}

TEST(CompareRows, ErrorsAndCountsAreThoseOfRuns) {
  const TestFolder folder;
  for (const auto& [data, scalar] : {std::pair{&some_study().data, "double"}, {&failing_study().data, "long-double"}}) {
    const json& study = *data;
    EXPECT_EQ(study["scalar"], scalar);
    for (const json& row : study["rows"]) {
      SCOPED_TRACE(row.dump());
      const Outcome run =
          polhode(folder, {"run", "--problem", study["problem"], "--duration", study["duration"].dump(), "-m",
                           row["method"], "--step", row["step"].dump(), "--scalar", scalar, "--json"});
      const json alone = json::parse(run.out);
      EXPECT_EQ(row["converged"], run.code == 0);
      for (const char* key : {"steps", "torque_evaluations"}) EXPECT_EQ(row[key], alone[key]) << key;
      EXPECT_EQ(row["attitude_error"], run.code == 0 ? alone["attitude_error"] : json(nullptr));
    }
  }
}

TEST(CompareRows, AreInTheOrderThatWasAskedForFromTheLargestStepDown) {
  const json& study = some_study().data;
  EXPECT_EQ(methods_in(study["rows"]), (std::vector<std::string>{"implicit-midpoint", "simo-wong",
                                                                 "mclachlan-reich-231", "taylor-4", "taylor-12"}));
  for (std::size_t i = 0; i < study["rows"].size(); ++i) {
    EXPECT_EQ(study["rows"][i]["step"], (std::array{0.2, 0.1, 0.05, 0.025, 0.0125}[i % 5]));
  }
}

// Of two timings a < b the quartiles lie at a + (b - a)/4 and b - (b - a)/4, around their mean, which is the median.
TEST(CompareRows, MedianAndSpreadAreThoseOfTheQuartiles) {
  const json& study = some_study().data;
  EXPECT_EQ(study["repeats"], 2);
  for (const json& row : study["rows"]) {
    SCOPED_TRACE(row.dump());
    const double cost = row["cost"], lower = row["cost_quartiles"][0], upper = row["cost_quartiles"][1];
    EXPECT_EQ(row["timings"], 2);
    EXPECT_GT(lower, 0);
    EXPECT_NEAR(cost, (lower + upper) / 2, 2 * six_digits * cost);
    expect_rounded(row["cost_spread"].dump(), upper - lower, 2 * six_digits * cost);
  }
  for (const json& row : failing_study().data["rows"]) {
    SCOPED_TRACE(row.dump());
    EXPECT_EQ(row["cost_spread"], nullptr);
    EXPECT_EQ(row["timings"], row["converged"] == true ? 1 : 0);
    if (row["converged"] == true) {
      EXPECT_EQ(row["cost_quartiles"], json::array({row["cost"], row["cost"]}));
    } else {
      EXPECT_EQ(row["cost"], nullptr);
      EXPECT_EQ(row["cost_quartiles"], nullptr);
    }
  }
}

// Whether the machine is called busy hangs on it; that it is said where a quarter of the spreads are large does not.
TEST(CompareRows, AMachineIsBusyWhereSpreadsAreLarge) {
  const TestFolder folder;
  std::vector<std::string> words = some;
  std::erase(words, "--quiet");
  const Outcome run = polhode(folder, and_also(words, {"--json"}));
  ASSERT_EQ(run.code, 0) << run.err;
  const json study = json::parse(run.out);
  const auto spreads = [&](double least) {
    return std::count_if(study["rows"].begin(), study["rows"].end(), [&](const json& row) {
      return row["cost_spread"].get<double>() > least * row["cost"].get<double>();
    });
  };
  const auto rows = static_cast<std::ptrdiff_t>(study["rows"].size());
  const auto remark = [&](std::ptrdiff_t count) -> std::string {
    if (count == 0 || 4 * count < rows) return "";
    return fmt::format(
        "polhode: the spread of {} of {} times is more than half of the time: the machine is busy; leave "
        "it alone, or take more --repeats than 2\n",
        count, rows);
  };
  // Spreads are printed to three digits: one that is half of its time may be counted or not.
  std::vector<std::string> possible;
  for (auto count = spreads(0.503); count <= spreads(0.497); ++count) possible.push_back(remark(count));
  // On a machine that is busy indeed the study takes so long that it shows its progress.
  const std::string said = std::regex_replace(run.err, std::regex("polhode: +[0-9]+ %  [^\n]*\n"), "");
  EXPECT_THAT(possible, testing::Contains(said));
}

struct Point {
  double error, cost;
};

// On the line through two points in decimal logarithms, where errors fall below this one for the last time.
std::optional<double> cost_between(const std::vector<Point>& curve, double error) {
  std::optional<double> cost;
  for (std::size_t i = 0; i + 1 < curve.size(); ++i) {
    const Point &a = curve[i], &b = curve[i + 1];
    if (!(a.error > error && error >= b.error)) continue;
    const double slope = std::log10(b.cost / a.cost) / std::log10(b.error / a.error);
    cost = std::pow(10, std::log10(a.cost) + slope * std::log10(error / a.error));
  }
  return cost;
}

std::vector<Point> curve_of(const json& rows, const std::string& method) {
  std::vector<Point> curve;
  for (const json& row : rows) {
    if (row["method"] == method && row["converged"] == true) curve.push_back({row["attitude_error"], row["cost"]});
  }
  return curve;
}

TEST(CompareRanking, IsInterpolatedBetweenTheRowsAroundTheError) {
  const json& study = some_study().data;
  std::size_t found = 0;
  for (const double error : {1e-3, 1e-6, 1e-9}) {
    SCOPED_TRACE(error);
    std::map<std::string, double> costs;
    std::vector<std::string> better, worse;
    for (const std::string& method : methods_in(study["rows"])) {
      const std::vector<Point> curve = curve_of(study["rows"], method);
      if (const auto cost = cost_between(curve, error)) {
        costs[method] = *cost;
      } else {
        (curve.back().error > error ? worse : better).push_back(method);
      }
    }
    if (costs.size() < 2) continue;
    ASSERT_LT(found, study["at_error"].size());
    const json& at = study["at_error"][found++];
    EXPECT_EQ(at["attitude_error"], error);
    EXPECT_EQ(at["more_accurate"], better);
    EXPECT_EQ(at["less_accurate"], worse);
    ASSERT_EQ(at["costs"].size(), costs.size());
    double before = 0;
    for (const json& entry : at["costs"]) {
      const double cost = costs.at(entry["method"]);
      EXPECT_NEAR(entry["cost"], cost, 4 * six_digits * cost) << entry;
      EXPECT_GE(entry["cost"], before) << "the fastest comes first";
      before = entry["cost"];
      const double ratio = before / at["costs"][0]["cost"].get<double>();
      EXPECT_NEAR(entry["ratio"], ratio, 6e-4 * ratio) << entry;
    }
    EXPECT_EQ(at["costs"][0]["ratio"], 1);
  }
  EXPECT_EQ(found, study["at_error"].size());
  EXPECT_GE(found, 1U);
}

TEST(CompareCsv, HasTheCellsOfJson) {
  for (const WrittenStudy* written : {&some_study(), &failing_study()}) {
    const WrittenStudy& study = *written;
    const CsvTable& csv = study.csv;
    EXPECT_EQ(csv.remark("problem"), study.data["problem"].get<std::string>());
    EXPECT_EQ(csv.remark("scalar"), study.data["scalar"].get<std::string>());
    EXPECT_EQ(number_in(csv.remark("duration")), study.data["duration"]);
    EXPECT_EQ(number_in(csv.remark("repeats")), study.data["repeats"]);
    EXPECT_EQ(csv.headers, (std::vector<std::string>{"method", "step[s]", "steps", "attitude_error[rad]", "cost[s]",
                                                     "cost_spread[s]", "torque_evaluations", "converged"}));
    ASSERT_EQ(csv.rows.size(), study.data["rows"].size());
    const auto same = [](const std::string& cell, const json& value) {
      EXPECT_EQ(cell == "nan" ? json(nullptr) : json(number_in(cell)), value);
    };
    for (std::size_t i = 0; i < csv.rows.size(); ++i) {
      SCOPED_TRACE(i);
      const json& row = study.data["rows"][i];
      const std::vector<std::string>& cells = csv.rows[i];
      EXPECT_EQ(cells[0], row["method"]);
      same(cells[1], row["step"]);
      same(cells[2], row["steps"]);
      same(cells[3], row["attitude_error"]);
      same(cells[4], row["cost"]);
      same(cells[5], row["cost_spread"]);
      same(cells[6], row["torque_evaluations"]);
      EXPECT_EQ(cells[7], row["converged"] == true ? "true" : "false");
    }
    for (const json& at : study.data["at_error"]) {
      const auto lines =
          csv.remarks.equal_range("cost at an error of " + fmt::format("{}", at["attitude_error"].get<double>()));
      std::vector<std::string> listed, wanted;
      for (auto line = lines.first; line != lines.second; ++line) listed.push_back(line->second);
      for (const json& entry : at["costs"]) {
        wanted.push_back(fmt::format("{} {} s", entry["method"].get<std::string>(), entry["cost"].get<double>()));
      }
      EXPECT_EQ(listed, wanted);
    }
  }
}

TEST(CompareText, HasTheCellsOfJson) {
  for (const std::vector<std::string>& words : {some, failing}) {
    const PrintedStudy study = printed_study(words);
    const std::vector<std::string> lines = lines_of(study.text);
    EXPECT_EQ(lines.at(0), fmt::format("{}: attitude error after {} s and time of the integration, in {}",
                                       study.data["problem"].get<std::string>(), study.data["duration"].get<double>(),
                                       study.data["scalar"].get<std::string>()));
    EXPECT_THAT(lines.at(1),
                testing::StartsWith(study.data["repeats"] == 1 ? "time: one timing" : "time: median of 2 timings"));
    std::size_t at = 3;
    for (const std::string& method : methods_in(study.data["rows"])) {
      ASSERT_EQ(lines.at(at++), method);
      EXPECT_EQ(squeezed(lines.at(at++)),
                "step [s] steps torque calls attitude [rad] time [s] spread [%] per step [ns]");
      for (const json& row : study.data["rows"]) {
        if (row["method"] != method) continue;
        SCOPED_TRACE(lines.at(at));
        const std::vector<std::string> cells = words_of(lines[at++]);
        const bool timed = row["cost"].is_number(), spread = row["cost_spread"].is_number();
        ASSERT_EQ(cells.size(), timed ? (spread ? 7U : 6U) : 4U);
        EXPECT_EQ(number_in(cells[0]), row["step"]);
        EXPECT_EQ(number_in(cells[1]), row["steps"]);
        EXPECT_EQ(number_in(cells[2]), row["torque_evaluations"]);
        EXPECT_EQ(cells[3], timed ? fmt::format("{:.2e}", row["attitude_error"].get<double>()) : "failed");
        if (!timed) continue;
        const double cost = row["cost"];
        EXPECT_THAT(cells[4], testing::MatchesRegex("[0-9]\\.[0-9][0-9][0-9]e-[0-9]+"));
        expect_rounded(cells[4], cost, six_digits * cost);
        if (spread) {
          const double part = row["cost_spread"].get<double>() / cost;
          EXPECT_THAT(cells[5], testing::MatchesRegex("[0-9]+\\.[0-9]"));
          expect_rounded(cells[5], 100 * part, 0.6 * part);  // the spread has three digits
        }
        const double nanoseconds = 1e9 * cost / row["steps"].get<double>();
        EXPECT_THAT(cells.back(), testing::MatchesRegex("[0-9]+\\.[0-9]"));
        expect_rounded(cells.back(), nanoseconds, six_digits * nanoseconds);
      }
      if (at < lines.size()) {
        EXPECT_EQ(lines[at++], "");
      }
    }
    if (!study.data["at_error"].empty()) {
      EXPECT_THAT(lines.at(at++), testing::StartsWith("Time to reach an error"));
    }
    for (const json& ranking : study.data["at_error"]) {
      EXPECT_EQ(lines.at(at++), "");
      EXPECT_EQ(squeezed(lines.at(at++)),
                fmt::format("error {:g} rad time [s] ratio", ranking["attitude_error"].get<double>()));
      for (const json& entry : ranking["costs"]) {
        const std::vector<std::string> cells = words_of(lines.at(at++));
        ASSERT_EQ(cells.size(), 3U);
        EXPECT_EQ(cells[0], entry["method"]);
        expect_rounded(cells[1], entry["cost"], six_digits * entry["cost"].get<double>());
        expect_rounded(cells[2], entry["ratio"], 6e-4 * entry["ratio"].get<double>());
      }
      const auto names = [&](const char* what, const json& list) {
        if (list.empty()) return;
        EXPECT_EQ(squeezed(lines.at(at++)),
                  fmt::format("{}: {}", what, fmt::join(list.get<std::vector<std::string>>(), ", ")));
      };
      names("not reached", ranking["less_accurate"]);
      names("better at every step", ranking["more_accurate"]);
    }
    EXPECT_EQ(at, lines.size());
  }
}

}  // namespace
}  // namespace polhode::compare_cells_test
