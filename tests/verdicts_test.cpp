// How a condition becomes a verdict next to its bound, and when the slope of an energy says anything.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "experiments/energy_room.hpp"
#include "experiments/expression.hpp"
#include "polhode/problems/problem.hpp"
#include "polhode/run/simulation.hpp"

namespace polhode::test::verdicts_test {
namespace {

using experiments::Answer;
using experiments::decide;

TEST(Verdicts, ANumberWithinATwentiethOfItsBoundDecidesNothing) {
  const auto below = [](double x) { return decide("x < 0.5", {{"x", x}}); };
  EXPECT_EQ(below(0.47), Answer::yes);
  EXPECT_EQ(below(0.48), Answer::undecided);
  EXPECT_EQ(below(0.52), Answer::undecided);
  EXPECT_EQ(below(0.53), Answer::no);
  const auto above = [](double x) { return decide("x > -0.5", {{"x", x}}); };
  EXPECT_EQ(above(-0.53), Answer::no);
  EXPECT_EQ(above(-0.52), Answer::undecided);
  EXPECT_EQ(above(-0.48), Answer::undecided);
  EXPECT_EQ(above(-0.47), Answer::yes);
}

TEST(Verdicts, CountsAndRanksAreComparedAsTheyAre) {
  EXPECT_EQ(decide("n > 100", {{"n", 101}}), Answer::yes);
  EXPECT_EQ(decide("n > 100", {{"n", 100}}), Answer::no);
  EXPECT_EQ(decide("x > 0", {{"x", 1e-300}}), Answer::yes);
  EXPECT_EQ(decide("a <= b", {{"a", 1.0}, {"b", 1.001}}), Answer::yes);
  EXPECT_EQ(decide("a >= b", {{"a", 1.0}, {"b", 1.001}}), Answer::no);
  EXPECT_EQ(decide("n == 3 && n != 4", {{"n", 3}}), Answer::yes);
}

TEST(Verdicts, OnlyAComparisonThatMattersLeavesOneUndecided) {
  const experiments::Variables near{{"sure", 0.2}, {"near", 0.98}, {"off", 3.5}};
  EXPECT_EQ(decide("sure < 1 || near < 1", near), Answer::yes);
  EXPECT_EQ(decide("sure < 1 && near < 1", near), Answer::undecided);
  EXPECT_EQ(decide("off < 1 && near < 1", near), Answer::no);
  EXPECT_EQ(decide("off < 1 || near < 1", near), Answer::undecided);
  EXPECT_EQ(decide("2*sure^2 - 1/2 + max(sure, off)/7 < 0.2", near), Answer::yes);  // 0.08
  EXPECT_EQ(decide("x < 1", {{"x", std::numeric_limits<double>::quiet_NaN()}}), Answer::no);
}

Result free_run(const char* method, double step, double duration) {
  Scenario scenario = problem_scenario(*find_problem("free-mclachlan-zanna"));
  scenario.run.method = method;
  scenario.run.step = step;
  scenario.run.duration = duration;
  return run(plan(scenario));
}
double room(const Result& result, const char* problem = "free-mclachlan-zanna") {
  return experiments::energy_room(problem_scenario(*find_problem(problem)), result);
}

// Simo and Wong's method at large steps goes to the rotation about the axis of the smallest moment, the fastest one of this
// momentum; at small steps, and Newmark's at all, the energy stays near where it began.
TEST(EnergyRoom, IsUsedUpWhereTheBodySpinsAboutAnAxis) {
  const Result lost = free_run("simo-wong", 4, 2000);
  const double squared = std::pow(0.9144 * 0.45549, 2) + std::pow(1.098 * 0.82623, 2) + std::pow(1.66 * 0.03476, 2);
  EXPECT_NEAR(lost.start.kinetic_energy.value + *lost.energy_error_max, squared / (2 * 0.9144), 1e-4);
  EXPECT_LT(room(lost), experiments::least_room);
  EXPECT_GT(room(free_run("simo-wong", 0.5, 2000)), 0.9);
  EXPECT_GT(room(free_run("newmark", 4, 2000)), experiments::least_room);
}

TEST(EnergyRoom, IsWholeOfABodyUnderTorque) {
  Scenario scenario = problem_scenario(*find_problem("slow-top"));
  scenario.run.method = "hulbert-staggered";
  scenario.run.step = 0.05;
  scenario.run.duration = 100;
  EXPECT_EQ(room(run(plan(scenario)), "slow-top"), 1);
}

}  // namespace
}  // namespace polhode::test::verdicts_test
