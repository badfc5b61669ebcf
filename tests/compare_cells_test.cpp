// Every number that `polhode compare` prints, recomputed from its own rows: no speed is tested, only that what one output
// says of a time is the same in all its places.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <optional>
#include <set>

#include "printed_table.hpp"

namespace polhode {
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

std::vector<std::string> methods_in(const json& rows) {
  std::vector<std::string> names;
  for (const json& row : rows) {
    if (names.empty() || names.back() != row["method"]) names.push_back(row["method"]);
  }
  return names;
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
    EXPECT_EQ(csv.remark("problem"), study.data["problem"]);
    EXPECT_EQ(csv.remark("scalar"), study.data["scalar"]);
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

// All methods that take the problem, with the errors that the study chose by; from runs of their own.
struct Candidates {
  std::map<std::string, std::string> family_of;
  std::map<std::string, std::vector<double>> errors;  // coarse to fine, below half a radian
};

Candidates candidates(const std::vector<std::string>& problem, const std::vector<std::string>& steps) {
  const TestFolder folder;
  Candidates all;
  std::string names;
  for (const json& method : printed_json(folder, {"methods"})) {
    if (method["needs"] == "no torque" || method["needs"] == "uniform field") continue;
    all.family_of[method["name"]] = method["family"];
    names += (names.empty() ? "" : ",") + method["name"].get<std::string>();
  }
  const json study =
      printed_json(folder, and_also(and_also({"converge", "--methods", names, "--quiet"}, problem), steps));
  for (const json& row : study["rows"]) {
    std::vector<double>& errors = all.errors[row["method"]];
    if (row["converged"] == true && row["attitude_error"].get<double>() < 0.5) {
      errors.push_back(row["attitude_error"]);
    } else {
      errors.clear();  // coarser steps are of no use either
    }
  }
  return all;
}

// The geometric middle of the errors that half of the methods reach, by looking at every stretch between two ends.
double middle_error(const Candidates& all) {
  std::vector<std::pair<double, double>> ranges;
  std::set<double> ends;
  for (const auto& [method, errors] : all.errors) {
    if (errors.size() < 2) continue;
    const auto [low, high] = std::minmax_element(errors.begin(), errors.end());
    if (*low == *high) continue;
    ranges.emplace_back(*low, *high);
    ends.insert({*low, *high});
  }
  double best_low = 1, best_high = 1;
  for (const double low : ends) {
    double high = low;
    for (auto end = ends.upper_bound(low); end != ends.end(); ++end) {
      const double middle = std::sqrt(high * *end);
      const auto reached = std::count_if(ranges.begin(), ranges.end(), [&](const auto& range) {
        return range.first <= middle && middle <= range.second;
      });
      if (2 * static_cast<std::size_t>(reached) < ranges.size()) break;
      high = *end;
    }
    if (high / low > best_high / best_low) best_low = low, best_high = high;
  }
  return std::sqrt(best_low * best_high);
}

TEST(CompareChoice, IsMadeAmongAllMethodsThatReachTheMiddleError) {
  const std::vector<std::string> problem{"--problem", "asymmetric-top", "--duration", "4"};
  const std::vector<std::string> steps{"--step-sizes", "0.5:0.0625"};
  const PrintedStudy study =
      printed_study(and_also(and_also({"compare", "--repeats", "1", "--quiet"}, problem), steps));
  const Candidates all = candidates(problem, steps);
  const json& choice = study.data["choice"];
  const double error = middle_error(all);
  expect_rounded(choice["attitude_error"].dump(), error, 0.006 * error);
  EXPECT_EQ(choice["methods"], all.family_of.size());

  std::map<std::string, std::vector<std::string>> families;
  for (const auto& [method, family] : all.family_of) families[family].push_back(method);
  ASSERT_EQ(choice["families"].size(), families.size());
  std::vector<std::string> chosen;
  std::string listed;
  for (const json& entry : choice["families"]) {
    SCOPED_TRACE(entry.dump());
    const std::vector<std::string>& members = families.at(entry["family"]);
    EXPECT_EQ(entry["of"], members.size());
    const std::string method = entry["method"];
    ASSERT_EQ(all.family_of.at(method), entry["family"]);
    chosen.push_back(method);
    listed += fmt::format("{} {} of {}\n", entry["family"].get<std::string>(), method, members.size());
    // Who reaches the error wins over who does not; if nobody does, the most accurate at the smallest step.
    const auto reaches = [&](const std::string& member) {
      const std::vector<double>& errors = all.errors.at(member);
      return !errors.empty() && (errors.front() <= error || errors.back() <= error);
    };
    if (std::any_of(members.begin(), members.end(), reaches)) {
      EXPECT_TRUE(reaches(method));
    } else {
      for (const std::string& member : members) {
        const std::vector<double>& errors = all.errors.at(member);
        if (!errors.empty()) {
          EXPECT_LE(all.errors.at(method).back(), errors.back()) << member;
        }
      }
    }
  }
  EXPECT_EQ(methods_in(study.data["rows"]), chosen);
  std::string text;
  for (const std::string& line : lines_of(study.text)) text += squeezed(line) + '\n';
  EXPECT_THAT(text, testing::HasSubstr(fmt::format("Of each family the method with\n{}:\n{}\n",
                                                   choice["rule"].get<std::string>(), listed)));
  const std::vector<std::string> rule = words_of(choice["rule"]);
  const auto of = std::find(rule.begin(), rule.end(), "error");
  expect_rounded(*(of + 2), error, 1e-3 * error);
  EXPECT_THAT(choice["rule"].get<std::string>(),
              testing::HasSubstr(fmt::format("half of {} methods", all.family_of.size())));
}

}  // namespace
}  // namespace polhode
