// What auto chooses. Errors are measured against the problems' references, which the choice does not know; costs are
// counted in torque evaluations and compared with every method of the catalogue. Nothing is timed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numeric>

#include "polhode/io/scenario.hpp"
#include "polhode/measure/error.hpp"
#include "polhode/measure/extremes.hpp"
#include "polhode/problems/reference.hpp"
#include "polhode/run/choose.hpp"
#include "polhode/run/simulation.hpp"

namespace polhode::choose_test {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr double tolerances[] = {1e-3, 1e-6, 1e-9};
constexpr Goal goals[] = {Goal::time, Goal::torque_evaluations, Goal::energy};

double length_of(const Problem& problem) { return std::min(problem.duration, problem.reference_duration); }

Scenario automatic(const char* problem, double tolerance, Goal goal = Goal::torque_evaluations) {
  Scenario scenario = problem_scenario(*find_problem(problem));
  scenario.run.method = automatic_method;
  scenario.run.tolerance = tolerance;
  scenario.run.goal = goal;
  scenario.run.duration = length_of(*scenario.problem);
  return scenario;
}

bool keeps_energy(const Setup& setup) { return prepare<double>(setup).field.conserves_energy(); }

// Attitude errors in the last quarter of a run, at its sixteenths or the ends of steps nearest to them.
class LastQuarter {
 public:
  explicit LastQuarter(const Problem& problem) : problem_(problem) {}

  double error(const Plan& made, long long* torque_evaluations) {
    Plan plan = made;
    plan.request.columns = parse_columns({"attitude_wxyz"});
    plan.every = std::gcd(plan.steps.count, 16LL) >= 4 ? plan.steps.count / std::gcd(plan.steps.count, 16LL) : 1;
    Table table;
    const Result result = run(plan, &table);
    *torque_evaluations = result.work.torque_evaluations;
    if (result.failure) return HUGE_VAL;
    double worst = 0;
    const auto last = static_cast<double>(table.rows.size() - 1);
    for (int sixteenth = 12; sixteenth <= 16; ++sixteenth) {
      const auto& row = table.rows[static_cast<std::size_t>(std::round(last * sixteenth / 16))];
      const Rotation<long double> q{row[1].value, {row[2].value, row[3].value, row[4].value}};
      const State<long double> s{normalised(q), {}, 0};
      const State<long double>& reference = at(row[0].value);
      const bool on_sphere = space_of(problem_.setup) == Space::sphere;
      worst =
          larger(worst, static_cast<double>(on_sphere ? direction_error(s, reference) : attitude_error(s, reference)));
    }
    return worst;
  }

 private:
  const State<long double>& at(double t) {
    const auto known = states_.find(t);
    if (known != states_.end()) return known->second;
    return states_.emplace(t, reference_at<long double>(problem_, t)->state).first->second;
  }

