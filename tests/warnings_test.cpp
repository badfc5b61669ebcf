// Results that may not be what was wanted: steps too long for the motion, steps too short for the clock, a tolerance that
// is missed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "polhode/run/run.hpp"
#include "program.hpp"

namespace polhode {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

// A free body that turns steadily, by 1 rad/s about the axis of its least moment: a step of h turns it by h.
Scenario steady(const std::string& method, double step, long long steps = 10) {
  Scenario scenario = parse_scenario(good, "x.toml");
  scenario.run.method = method;
  scenario.run.step = step;
  scenario.run.duration.reset();
  scenario.run.steps = steps;
  return scenario;
}

std::vector<std::string> warnings_of(const Scenario& scenario) {
  std::vector<std::string> said;
  RunControl control;
  control.warn = [&](const std::string& sentence) { said.push_back(sentence); };
  const Result result = run(scenario, plan(scenario), nullptr, control);
  EXPECT_EQ(result.warnings, said);
  return said;
}

TEST(Warnings, AStepOfMoreThanARadianIsToldOnce) {
  for (const ScalarKind scalar :
       {ScalarKind::float_, ScalarKind::double_, ScalarKind::long_double_, ScalarKind::quad_}) {
    Scenario scenario = steady("taylor-4", 1);
    scenario.run.scalar = scalar;
    EXPECT_THAT(warnings_of(scenario), IsEmpty()) << "a radian is not more";
    scenario.run.step = 1.0001;
    EXPECT_THAT(
        warnings_of(scenario),
        ElementsAre(AllOf(StartsWith("step 1 of 1.0001 s, which begins at t = 0 s, turns the body by 1.0001 rad"),
                          HasSubstr("taylor-4"), HasSubstr("take steps of 1 s or less"))));
    scenario.run.steps.reset();
    scenario.run.duration = -10.001;
    EXPECT_THAT(warnings_of(scenario), SizeIs(1)) << "backwards";
  }
}

// The body turns at 1 rad/s, and about its other axes it would turn more slowly: the remedy holds at every time.
TEST(Warnings, TheStepThatWouldDoDoes) {
  for (const double step : {1.5, 7.0, 123.0}) {
    Scenario scenario = steady("mclachlan-reich-231", step);
    scenario.setup.motion.value = {0.3, 0.9, -0.4};
    const std::vector<std::string> said = warnings_of(scenario);
    ASSERT_THAT(said, SizeIs(1));
    const std::string words = "take steps of ";
    scenario.run.step = std::stod(said[0].substr(said[0].find(words) + words.size()));
    scenario.run.steps = 1000;
    EXPECT_THAT(warnings_of(scenario), IsEmpty()) << said[0];
    EXPECT_GT(scenario.run.step, 0.3) << "and is not needlessly small";
  }
}

// From rest, a torque of 0.9 N m about an axis with 1 kg m^2: after n steps of 0.5 s the body turns at 0.45 n rad/s, and
// by 0.225 n rad in the next one. That is 0.9 in the fifth and 1.125 in the sixth.
TEST(Warnings, AStepThatBecomesTooLongIsToldWhenItDoes) {
  Scenario scenario = steady("rkmk-4", 0.5, 5);
  scenario.setup.motion.value = {0, 0, 0};
  scenario.setup.torques = {ConstantBody<double>{.torque_B = {0.9, 0, 0}}};
  EXPECT_THAT(warnings_of(scenario), IsEmpty());
  scenario.run.steps = 20;
  EXPECT_THAT(warnings_of(scenario),
              ElementsAre(HasSubstr("step 6 of 0.5 s, which begins at t = 2.5 s, turns the body by 1.125 rad")));
}

TEST(Warnings, MethodsThatAreExactMayTakeAnyStep) {
  for (const char* method : {"free-exact", "rotor-verlet", "rotor-srkn6b"}) {
    EXPECT_THAT(warnings_of(steady(method, 100)), IsEmpty()) << method;
  }
  Scenario scenario = steady("rotor-verlet", 2);
  scenario.setup.torques = {ConstantBody<double>{.torque_B = {1e-3, 0, 0}}};
  EXPECT_THAT(warnings_of(scenario), SizeIs(1)) << "exact without a torque only";
  scenario.run.method = "taylor-adaptive";
  EXPECT_THAT(warnings_of(scenario), SizeIs(1)) << "one step as it comes";
  scenario.run.tolerance = 1e-9;
  EXPECT_THAT(warnings_of(scenario), IsEmpty()) << "steps of its own";
}

// Doubles next to 1e12 are 2^-13 s = 1.2e-4 s apart: of 0.02 s, that is more than a half per cent.
TEST(Warnings, TimesThatAreRoundedToAPartOfAStepAreTold) {
  Scenario scenario = steady("taylor-4", 0.03);
  scenario.setup.time = 1e12;
  EXPECT_THAT(warnings_of(scenario), IsEmpty());
  scenario.run.step = 0.02;
  EXPECT_THAT(warnings_of(scenario),
              ElementsAre(AllOf(HasSubstr("near t = 1e+12 s"), HasSubstr("in double"),
                                HasSubstr("advance unevenly by a step of 0.02 s"), HasSubstr("steps of 0.03 s or more"),
                                HasSubstr("wider scalar"))));
  scenario.run.scalar = ScalarKind::long_double_;
  EXPECT_THAT(warnings_of(scenario), IsEmpty());
}

TEST(Warnings, ATimeThatDoesNotAdvanceIsTold) {
  Scenario scenario = steady("taylor-4", 0.5);
  scenario.setup.time = 1e17;
  scenario.output.columns = {Column::energy};
  Table table;
  const Result result = run(scenario, plan(scenario), &table);
  EXPECT_EQ(table.rows[0][0].value, table.rows[1][0].value) << "it does not";
  EXPECT_THAT(result.warnings, ElementsAre(AllOf(HasSubstr("near t = 1e+17 s"), HasSubstr("do not advance"))));
}

// A long run in float: 2000 s in steps of 1 ms end where floats are 1.2e-4 s apart.
TEST(Warnings, TheEndOfARunCountsAsItsBeginningDoes) {
  Scenario scenario = steady("taylor-1", 1e-3, 50);
  scenario.run.scalar = ScalarKind::float_;
  EXPECT_THAT(warnings_of(scenario), IsEmpty());
  scenario.run.steps = 2000000;
  EXPECT_THAT(warnings_of(scenario), ElementsAre(AllOf(HasSubstr("near t = 2000 s"), HasSubstr("in float"))));
}

TEST(Warnings, AreOnStderrAndInTheJson) {
  const TestFolder folder;
  folder.write("x.toml", good);
  const Outcome run = polhode(folder, {"run", "x.toml", "--step", "2", "--steps", "5", "--json"});
  EXPECT_EQ(run.code, 0);
  const json said = json::parse(run.out)["warnings"];
  ASSERT_EQ(said.size(), 1U);
  EXPECT_EQ(run.err, "polhode: warning: " + said[0].get<std::string>() + "\n");
  const Outcome quiet = polhode(folder, {"run", "x.toml", "--step", "2", "--steps", "5", "--json", "--quiet"});
  EXPECT_EQ(quiet.err, "");
  EXPECT_EQ(json::parse(quiet.out)["warnings"], said);
  EXPECT_EQ(json::parse(polhode(folder, {"run", "x.toml", "--json"}).out)["warnings"], json::array());
}

// No double is within 1e-19 rad of anything.
TEST(Warnings, AToleranceThatAutoMissesIsAnError) {
  const TestFolder folder;
  folder.write("x.toml", good);
  for (const char* tolerance : {"1e-6", "1e-19"}) {
    const bool missed = std::stod(tolerance) < 1e-16;
    const Outcome run = polhode(folder, {"run", "x.toml", "-m", "auto", "--tolerance", tolerance, "--quiet", "--json"});
    EXPECT_EQ(run.code, missed ? 1 : 0);
    const json result = json::parse(run.out);
    EXPECT_EQ(result["auto"]["reaches_tolerance"], !missed);
    EXPECT_EQ(result["warnings"].size(), missed ? 1U : 0U);
    if (!missed) {
      EXPECT_EQ(run.err, "");
      continue;
    }
    EXPECT_EQ(lines_of(run.err).size(), 1U);
    EXPECT_THAT(run.err, AllOf(StartsWith("polhode: "), HasSubstr("1e-19 rad"), HasSubstr("wider scalar")));
  }
  const Outcome rows = polhode(folder, {"run", "x.toml", "-m", "auto", "--tolerance", "1e-19", "-o", "a.csv"});
  EXPECT_EQ(rows.code, 1);
  EXPECT_EQ(table_of(read_file(folder.file("a.csv"))).size(), 12U) << "the run itself is complete: a row every 0.1 s";
}

// Where a reference tells the error, that decides and no forecast: a quad reference, in a run in double.
TEST(Warnings, AMissedToleranceIsToldWithTheErrorThatWasReached) {
  const TestFolder folder;
  const Outcome run = polhode(
      folder, {"run", "--problem", "free-mclachlan-zanna", "-m", "auto", "--tolerance", "1e-19", "--quiet", "--json"});
  const json result = json::parse(run.out);
  ASSERT_GT(result["attitude_error"], 1e-19);
  EXPECT_EQ(run.code, 1);
  const std::string words = " s is ";
  const double told = std::stod(run.err.substr(run.err.find(words) + words.size()));
  EXPECT_NEAR(told, result["attitude_error"], 0.01 * told);
}

}  // namespace
}  // namespace polhode
