// Events, conditions and quantities of a run: against motions whose events are known in closed form, and against the
// order of the methods.
#include "polhode/run/events.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "polhode/core/quad.hpp"
#include "polhode/problems/problem.hpp"
#include "polhode/run/simulation.hpp"

namespace polhode::events_test {
namespace {

using std::numbers::pi;
using ::testing::HasSubstr;

// A body that spins about its third axis by so many radians a second: Rxx = cos(w t), Ryx = sin(w t).
RunRequest spinning(double w, double h, double duration, std::string method = "rkmk-4") {
  RunRequest request;
  request.setup.inertia = Vec3<double>{1, 2, 2.5};
  request.setup.motion.value = {0, 0, w};
  request.run.method = std::move(method);
  request.run.step = h;
  request.run.duration = duration;
  return request;
}

RunRequest with_event(RunRequest request, EventData event) {
  if (event.name.empty()) event.name = "it";
  request.events.push_back(std::move(event));
  return request;
}

std::vector<double> times_of(const Result& result) {
  std::vector<double> times;
  for (const Event& event : result.events) times.push_back(event.at.time.value);
  return times;
}

void expect_times(const std::vector<double>& found, const std::vector<double>& wanted, double tolerance) {
  ASSERT_EQ(found.size(), wanted.size()) << ::testing::PrintToString(found);
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], wanted[i], tolerance) << i;
}

TEST(Events, AreWhereTheFunctionIsZero) {
  // Every method that turns such a body exactly: by the exponential, in closed form, by series, in equal steps.
  for (const char* method :
       {"crouch-grossman-4", "taylor-4", "taylor-8", "mclachlan-reich-231@suzuki", "rkmk-4", "free-exact"}) {
    SCOPED_TRACE(method);
    const Result result = run(plan(with_event(spinning(1.3, 0.1, 10, method), {.name = "", .when = "Rxx"})));
    std::vector<double> wanted;
    for (int k = 0; (k + 0.5) * pi / 1.3 < 10; ++k) wanted.push_back((k + 0.5) * pi / 1.3);
    expect_times(times_of(result), wanted, 2e-14);
    EXPECT_EQ(result.status, RunStatus::finished);
    for (std::size_t i = 0; i < result.events.size(); ++i) {
      const Event& event = result.events[i];
      EXPECT_EQ(event.rising, i % 2 == 1);
      EXPECT_NEAR(event.at.rotation_matrix[0][0].value, 0, 1e-14);
      EXPECT_NEAR(event.at.angular_velocity_body[2].value, 1.3, 1e-14);
    }
  }
}

