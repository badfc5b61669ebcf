// Steps that fail: taken again in halves, or told of in a sentence.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "count_allocations.hpp"
#include "io_support.hpp"
#include "polhode/io/decimal.hpp"
#include "polhode/io/scenario.hpp"
#include "polhode/methods/halving.hpp"
#include "polhode/run/simulation.hpp"
#include "run/run_failure.hpp"

namespace polhode::on_failure_test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// Solves a step from t only if it is no longer than `longest(t)`. Its memory is the list of the steps it took.
class Picky final : public Stepper<double> {
 public:
  explicit Picky(double (*longest)(double)) : longest_(longest) {}

  void start(const State<double>& s, const double&) override { state = s; }
  void step(const double& h) override {
    ++work.torque_evaluations;
    work.solver_iterations += 3;
    taken.push_back(h);
    work.converged = work.converged && std::abs(h) <= longest_(state.t);
    state.pi_B.x += h;
    state.t += h;
  }
  void reverse() override {}
  void turn(const Rotation<double>&) override {}
  MotionRates<double> rates() const override { return {}; }
  Vec3<double> momentum_S() const override { return state.pi_B; }
  std::unique_ptr<Stepper<double>> clone() const override { return std::make_unique<Picky>(*this); }
  void copy_from(const Stepper<double>& other) override { *this = static_cast<const Picky&>(other); }

  std::vector<double> taken;

 private:
  double (*longest_)(double);
};

// One step of size h from t = 10; whether it was made, halved where need be.
bool take(Picky& picky, Halving<double>& halving, double h) {
  picky.state.t = 10;
  halving.remember();
  picky.step(h);
  return !failed(picky) || halving.retry(h);
}

TEST(Halving, LeavesAStepThatSucceedsAlone) {
  Picky picky([](double) { return 1.0; });
  Halving<double> halving(picky);
  EXPECT_TRUE(take(picky, halving, 1));
  EXPECT_THAT(picky.taken, ElementsAre(1));
  EXPECT_EQ(halving.steps_halved(), 0);
  EXPECT_EQ(halving.pieces_needed(), 1);
  EXPECT_EQ(halving.work().torque_evaluations, 1);
}

TEST(Halving, TakesTwoHalvesFromTheStateAndTheMemoryBefore) {
  Picky picky([](double) { return 0.5; });
  Halving<double> halving(picky);
  EXPECT_TRUE(take(picky, halving, 1));
  EXPECT_THAT(picky.taken, ElementsAre(0.5, 0.5)) << "the step that failed is forgotten";
  EXPECT_EQ(picky.state.t, 11);
  EXPECT_EQ(picky.state.pi_B.x, 1);
  EXPECT_TRUE(picky.work.converged);
  EXPECT_EQ(halving.steps_halved(), 1);
  EXPECT_EQ(halving.pieces_needed(), 2);
  EXPECT_EQ(halving.work().torque_evaluations, 3) << "its cost is not";
  EXPECT_EQ(halving.work().solver_iterations, 9);
}

TEST(Halving, HalvesAgainOnlyWhereItMust) {
  Picky picky([](double t) { return t < 10.25 ? 0.3 : t < 10.75 ? 0.0625 : 1.0; });
  Halving<double> halving(picky);
  EXPECT_TRUE(take(picky, halving, 1));
  EXPECT_THAT(picky.taken, ElementsAre(0.25, 0.0625, 0.0625, 0.0625, 0.0625, 0.0625, 0.0625, 0.0625, 0.0625, 0.25));
  EXPECT_EQ(picky.state.t, 11);
  EXPECT_EQ(halving.pieces_needed(), 16);
  EXPECT_TRUE(take(picky, halving, -0.25));
  EXPECT_EQ(picky.taken.back(), -0.25) << "the next step is whole again, and may go back in time";
  EXPECT_EQ(halving.steps_halved(), 1);
}

