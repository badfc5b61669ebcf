// Runs whose method chooses its steps: how they end, rows and events between the steps, other directions, axes and scalars,
// steps that fail, and what is refused.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "polhode/core/error.hpp"
#include "polhode/measure/error.hpp"
#include "polhode/problems/problem.hpp"
#include "polhode/problems/reference.hpp"
#include "polhode/run/simulation.hpp"
#include "program.hpp"

namespace polhode::reversible_runs_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using Situation = Setup;  // GTest has a Setup of its own

constexpr const char* suffixes_of_steps[] = {"~adaptive", "~holder", "~ordinary"};

RunRequest request(const std::string& problem, const std::string& method, double step) {
  RunRequest wanted;
  wanted.problem = find_problem(problem);
  wanted.setup = wanted.problem->setup;
  wanted.run.method = method;
  wanted.run.step = step;
  return wanted;
}

Result run_of(const RunRequest& wanted, Table* rows = nullptr) { return run(plan(wanted), rows); }

std::string refusal(const RunRequest& wanted) {
  try {
    plan(wanted);
  } catch (const SetupError& error) {
    return error.key + ": " + error.what();
  }
  return "accepted";
}

std::string refusal(const std::string& method) {
  try {
    parse_method(method);
  } catch (const MethodError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(ReversibleRuns, EndAfterTheirStepsOrAtTheirTime) {
  for (const char* suffix : suffixes_of_steps) {
    RunRequest wanted = request("coulomb-described", std::string("lie-verlet") + suffix, 0.02);
    wanted.run.steps = 500;
    Table rows;
    const Result counted = run_of(wanted, &rows);
    EXPECT_EQ(counted.steps, 500);
    EXPECT_EQ(rows.rows.size(), 501U);
    wanted.run.steps.reset();
    wanted.run.duration = 7.3;
    wanted.every = 7;
    Table every_seventh;
    const Result timed = run_of(wanted, &every_seventh);
    EXPECT_EQ(timed.end.time.value, 7.3);
    EXPECT_EQ(every_seventh.rows.size(), static_cast<std::size_t>(1 + (timed.steps + 6) / 7));
    // The same steps, the last but shortened.
    for (std::size_t i = 0; i + 1 < every_seventh.rows.size() && 7 * i < rows.rows.size(); ++i)
      EXPECT_EQ(every_seventh.rows[i][0].value, rows.rows[7 * i][0].value);
    EXPECT_GT((*timed.step_range)[1], 2 * (*timed.step_range)[0]);
  }
}

// With the velocity reversed, forwards is backwards.
TEST(ReversibleRuns, BackwardsAreThoseOfTheMirrorForwards) {
  for (const char* suffix : suffixes_of_steps) {
    RunRequest there = request("coulomb-described", std::string("lie-verlet") + suffix, 0.02);
    there.run.duration = -5;
    RunRequest mirror = there;
    mirror.run.duration = 5;
    mirror.setup.motion.value = -1.0 * mirror.setup.motion.value;
    const Result a = run_of(there), b = run_of(mirror);
    EXPECT_EQ(a.end.time.value, -5);
    EXPECT_EQ(a.steps, b.steps);
    for (std::size_t i = 0; i < 4; ++i)
      EXPECT_NEAR(a.end.attitude_wxyz[i].value, b.end.attitude_wxyz[i].value, 1e-10) << suffix;
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_NEAR(a.end.angular_velocity_body[i].value, -b.end.angular_velocity_body[i].value, 1e-10) << suffix;
  }
}

// In axes U that are turned against the principal ones, R_SU = R_SB R_BU.
TEST(ReversibleRuns, DoNotDependOnTheAxesOfTheTensor) {
  const Rotation<double> R_UB = exp(Vec3<double>{0.4, -0.7, 0.3}), q = inverse(R_UB);
  const Mat3<double> R = matrix(R_UB);
  const Vec3<double> moments{2, 3, 4.5};
  const auto potential = [](const std::string& text) {
    ExpressionTorque<double> torque;
    torque.potential_energy = text;
    return torque;
  };
  for (const char* suffix : suffixes_of_steps) {
    for (const char* scale : {"", "1/(1 + wx^2 + wy^2 + wz^2)"}) {
      RunRequest plain;
      plain.setup.inertia = moments;
      plain.setup.motion.value = {1.1, 0.4, -0.6};
      plain.setup.torques = {potential("2*Rzz + Rxy")};
      plain.run.method = std::string("lie-verlet") + suffix;
      plain.run.step = 0.05;
      plain.run.duration = 10;
      plain.run.step_scale = scale;
      RunRequest skew = plain;
      Mat3<double> tensor{};
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
          for (std::size_t k = 0; k < 3; ++k) tensor[i][j] += R[i][k] * moments[k] * R[j][k];
      skew.setup.inertia = tensor;
      skew.setup.motion.value = R_UB * plain.setup.motion.value;
      skew.setup.attitude = {AttitudeData::Kind::wxyz, {q.w, q.v.x, q.v.y, q.v.z}};
      skew.setup.torques = {potential(fmt::format("2*(({})*Rzx + ({})*Rzy + ({})*Rzz) + ({})*Rxx + ({})*Rxy + ({})*Rxz",
                                                  R[0][2], R[1][2], R[2][2], R[0][1], R[1][1], R[2][1]))};
      const Result a = run_of(plain), b = run_of(skew);
      EXPECT_EQ(a.steps, b.steps);
      EXPECT_NEAR((*a.step_range)[0], (*b.step_range)[0], 1e-9);
      for (std::size_t i = 0; i < 3; ++i)
        EXPECT_NEAR(a.end.angular_momentum_spatial[i].value, b.end.angular_momentum_spatial[i].value, 1e-9) << suffix;
    }
  }
}

TEST(ReversibleRuns, AreMadeInEveryScalar) {
  for (const ScalarKind scalar :
       {ScalarKind::float_, ScalarKind::double_, ScalarKind::long_double_, ScalarKind::quad_}) {
    RunRequest wanted = request("coulomb-printed", "mclachlan-reich-231@suzuki~adaptive", 0.05);
    wanted.run.scalar = scalar;
    wanted.run.duration = 2;
    EXPECT_LT(run_of(wanted).attitude_error->value, scalar == ScalarKind::float_ ? 1e-4 : 1e-6);
  }
}

TEST(ReversibleRuns, WriteRowsBetweenTheStepsAndLeaveThemAlone) {
  for (const char* suffix : suffixes_of_steps) {
    RunRequest wanted = request("coulomb-described", std::string("mclachlan-reich-231@suzuki") + suffix, 0.02);
    wanted.run.duration = 5;
    const Result plain = run_of(wanted);
    wanted.times = {0.51, 1.234, 3.3, 4.99};
    wanted.events = {{.name = "level", .when = "Rzz"}};
    Table rows;
    const Result timed = run_of(wanted, &rows);
    ASSERT_EQ(rows.rows.size(), 6U);
    EXPECT_EQ(timed.steps, plain.steps);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(timed.end.attitude_wxyz[i].value, plain.end.attitude_wxyz[i].value);
    for (std::size_t i = 0; i < rows.rows.size(); ++i) {
      const auto& row = rows.rows[i];
      if (i > 0 && i < 5) {
        EXPECT_EQ(row[0].value, wanted.times[i - 1]);
      }
      const auto there = cast<double>(propagated<long double>(wanted.setup, static_cast<long double>(row[0].value)));
      const Rotation<double> q{row[1].value, {row[2].value, row[3].value, row[4].value}};
      EXPECT_LT(angle_between(q, there.R_SB), 1e-4) << suffix << ' ' << row[0].value;
    }
    EXPECT_FALSE(timed.events.empty());
  }
}

TEST(ReversibleRuns, GoOnFromWhereTheyWereSaved) {
  for (const char* suffix : suffixes_of_steps) {
    const Situation& setup = find_problem("coulomb-described")->setup;
    const std::string method = std::string("newmark") + suffix;
    Simulation simulation(setup, method, {.step = 0.02}), other(setup, method, {.step = 0.02});
    simulation.advance_to(1);
    EXPECT_GE(simulation.time(), 1);
    EXPECT_LT(simulation.time(), 1.1);
    other.restore(simulation.save());
    simulation.advance_to(3);
    other.advance_to(3);
    EXPECT_EQ(other.columns(), simulation.columns());
    EXPECT_EQ(other.time(), simulation.time());
  }
}

// Steps that are to be five times as long from one to the next are too much: z = 2 - 5.
TEST(ReversibleRuns, FailByNameWhereTheVariableIsNotPositive) {
  RunRequest wanted = request("coulomb-printed", "lie-verlet~holder", 0.05);
  wanted.run.step_scale = "if(t < 1, 0.2, 1)";
  wanted.run.duration = 3;
  Table rows;
  const Result failed = run_of(wanted, &rows);
  ASSERT_TRUE(failed.failure);
  EXPECT_EQ(failed.status, RunStatus::failed);
  EXPECT_THAT(failed.failure->sentence,
              AllOf(HasSubstr("lie-verlet~holder found no length for step "), HasSubstr("which begins at t = 1"),
                    HasSubstr("the variable by which it divides 0.05 s has become -3, and must be positive"),
                    HasSubstr("; try a smaller step, or another step_scale, or on_failure = \"halve\"")));
  EXPECT_EQ(failed.failure->step, failed.steps + 1);
  EXPECT_NEAR(failed.end.time.value, 1, 0.011);
  EXPECT_EQ(rows.rows.back()[0].value, failed.end.time.value) << "all before it is there";
  wanted.run.on_failure = OnFailure::halve;
  const Result halved = run_of(wanted);
  EXPECT_FALSE(halved.failure);
  EXPECT_EQ(halved.steps_halved, 1);
  EXPECT_EQ(halved.end.time.value, 3);
  EXPECT_EQ((*halved.step_range)[1], 0.05);
  RunOptions options = wanted.run;
  options.on_failure = OnFailure::stop;
  Simulation simulation(wanted.setup, "lie-verlet~holder", options);
  EXPECT_THROW(simulation.advance_to(2), Error);
  EXPECT_EQ(simulation.time(), failed.end.time.value);
}

TEST(ReversibleRuns, FailByNameWhereTheScaleIsNotPositive) {
  for (const char* suffix : suffixes_of_steps) {
    RunRequest wanted = request("coulomb-printed", std::string("lie-verlet") + suffix, 0.05);
    wanted.run.duration = 10;
    for (const char* scale : {"-1", "log(1 - t/2)", "wx - 100", "1/(t - t)", "if(t < 1, 1, -1)"}) {
      wanted.run.step_scale = scale;
      const Result failed = run_of(wanted);
      ASSERT_TRUE(failed.failure) << suffix << scale;
      EXPECT_THAT(failed.failure->sentence,
                  AllOf(HasSubstr("the scale of its steps is "), HasSubstr("give another step_scale")));
      EXPECT_LE(failed.end.time.value, 1.1);
    }
    // Ever shorter steps would never arrive.
    wanted.run.step_scale = "max(1 - t/2, 1e-30)";
    const Result shrunk = run_of(wanted);
    ASSERT_TRUE(shrunk.failure) << suffix;
    EXPECT_THAT(shrunk.failure->sentence,
                AllOf(HasSubstr("it has shrunk to "), HasSubstr("which times cannot tell from nothing")));
    EXPECT_NEAR(shrunk.end.time.value, 2, 0.01);
  }
}

TEST(ReversibleRuns, AreRefusedToMethodsThatCannot) {
  EXPECT_THAT(refusal("rkmk-4~adaptive"),
              HasSubstr("for time-symmetric methods, whose symmetry it keeps, and rkmk-4 is not one"));
  EXPECT_THAT(refusal("rotor-adams-8~holder"), HasSubstr("rotor-adams-8 is not one"));
  EXPECT_THAT(refusal("hulbert-staggered~adaptive"), HasSubstr("hulbert-staggered needs equal steps"));
  EXPECT_THAT(refusal("simo-wong~adaptive"), HasSubstr("remembers from step to step"));
  EXPECT_THAT(refusal("free-exact~adaptive"), HasSubstr("is exact"));
  EXPECT_THAT(refusal("lie-verlet+energy~adaptive"), HasSubstr("lie-verlet+energy is not one"));
  EXPECT_THAT(refusal("lie-verlet~adaptive+energy"), HasSubstr("stands last"));
  EXPECT_THAT(refusal("lie-verlet~adaptive@suzuki"), HasSubstr("stands last"));
  EXPECT_THAT(refusal("lie-verlet~adaptive~holder"), HasSubstr("stands last"));
  EXPECT_THAT(refusal("lie-verlet~adaptve"), HasSubstr("no suffix named '~adaptve'; nearest: ~adaptive"));
  EXPECT_THAT(refusal("newmark-beta:beta=0.3~adaptive"), HasSubstr("accepted"));
}

TEST(ReversibleRuns, AreRefusedWhereStepsAreGivenOrTheTorqueJumps) {
  RunRequest wanted = request("book-toss", "lie-verlet~adaptive", 0.05);
  EXPECT_THAT(refusal(wanted),
              HasSubstr("run.method: lie-verlet~adaptive chooses its steps by a torque that is smooth"));
  wanted = request("coulomb-printed", "lie-verlet~adaptive", 0.05);
  wanted.run.steps = 10;
  wanted.times = {0.1};
  EXPECT_THAT(refusal(wanted),
              HasSubstr("output.times: lie-verlet~adaptive chooses its steps, so that it is not known how far"));
  wanted.times.clear();
  wanted.run.steps.reset();
  wanted.run.step_file = "steps.txt";
  wanted.run.listed_steps = {0.1, 0.2};
  EXPECT_THAT(refusal(wanted), HasSubstr("run.step_file: lie-verlet~adaptive chooses its steps"));
  wanted = request("coulomb-printed", "lie-verlet", 0.05);
  wanted.run.step_scale = "1";
  EXPECT_THAT(refusal(wanted),
              HasSubstr("run.step_scale: lie-verlet takes steps as they are given, and step_scale = '1' is for"));
  wanted.run.method = "auto";
  EXPECT_THAT(refusal(wanted), HasSubstr("run.step_scale: auto takes steps"));
  wanted.run.method = "lie-verlet~adaptive";
  wanted.run.step_scale = "1/(1 + wq^2)";
  EXPECT_THAT(refusal(wanted), AllOf(HasSubstr("run.step_scale: "), HasSubstr("column 8"), HasSubstr("wq")));
}

TEST(ReversibleRuns, AreReachedFromTheCommandLine) {
  TestFolder folder;
  folder.write("top.toml", R"toml(
[body]
inertia = [2, 3, 4.5]
[start]
angular_momentum_body = [2, 2, 2]
[torque]
kind = "coulomb"
sign = 1
[run]
method = "lie-verlet~adaptive"
step = 0.02
step_scale = "1/(1 + slow)"
duration = 5
[quantities]
slow = "wx^2"
)toml");
  const Outcome done = polhode(folder, {"run", "top.toml", "--json"});
  EXPECT_EQ(done.code, 0) << done.err;
  const auto json = nlohmann::json::parse(done.out);
  EXPECT_EQ(json["step_scale"], "1/(1 + slow)");
  EXPECT_EQ(json["method"], "lie-verlet~adaptive");
  EXPECT_LT(json["step_smallest"], json["step_largest"]);
  const Outcome failed = polhode(folder, {"run", "top.toml", "--step-scale", "1 - t", "--output", "rows.csv"});
  EXPECT_EQ(failed.code, 1);
  EXPECT_THAT(failed.err, AllOf(HasSubstr("found no length for step"), HasSubstr("rows.partial.csv")));
  const Outcome wrong = polhode(folder, {"run", "top.toml", "--method", "lie-verlet"});
  EXPECT_EQ(wrong.code, 2);
  EXPECT_THAT(wrong.err,
              AllOf(HasSubstr("--method: lie-verlet takes steps"), HasSubstr("step_scale = '1/(1 + slow)'")));
  const Outcome valid = polhode(folder, {"validate", "top.toml"});
  EXPECT_EQ(valid.code, 0) << valid.err;
  EXPECT_THAT(valid.err, HasSubstr("lie-verlet~adaptive, steps that it chooses, given 0.02 s, double"));
}

}  // namespace
}  // namespace polhode::reversible_runs_test
