// The parts behind `polhode reproduce`: tables, expressions, derived columns, searches, verdicts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <numbers>

#include "experiments/columns.hpp"
#include "experiments/conduct.hpp"
#include "experiments/expression.hpp"
#include "experiments/quantities.hpp"
#include "experiments/search.hpp"
#include "experiments/tasks.hpp"
#include "io_support.hpp"
#include "polhode/io/scenario.hpp"
#include "polhode/run/simulation.hpp"

namespace polhode::experiments::reproduce_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

const std::atomic<bool> no_stop{false};

TEST(CsvTable, ReadsQuotedFieldsAndNamesTheLineOfAMistake) {
  const TestFolder folder;
  const CsvTable table = read_csv(folder.write("a.csv", "item,what\nx,\"a, \"\"b\"\"\nc\"\ny,\n"));
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.cell(0, "what"), "a, \"b\"\nc");
  EXPECT_EQ(table.cell(1, "what"), "");
  EXPECT_EQ(table.cell(1, "absent"), "");
  EXPECT_THAT(table.lines, ElementsAre(2, 4));
  EXPECT_EQ(csv_field("a, \"b\""), "\"a, \"\"b\"\"\"");
  EXPECT_THAT([&] { read_csv(folder.write("b.csv", "item,what\nx\n")); },
              ThrowsMessage<Error>(HasSubstr("b.csv:2: has 1 fields, the header 2")));
  for (const char* row : {"\"x,y\n", "x,\"y\"z\n", "x,y\"\"\n"}) {
    EXPECT_THAT([&] { read_csv(folder.write("c.csv", std::string("item,what\r\n\na,\"b\nc\"\n") + row)); },
                ThrowsMessage<Error>(HasSubstr("c.csv:5: quotes must be around a whole field")));
  }
}

TEST(Expression, ComputesAndTellsWhatItDoesNotKnow) {
  const Variables known{{"drift_newmark", -4.0}, {"drift_verlet", 0.5}};
  EXPECT_EQ(evaluate("abs(drift_newmark) / drift_verlet", known), 8);
  EXPECT_EQ(evaluate("drift_newmark < 0 && drift_verlet > 0.4", known), 1);
  EXPECT_EQ(evaluate("max(drift_newmark, drift_verlet, 0.25)", known), 0.5);
  EXPECT_THAT([&] { evaluate("drift_newmrk > 0", known); }, ThrowsMessage<Error>(HasSubstr("nearest: drift_newmark")));
  EXPECT_THAT([&] { evaluate("1 +", known); }, ThrowsMessage<Error>(HasSubstr("'1 +'")));
}

TEST(Expression, WhatFailedSatisfiesNoBound) {
  const Variables failed{{"x", std::nan("")}};
  EXPECT_EQ(evaluate("x < 1 || x >= 1", failed), 0);
  EXPECT_EQ(evaluate("max(x, 1) > 0 || min(1, x) < 2 || sum(1, x) > 0", failed), 0);
  EXPECT_EQ(evaluate("isnan(x)", failed), 1);
}

// A body that turns uniformly about its third axis, at 3 rad/s with moments (1, 2, 4), by 6 radians between two rows.
Motion uniform_turn() {
  const double w = 3, h = 2;
  Motion motion;
  motion.setup.inertia = Vec3<double>{1, 2, 4};
  for (int n = 0; n <= 4; ++n) {
    const double half = 0.5 * w * h * n;
    const std::pair<const char*, double> cells[] = {{"t", h * n},
                                                    {"qw", std::cos(half)},
                                                    {"qx", 0},
                                                    {"qy", 0},
                                                    {"qz", std::sin(half)},
                                                    {"wx_B", 0},
                                                    {"wy_B", 0},
                                                    {"wz_B", w},
                                                    {"Lx_S", 0},
                                                    {"Ly_S", 0},
                                                    {"Lz_S", 4 * w},
                                                    {"E", 2 * w * w + 1}};
    for (const auto& [name, value] : cells) motion.columns[name].push_back(value);
  }
  return motion;
}