TEST(Halving, GivesUpAfterTenHalvings) {
  Picky picky([](double t) { return t < 10.5 ? 0.5 : 0.0009; });
  Halving<double> halving(picky);
  EXPECT_FALSE(take(picky, halving, 1));
  EXPECT_TRUE(failed(picky));
  EXPECT_THAT(picky.taken, ElementsAre(0.5, 1.0 / 1024));
  EXPECT_EQ(halving.steps_halved(), 0);
  EXPECT_EQ(halving.work().torque_evaluations, 2 + 10) << "1, 1/2, 1/2 again, 1/4 to 1/1024";
  Picky enough([](double t) { return t < 10.5 ? 0.5 : 1.0 / 1024; });
  Halving<double> once_more(enough);
  EXPECT_TRUE(take(enough, once_more, 1));
  EXPECT_EQ(enough.taken.size(), 1 + 512U);
  EXPECT_EQ(once_more.pieces_needed(), 1024);
}

// Every method, alone and under the suffixes it takes.
std::vector<MethodSpec> all_methods() {
  std::vector<MethodSpec> all;
  for (const MethodInfo& info : methods()) {
    for (const char* suffix : {"", "@triple-jump", "+energy/3", "@suzuki+energy"}) {
      try {
        all.push_back(parse_method(std::string(info.name) + suffix));
      } catch (const MethodError&) {
      }
    }
  }
  return all;
}

bool same(const State<double>& a, const State<double>& b) { return a.R_SB == b.R_SB && a.pi_B == b.pi_B && a.t == b.t; }

// What halving relies on: a stepper put back goes the same way again, to the bit, and nothing is allocated for it.
TEST(CopyFrom, PutsEveryMethodBack) {
  const double h = 0.05;
  for (const char* problem : {"asymmetric-top-tilted", "free-mclachlan-zanna", "dumbbell"}) {
    const polhode::Setup& setup = find_problem(problem)->setup;
    const Prepared<double> prepared = prepare<double>(setup);
    for (const MethodSpec& method : all_methods()) {
      SCOPED_TRACE(method.name);
      if (method.claims.needs == Needs::no_torque && !prepared.field.empty()) continue;
      if (method.space != space_of(setup)) continue;
      const auto stepper = make_stepper<double>(method, prepared.body, prepared.field);
      const auto before = stepper->clone();
      stepper->start(prepared.start, h);
      for (int i = 0; i < 5; ++i) stepper->step(h);
      const long long allocated = allocations;
      before->copy_from(*stepper);
      EXPECT_EQ(allocations, allocated);
      const State<double> at_five = stepper->state;
      for (int i = 0; i < 5; ++i) stepper->step(h);
      const State<double> there = stepper->state;
      const Work work = stepper->work;
      const Vec3<double> momentum_S = stepper->momentum_S();
      stepper->step(3 * h);
      stepper->copy_from(*before);
      EXPECT_TRUE(same(stepper->state, at_five));
      for (int i = 0; i < 5; ++i) stepper->step(h);
      EXPECT_TRUE(same(stepper->state, there));
      EXPECT_EQ(stepper->momentum_S(), momentum_S);
      EXPECT_EQ(stepper->work.torque_evaluations, work.torque_evaluations);
    }
  }
}

// A free body that turns by 3e19 rad a step: in float the square of that overflows, and of its half does not.
Scenario overflowing(OnFailure on_failure) {
  Scenario scenario = parse_scenario(good, "x.toml");
  scenario.setup.motion.value = {1, 0.3, -0.2};
  scenario.run.method = "taylor-1";
  scenario.run.scalar = ScalarKind::float_;
  scenario.run.step = 0x1.8p+64;
  scenario.run.duration.reset();
  scenario.run.steps = 6;
  scenario.run.on_failure = on_failure;
  return scenario;
}

TEST(OnFailure, StopsUnlessAskedOtherwise) {
  const Scenario scenario = overflowing(OnFailure::stop);
  const Result result = run(plan(scenario));
  ASSERT_TRUE(result.failure);
  EXPECT_EQ(result.steps, 0);
  EXPECT_EQ(result.failure->step, 1);
  EXPECT_THAT(result.failure->sentence,
              AllOf(HasSubstr("taylor-1 left the finite numbers in step 1 of 2.76701e+19 s"), HasSubstr("t = 0 s"),
                    HasSubstr("try a smaller step, or on_failure = \"halve\"")));
  EXPECT_FALSE(result.failure->residual);
}

