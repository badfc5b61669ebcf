// A simulation followed step by step: against the run that its plan describes, against references, and where it must
// refuse.
#include "polhode/run/simulation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "polhode/core/error.hpp"
#include "polhode/measure/error.hpp"
#include "polhode/problems/reference.hpp"

namespace polhode::simulation_test {
namespace {

using ::testing::HasSubstr;

const Problem& top() { return *find_problem("asymmetric-top-tilted"); }

RunOptions steps_of(double h) {
  RunOptions options;
  options.step = h;
  return options;
}

double error_at(const State<double>& s) {
  return attitude_error(s, cast<double>(propagated<long double>(top().setup, static_cast<long double>(s.t))));
}

TEST(Simulation, StandsWhereTheRunWrites) {
  for (const ScalarKind scalar :
       {ScalarKind::float_, ScalarKind::double_, ScalarKind::long_double_, ScalarKind::quad_}) {
    for (const char* method : {"lie-verlet", "rotor-adams-6", "mclachlan-reich-231@suzuki+energy/2", "taylor-6"}) {
      RunOptions options = steps_of(0.02);
      options.duration = 0.4;
      options.scalar = scalar;
      Simulation simulation(top().setup, method, options);
      Table table;
      const Result result = simulation.run(&table);
      for (std::size_t row = 0; row < table.rows.size(); row += 5) {
        simulation.advance_to(table.rows[row][0].value);
        const std::vector<double> here = simulation.columns();
        ASSERT_EQ(here.size(), table.headers.size());
        for (std::size_t i = 0; i < here.size(); ++i)
          EXPECT_EQ(here[i], table.rows[row][i].value)
              << method << ' ' << scalar_name(scalar) << ' ' << table.headers[i];
      }
      EXPECT_EQ(simulation.work().torque_evaluations, result.work.torque_evaluations) << method;
    }
  }
}

TEST(Simulation, TakesWholeStepsAndNoneForRounding) {
  Simulation simulation(top().setup, "lie-verlet", steps_of(0.1));
  simulation.advance_to(0);
  EXPECT_EQ(simulation.time(), 0);
  simulation.advance_to(0.25);
  EXPECT_EQ(simulation.time(), 3 * 0.1);
  simulation.advance_to(0.25);
  EXPECT_EQ(simulation.time(), 3 * 0.1) << "it is there already";
  simulation.advance_to(0.1 + 0.1 + 0.1 + 0.1 + 0.1 + 0.1);  // a little less than 0.6
  EXPECT_EQ(simulation.time(), 6 * 0.1);
  simulation.advance_to(0.7 * (1 + 1e-12));
  EXPECT_EQ(simulation.time(), 7 * 0.1);
  RunOptions back = steps_of(0.1);
  back.duration = -1;
  Simulation backwards(top().setup, "lie-verlet", back);
  backwards.advance_to(-0.35);
  EXPECT_EQ(backwards.time(), -4 * 0.1);
  backwards.advance_to(3);
  EXPECT_EQ(backwards.time(), -4 * 0.1) << "times lie in the direction of the duration";
}

// Halving the step divides the error in the middle of a step by 2^order, as it does that at its end.
TEST(Simulation, TellsStatesWithinAStepAtTheOrderOfTheMethod) {
  for (const auto& [method, order] : {std::pair{"lie-verlet", 2.0}, {"taylor-4", 4.0}, {"rkmk-4", 4.0}}) {
    const auto error = [&, name = method](double h) {
      Simulation simulation(top().setup, name, steps_of(h));
      simulation.advance_to(1 + h / 2);
      const State<double> middle = simulation.at(1 + 0.4 * h);
      EXPECT_EQ(middle.t, 1 + 0.4 * h);
      return error_at(middle);
    };
    EXPECT_NEAR(std::log2(error(0.02) / error(0.01)), order, 0.2) << method;
  }
}

TEST(Simulation, TellsTheEndsOfTheLastStepToTheBitAndNothingOutside) {
  Simulation simulation(top().setup, "rkmk-4", steps_of(0.125));
  simulation.advance_to(0.5);
  const State<double> before = simulation.state();
  simulation.advance_to(0.625);
  EXPECT_EQ(attitude_error(simulation.at(0.5), before), 0);
  EXPECT_EQ(simulation.at(0.5).pi_B, before.pi_B);
  EXPECT_EQ(simulation.at(0.625).pi_B, simulation.state().pi_B);
  EXPECT_EQ(simulation.time(), 0.625) << "looking moves nothing";
  EXPECT_THROW(simulation.at(0.49), SetupError);
  EXPECT_THROW(simulation.at(0.63), SetupError);
}

// Also of methods that need equal steps, and of columns: the first is the time, then the attitude.
TEST(Simulation, TellsColumnsWithinAStep) {
  for (const char* method : {"rotor-adams-6", "abm4", "rkmk-4", "taylor-6"}) {
    Simulation simulation(top().setup, method, steps_of(0.125));
    simulation.advance_to(1);
    const State<double> middle = simulation.at(0.95);
    EXPECT_LT(error_at(middle), 1e-3) << method;
    const std::vector<double> cells = simulation.columns_at(0.95);
    ASSERT_EQ(cells.size(), simulation.columns().size());
    EXPECT_EQ(cells[0], 0.95);
    EXPECT_EQ(cells[1], middle.R_SB.w);
    EXPECT_EQ(simulation.columns_at(1), simulation.columns()) << method;
    EXPECT_THROW(simulation.columns_at(0.85), SetupError);
  }
}

TEST(Simulation, RefusesWhatDoesNotGoTogether) {
  const auto key_of = [](const char* method, const RunOptions& options) {
    try {
      Simulation(top().setup, method, options);
    } catch (const SetupError& error) {
      return error.key;
    }
    return std::string("accepted");
  };
  EXPECT_EQ(key_of("tailor-4", {}), "run.method");
  EXPECT_EQ(key_of("", {}), "run.method");
  EXPECT_EQ(key_of("free-exact", {}), "run.method") << "there is a torque";
  EXPECT_EQ(key_of("lie-verlet", steps_of(-1)), "run.step");
  RunOptions tolerant;
  tolerant.tolerance = 1e-6;
  EXPECT_EQ(key_of("lie-verlet", tolerant), "run.tolerance");
  RunOptions tiny = steps_of(1e-60);
  tiny.steps = 1;
  tiny.scalar = ScalarKind::float_;
  EXPECT_EQ(key_of("lie-verlet", tiny), "run.step");
}

// A free body that turns by 3e19 rad a step: in float the square of that overflows, and of its half does not.
TEST(Simulation, StaysBeforeAStepThatFails) {
  polhode::Setup body = find_problem("free-mclachlan-zanna")->setup;
  body.motion = {MotionData::Kind::angular_velocity_body, {1, 0.3, -0.2}};
  RunOptions options = steps_of(0x1.8p+64);
  options.scalar = ScalarKind::float_;
  options.steps = 6;
  Simulation stops(body, "taylor-1", options);
  const State<double> start = stops.state();
  try {
    stops.advance_to(options.step);
    FAIL() << "the step was taken";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::run_failed);
    EXPECT_THAT(error.what(), HasSubstr("taylor-1 left the finite numbers in step 1"));
  }
  EXPECT_EQ(stops.time(), 0);
  EXPECT_EQ(stops.state().pi_B, start.pi_B);
  EXPECT_THROW(stops.advance_to(options.step), Error) << "and fails again";
  options.on_failure = OnFailure::halve;
  Simulation halves(body, "taylor-1", options);
  halves.advance_to(options.step);
  EXPECT_EQ(halves.time(), options.step);
}

TEST(Simulation, TwoOfOnePlanDoNotDisturbEachOther) {
  RunRequest request;
  request.setup = top().setup;
  request.run.method = "rotor-adams-6";
  request.run.step = 0.05;
  const Plan made = plan(request);
  Simulation one(made), other(made), alone(made);
  alone.advance_to(2);
  one.advance_to(1);
  other.advance_to(0.5);
  other.run();
  one.advance_to(2);
  EXPECT_EQ(one.state().pi_B, alone.state().pi_B);
  Simulation moved = std::move(one);
  moved.advance_to(2.5);
  alone.advance_to(2.5);
  EXPECT_EQ(moved.state().pi_B, alone.state().pi_B);
}

TEST(Simulation, ListedStepsComeToAnEnd) {
  RunOptions options;
  options.listed_steps = {0.5, 0.25, 0.125};
  options.step_file = "steps.txt";
  Simulation simulation(top().setup, "lie-verlet", options);
  simulation.advance_to(0.6);
  EXPECT_EQ(simulation.time(), 0.75);
  simulation.advance_to(100);
  EXPECT_EQ(simulation.time(), 0.875);
}

}  // namespace
}  // namespace polhode::simulation_test