TEST(Columns, AStepMayTurnByMoreThanHalfATurn) {
  const Curve turned = curve_of(uniform_turn(), "increment_deg");
  EXPECT_THAT(turned.t, ElementsAre(1, 3, 5, 7));
  for (const double degrees : turned.values) EXPECT_NEAR(degrees, 6 * 180 / std::numbers::pi, 1e-9);
}

TEST(Columns, MomentaAndEnergiesOfTheMiddleOfAStep) {
  // As seen in the attitudes alone, 6 radians forwards are 6 - 2 pi: I q/h is made of that.
  const double q = 6 - 2 * std::numbers::pi, p = 4 * q / 2;
  const Motion motion = uniform_turn();
  EXPECT_NEAR(curve_of(motion, "mid_pz_B").values[2], p, 1e-12);
  EXPECT_NEAR(curve_of(motion, "mid_p_ratio").values[1], std::abs(p) / 12, 1e-12);
  EXPECT_NEAR(curve_of(motion, "mid_Lz_S").values[0], p, 1e-12);
  EXPECT_NEAR(curve_of(motion, "mean_Lz_S").values[0], p, 1e-12);
  EXPECT_NEAR(curve_of(motion, "mid_energy").values[0], 0.5 * 4 * (q / 2) * (q / 2) + 1, 1e-12);
  EXPECT_NEAR(curve_of(motion, "pz_B").values[3], 12, 1e-12);
  EXPECT_THAT([&] { curve_of(motion, "pz"); }, ThrowsMessage<Error>(HasSubstr("column = 'pz'")));
}

// Of points that are no motion's, so that every column has a value of its own.
TEST(Columns, OfTheContactOfEllipsoidAndPlane) {
  Motion motion = uniform_turn();
  const std::pair<const char*, std::vector<double>> contact[] = {
      {"polhode_x_B", {0.3, 0, 0, 0, 0}},      {"polhode_y_B", {0.4, 0, 0, 0, 0}},
      {"polhode_z_B", {0.5, 0.5, 1, 1, 1}},    {"herpolhode_x_S", {0.3, 0.6, 0, 0, 0}},
      {"herpolhode_y_S", {0.4, 0.8, 0, 0, 0}}, {"herpolhode_z_S", {0, 0, 0, 0, 0}}};
  for (const auto& [name, values] : contact) motion.columns[name] = values;
  const auto first = [&](const char* column) { return curve_of(motion, column).values[0]; };
  // Moments (1, 2, 4), L = (0, 0, 12) and W = (0, 0, 3) in the body and at the start in space; E = 19.
  EXPECT_NEAR(first("contact_ellipsoid"), 0.09 + 2 * 0.16 + 4 * 0.25, 1e-14);
  EXPECT_NEAR(first("contact_second_ellipsoid"), 4 * (0.09 + 0.64 + 4) * 19 / (2 * 144), 1e-13);
  EXPECT_NEAR(first("contact_tangency"), std::hypot(0.3, 0.8) / std::sqrt(0.09 + 0.64 + 4), 1e-14);
  EXPECT_NEAR(first("contact_axis"), 0.5 / std::sqrt(0.5), 1e-14);
  EXPECT_NEAR(first("contact_distance"), 0.5, 1e-14);
  EXPECT_NEAR(curve_of(motion, "contact_departure").values[2], std::sqrt(0.5), 1e-14);
  EXPECT_NEAR(first("contact_chord_ratio"), 0.5 / 0.5, 1e-14);
  // Half of (0.3, 0.4) is carried round z by 6 rad: a chord of 2 sin 3 times its length.
  EXPECT_NEAR(first("contact_slip"), 2 * std::sin(3.0) * 0.25 / 0.5, 1e-13);
}