// A run in which every step is halved is the run with half the step, to the bit.
TEST(OnFailure, HalvedStepsAreHalfSteps) {
  const Scenario scenario = overflowing(OnFailure::halve);
  std::vector<std::string> warnings;
  RunControl control;
  control.warn = [&](const std::string& sentence) { warnings.push_back(sentence); };
  Table halved, half;
  const Result result = run(plan(scenario), &halved, control);
  EXPECT_FALSE(result.failure) << result.failure->sentence;
  EXPECT_TRUE(result.work.converged);
  EXPECT_EQ(result.steps, 6);
  EXPECT_EQ(result.steps_halved, 6);
  EXPECT_EQ(result.most_pieces, 2);
  ASSERT_EQ(warnings.size(), 2U) << "each said once";
  EXPECT_THAT(warnings[0], HasSubstr("turns the body by 2.94"));  // 1.5 2^64 s at sqrt(1.13) rad/s: 2.94e19
  EXPECT_THAT(warnings[1], AllOf(HasSubstr("in step 1 of"), HasSubstr("taken again in halves")));

  Scenario finer = overflowing(OnFailure::stop);
  finer.run.step /= 2;
  finer.run.steps = 12;
  finer.output.every = 2;
  const Result expected = run(plan(finer), &half);
  EXPECT_FALSE(expected.failure);
  ASSERT_EQ(halved.rows.size(), half.rows.size());
  for (std::size_t i = 0; i < half.rows.size(); ++i) {
    for (std::size_t j = 0; j < half.rows[i].size(); ++j) {
      EXPECT_EQ(decimal(halved.rows[i][j]), decimal(half.rows[i][j])) << half.headers[j] << " in row " << i;
    }
  }
}

// Where no step fails, asking for halves changes nothing.
TEST(OnFailure, HalvingLeavesAGoodRunAsItIs) {
  for (const char* method : {"mclachlan-reich-231", "taylor-4", "rkmk-4+energy/7", "mclachlan-reich-123@suzuki"}) {
    Scenario scenario = problem_scenario(*find_problem("asymmetric-top-tilted"));
    scenario.problem = nullptr;
    scenario.run.method = method;
    const Result stop = run(plan(scenario));
    scenario.run.on_failure = OnFailure::halve;
    const Result halve = run(plan(scenario));
    EXPECT_EQ(halve.steps_halved, 0);
    EXPECT_EQ(halve.work.torque_evaluations, stop.work.torque_evaluations);
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(decimal(halve.end.attitude_wxyz[i]), decimal(stop.end.attitude_wxyz[i])) << method;
    }
  }
}

TEST(OnFailure, HalvingAllocatesNothingPerStep) {
  const auto allocated_in = [](long long steps) {
    Scenario scenario = parse_scenario(good, "x.toml");
    scenario.run.duration.reset();
    scenario.run.steps = steps;
    scenario.run.on_failure = OnFailure::halve;
    const Plan made = plan(scenario);
    const long long before = allocations;
    run(made);
    return allocations - before;
  };
  // The numbers of the last state may be longer, and need a few strings more.
  EXPECT_LT(allocated_in(5000), allocated_in(10) + 100);
}

TEST(OnFailure, ARunThatHalvesInVainEndsAndKeepsWhatItHad) {
  Scenario scenario = overflowing(OnFailure::halve);
  scenario.run.step = 1e30;
  scenario.run.steps = 3;
  Table table;
  const Result result = run(plan(scenario), &table);
  ASSERT_TRUE(result.failure);
  EXPECT_EQ(result.steps, 0);
  EXPECT_EQ(result.steps_halved, 0);
  EXPECT_EQ(result.failure->step, 1);
  EXPECT_THAT(result.failure->sentence, AllOf(HasSubstr("not even in 1/1024 of it"), Not(HasSubstr("on_failure"))));
  EXPECT_EQ(table.rows.size(), 1U);
  EXPECT_EQ(result.end.time.value, 0);
  EXPECT_FALSE(result.work.converged);
}

TEST(OnFailure, MethodsThatNeedEqualStepsRefuseToHalve) {
  Scenario scenario = overflowing(OnFailure::halve);
  scenario.run.method = "abm4";
  try {
    plan(scenario);
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::bad_file);
    EXPECT_THAT(error.what(), AllOf(HasSubstr("x.toml:5: run.on_failure: abm4 needs equal steps"), HasSubstr("stop")));
  }
}

