// Runs: rows, times, digits in every scalar, failures.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numbers>

#include "io_support.hpp"
#include "polhode/io/decimal.hpp"
#include "polhode/io/scenario.hpp"
#include "polhode/run/simulation.hpp"

namespace polhode::run_test {
namespace {

using ::testing::HasSubstr;

Scenario top(const std::string& method, double step, double duration) {
  Scenario scenario = problem_scenario(*find_problem("asymmetric-top-tilted"));
  scenario.run.method = method;
  scenario.run.step = step;
  scenario.run.duration = duration;
  return scenario;
}

Result run_into(Table& table, const Scenario& scenario) { return run(plan(scenario), &table); }

int digits_in(std::string number) {
  number.erase(std::min(number.find('e'), number.size()));
  std::erase_if(number, [](char c) { return c < '0' || c > '9'; });
  return static_cast<int>(number.size() - std::min(number.find_first_not_of('0'), number.size()));
}

double value_of_column(const Table& table, std::size_t row, const std::string& header) {
  const auto at = std::find(table.headers.begin(), table.headers.end(), header);
  if (at == table.headers.end()) throw std::logic_error("no column " + header);
  return table.rows[row][static_cast<std::size_t>(at - table.headers.begin())].value;
}

TEST(Run, RowsAreTheStartEveryKthStepAndTheLast) {
  Scenario scenario = top("taylor-4", 0.1, 1.0);
  scenario.output.every = 4;
  Table table;
  const Result result = run_into(table, scenario);
  EXPECT_EQ(result.steps, 10);
  std::vector<double> times;
  for (const auto& row : table.rows) times.push_back(row[0].value);
  EXPECT_EQ(times, (std::vector<double>{0, 4 * 0.1, 8 * 0.1, 10 * 0.1}));
  EXPECT_EQ(decimal(table.rows.back()[1]), decimal(result.end.attitude_wxyz[0]));
  EXPECT_EQ(decimal(table.rows.back().back()), decimal(result.end.energy));
}

TEST(Run, TimeIsCountedAndNeverSummed) {
  Scenario scenario = top("taylor-1", 0.1, 0);
  scenario.setup.time = 7;
  scenario.run.duration.reset();
  scenario.run.steps = 12345;
  EXPECT_EQ(run(plan(scenario)).end.time.value, 7 + 12345 * 0.1);
}

TEST(Run, ADurationThatIsNoWholeNumberOfStepsShortensTheLast) {
  Table table;
  const Result result = run_into(table, top("taylor-8", 0.1, 0.95));
  EXPECT_EQ(result.steps, 10);
  EXPECT_EQ(result.end.time.value, 0.95);
  const Result whole = run(plan(top("taylor-8", 0.095, 0.95)));
  EXPECT_NEAR(result.end.attitude_wxyz[1].value, whole.end.attitude_wxyz[1].value, 1e-11);
  // Within 1e-9 of a whole number the step stays as it is.
  const Scenario near = top("abm4", 0.1, 0.7 + 1e-11);
  EXPECT_EQ(plan(near).steps.count, 7);
  EXPECT_FALSE(plan(near).steps.length.has_value());
}

TEST(Run, BackwardsUndoesForwardsForASymmetricMethod) {
  const Result there = run(plan(top("mclachlan-reich-231", 0.05, 5)));
  Scenario back = top("mclachlan-reich-231", 0.05, -5);
  const auto value = [](const Number& x) { return x.value; };
  const auto& q = there.end.attitude_wxyz;
  const auto& l = there.end.angular_momentum_body;
  back.setup.attitude = {AttitudeData::Kind::wxyz, {value(q[0]), value(q[1]), value(q[2]), value(q[3])}};
  back.setup.motion = {MotionData::Kind::angular_momentum_body, {value(l[0]), value(l[1]), value(l[2])}};
  back.setup.time = there.end.time.value;
  const Result again = run(plan(back));
  EXPECT_NEAR(again.end.time.value, 0, 1e-15);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(std::abs(value(again.end.attitude_wxyz[i])), std::abs(value(there.start.attitude_wxyz[i])), 1e-13);
  }
}

TEST(Run, ListedStepsAreTakenOneByOne) {
  const TestFolder folder;
  std::string list;
  for (int i = 1; i <= 40; ++i) list += std::to_string(0.001 * i) + "\n";
  Scenario scenario = top("taylor-4", 0.01, 1);
  scenario.run.step_file = folder.write("steps.txt", list);
  scenario.run.duration.reset();
  Table table;
  const Result all = run_into(table, scenario);
  EXPECT_EQ(all.steps, 40);
  EXPECT_DOUBLE_EQ(all.end.time.value, 0.82);
  EXPECT_DOUBLE_EQ(table.rows[2][0].value, 0.003);
  scenario.run.duration = -0.5;
  EXPECT_EQ(run(plan(scenario)).end.time.value, -0.5);
  scenario.run.duration.reset();
  scenario.run.steps = 3;
  EXPECT_DOUBLE_EQ(run(plan(scenario)).end.time.value, 0.006);
  scenario.run.steps = 41;
  EXPECT_THROW(plan(scenario), Error);
}

TEST(Run, EveryScalarHasItsDigitsAndTheyAgree) {
  Scenario scenario = top("mclachlan-reich-4-231", 0.125, 2);
  const struct {
    ScalarKind kind;
    int digits;
    double tolerance;
  } cases[] = {{ScalarKind::float_, 9, 1e-5},
               {ScalarKind::double_, 17, 1e-14},
               {ScalarKind::long_double_, 21, 1e-17},
               {ScalarKind::quad_, 36, 0}};
  scenario.run.scalar = ScalarKind::quad_;
  const Result best = run(plan(scenario));
  for (const auto& [kind, digits, tolerance] : cases) {
    SCOPED_TRACE(scalar_name(kind));
    scenario.run.scalar = kind;
    const Result result = run(plan(scenario));
    int longest = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_NEAR(result.end.attitude_wxyz[i].value, best.end.attitude_wxyz[i].value, tolerance + 1e-16);
      longest = std::max(longest, digits_in(decimal(result.end.attitude_wxyz[i])));
    }
    EXPECT_LE(longest, digits);
    EXPECT_GE(longest, digits - 1);
    EXPECT_EQ(result.steps, 16);
    EXPECT_EQ(result.end.time.value, 2);
  }
}