TEST(Events, HaveADirection) {
  for (const Crossing direction : {Crossing::rising, Crossing::falling, Crossing::both}) {
    for (const double duration : {10.0, -10.0}) {
      const Result result =
          run(plan(with_event(spinning(1, 0.1, duration), {.name = "", .when = "Ryx - 0.5", .direction = direction})));
      // sin t = 1/2, in the order of the run. Backwards in time it rises where forwards it falls.
      std::vector<double> wanted;
      for (const double sign : {1.0, -1.0}) {
        for (int k = -3; k <= 3; ++k) {
          const double rises_at = pi / 6 + 2 * pi * k, falls_at = 5 * pi / 6 + 2 * pi * k;
          const bool forwards = duration > 0;
          if (sign > 0 ? direction == (forwards ? Crossing::falling : Crossing::rising)
                       : direction == (forwards ? Crossing::rising : Crossing::falling))
            continue;
          const double t = sign > 0 ? rises_at : falls_at;
          if (t * duration > 0 && std::abs(t) < 10) wanted.push_back(t);
        }
      }
      std::sort(wanted.begin(), wanted.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
      expect_times(times_of(result), wanted, 2e-14);
    }
  }
}

// cos t > 1 - depth for t within acos(1 - depth) of 2 pi: two events, so many steps apart.
TEST(Events, AreNotMissedWhereTwoAreCloseTogether) {
  for (const double apart : {1e-1, 1e-3, 1e-5, 1e-6}) {
    for (const char* method : {"mclachlan-reich-231", "taylor-6", "rkmk-4"}) {
      SCOPED_TRACE(fmt::format("{} {}", method, apart));
      const double depth = 2 * std::pow(std::sin(apart / 4), 2);  // 1 - cos(apart / 2)
      const Result result = run(plan(
          with_event(spinning(1, 1, 10, method), {.name = "", .when = fmt::format("(Rxx - 1) + {:.17g}", depth)})));
      // The slope there is apart/2, and Rxx is known to 5e-16.
      expect_times(times_of(result), {apart / 2, 2 * pi - apart / 2, 2 * pi + apart / 2}, 1e-15 / apart + 1e-14);
    }
  }
}

TEST(Events, OfTheTimeAloneAreFoundAnywhereInAStep) {
  for (const double apart : {1e-2, 1e-4, 1e-6}) {
    for (const double place : {0.31, 0.5, 0.9999, 1.2345}) {
      SCOPED_TRACE(fmt::format("{} {}", place, apart));
      const Result result = run(plan(with_event(
          spinning(1, 1, 3), {.name = "", .when = fmt::format("(t - {})*(t - {:.17g})", place, place + apart)})));
      expect_times(times_of(result), {place, place + apart}, 1e-15 / apart + 1e-15);
    }
  }
}

TEST(Events, AtAStepsEndAreThereOnce) {
  const Result result = run(plan(with_event(spinning(1, 0.125, 2), {.name = "", .when = "t - 1"})));
  expect_times(times_of(result), {1}, 0);
}

TEST(Events, AtTheStartAreNone) {
  for (const char* when : {"t", "-t", "Ryx", "-Ryx", "Rxx - 1", "1 - Rxx"}) {
    SCOPED_TRACE(when);
    EXPECT_EQ(run(plan(with_event(spinning(1, 0.1, 3), {.name = "", .when = when}))).events.size(), 0U);
  }
  expect_times(times_of(run(plan(with_event(spinning(1, 0.1, 4), {.name = "", .when = "Ryx"})))), {pi}, 1e-15);
}

TEST(Events, AreSampledWhereTheExpressionHasSwitches) {
  // |cos t| - 1/2 changes its sign at pi/3, 2 pi/3, ...
  const Result result = run(plan(with_event(spinning(1, 0.1, 5), {.name = "", .when = "abs(Rxx) - 0.5"})));
  expect_times(times_of(result), {pi / 3, 2 * pi / 3, 4 * pi / 3}, 1e-14);
}

TEST(Events, MayBeFunctions) {
  for (const bool smooth : {false, true}) {
    const EventFunction tilt = [](const State<double>& s, const Vec3<double>& w_B) {
      EXPECT_NEAR(w_B.z, 1, 1e-14);
      EXPECT_NEAR(s.pi_B.z, 2.5, 1e-13);
      return (s.R_SB * Vec3<double>{1, 0, 0}).x;
    };
    EventData event;
    event.function = tilt;
    event.smooth = smooth;
    expect_times(times_of(run(plan(with_event(spinning(1, 0.1, 5), event)))), {pi / 2, 3 * pi / 2}, 1e-14);
  }
}

TEST(Events, OfABlowAreAtTheBlow) {
  RunRequest request = spinning(1, 0.1, 2);
  Pulse<double> blow;
  blow.from = blow.until = 0.537;
  blow.impulse_S = {0, 0, -5};  // the spin of 1 becomes -1
  request.setup.torques.push_back(blow);
  const Result result =
      run(plan(with_event(with_event(request, {.name = "w", .when = "wz"}), {.name = "R", .when = "Ryx - sin(0.5)"})));
  ASSERT_EQ(result.events.size(), 3U);
  EXPECT_EQ(result.events[0].name, "R");
  EXPECT_NEAR(result.events[0].at.time.value, 0.5, 1e-14);
  EXPECT_EQ(result.events[1].name, "w");
  EXPECT_NEAR(result.events[1].at.time.value, 0.537, 1e-15);
  EXPECT_NEAR(result.events[1].at.angular_velocity_body[2].value, -1, 1e-14);
  EXPECT_EQ(result.events[2].name, "R");
  EXPECT_NEAR(result.events[2].at.time.value, 0.574, 1e-14);
}

TEST(Events, EndTheRunWhereTheySaySo) {
  for (const char* method : {"mclachlan-reich-231", "abm4", "taylor-6", "rotor-adams-6"}) {
    SCOPED_TRACE(method);
    RunRequest request = with_event(spinning(1, 0.05, 5, method), {.name = "end", .when = "Rxx", .terminal = true});
    request.events.push_back({.name = "later", .when = "t - 2"});
    request.every = 3;
    Table rows;
    const Result result = run(plan(request), &rows);
    EXPECT_EQ(result.status, RunStatus::event);
    EXPECT_EQ(result.incomplete, "");
    ASSERT_EQ(result.events.size(), 1U);
    EXPECT_TRUE(result.events[0].terminal);
    EXPECT_NEAR(result.end.time.value, pi / 2, 1e-6);
    EXPECT_EQ(result.end.time, result.events[0].at.time);
    EXPECT_EQ(result.steps, 32);
    // The start, every third step and the end.
    ASSERT_EQ(rows.rows.size(), 1U + 31 / 3 + 1);
    EXPECT_EQ(rows.rows.back()[0], result.end.time);
    EXPECT_NEAR(rows.rows[rows.rows.size() - 2][0].value, 1.5, 1e-14);
    EXPECT_EQ(rows.rows.back()[1], result.end.attitude_wxyz[0]);
  }
}

TEST(Events, ChangeNoStep) {
  for (const char* method : {"lie-verlet", "abm4", "taylor-6", "lie-midpoint", "rotor-adams-6", "taylor-4+energy/3"}) {
    RunRequest request;
    const Problem& top = *find_problem("asymmetric-top-tilted");
    request.setup = top.setup;
    request.run.method = method;
    request.run.step = 0.02;
    request.run.duration = 1;
    const Result plain = run(plan(request));
    const Result watched = run(plan(with_event(request, {.name = "", .when = "Rzz - 0.3"})));
    EXPECT_EQ(plain.end.attitude_wxyz, watched.end.attitude_wxyz) << method;
    EXPECT_EQ(plain.end.angular_momentum_spatial, watched.end.angular_momentum_spatial) << method;
    EXPECT_EQ(plain.work.torque_evaluations, watched.work.torque_evaluations) << method;
  }
}

// The time of an event is as good as the method: its error falls with the method's order.
TEST(Events, AreLocatedAtTheOrderOfTheMethod) {
  const Problem& top = *find_problem("asymmetric-top-tilted");
  const auto last_time = [&](const std::string& method, double h) {
    RunRequest request;
    request.setup = top.setup;
    request.run.method = method;
    request.run.step = h;
    request.run.duration = 3;
    request.run.scalar = ScalarKind::quad_;
    const Result result = run(plan(with_event(request, {.name = "", .when = "Rxz - 0.1*wx"})));
    const Number& t = result.events.back().at.time;
    return quad(t.high) + quad(t.low);
  };
  const auto error = [](const quad& t, const quad& exact) { return std::abs(static_cast<double>(t - exact)); };
  const quad exact = last_time("taylor-12", 0.02);
  EXPECT_GT(exact, quad(1)) << "there is time for errors to grow";
  EXPECT_LT(error(last_time("quaternion-series-12", 0.01), exact), 1e-16);  // another expansion
  for (const char* method :
       {"lie-verlet", "mclachlan-reich-231@suzuki", "rkmk-4", "taylor-4", "abm4", "rotor-adams-6", "taylor-6"}) {
    const Orders orders = orders_of(parse_method(method).claims, false);
    const double coarse = error(last_time(method, 0.02), exact), fine = error(last_time(method, 0.005), exact);
    EXPECT_NEAR(std::log2(coarse / fine) / 2, std::min(orders.attitude, orders.momentum), 0.3)
        << method << ' ' << coarse << ' ' << fine;
  }
}

TEST(Events, AreLocatedInTheScalarOfTheRun) {
  RunRequest request = with_event(spinning(1, 0.1, 2), {.name = "", .when = "Rxx - 0.5"});
  const quad exact = acos(quad(0.5));
  for (const auto& [scalar, tolerance] : std::vector<std::pair<ScalarKind, double>>{{ScalarKind::float_, 1e-6},
                                                                                    {ScalarKind::double_, 1e-15},
                                                                                    {ScalarKind::long_double_, 1e-18},
                                                                                    {ScalarKind::quad_, 1e-32}}) {
    request.run.scalar = scalar;
    const Result result = run(plan(request));
    ASSERT_EQ(result.events.size(), 1U) << scalar_name(scalar);
    const Number& t = result.events[0].at.time;
    EXPECT_LT(std::abs(static_cast<double>(quad(t.high) + quad(t.low) - exact)), tolerance) << scalar_name(scalar);
  }
}

TEST(StopWhen, EndsWhereTheConditionComesTrue) {
  struct Case {
    std::string condition;
    double time;
  };
  // Rxx = cos t, Ryx = sin t.
  for (const Case& one : std::vector<Case>{{"Rxx < 0.5", pi / 3},
                                           {"Rxx <= 0.5", pi / 3},
                                           {"Rxx > 0 and t > 2", 3 * pi / 2},
                                           {"Ryx < 0 or t > 10", pi},
                                           {"not (Rxx > -0.5)", 2 * pi / 3},
                                           {"t >= 1.25", 1.25},
                                           {"tilt_deg > 30", pi / 6}}) {
    SCOPED_TRACE(one.condition);
    RunRequest request = spinning(1, 0.1, 20);
    request.quantities = {{"tilt_deg", "acos(Rxx)*180/pi"}};
    request.run.stop_when = one.condition;
    const Result result = run(plan(request));
    EXPECT_EQ(result.status, RunStatus::event);
    EXPECT_NEAR(result.end.time.value, one.time, 1e-13);
    EXPECT_EQ(result.incomplete, "");
  }
}

// At a time that a number has exactly, one side first equals the other, and a strict comparison comes true one bit later:
// within a step, at its end, at its beginning, and on the way back.
TEST(StopWhen, EndsBehindTheMomentOfEquality) {
  for (const double h : {0.1, 0.25, 0.3}) {
    for (const char* condition : {"t > 1.25", "1.25 < t", "not (t <= 1.25)", "t >= 1.25", "t > 1.25 and Rxx > -2"}) {
      SCOPED_TRACE(std::string(condition) + " at steps of " + std::to_string(h));
      RunRequest request = spinning(1, h, 20);
      request.run.stop_when = condition;
      const Result result = run(plan(request));
      EXPECT_EQ(result.status, RunStatus::event);
      EXPECT_NEAR(result.end.time.value, 1.25, 1e-14);
    }
    for (const char* condition : {"t < -1.25", "not (t >= -1.25)", "t <= -1.25"}) {
      SCOPED_TRACE(std::string(condition) + " at steps of " + std::to_string(h));
      RunRequest request = spinning(1, h, -20);
      request.run.stop_when = condition;
      const Result result = run(plan(request));
      EXPECT_EQ(result.status, RunStatus::event);
      EXPECT_NEAR(result.end.time.value, -1.25, 1e-14);
    }
  }
}

TEST(StopWhen, TrueAtTheStartLeavesTheStart) {
  RunRequest request = spinning(1, 0.1, 20);
  request.run.stop_when = "Rxx > 0.5";
  Table rows;
  const Result result = run(plan(request), &rows);
  EXPECT_EQ(result.status, RunStatus::event);
  EXPECT_EQ(result.steps, 0);
  EXPECT_EQ(result.end.time.value, 0);
  EXPECT_EQ(rows.rows.size(), 1U);
}

TEST(StopWhen, NeverTrueEndsNothing) {
  RunRequest request = spinning(1, 0.1, 3);
  request.run.stop_when = "Rxx < -2";
  EXPECT_EQ(run(plan(request)).status, RunStatus::finished);
}

TEST(Quantities, AreColumnsAndMayUseEachOther) {
  RunRequest request = spinning(1, 0.1, 1);
  request.quantities = {{"twice", "2*cosine"}, {"cosine", "Rxx"}, {"speed", "sqrt(wx^2 + wy^2 + wz^2)"}};
  request.shown_quantities = {"speed", "twice"};
  Table rows;
  const Result result = run(plan(request), &rows);
  ASSERT_EQ(rows.headers.size(), 14U);
  EXPECT_EQ(rows.headers[12], "speed");
  EXPECT_EQ(rows.headers[13], "twice");
  for (const std::vector<Number>& row : rows.rows) {
    EXPECT_NEAR(row[12].value, 1, 1e-15);
    EXPECT_NEAR(row[13].value, 2 * std::cos(row[0].value), 1e-14);
  }
  ASSERT_EQ(result.quantities.size(), 2U);
  EXPECT_EQ(result.quantities[1], rows.rows.back()[13]);
}

// The same motion in other axes and units: the tensor is turned, and seconds are another unit.
TEST(Quantities, AreInTheUsersAxesAndUnits) {
  RunRequest request;
  request.setup = find_problem("asymmetric-top-tilted")->setup;
  request.setup.torques.clear();
  request.setup.inertia = Mat3<double>{{{2, 0.3, 0.1}, {0.3, 1.5, -0.2}, {0.1, -0.2, 1.2}}};
  request.run.method = "taylor-8";
  request.run.step = 0.02;
  request.run.duration = 1;
  request.quantities = {{"a", "Rxy"}, {"b", "wx + 2*wy - wz"}, {"c", "1 - 2*(qx^2 + qy^2)"}, {"d", "Rzz"}};
  request.shown_quantities = {"a", "b", "c", "d"};
  Table rows;
  const Result result = run(plan(request), &rows);
  const Snapshot& end = result.end;
  EXPECT_NEAR(result.quantities[0].value, end.rotation_matrix[0][1].value, 1e-15);
  EXPECT_NEAR(
      result.quantities[1].value,
      end.angular_velocity_body[0].value + 2 * end.angular_velocity_body[1].value - end.angular_velocity_body[2].value,
      1e-14);
  EXPECT_NEAR(result.quantities[2].value, result.quantities[3].value, 1e-15);
}

TEST(Guards, EndARunBeforeItsTime) {
  RunRequest request = spinning(1, 0.1, 10);
  request.run.max_steps = 7;
  Table rows;
  const Result result = run(plan(request), &rows);
  EXPECT_EQ(result.status, RunStatus::max_steps);
  EXPECT_EQ(result.steps, 7);
  EXPECT_THAT(result.incomplete, HasSubstr("guard of 7 steps after 7 of 100 steps"));
  EXPECT_EQ(rows.rows.size(), 8U);
  request.run.max_steps = 100;
  EXPECT_EQ(run(plan(request)).status, RunStatus::finished);
  request.run.max_steps.reset();
  request.run.max_time = 1e-9;
  EXPECT_EQ(run(plan(request)).status, RunStatus::max_time);
  request.run.max_time = 1e9;
  EXPECT_EQ(run(plan(request)).status, RunStatus::finished);
}

TEST(Events, AreRefusedWithAReason) {
  struct Case {
    std::function<void(RunRequest&)> spoil;
    std::string key, said;
  };
  for (const Case& one : std::vector<Case>{
           {[](RunRequest& r) { r.events.push_back({.name = "a", .when = "Rzzz"}); }, "event[0].when", "nearest: Rzz"},
           {[](RunRequest& r) { r.events.push_back({.name = "a", .when = "1 +"}); }, "event[0].when", "column"},
           {[](RunRequest& r) { r.events.push_back({.name = "", .when = "t"}); }, "event[0].name", "name"},
           {[](RunRequest& r) {
              r.quantities = {{"a", "b"}, {"b", "a"}};
            },
            "quantities.", ""},
           {[](RunRequest& r) {
              r.quantities = {{"energy", "t"}};
            },
            "quantities.energy", "another name"},
           {[](RunRequest& r) {
              r.quantities = {{"wx", "t"}};
            },
            "quantities", "wx"},
           {[](RunRequest& r) {
              r.quantities = {{"x y", "t"}};
            },
            "quantities", "x y"},
           {[](RunRequest& r) { r.shown_quantities = {"none"}; }, "output.columns", "none"},
           {[](RunRequest& r) { r.run.stop_when = "wx"; }, "run.stop_when", "column"},
           {[](RunRequest& r) { r.run.stop_when = "wx <"; }, "run.stop_when", "column"},
           {[](RunRequest& r) { r.run.max_steps = 0; }, "run.max_steps", "below 1"},
           {[](RunRequest& r) { r.run.max_time = 0; }, "run.max_time", "not positive"},
           {[](RunRequest& r) { r.run.max_time = std::nan(""); }, "run.max_time", "not finite"}}) {
    RunRequest request = spinning(1, 0.1, 1);
    one.spoil(request);
    try {
      plan(request);
      ADD_FAILURE() << one.key << ' ' << one.said;
    } catch (const SetupError& error) {
      EXPECT_THAT(error.key, HasSubstr(one.key)) << error.what();
      EXPECT_THAT(error.what(), HasSubstr(one.said));
    }
  }
}

}  // namespace
}  // namespace polhode::events_test
