// A simulation saved and restored goes on with the same bits, whatever its method remembers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "polhode/core/error.hpp"
#include "polhode/methods/registry.hpp"
#include "polhode/problems/problem.hpp"
#include "polhode/run/simulation.hpp"

namespace polhode::simulation_save_test {
namespace {

using ::testing::HasSubstr;

RunOptions steps_of(double h) {
  RunOptions options;
  options.step = h;
  return options;
}

void expect_same_future(const std::string& problem, const std::string& method, const RunOptions& options) {
  SCOPED_TRACE(problem + ' ' + method + ' ' + std::string(scalar_name(options.scalar)));
  const Setup& setup = find_problem(problem)->setup;
  Simulation simulation(setup, method, options), other(setup, method, options);
  const double h = options.step;
  simulation.advance_to(13 * h);
  const std::string saved = simulation.save();
  const double within = 12.25 * h;  // in the last step, which is saved too
  const bool tells = simulation.plan().method.claims.variable_steps;
  const State<double> seen = tells ? simulation.at(within) : simulation.state();
  simulation.advance_to(29 * h);
  other.advance_to(3 * h);
  other.restore(saved);
  EXPECT_EQ(other.save(), saved);
  EXPECT_EQ((tells ? other.at(within) : other.state()).R_SB, seen.R_SB);
  other.advance_to(29 * h);
  EXPECT_EQ(other.columns(), simulation.columns());
  EXPECT_EQ(other.time(), simulation.time());
  EXPECT_EQ(other.work().torque_evaluations, simulation.work().torque_evaluations);
  EXPECT_EQ(other.work().solver_iterations, simulation.work().solver_iterations);
  EXPECT_EQ(other.work().own_steps, simulation.work().own_steps);
}

TEST(SimulationSave, EveryMethodGoesOnWithTheSameBits) {
  for (const MethodInfo& method : methods()) {
    const bool takes_torque = method.claims.needs != Needs::no_torque;
    const char* problem = method.space == Space::sphere ? "dumbbell"
                          : takes_torque                ? "asymmetric-top-tilted"
                                                        : "free-mclachlan-zanna";
    expect_same_future(problem, std::string(method.name), steps_of(0.05));
  }
}

TEST(SimulationSave, SoDoSuffixesAndPulsesInEveryScalar) {
  for (const ScalarKind scalar :
       {ScalarKind::float_, ScalarKind::double_, ScalarKind::long_double_, ScalarKind::quad_}) {
    RunOptions options = steps_of(0.05);
    options.scalar = scalar;
    for (const char* method : {"rotor-adams-6", "newmark@suzuki", "mclachlan-reich-231@suzuki+energy/3", "abm4",
                               "taylor-4+energy", "picard-lobatto-8"})
      expect_same_future("asymmetric-top-tilted", method, options);
    // The pulse of this problem ends between the two times.
    for (const char* method : {"lie-verlet", "rotor-adams-6", "taylor-4+energy/4"})
      expect_same_future("book-toss", method, options);
  }
  RunOptions tolerant = steps_of(0.05);
  tolerant.tolerance = 1e-9;
  expect_same_future("asymmetric-top-tilted", "taylor-adaptive", tolerant);
  RunOptions backwards = steps_of(0.05);
  backwards.duration = -10;
  Simulation there(find_problem("slow-top")->setup, "lie-verlet", backwards);
  there.advance_to(-1);
  Simulation again(find_problem("slow-top")->setup, "lie-verlet", backwards);
  again.restore(there.save());
  there.advance_to(-2);
  again.advance_to(-2);
  EXPECT_EQ(again.columns(), there.columns());
}

TEST(SimulationSave, RefusesWhatItDidNotWrite) {
  const auto& setup = find_problem("slow-top")->setup;
  Simulation simulation(setup, "lie-verlet", steps_of(0.05));
  simulation.advance_to(1);
  const std::string saved = simulation.save();
  const auto refusal = [](Simulation& of, const std::string& bytes) {
    const std::string before = of.save();
    try {
      of.restore(bytes);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind, ErrorKind::bad_file);
      EXPECT_EQ(of.save(), before) << "and stays where it is";
      return std::string(error.what());
    }
    return std::string("taken");
  };
  EXPECT_EQ(refusal(simulation, saved), "taken");
  EXPECT_THAT(refusal(simulation, ""), HasSubstr("not saved by"));
  EXPECT_THAT(refusal(simulation, saved.substr(0, saved.size() - 1)), HasSubstr("cut short"));
  EXPECT_THAT(refusal(simulation, saved + "x"), HasSubstr("something added"));
  for (const std::size_t from_end : {1U, 17U, 30U, 200U}) {
    std::string damaged = saved;
    damaged[damaged.size() - from_end] ^= 4;
    EXPECT_THAT(refusal(simulation, damaged), HasSubstr("damaged")) << from_end;
  }
  Simulation newmark(setup, "newmark", steps_of(0.05)), longer(setup, "lie-verlet", steps_of(0.1)),
      elsewhere(find_problem("fast-top")->setup, "lie-verlet", steps_of(0.05));
  EXPECT_THAT(refusal(newmark, saved), HasSubstr("of method lie-verlet, and this one is of method newmark"));
  EXPECT_THAT(refusal(longer, saved), HasSubstr("of step 0.05, and this one is of step 0.1"));
  EXPECT_THAT(refusal(elsewhere, saved), HasSubstr("situation"));
  RunOptions narrow = steps_of(0.05);
  narrow.scalar = ScalarKind::float_;
  Simulation in_float(setup, "lie-verlet", narrow);
  EXPECT_THAT(refusal(in_float, saved), HasSubstr("of scalar double, and this one is of scalar float"));
}

}  // namespace
}  // namespace polhode::simulation_save_test