TEST(Run, ExtraColumnsAreWhatTheySay) {
  Scenario scenario = top("taylor-6", 0.05, 3);
  Columns& columns = scenario.output.columns;
  for (const ColumnInfo& group : column_groups()) columns.insert(column(group.name));
  Table table;
  run_into(table, scenario);
  const auto& field = std::get<HeavyTop<double>>(scenario.setup.torques[0]);
  const Vec3<double> axis = field.axis_body / norm(field.axis_body);
  const Vec3<double> inertia = std::get<Vec3<double>>(scenario.setup.inertia);
  Rotation<double> before{};
  for (std::size_t i = 0; i < table.rows.size(); ++i) {
    const auto value = [&](const std::string& header) { return value_of_column(table, i, header); };
    const Rotation<double> R{value("qw"), {value("qx"), value("qy"), value("qz")}};
    const Vec3<double> w{value("wx_B[rad/s]"), value("wy_B[rad/s]"), value("wz_B[rad/s]")};
    EXPECT_NEAR(value("momentum_along_axis[kg m^2/s]"), dot(times(inertia, w), axis), 1e-14);
    EXPECT_NEAR(value("momentum_along_field[kg m^2/s]"), value("Lz_S[kg m^2/s]"), 1e-15);
    if (i > 0) {
      EXPECT_NEAR(value("rotation_increment[rad/step]"), angle_between(before, R), 1e-14);
    }
    before = R;
    const Rotation<double> from_rodrigues = from_mrp(Vec3<double>{value("mrp_x"), value("mrp_y"), value("mrp_z")});
    EXPECT_NEAR(angle_between(from_rodrigues, R), 0, 1e-15);
    const double degree = std::numbers::pi / 180;
    const Rotation<double> from_angles = exp(Vec3<double>{0, 0, value("yaw[deg]") * degree}) *
                                         exp(Vec3<double>{0, value("pitch[deg]") * degree, 0}) *
                                         exp(Vec3<double>{value("roll[deg]") * degree, 0, 0});
    EXPECT_NEAR(angle_between(from_angles, R), 0, 1e-14);
  }
}

TEST(Run, EulerAnglesAreDefinedStraightUp) {
  Scenario scenario = top("taylor-2", 0.01, 0.01);
  scenario.setup.attitude = {AttitudeData::Kind::matrix, {0, 0, 1, 0, 1, 0, -1, 0, 0}};
  scenario.output.columns = {column("euler_321_deg")};
  Table table;
  run_into(table, scenario);
  EXPECT_NEAR(table.rows[0][1].value, 0, 1e-7);
  EXPECT_NEAR(table.rows[0][2].value, 90, 1e-7);
  EXPECT_NEAR(table.rows[0][3].value, 0, 1e-7);
}