TEST(Columns, StatisticsOfAKnownSeries) {
  const Curve zigzag{{0, 1, 2, 3, 4, 5, 6, 7}, {1, -2, 3, -4, 5, -6, 7, -8}};
  EXPECT_EQ(statistic_of(zigzag, "sign_changes"), 7);
  EXPECT_EQ(statistic_of(zigzag, "range"), 15);
  EXPECT_EQ(statistic_of(zigzag, "max_abs_q1"), 2);
  EXPECT_EQ(statistic_of(zigzag, "max_abs_q4"), 8);
  EXPECT_EQ(statistic_of(zigzag, "smallest_rise"), -15);
  EXPECT_EQ(statistic_of(zigzag, "largest_rise"), 13);
  EXPECT_EQ(statistic_of(zigzag, "mean"), -0.5);
  EXPECT_NEAR(statistic_of({{0, 1, 2, 4}, {1, 3, 5, 9}}, "slope"), 2, 1e-14);
  EXPECT_THAT([&] { statistic_of(zigzag, "median"); }, ThrowsMessage<Error>(HasSubstr("there are first")));
}

// What failed must not pass for the rest.
TEST(Columns, AStatisticOfAValueThatIsNoneIsNone) {
  const double nan = std::nan("");
  for (const std::size_t place : {0U, 3U, 7U}) {
    Curve curve{{0, 1, 2, 3, 4, 5, 6, 7}, {1, -2, 3, -4, 5, -6, 7, -8}};
    curve.values[place] = nan;
    for (const char* statistic :
         {"min", "max", "range", "mean", "max_abs", "sign_changes", "slope", "smallest_rise", "largest_rise"}) {
      EXPECT_TRUE(std::isnan(statistic_of(curve, statistic))) << statistic << " with a NaN at " << place;
    }
    for (std::size_t quarter = 0; quarter < 4; ++quarter) {
      const std::string name = "max_abs_q" + std::to_string(quarter + 1);
      EXPECT_EQ(std::isnan(statistic_of(curve, name)), place / 2 == quarter) << name;
    }
  }
}

TEST(Search, IsTheLastMissOfAllStepsAndOneMore) {
  Parameters parameters;
  for (const auto& [key, value] : std::map<std::string, std::string>{{"problem", "free-mclachlan-zanna"},
                                                                     {"method", "mclachlan-reich-4-123+energy"},
                                                                     {"duration", "10"},
                                                                     {"accuracy", "0.001"},
                                                                     {"limit", "1280"}}) {
    parameters.set(key, value);
  }
  Runs runs("", no_stop);
  long long last_miss = 0;
  for (long long n = 1; n <= 1280; ++n) {
    Scenario scenario = problem_scenario(*find_problem("free-mclachlan-zanna"));
    scenario.run.method = parameters.text("method");
    scenario.run.step = 10.0 / static_cast<double>(n);
    scenario.run.steps = n;
    if (run(plan(scenario)).attitude_error->value > 0.001) last_miss = n;
  }
  ASSERT_GT(last_miss, 10);
  EXPECT_EQ(steps_needed(parameters, runs), static_cast<double>(last_miss + 1));
  parameters.set("accuracy", "1e-30");
  EXPECT_TRUE(std::isnan(steps_needed(parameters, runs)));
}

ItemOutcome judged(const std::string& published, double measured, const Experiment& experiment = {},
                   const std::string& comparison = "") {
  ItemOutcome item;
  item.item = "cell";
  item.published = published;
  judge(item, measured, experiment, comparison);
  return item;
}

TEST(Judge, ComparesTheDigitsThatArePrinted) {
  EXPECT_EQ(judged("82.1053", 82.10534999).verdict, "reproduced");
  EXPECT_EQ(judged("82.1053", 82.1053501).verdict, "not reproduced");
  EXPECT_EQ(judged("2.0", 2.04).verdict, "reproduced");
  EXPECT_EQ(judged("2.00", 2.04).verdict, "not reproduced");
  EXPECT_EQ(judged("12771", 12771).verdict, "reproduced");
  EXPECT_EQ(judged("12771", 12772).verdict, "not reproduced");
  EXPECT_EQ(judged("", 3).verdict, "measured");
  EXPECT_EQ(judged("failed", std::nan("")).verdict, "reproduced");
  EXPECT_EQ(judged("failed", 300).verdict, "not reproduced");
  EXPECT_EQ(judged("300", std::nan("")).verdict, "not reproduced");
  EXPECT_THROW(judged("about 3", 3), Error);
  EXPECT_EQ(judged("1.2e-5", 1.249e-5).verdict, "reproduced");
  EXPECT_EQ(judged("1.2e-5", 1.251e-5).verdict, "not reproduced");
  EXPECT_EQ(judged("12771", 12771.25).value, 12771.25);
}

