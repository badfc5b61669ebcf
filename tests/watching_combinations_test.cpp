// Rows at given times and events where everything comes together: wheels, damping, a table, a pulse with its blow, a switch
// that the motion decides. Between the ends of steps a motion is as good as at them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "polhode/measure/error.hpp"
#include "polhode/run/simulation.hpp"

namespace polhode::watching_combinations_test {
namespace {

RunRequest everything(bool with_wheels) {
  RunRequest request;
  Setup& setup = request.setup;
  setup.inertia = Mat3<double>{{{2, 0.2, 0.1}, {0.2, 1.7, -0.15}, {0.1, -0.15, 1.3}}};
  setup.attitude = {AttitudeData::Kind::rotation_vector, {0.3, -0.5, 0.2}};
  setup.motion.value = {0.4, -0.3, 0.7};
  if (with_wheels) setup.wheels = {{.axis = {1, 2, -1}, .inertia = 0.05, .speed = 9, .torque = {}}};
  Damping<double> damping;
  damping.linear = Mat3<double>{{{0.05, 0, 0}, {0, 0.08, 0}, {0, 0, 0.06}}};
  DataTable table;
  table.columns = {{"t", {0, 0.45, 1.15, 3}, "s"},
                   {"x", {0, 0.2, -0.1, 0}, ""},
                   {"y", {0.1, 0, 0.1, 0}, ""},
                   {"z", {0, 0, 0.2, 0.1}, ""}};
  TorqueTable<double> listed;
  listed.file = DataFile(std::move(table));
  ExpressionTorque<double> thruster;
  thruster.z = "if(wz > 0.62, -0.4, -0.3 + 0.1*cos(t))";
  Pulse<double> pulse;
  pulse.torque_S = {0.1, 0, -0.2};
  pulse.from = 0.83;
  pulse.until = 1.37;
  pulse.impulse_S = {0.15, 0.1, 0.05};
  setup.torques = {damping, listed, thruster, pulse};
  request.run.duration = 2;
  request.events = {{.name = "crossing", .when = "wx - 0.35"},
                    {.name = "turned", .when = "Rxx - 0.6"},
                    {.name = "switch", .when = "wz - 0.62"}};
  return request;
}

struct Found {
  Table rows;
  Result result;
};
Found found_by(RunRequest request, const std::string& method, double h, std::vector<double> times) {
  request.run.method = method;
  request.run.step = h;
  request.times = std::move(times);
  Found found;
  found.result = run(plan(std::move(request)), &found.rows);
  return found;
}

double gap(const std::vector<Number>& a, const std::vector<Number>& b) {
  double largest = 0;
  for (std::size_t i = 1; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i].value - b[i].value));
  return largest;
}

TEST(WatchingEverything, IsAsGoodBetweenStepsAsAtTheirEnds) {
  const std::vector<double> ends{0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.6, 1.8};
  const std::vector<double> within{0.01, 0.233, 0.449, 0.4501, 0.777, 0.8301, 1.1499, 1.369, 1.3701, 1.55, 1.9999};
  for (const bool with_wheels : {true, false}) {
    const RunRequest request = everything(with_wheels);
    const Found exact_ends = found_by(request, "taylor-10", 0.002, ends),
                exact_within = found_by(request, "taylor-10", 0.002, within);
    ASSERT_EQ(exact_ends.result.status, RunStatus::finished);
    const std::vector<Event>& exact_events = exact_ends.result.events;
    ASSERT_GE(exact_events.size(), 2U);
    for (const char* method :
         {"rkmk-4", "taylor-4", "taylor-8", "mclachlan-reich-231", "abm4", "mclachlan-reich-231@triple-jump"}) {
      SCOPED_TRACE(fmt::format("{}{}", method, with_wheels ? ", wheels" : ""));
      const Found at_ends = found_by(request, method, 0.05, ends), inside = found_by(request, method, 0.05, within);
      ASSERT_EQ(at_ends.rows.rows.size(), ends.size() + 2);
      ASSERT_EQ(inside.rows.rows.size(), within.size() + 2);
      double error_at_ends = 1e-13, error_within = 0;
      for (std::size_t i = 0; i < at_ends.rows.rows.size(); ++i)
        error_at_ends = std::max(error_at_ends, gap(at_ends.rows.rows[i], exact_ends.rows.rows[i]));
      for (std::size_t i = 0; i < inside.rows.rows.size(); ++i)
        error_within = std::max(error_within, gap(inside.rows.rows[i], exact_within.rows.rows[i]));
      EXPECT_LT(error_within, 3 * error_at_ends);
      // The functions of the events change by 0.1 to 2 a second.
      ASSERT_EQ(inside.result.events.size(), exact_events.size());
      for (std::size_t i = 0; i < exact_events.size(); ++i) {
        EXPECT_EQ(inside.result.events[i].name, exact_events[i].name);
        EXPECT_EQ(inside.result.events[i].rising, exact_events[i].rising);
        EXPECT_NEAR(inside.result.events[i].at.time.value, exact_events[i].at.time.value, 30 * error_at_ends);
      }
      // Who looks changes nothing.
      EXPECT_EQ(at_ends.rows.rows.back(), inside.rows.rows.back());
    }
  }
}

// A simulation followed step by step has the events of the run, stops where one of them is terminal, and goes on from what
// it saved.
TEST(WatchingEverything, StepByStepIsTheSame) {
  RunRequest request = everything(true);
  request.run.method = "rkmk-4";
  request.run.step = 0.05;
  request.events.push_back({.name = "end", .when = "t - 1.61803", .terminal = true});
  const Result whole = run(plan(request));
  ASSERT_EQ(whole.status, RunStatus::event);
  Simulation simulation(plan(request)), other(plan(request));
  simulation.advance_to(0.8);
  EXPECT_FALSE(simulation.ended());
  other.restore(simulation.save());
  for (Simulation* one : {&simulation, &other}) {
    one->advance_to(2);
    EXPECT_TRUE(one->ended());
    EXPECT_EQ(one->time(), whole.end.time.value);
    EXPECT_EQ(one->state().R_SB.w, whole.end.attitude_wxyz[0].value);
    ASSERT_EQ(one->events().size(), whole.events.size());
    for (std::size_t i = 0; i < whole.events.size(); ++i) {
      EXPECT_EQ(one->events()[i].name, whole.events[i].name);
      EXPECT_EQ(one->events()[i].at.time, whole.events[i].at.time);
    }
    EXPECT_THROW(one->at(1.7), SetupError);
    one->advance_to(3);
    EXPECT_EQ(one->time(), whole.end.time.value);
  }
}

}  // namespace
}  // namespace polhode::watching_combinations_test
