// Comparisons of cost. No speed is tested: machines differ. What is: the arithmetic on made-up data with known answers,
// errors and counts against those of a run, what is chosen out of what, and what is refused and written.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "io_support.hpp"
#include "polhode/core/error.hpp"
#include "polhode/io/decimal.hpp"
#include "polhode/io/scenario.hpp"
#include "polhode/io/study_text.hpp"
#include "polhode/measure/extremes.hpp"
#include "polhode/methods/registry.hpp"
#include "polhode/run/simulation.hpp"

namespace polhode::compare_test {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Ge;
using ::testing::Gt;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Le;
using ::testing::SizeIs;

ComparisonRequest request(const char* problem, std::vector<std::string> methods, std::vector<double> steps,
                          double duration, int repeats = 1) {
  return {{find_problem(problem), std::move(methods), std::move(steps), duration, ScalarKind::double_}, repeats};
}

std::string refusal(const ComparisonRequest& wrong) {
  try {
    compare(wrong);
  } catch (const SetupError& error) {
    return error.key + ": " + error.what();
  }
  return "not refused";
}

std::vector<std::string> methods_of(const Comparison& study) {
  std::vector<std::string> names;
  for (const ComparisonRow& row : study.rows) {
    if (names.empty() || names.back() != row.method) names.push_back(row.method);
  }
  return names;
}

TEST(Quartiles, AreThoseOfSortedSamples) {
  const Quartiles five = quartiles({5, 1, 4, 2, 3});
  EXPECT_EQ(five.lower, 2);
  EXPECT_EQ(five.median, 3);
  EXPECT_EQ(five.upper, 4);
  EXPECT_EQ(five.range(), 2);
  const Quartiles two = quartiles({2, 1});
  EXPECT_EQ(two.lower, 1.25);
  EXPECT_EQ(two.median, 1.5);
  EXPECT_EQ(two.upper, 1.75);
  EXPECT_EQ(quartiles({7}).median, 7);
  EXPECT_EQ(quartiles({7}).range(), 0);
  EXPECT_EQ(quartiles({1, 2, 3, 4, 1000}).median, 3) << "one bad timing does not move the median";
}

// A method of order p: error = 0.1 cost^-p.
std::vector<WorkPoint> power_law(double p) {
  std::vector<WorkPoint> curve;
  for (double cost = 1; cost < 2000; cost *= 2) curve.push_back({0.1 * std::pow(cost, -p), cost});
  return curve;
}

TEST(CostAt, IsExactForPowerLaws) {
  for (const double p : {1.0, 2.0, 4.0}) {
    const std::vector<WorkPoint> curve = power_law(p);
    for (double error = curve.front().error * 0.99; error > curve.back().error; error *= 0.37) {
      const std::optional<double> cost = cost_at(curve, error);
      ASSERT_TRUE(cost);
      EXPECT_NEAR(*cost, std::pow(0.1 / error, 1 / p), 1e-12 * *cost) << p << " " << error;
    }
    EXPECT_EQ(cost_at(curve, curve[3].error), curve[3].cost) << "a point of the curve is met";
  }
}

TEST(CostAt, NeverExtrapolates) {
  const std::vector<WorkPoint> curve = power_law(2);
  EXPECT_EQ(cost_at(curve, 1.01 * curve.front().error), std::nullopt);
  EXPECT_EQ(cost_at(curve, 0.99 * curve.back().error), std::nullopt);
  EXPECT_EQ(cost_at({}, 1), std::nullopt);
  EXPECT_EQ(cost_at(std::vector<WorkPoint>{{1e-3, 1}}, 1e-3), std::nullopt);
}

TEST(CostAt, TakesTheLastPlaceWhereErrorsFallBelow) {
  // The second point is accurate by accident.
  const std::vector<WorkPoint> curve{{1e-1, 1}, {1e-5, 2}, {1e-2, 4}, {1e-4, 8}};
  EXPECT_NEAR(cost_at(curve, 1e-3).value(), std::sqrt(4 * 8), 1e-12);
  const std::vector<WorkPoint> no_error{{1e-2, 1}, {0, 4}};
  EXPECT_EQ(cost_at(no_error, 1e-3), 4);
}

TEST(CommonRange, IsWhereHalfOfTheRangesLie) {
  const auto common = [](const std::vector<ErrorRange>& ranges) {
    const std::optional<ErrorRange> found = common_range(ranges);
    return found ? std::vector<double>{found->low, found->high} : std::vector<double>{};
  };
  EXPECT_THAT(common({}), IsEmpty());
  EXPECT_THAT(common({{1e-6, 1e-1}}), ElementsAre(1e-6, 1e-1));
  EXPECT_THAT(common({{1e-6, 1e-1}, {1e-4, 1e-2}, {1e-12, 1e-3}, {1e-12, 1e-9}}), ElementsAre(1e-6, 1e-2));
  EXPECT_THAT(common({{1e-2, 1e-1}, {1e-4, 1e-3}, {1e-12, 1e-8}}), ElementsAre(1e-12, 1e-8))
      << "one is the most there is";
  EXPECT_THAT(common({{1e-2, 1e-1}, {1e-2, 1e-1}, {1e-9, 1e-5}, {1e-9, 1e-5}}), ElementsAre(1e-9, 1e-5))
      << "the widest";
  EXPECT_NEAR((ErrorRange{1e-6, 1e-2}).middle(), 1e-4, 1e-18);
}

ComparisonRow made_row(const char* method, double error, double cost) {
  ComparisonRow row;
  row.method = method;
  row.step = 1 / cost;
  row.steps = static_cast<long long>(cost);
  row.torque_evaluations = 2 * row.steps;
  row.attitude_error = to_number(error);
  row.timings = {cost, 0.5 * cost, 3 * cost};
  return row;
}

// Methods of order 2 and 4, one that is too good and one that is too bad. A cost is the median of three timings.
std::vector<ComparisonRow> made_up_rows() {
  std::vector<ComparisonRow> rows;
  for (const double cost : {1.0, 10.0, 100.0, 1000.0}) rows.push_back(made_row("second", std::pow(cost, -2), cost));
  for (const double cost : {1.0, 10.0, 100.0}) rows.push_back(made_row("fourth", std::pow(cost, -4), cost));
  rows.push_back(made_row("exact", 1e-15, 1));
  for (const double cost : {1.0, 10.0}) rows.push_back(made_row("first", 1 / cost, cost));
  return rows;
}

TEST(CostsAtErrors, RankMethods) {
  const std::vector<CostsAtError> all = costs_at_errors(made_up_rows());
  ASSERT_EQ(all.size(), 2U) << "only one method reaches 1e-9";
  EXPECT_EQ(all[0].error, 1e-3);
  EXPECT_EQ(all[1].error, 1e-6);
  for (const CostsAtError& at : all) {
    ASSERT_EQ(at.costs.size(), 2U);
    EXPECT_EQ(at.costs[0].method, "fourth");
    EXPECT_NEAR(at.costs[0].seconds, std::pow(at.error, -0.25), 1e-9);
    EXPECT_EQ(at.costs[0].ratio, 1);
    EXPECT_EQ(at.costs[1].method, "second");
    EXPECT_NEAR(at.costs[1].seconds, std::pow(at.error, -0.5), 1e-9);
    EXPECT_NEAR(at.costs[1].ratio, std::pow(at.error, -0.25), 1e-9);
    EXPECT_THAT(at.more_accurate, ElementsAre("exact"));
    EXPECT_THAT(at.less_accurate, ElementsAre("first"));
  }
}

TEST(CostsAtErrors, LeaveOutWhatFailedOrWasNotTimed) {
  std::vector<ComparisonRow> rows = made_up_rows();
  for (ComparisonRow& row : rows) {
    if (row.method == "fourth") row.timings.clear();
  }
  EXPECT_THAT(costs_at_errors(rows), IsEmpty());
  EXPECT_THAT(costs_at_errors({}), IsEmpty());
}

TEST(Compare, ErrorsAndCountsAreThoseOfRuns) {
  const std::vector<std::string> names{"rkmk-4", "mclachlan-reich-231@suzuki", "implicit-midpoint", "abm4+energy"};
  const Comparison study = compare(request("asymmetric-top", names, {0.05, 0.1}, 2, 3));
  EXPECT_FALSE(study.choice);
  ASSERT_EQ(study.rows.size(), 8U);
  for (std::size_t i = 0; i < study.rows.size(); ++i) {
    const ComparisonRow& row = study.rows[i];
    EXPECT_EQ(row.method, names[i / 2]);
    EXPECT_EQ(row.step, i % 2 == 0 ? 0.1 : 0.05);
    Scenario scenario = problem_scenario(*find_problem("asymmetric-top"));
    scenario.run.method = row.method;
    scenario.run.step = row.step;
    scenario.run.duration = 2;
    const Result result = run(plan(scenario));
    EXPECT_EQ(decimal(*row.attitude_error), decimal(*result.attitude_error)) << row.method;
    EXPECT_EQ(row.torque_evaluations, result.work.torque_evaluations) << row.method;
    EXPECT_EQ(row.steps, result.steps);
    EXPECT_THAT(row.timings, SizeIs(3));
    EXPECT_THAT(row.timings, Each(Gt(0)));
  }
  EXPECT_EQ(study.rows[0].torque_evaluations, 4 * 20) << "rkmk-4 takes four a step";
}

TEST(Compare, StepsOfItsOwnAreHalvedDownToRounding) {
  const Comparison study = compare(request("free-mclachlan-zanna", {"taylor-8", "free-exact"}, {}, 20));
  EXPECT_THAT(methods_of(study), ElementsAre("taylor-8", "free-exact"));
  std::vector<ComparisonRow> taylor;
  for (const ComparisonRow& row : study.rows) {
    ASSERT_TRUE(row.attitude_error);
    EXPECT_LT(row.attitude_error->value, 0.5);
    if (row.method == "taylor-8") taylor.push_back(row);
  }
  ASSERT_GE(taylor.size(), 4U);
  EXPECT_EQ(study.rows.size(), taylor.size() + 1) << "an exact method is at rounding with its first step";
  for (std::size_t i = 1; i < taylor.size(); ++i) {
    EXPECT_EQ(taylor[i].step, taylor[i - 1].step / 2);
    EXPECT_EQ(taylor[i].steps, 2 * taylor[i - 1].steps);
  }
  EXPECT_GT(taylor.front().attitude_error->value, 1e-6);
  EXPECT_LT(taylor.back().attitude_error->value, 1e-12);
}

TEST(Compare, StepsThatFailAreLeftOutUnlessAskedFor) {
  // No step of more than about a second has a solution there.
  const Comparison asked = compare(request("free-mclachlan-zanna", {"moser-veselov"}, {10, 0.5}, 10));
  ASSERT_EQ(asked.rows.size(), 2U);
  EXPECT_THAT(asked.rows[0].failure, HasSubstr("did not converge"));
  EXPECT_FALSE(asked.rows[0].attitude_error || asked.rows[0].cost());
  EXPECT_TRUE(asked.rows[1].attitude_error && asked.rows[1].cost());
  ComparisonRequest own = request("free-mclachlan-zanna", {"moser-veselov"}, {}, 10);
  own.scalar = ScalarKind::float_;  // is at rounding soon
  for (const ComparisonRow& row : compare(own).rows) EXPECT_EQ(row.failure, "") << row.step;
}

// One step per method leaves no time to compare at: the choice is then by error, which is the same on every machine.
TEST(Choice, IsOneOfEachFamilyThatTakesTheField) {
  const std::map<std::string, std::vector<std::string>> besides{
      {"free-mclachlan-zanna", {"exact"}}, {"asymmetric-top", {}}, {"dumbbell", {"dumbbell"}}};
  for (const auto& [problem, more] : besides) {
    SCOPED_TRACE(problem);
    const Comparison study = compare(request(problem.c_str(), {}, {0.1}, 1));
    ASSERT_TRUE(study.choice);
    std::set<std::string> wanted(more.begin(), more.end()), found;
    std::map<std::string, std::size_t> members;
    for (const MethodInfo& method : methods()) {
      const std::string family(method.family);
      ++members[family];
      if (family != "exact" && family != "dumbbell") wanted.insert(family);
    }
    std::vector<std::string> chosen;
    for (const FamilyChoice& choice : study.choice->families) {
      EXPECT_TRUE(found.insert(choice.family).second) << choice.family << " has two";
      EXPECT_EQ(methods()[parse_method(choice.method).index].family, choice.family);
      EXPECT_EQ(choice.of, members[choice.family]);
      chosen.push_back(choice.method);
    }
    EXPECT_EQ(found, wanted);
    EXPECT_EQ(methods_of(study), chosen);
  }
}

TEST(Choice, WithoutTimesToCompareIsTheMostAccurate) {
  const Comparison study = compare(request("asymmetric-top", {}, {0.1}, 1));
  ASSERT_TRUE(study.choice);
  EXPECT_FALSE(study.choice->error);
  std::vector<std::string> everyone;
  for (const MethodInfo& method : methods()) {
    if (method.space == Space::rotations && method.claims.needs != Needs::no_torque) everyone.emplace_back(method.name);
  }
  EXPECT_EQ(study.choice->methods, everyone.size());
  std::map<std::string, double> least, chosen;
  for (const ComparisonRow& row : compare(request("asymmetric-top", everyone, {0.1}, 1)).rows) {
    const std::string family(methods()[parse_method(row.method).index].family);
    const auto place = least.try_emplace(family, HUGE_VAL).first;
    place->second = smaller(place->second, row.attitude_error->value);
  }
  for (const ComparisonRow& row : study.rows) {
    chosen[std::string(methods()[parse_method(row.method).index].family)] = row.attitude_error->value;
  }
  EXPECT_EQ(chosen, least);
}

TEST(Choice, SaysAtWhichErrorTimesWereCompared) {
  const Comparison study = compare(request("asymmetric-top", {}, {0.1, 0.05, 0.025}, 1));
  ASSERT_TRUE(study.choice && study.choice->error);
  EXPECT_THAT(rule_of(*study.choice), HasSubstr("the least time at an error of"));
  std::size_t around = 0;
  for (const FamilyChoice& choice : study.choice->families) {
    double smallest = HUGE_VAL, largest = 0;
    for (const ComparisonRow& row : study.rows) {
      if (row.method != choice.method) continue;
      smallest = smaller(smallest, row.attitude_error->value);
      largest = larger(largest, row.attitude_error->value);
    }
    if (smallest <= *study.choice->error && *study.choice->error < largest) ++around;
  }
  EXPECT_GT(around, 0U) << "the error lies between those of a method";
}

TEST(Compare, ANameAndItsAliasAreOneMethod) {
  const Comparison study =
      compare(request("free-mclachlan-zanna", {"mclachlan-reich", "mclachlan-reich-123"}, {0.1, 0.2, 0.1}, 1));
  ASSERT_EQ(study.rows.size(), 2U);
  EXPECT_EQ(study.rows[0].method, "mclachlan-reich-123");
}

TEST(Compare, RefusesWhatDoesNotFit) {
  const auto refused = [](std::vector<std::string> methods, std::vector<double> steps, double duration) {
    return refusal(request("fast-top", std::move(methods), std::move(steps), duration));
  };
  EXPECT_EQ(refused({"tailor-4"}, {}, 1), "run.method: no method named 'tailor-4'; nearest: taylor-4");
  EXPECT_THAT(refused({"rkmk-4", "free-exact"}, {}, 1), HasSubstr("free-exact is for a body without torque"));
  EXPECT_THAT(refused({"taylor-4"}, {-0.1}, 1), HasSubstr("run.step: -0.1 is not positive"));
  EXPECT_THAT(refused({"abm4"}, {0.1, 0.03}, 1), HasSubstr("abm4 cannot shorten its last step"));
  EXPECT_THAT(refused({}, {}, 0), HasSubstr("run.duration: 0 is no time at all"));
}

TEST(Compare, AStepThatSomeMethodsRefuseLeavesThemOut) {
  const Comparison study = compare(request("asymmetric-top", {}, {0.3}, 1));
  // Of the multistep methods one alone shortens its last step.
  for (const FamilyChoice& choice : study.choice->families) {
    if (choice.family == "multistep") {
      EXPECT_EQ(choice.method, "simo-wong-ab2");
      EXPECT_EQ(choice.of, 1U);
    }
  }
}

TEST(Compare, StopsWhenAsked) {
  const std::atomic<bool> stop{true};
  for (const std::vector<std::string>& names : {std::vector<std::string>{}, {"rkmk-4"}}) {
    const Comparison study = compare(request("free-mclachlan-zanna", names, {0.1}, 1), {nullptr, &stop});
    EXPECT_TRUE(study.interrupted);
    EXPECT_THAT(study.rows, IsEmpty());
    EXPECT_FALSE(study.choice);
  }
}

TEST(Compare, InterruptedWhileTimingItHasWhatWasMeasured) {
  std::atomic<bool> stop{false};
  std::vector<double> done;
  const StudyControl control{[&](const StudyProgress& at) {
                               done.push_back(at.done);
                               if (at.stage.starts_with("timing, 2")) stop = true;
                             },
                             &stop};
  // Every round of timings is told of, however short.
  const Comparison study = compare(request("free-mclachlan-zanna", {"rkmk-4", "lie-verlet"}, {0.1}, 100, 3), control);
  EXPECT_TRUE(study.interrupted);
  ASSERT_EQ(study.rows.size(), 2U);
  for (const ComparisonRow& row : study.rows) {
    EXPECT_TRUE(row.attitude_error);
    EXPECT_THAT(row.timings, SizeIs(AllOf(Ge(1), Le(2))));
  }
  const json written = json::parse(to_json(study));
  EXPECT_EQ(written["interrupted"], true);
  EXPECT_TRUE(written["rows"][1]["cost"].is_number());
  EXPECT_EQ(written["rows"][1]["cost_spread"], nullptr) << "one timing has no spread";
  EXPECT_TRUE(std::is_sorted(done.begin(), done.end()));
  EXPECT_LT(done.back(), 1);
}

Comparison made_up() {
  Comparison study;
  study.version = "0";
  study.problem = "made-up";
  study.reference = "known";
  study.duration = 8;
  study.repeats = 3;
  study.rows = made_up_rows();
  study.rows.push_back({"bad", 0.5, 3, std::nullopt, 4, {}, "bad did not converge; try a \"smaller\" step"});
  study.choice = Choice{1e-4, 5, {{"powers", "fourth", 3}, {"others", "exact", 2}}};
  study.at_errors = costs_at_errors(study.rows);
  return study;
}

TEST(CompareOutput, JsonHasTheContractsKeysAndNullsForWhatIsNotThere) {
  const json study = json::parse(to_json(made_up()));
  for (const char* key : {"schema_version", "problem", "scalar", "reference", "duration", "rows", "at_error"}) {
    EXPECT_TRUE(study.contains(key)) << key;
  }
  EXPECT_EQ(study["unit_of_cost"], "s");
  ASSERT_EQ(study["rows"].size(), 11U);
  for (const json& row : study["rows"]) {
    for (const char* key : {"method", "step", "steps", "attitude_error", "cost", "cost_spread", "cost_quartiles",
                            "torque_evaluations", "timings", "converged"}) {
      EXPECT_TRUE(row.contains(key)) << key;
    }
  }
  const json& first = study["rows"][1];
  EXPECT_EQ(first["method"], "second");
  EXPECT_EQ(first["cost"], 10);
  EXPECT_EQ(first["cost_quartiles"], json::parse("[7.5, 20]"));
  EXPECT_EQ(first["cost_spread"], 12.5);
  EXPECT_EQ(first["timings"], 3);
  const json& failed = study["rows"][10];
  for (const char* key : {"attitude_error", "cost", "cost_spread", "cost_quartiles"}) EXPECT_EQ(failed[key], nullptr);
  EXPECT_EQ(failed["converged"], false);
  EXPECT_THAT(failed["failure"].get<std::string>(), HasSubstr("\"smaller\""));
  ASSERT_EQ(study["at_error"].size(), 2U);
  EXPECT_EQ(study["at_error"][0]["attitude_error"], 1e-3);
  EXPECT_EQ(study["at_error"][0]["costs"][0]["method"], "fourth");
  EXPECT_EQ(study["at_error"][0]["costs"][0]["ratio"], 1);
  EXPECT_EQ(study["at_error"][0]["more_accurate"], json::parse(R"(["exact"])"));
  EXPECT_EQ(study["choice"]["families"][1], json::parse(R"({"family": "others", "method": "exact", "of": 2})"));
  EXPECT_EQ(study["choice"]["attitude_error"], 1e-4);
  Comparison asked = made_up();
  asked.choice.reset();
  EXPECT_EQ(json::parse(to_json(asked))["choice"], nullptr);
}

TEST(CompareOutput, CsvHasUnitsAndTheRestAbove) {
  const std::string csv = to_csv(made_up());
  const std::vector<std::string> rows = table_of(csv);
  ASSERT_EQ(rows.size(), 12U);
  EXPECT_EQ(rows[0], "method,step[s],steps,attitude_error[rad],cost[s],cost_spread[s],torque_evaluations,converged");
  EXPECT_EQ(rows[1], "second,1,1,1,1,1.25,2,true");
  EXPECT_EQ(rows[11], "bad,0.5,3,nan,nan,nan,4,false");
  for (const char* line :
       {"# chosen by: the least time at an error of 0.0001 rad", "# chosen of powers: fourth, of 3\n",
        "# cost at an error of 0.001: fourth 5.62341 s\n", "# repeats: 3\n"}) {
    EXPECT_THAT(csv, HasSubstr(line));
  }
}

}  // namespace
}  // namespace polhode::compare_test