TEST(Judge, ATolerancePutsItWithinAndAnExplanationNamesTheRest) {
  Experiment experiment;
  experiment.comparisons["default"] = {0.01, {}, {}, {}, "read off a plot"};
  experiment.comparisons["order"] = {{}, {}, 1.9, 2.1, "a fit"};
  EXPECT_EQ(judged("100", 101, experiment).verdict, "within tolerance");
  EXPECT_EQ(judged("100", 101.01, experiment).verdict, "not reproduced");
  EXPECT_EQ(judged("2", 2.05, experiment, "order").verdict, "within tolerance");
  EXPECT_EQ(judged("2", 2.2, experiment, "order").verdict, "not reproduced");
  EXPECT_THROW(judged("2", 2, experiment, "ordr"), Error);
  experiment.explanations["cell"] = {"misprint", "the row above has it"};
  const ItemOutcome misprint = judged("210", 8.39, experiment);
  EXPECT_EQ(misprint.verdict, "misprint");
  EXPECT_EQ(misprint.reason, "the row above has it");
  EXPECT_EQ(misprint.value, 8.39);
  const ItemOutcome right = judged("210", 210.3, experiment);
  EXPECT_EQ(right.verdict, "reproduced") << "nothing to explain";
  EXPECT_EQ(right.reason, "");
  const ItemOutcome near = judged("210", 211, experiment);
  EXPECT_EQ(near.verdict, "within tolerance");
  EXPECT_EQ(near.reason, "");
}

TEST(Tasks, AllAreDoneAndTheFirstFailureIsThrown) {
  for (const unsigned threads : {1U, 4U}) {
    std::atomic<int> done{0};
    int told = 0;
    std::vector<std::function<void()>> tasks(100, [&] { ++done; });
    do_all(tasks, threads, [&] { ++told; });
    EXPECT_EQ(done, 100);
    EXPECT_EQ(told, 100);
    tasks[50] = [] { throw std::runtime_error("fifty"); };
    EXPECT_THAT([&] { do_all(tasks, threads, [] {}); }, ThrowsMessage<std::runtime_error>("fifty"));
  }
}

TEST(Once, AFailureIsThrownToEveryoneWhoAsks) {
  Once<int> once;
  int made = 0;
  const auto fail = [&]() -> int { throw std::runtime_error(std::to_string(++made)); };
  EXPECT_THROW(once.get("a", fail), std::runtime_error);
  EXPECT_THAT([&] { once.get("a", fail); }, ThrowsMessage<std::runtime_error>("1"));
  EXPECT_EQ(*once.get("b", [] { return 7; }), 7);
}

TEST(Quantities, ErrorsAgainstAnotherMethodAreThoseAgainstTheReference) {
  Runs runs("", no_stop);
  Parameters parameters;
  for (const auto& [key, value] : std::map<std::string, std::string>{{"problem", "free-mclachlan-zanna"},
                                                                     {"method", "taylor-2"},
                                                                     {"step", "0.1"},
                                                                     {"duration", "10"},
                                                                     {"quantity", "attitude_error"}}) {
    parameters.set(key, value);
  }
  const double direct = measure(parameters, runs);
  ASSERT_GT(direct, 1e-5);
  parameters.set("against", "free-exact");
  EXPECT_NEAR(measure(parameters, runs), direct, 1e-12);
  parameters.set("quantity", "attitude_eror");
  EXPECT_THAT([&] { measure(parameters, runs); }, ThrowsMessage<Error>(HasSubstr("attitude_error")));
}