TEST(OnFailure, IsAKeyOfTheScenario) {
  const auto with = [](const std::string& value) { return parse_scenario(good + "on_failure = " + value, "x.toml"); };
  EXPECT_EQ(parse_scenario(good, "x.toml").run.on_failure, OnFailure::stop);
  EXPECT_EQ(with("\"halve\"").run.on_failure, OnFailure::halve);
  EXPECT_EQ(parse_scenario(to_toml(with("\"halve\"")), "y.toml").run, with("\"halve\"").run);
  Scenario scenario = parse_scenario(good, "x.toml");
  override_key(scenario, "run.on_failure", "--on-failure", "halve");
  EXPECT_EQ(scenario.run.on_failure, OnFailure::halve);
  EXPECT_THAT(scenario.text, HasSubstr("on_failure = \"halve\""));
}

// A torque of a dozen weights takes more operations than a growing series has rows at hand; it gets further ones.
TEST(OnFailure, ATorqueIsNeverTooLongForTheSeries) {
  Scenario scenario = parse_scenario(good, "x.toml");
  for (const char* method : {"taylor-adaptive", "taylor-12"}) {
    scenario.run.method = method;
    scenario.setup.torques.assign(12, HeavyTop<double>{0.5, {1, 2, 2}});
    EXPECT_FALSE(run(plan(scenario)).failure) << method;
  }
}

// The sentence for an equation that could not be solved, as a method's solver leaves it in the work.
FailedStep unsolved(const MethodSpec& method, double residual, double share) {
  Work work;
  work.converged = false;
  work.residual = residual;
  work.share_reached = share;
  return {method, 17, 1.6, -0.1, 1, work};
}

TEST(RunFailure, NamesMethodStepTimeSizeAndResidual) {
  const MethodSpec method = parse_method("taylor-4");
  const RunFailure failure = run_failure(unsolved(method, 3.21e-4, 1));
  EXPECT_EQ(failure.sentence,
            "taylor-4 did not converge in step 17 of 0.1 s, which begins at t = 1.6 s: a residual of 0.00032 relative "
            "to the terms is left; try a smaller step, or on_failure = \"halve\"");
  EXPECT_EQ(failure.step, 17);
  EXPECT_EQ(failure.residual, 3.21e-4);
  EXPECT_FALSE(failure.largest_step);
}

TEST(RunFailure, TellsUpToWhichStepThereIsASolution) {
  const MethodSpec method = parse_method("taylor-4");
  const RunFailure ends = run_failure(unsolved(method, 0.5, 0.25));
  EXPECT_THAT(ends.sentence,
              HasSubstr("no solution exists that continues the motion beyond h = 0.025 s at this momentum"));
  EXPECT_DOUBLE_EQ(*ends.largest_step, 0.025);
  EXPECT_THAT(run_failure(unsolved(method, 0.5, 0)).sentence,
              HasSubstr("no solution was found for smaller steps either"));

  FailedStep piece = unsolved(method, 0.5, 0.25);
  piece.pieces = 1024;
  EXPECT_THAT(run_failure(piece).sentence,
              AllOf(HasSubstr("step 17 of 0.1 s"), HasSubstr("not even in 1/1024 of it"), Not(HasSubstr("halve"))));
  EXPECT_DOUBLE_EQ(*run_failure(piece).largest_step, 0.025 / 1024);
}

// The share is that of one of the steps a composition is made of, which the user did not choose.
TEST(RunFailure, DoesNotTakeAPartOfACompositionForTheStep) {
  const MethodSpec method = parse_method("mclachlan-reich-231@suzuki");
  const RunFailure failure = run_failure(unsolved(method, 0.5, 0.25));
  EXPECT_THAT(failure.sentence,
              HasSubstr("no solution exists that continues the motion beyond 0.25 of a part of this step"));
  EXPECT_FALSE(failure.largest_step);
  EXPECT_DOUBLE_EQ(*run_failure(unsolved(parse_method("taylor-4+energy"), 0.5, 0.25)).largest_step, 0.025);
}

TEST(RunFailure, IsReadableWhateverTheNumbersAre) {
  const MethodSpec equal = parse_method("abm4");
  const RunFailure failure = run_failure(unsolved(equal, std::numeric_limits<double>::quiet_NaN(), 1));
  EXPECT_THAT(failure.sentence, AllOf(HasSubstr("its residual is not finite"), Not(HasSubstr("nan"))));
  EXPECT_THAT(failure.sentence, Not(HasSubstr("halve"))) << "abm4 cannot";
}

}  // namespace
}  // namespace polhode::on_failure_test