TEST(Run, AFailureEndsTheRunAndKeepsWhatWasReached) {
  Scenario scenario = top("taylor-2", 1e200, 1e201);
  Table table;
  const Result result = run_into(table, scenario);
  ASSERT_TRUE(result.failure.has_value());
  EXPECT_THAT(result.failure->sentence, HasSubstr("taylor-2"));
  EXPECT_THAT(result.failure->sentence, HasSubstr("step " + std::to_string(result.failure->step)));
  EXPECT_EQ(result.failure->step, result.steps + 1);
  EXPECT_FALSE(result.work.converged);
  for (const auto& row : table.rows) {
    for (const Number& cell : row) EXPECT_TRUE(std::isfinite(cell.value));
  }
  EXPECT_TRUE(std::isfinite(result.end.energy.value));
}

TEST(Run, CanBeStopped) {
  const std::atomic<bool> stop{true};
  RunControl control;
  control.stop = &stop;
  const Scenario scenario = top("taylor-2", 0.01, 10);
  Table table;
  const Result result = run(plan(scenario), &table, control);
  EXPECT_TRUE(result.interrupted);
  EXPECT_EQ(result.steps, 0);
  EXPECT_EQ(table.rows.size(), 1U);
}

// At every tenth at least, however fast the machine is.
TEST(Run, ProgressGrows) {
  for (const long long steps : {3LL, 10LL, 1000LL, 12345LL}) {
    RunControl control;
    long long last = 0, calls = 0;
    control.progress = [&](const Progress& at) {
      EXPECT_GT(at.step, last);
      EXPECT_EQ(at.steps, steps);
      EXPECT_LT(std::abs(at.energy_change), 1e-6);
      EXPECT_LE(10 * (at.step - last), steps + 9);
      last = at.step;
      ++calls;
    };
    const Scenario scenario = top("mclachlan-reich-4-231", 1.0 / 1024, static_cast<double>(steps) / 1024);
    EXPECT_EQ(run(plan(scenario), nullptr, control).steps, steps);
    EXPECT_GE(calls, steps < 10 ? steps : 9);
    EXPECT_GT(last, steps - (steps + 9) / 10);
  }
}

TEST(Run, AProblemHasErrorsAndAnythingElseHasNone) {
  const Scenario scenario = top("taylor-12", 0.05, 10);
  const Result result = run(plan(scenario));
  ASSERT_TRUE(result.attitude_error && result.momentum_error);
  EXPECT_LT(result.attitude_error->value, 1e-13);
  EXPECT_LT(result.momentum_error->value, 1e-13);
  const Scenario file = parse_scenario(scenario.text, "x.toml");
  Scenario same = file;
  same.run = scenario.run;
  EXPECT_FALSE(run(plan(same)).attitude_error.has_value());
}

// The same body given by a tensor in turned axes moves the same way, and is reported in the axes it was given in.
TEST(Run, ATensorIsReportedInItsOwnAxes) {
  const Rotation<double> R_UB = exp(Vec3<double>{0.4, -0.3, 0.9});
  Scenario principal = top("taylor-8", 0.02, 2);
  const Vec3<double> moments = std::get<Vec3<double>>(principal.setup.inertia);
  principal.setup.torques.clear();
  principal.problem = nullptr;
  Scenario turned = principal;
  const Mat3<double> Q = matrix(R_UB);
  Mat3<double> tensor{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      for (std::size_t k = 0; k < 3; ++k) tensor[i][j] += Q[i][k] * moments[k] * Q[j][k];
    }
  }
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < i; ++j) tensor[i][j] = tensor[j][i];
  }
  turned.setup.inertia = tensor;
  turned.setup.motion.value = R_UB * principal.setup.motion.value;
  const Result a = run(plan(principal)), b = run(plan(turned));
  const auto vector = [](const std::array<Number, 3>& v) { return Vec3<double>{v[0].value, v[1].value, v[2].value}; };
  EXPECT_LT(norm(R_UB * vector(a.end.angular_velocity_body) - vector(b.end.angular_velocity_body)), 1e-13);
  EXPECT_LT(norm(R_UB * vector(a.end.angular_momentum_body) - vector(b.end.angular_momentum_body)), 1e-13);
  EXPECT_NEAR(a.end.energy.value, b.end.energy.value, 1e-14);
}

}  // namespace
}  // namespace polhode::run_test