TEST(Quantities, ARunThatFailsIsNoNumber) {
  Runs runs("", no_stop);
  Parameters parameters;
  for (const auto& [key, value] : std::map<std::string, std::string>{
           {"problem", "free-mclachlan-zanna"}, {"method", "moser-veselov"}, {"step", "5"}, {"duration", "100"}}) {
    parameters.set(key, value);
  }
  const auto of = [&](const char* quantity) {
    parameters.set("quantity", quantity);
    return measure(parameters, runs);
  };
  EXPECT_TRUE(std::isnan(of("energy")));
  EXPECT_TRUE(std::isnan(of("attitude_error")));
  EXPECT_EQ(of("failed"), 1);
  EXPECT_EQ(of("steps_taken"), 0);
}

Experiment experiment_of(const TestFolder& folder, const std::string& text) {
  folder.write("experiment.toml", text);
  return read_experiment(folder.path());
}

constexpr const char* head = "title = \"T\"\nabout = \"A\"\n";

TEST(ExperimentFile, MistakesAreNamedWithTheirLine) {
  const TestFolder folder;
  const auto refusal = [&](const std::string& text, const std::string& said) {
    EXPECT_THAT([&] { experiment_of(folder, head + text); }, ThrowsMessage<Error>(HasSubstr(said))) << text;
  };
  refusal("sett = \"quick\"", "experiment.toml:3: sett: no such key; nearest: set");
  refusal("set = \"fast\"", "choose quick, default or long");
  refusal("[[measure]]\nname = \"a\"\nquantty = \"energy\"", "experiment.toml:5");
  refusal("[[claim]]\nid = \"a\"\nclaim = \"b\"", "either this, an expression, or a test");
  refusal("[[claim]]\nid = \"a\"\nclaim = \"b\"\nholds = \"1\"", "say why these bounds decide");
  refusal("[[claim]]\nid = \"a\"\nclaim = \"b\"\nholds = \"1\"\ncriterion = \"c\"\nverdict = \"holds\"",
          "`holds` or `missing` decides");
  refusal("[[panel]]\nkind = \"pie\"", "'pie' is none; choose one of time-series");
  refusal("[[panel]]\nkind = \"scan\"\ncurves = [{label = \"a\", x = [1, 2], y = [1]}]", "has 1 elements, and x has 2");
  refusal("[[panel]]\nkind = \"scan\"\ncurves = [{label = \"a\", x = [1, 2], y = [1, 2], over = [0, 1, 5]}]",
          "one expression in s");
  refusal("[[panel]]\nkind = \"space-curve\"\nlevels = [\"low\"]", "'low' is not a number");
  refusal("[[panel]]\nkind = \"space-curve\"\nmarks = [{label = \"a\"}]", "at: is missing; give three numbers");
  refusal("[[explained]]\nitem = \"a\"\nverdict = \"fine\"\nreason = \"r\"", "choose misprint, solved or differs");
  refusal("[measure]\nname = \"a\"", "write [[measure]]");
  refusal("[[claim]]\nid = \"a\"\nclaim = \"b\"\nholds = \"1\"\ncriterion = \"c\"", "name the numbers that decide");
  refusal("[[claim]]\nid = \"a\"\nclaim = \"b\"\ntest = \"t\"\nverdict = \"holds\"", "name the tests of the program");
  refusal("[[tolerance]]\nrows = [\"a\"]\nrelative = 0.1", "tolerance[1].reason: is missing");
  refusal("[[tolerance]]\nrows = [\"a\"]\nreason = \"r\"", "give either this, or relative and absolute");
  refusal("[[tolerance]]\nrows = [\"a\"]\nreason = \"r\"\nfactor = 1", "is 1; give 1.01 or more");
  refusal("[[tolerance]]\nreason = \"r\"\nfactor = 10", "tolerance[1].rows: is missing");
  refusal("title = \"twice\"", "experiment.toml:3");
}

