// Which methods `polhode compare` takes when none are named: chosen again here, from the errors of all of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "printed_table.hpp"

namespace polhode::compare_choice_test {
namespace {

using nlohmann::json;

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
    if (method["needs"] == "no torque" || method["space"] != "SO(3)") continue;
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
    ASSERT_EQ(all.family_of.at(method), entry["family"].get<std::string>());
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
}  // namespace polhode::compare_choice_test