  const Problem& problem_;
  std::map<double, State<long double>> states_;
};

class OnEveryProblem : public testing::TestWithParam<const char*> {};

TEST_P(OnEveryProblem, TheToleranceIsReached) {
  for (const double tolerance : tolerances) {
    for (const Goal goal : goals) {
      const Scenario scenario = automatic(GetParam(), tolerance, goal);
      if (goal == Goal::energy && !keeps_energy(scenario.setup)) continue;
      const Plan made = plan(scenario);
      SCOPED_TRACE(explanation(*made.selection));
      EXPECT_TRUE(made.selection->reaches);
      EXPECT_THAT(warning(*made.selection), IsEmpty());
      const Result result = run(made);
      ASSERT_TRUE(result.attitude_error);
      EXPECT_LT(result.attitude_error->value, tolerance);
      if (goal == Goal::energy && !scenario.setup.torques.empty()) {
        const Claims& claims = made.method.claims;
        EXPECT_TRUE(claims.symplectic || claims.energy != Keeps::no);
      }
    }
  }
}

// Every method of the catalogue is run with half the evaluations that auto needs and fewer, at steps a factor 1.2 apart,
// and must err more.
TEST_P(OnEveryProblem, NoListedMethodNeedsLessThanHalfTheTorqueEvaluations) {
  const Problem& problem = *find_problem(GetParam());
  if (problem.setup.torques.empty()) GTEST_SKIP() << "without torque there is nothing to evaluate";
  LastQuarter last_quarter(problem);
  for (const double tolerance : tolerances) {
    Scenario scenario = automatic(GetParam(), tolerance);
    const Plan made = plan(scenario);
    long long needed = 0;
    const double achieved = last_quarter.error(made, &needed);
    EXPECT_LT(achieved, tolerance);
    scenario.run.tolerance.reset();
    scenario.run.goal.reset();
    for (const MethodInfo& method : methods()) {
      scenario.run.method = method.name;
      double wanted = static_cast<double>(needed) / 2 / std::max(1.0, method.claims.torque_evaluations);
      for (int finer = 0; finer < 12 && wanted >= 4; ++finer, wanted /= 1.2) {
        const double unit = wanted > 64 ? 16 : 4;
        scenario.run.step = length_of(problem) / (unit * std::floor(wanted / unit));
        try {
          long long evaluations = 0;
          const double error = last_quarter.error(plan(scenario), &evaluations);
          if (2 * evaluations >= needed) continue;
          EXPECT_FALSE(error <= achieved)
              << error << "; " << explanation(*made.selection) << "; " << needed << " evaluations; " << method.name
              << " needs " << evaluations << " at " << scenario.run.step << " s";
        } catch (const Error&) {
          break;  // not for this torque
        }
      }
    }
  }
}

std::vector<const char*> problem_names() {
  std::vector<const char*> names;
  for (const Problem& problem : problems()) names.push_back(problem.name.data());
  return names;
}
INSTANTIATE_TEST_SUITE_P(Auto, OnEveryProblem, testing::ValuesIn(problem_names()), [](const auto& problem) {
  std::string name = problem.param;
  std::erase_if(name, [](char c) { return c == '-'; });
  return name;
});

TEST(Auto, TakesTheClosedFormOfAFreeBodyInOneStepForEveryRow) {
  Scenario scenario = automatic("free-mclachlan-zanna", 1e-9);
  EXPECT_EQ(plan(scenario).method.name, "free-exact");
  EXPECT_EQ(plan(scenario).steps.count, 1);
  EXPECT_EQ(plan(scenario, true).steps.count, 100) << "rows are wanted, and nobody says where";
  scenario.origins["run.step"] = {};
  scenario.run.step = 0.5;
  EXPECT_EQ(plan(scenario).steps.count, 200);
}

TEST(Auto, CountsTheSameEveryTime) {
  const Plan first = plan(automatic("asymmetric-top", 1e-7)), second = plan(automatic("asymmetric-top", 1e-7));
  EXPECT_EQ(first.method.name, second.method.name);
  EXPECT_EQ(first.steps.count, second.steps.count);
  EXPECT_EQ(first.selection->predicted_error, second.selection->predicted_error);
}

// With rows so close that an evaluation or two for each is enough, methods differ in their errors alone.
TEST(Auto, TakesTheMostAccurateOfThoseThatCostTheSameWhateverTheOrderOfTheAxes) {
  Scenario scenario = automatic("asymmetric-top", 3e-2);
  scenario.origins["run.step"] = {};
  const Plan made = plan(scenario);
  LastQuarter last_quarter(*scenario.problem);
  long long needed = 0;
  const double achieved = last_quarter.error(made, &needed);
  scenario.run.step = made.steps.size;
  scenario.run.tolerance.reset();
  scenario.run.goal.reset();
  for (const char* order : {"123", "132", "213", "231", "312", "321"}) {
    scenario.run.method = std::string("mclachlan-reich-") + order;
    long long evaluations = 0;
    EXPECT_GE(last_quarter.error(plan(scenario), &evaluations), achieved) << made.method.name << " " << order;
    EXPECT_LE(needed, evaluations);
  }
}

TEST(Auto, WritesRowsAtTheStepThatIsStatedAndTakesAWholeNumberOfStepsBetween) {
  Scenario scenario = automatic("asymmetric-top", 1e-9);
  scenario.origins["run.step"] = {};
  scenario.run.step = 0.7;
  scenario.run.duration = 7;
  scenario.output.every = 2;
  const Plan made = plan(scenario);
  EXPECT_LE(made.selection->step, 0.7);
  Table table;
  const Result result = run(made, &table);
  ASSERT_EQ(table.rows.size(), 6U);
  for (std::size_t i = 0; i < table.rows.size(); ++i)
    EXPECT_NEAR(table.rows[i][0].value, 1.4 * static_cast<double>(i), 1e-12);
  EXPECT_LT(result.attitude_error->value, 1e-9);
  EXPECT_EQ(result.about.method, made.method.name);
  EXPECT_EQ(result.about.selection->goal, Goal::torque_evaluations);
}

TEST(Auto, RunsBackwardsAndInOtherScalars) {
  Scenario scenario = automatic("asymmetric-top", 1e-7);
  scenario.run.duration = -20;
  EXPECT_LT(run(plan(scenario)).attitude_error->value, 1e-7);
  scenario.run.scalar = ScalarKind::long_double_;
  EXPECT_LT(run(plan(scenario)).attitude_error->value, 1e-7);
  scenario.run.scalar = ScalarKind::float_;
  scenario.run.tolerance = 1e-3;
  EXPECT_LT(run(plan(scenario)).attitude_error->value, 1e-3);
}

TEST(Auto, SaysWhichErrorRoundingLeaves) {
  const Scenario scenario = automatic("asymmetric-top", 1e-16);
  const Plan made = plan(scenario);
  EXPECT_FALSE(made.selection->reaches);
  EXPECT_THAT(warning(*made.selection), HasSubstr("no method tried reaches 1e-16 rad"));
  EXPECT_LT(made.selection->predicted_error, 1e-12);
  EXPECT_LT(run(made).attitude_error->value, 2 * made.selection->predicted_error);
}

TEST(Auto, SaysHowFarAMotionThatAmplifiesRoundingCanBeFollowed) {
  Scenario scenario = automatic("asymmetric-top", 1e-4);
  scenario.run.duration = 500;
  const Selection selection = *plan(scenario).selection;
  EXPECT_TRUE(selection.amplifies);
  EXPECT_FALSE(selection.reaches);
  EXPECT_GT(selection.horizon, 50);
  EXPECT_LT(selection.horizon, 500);
  EXPECT_THAT(warning(selection), HasSubstr("exponentially"));
}

// The forecast is checked with a run at a fifth of the step.
TEST(Auto, ForecastsTheErrorOfALongRun) {
  Scenario scenario = automatic("fast-top", 1e-6);
  scenario.run.duration = 300;
  const Plan made = plan(scenario);
  EXPECT_TRUE(made.selection->extrapolated);
  const auto attitude = [](const Result& result) {
    const auto& q = result.end.attitude_wxyz;
    return Rotation<double>{q[0].value, {q[1].value, q[2].value, q[3].value}};
  };
  const Rotation<double> end = attitude(run(made));
  scenario.run.method = "rotor-srkn14a";
  scenario.run.tolerance.reset();
  scenario.run.goal.reset();
  scenario.run.step = made.selection->step / 5;
  EXPECT_LT(angle_between(end, attitude(run(plan(scenario)))), 1e-6);
}

}  // namespace
}  // namespace polhode::choose_test