TEST(Conduct, MeasuresJudgesAndLeavesOutWhatBelongsToALargerSet) {
  const TestFolder folder;
  folder.write("spin.toml", replaced(good, "method = \"taylor-4\"", "method = \"taylor-1\""));
  folder.write("published.csv",
               "item,published,measure,steps,compare\nE,0.500,end,5,\nE-wrong,0.6,end,5,\nlater,1,slow,,\nstart,1,,,\n"
               "ratio,1.0,=drift_0 / drift_1,,\n");
  const Experiment experiment = experiment_of(folder, std::string(head) + R"(
[[measure]]
name = "end"
quantity = "energy"
scenario = "spin.toml"
[[measure]]
name = "slow"
set = "long"
quantity = "energy"
scenario = "spin.toml"
[[measure]]
name = "drift"
quantity = "value"
value = 3
step_sizes = [0.1, 0.2]
[[measure]]
name = "much"
set = "default"
quantity = "value"
value = 4
[[claim]]
id = "yes"
claim = "c"
measured = ["twice = 2 * drift_0"]
holds = "twice == 6"
criterion = "arithmetic"
[[measure]]
name = "clock"
quantity = "time_per_step"
scenario = "spin.toml"
method = "taylor-1"
[[claim]]
id = "slow-enough"
claim = "c"
measured = ["nanoseconds = clock", "twice = 2 * nanoseconds", "three = drift_0"]
holds = "twice > 0"
criterion = "a step takes time"
[[claim]]
id = "no"
claim = "c"
measured = ["drift = drift_0"]
holds = "drift_0 > 4"
partly = "drift_0 > 2"
criterion = "arithmetic"
[[claim]]
id = "much"
claim = "c"
measured = ["much_more = much"]
holds = "much > drift_0"
criterion = "arithmetic"
[[claim]]
id = "lost"
claim = "c"
measured = ["drift = drift_0"]
missing = "the body"
criterion = "none"
[[panel]]
kind = "time-series"
scenario = "spin.toml"
methods = ["taylor-1", "taylor-2"]
step_sizes = [0.25]
duration = 1
columns = ["wx_B", "energy_error"]
)");
  const TestFolder curves;
  const Outcome quick = conduct(experiment, {Set::quick, 2, curves.path(), "", &no_stop, {}});
  std::map<std::string, std::string> verdicts;
  for (const ItemOutcome& item : quick.items) verdicts[item.item] = item.verdict;
  for (const ClaimOutcome& claim : quick.claims) verdicts[claim.id] = claim.verdict;
  const std::map<std::string, std::string> expected{
      {"E", "reproduced"}, {"E-wrong", "not reproduced"}, {"start", "used"},       {"ratio", "reproduced"},
      {"yes", "holds"},    {"no", "holds in part"},       {"slow-enough", "holds"},
      {"lost", "cannot be decided"}};
  EXPECT_EQ(verdicts, expected);
  EXPECT_EQ(quick.left_out, 2);
  for (const ClaimOutcome& claim : quick.claims) EXPECT_EQ(claim.timed, claim.id == "slow-enough");
  ASSERT_EQ(quick.claims[1].measured.size(), 3U);
  EXPECT_EQ(quick.claims[1].measured[0].allowed, "timed");
  EXPECT_EQ(quick.claims[1].measured[1].allowed, "timed") << "by the number before it";
  EXPECT_EQ(quick.claims[1].measured[2].allowed, "rel 1e-06") << "not by the claim it belongs to";
  EXPECT_EQ(quick.items[0].allowed, "rel 1e-06");
  EXPECT_EQ(quick.items[0].value, 0.5);
  EXPECT_EQ(quick.items[0].command, "polhode run experiments/" + experiment.name + "/spin.toml --steps 5 --json");
  ASSERT_EQ(quick.panels.size(), 1U);
  ASSERT_EQ(quick.panels[0].curves.size(), 2U);
  EXPECT_EQ(quick.panels[0].curves[1].label, "taylor-2");
  EXPECT_THAT(lines_of(read_file(curves.file(quick.panels[0].curves[0].file))),
              ElementsAre("t,wx_B,energy_error", "0,1,0", "0.25,1,0", "0.5,1,0", "0.75,1,0", "1,1,0"));

  const Outcome larger = conduct(experiment, {Set::standard, 1, curves.path(), "", &no_stop, {}});
  EXPECT_EQ(larger.left_out, 1);
  EXPECT_EQ(larger.claims[larger.claims.size() - 2].verdict, "holds");
}

}  // namespace
}  // namespace polhode::experiments::reproduce_test
