// Rows at times that were asked for: exactly these, the start and the end, and steps that know nothing of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "io_support.hpp"
#include "polhode/io/decimal.hpp"
#include "polhode/io/scenario.hpp"
#include "polhode/measure/error.hpp"
#include "polhode/problems/reference.hpp"
#include "polhode/run/simulation.hpp"

namespace polhode::timed_rows_test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const Problem& top() { return *find_problem("asymmetric-top-tilted"); }

RunRequest request(const std::string& method, double step, double duration, std::vector<double> times) {
  RunRequest wanted;
  wanted.setup = top().setup;
  wanted.run.method = method;
  wanted.run.step = step;
  wanted.run.duration = duration;
  wanted.times = std::move(times);
  return wanted;
}

std::vector<double> times_of(const Table& table) {
  std::vector<double> times;
  for (const auto& row : table.rows) times.push_back(row[0].value);
  return times;
}

std::vector<double> times_written(const RunRequest& wanted) {
  Table table;
  run(plan(wanted), &table);
  return times_of(table);
}

TEST(TimedRows, AreAtExactlyTheseTimesAndAtBothEnds) {
  EXPECT_THAT(times_written(request("rkmk-4", 0.125, 1, {0.3, 0.30001, 0.7})), ElementsAre(0, 0.3, 0.30001, 0.7, 1));
  EXPECT_THAT(times_written(request("rkmk-4", 0.125, 1, {0.7, 0.3, 0.7, 0.3})), ElementsAre(0, 0.3, 0.7, 1))
      << "in their order, and each once";
  EXPECT_THAT(times_written(request("rkmk-4", 0.125, 1, {0, 1})), ElementsAre(0, 1));
  EXPECT_THAT(times_written(request("rkmk-4", 0.125, 1, {0.25, 0.5})), ElementsAre(0, 0.25, 0.5, 1));
  EXPECT_THAT(times_written(request("rkmk-4", 0.125, 0.9, {0.9, 0.89})), ElementsAre(0, 0.89, 0.9))
      << "the last step is shorter";
  EXPECT_THAT(times_written(request("rkmk-4", 0.125, -1, {-0.3, -1, -0.9})), ElementsAre(0, -0.3, -0.9, -1));
  EXPECT_EQ(times_written(request("rkmk-4", 0.1, 1, {0.1, 0.2, 0.3, 0.6, 0.7, 1})).size(), 7U)
      << "0.3 is not 3 * 0.1, and the run ends at 10 * 0.1";
}

TEST(TimedRows, MayLieBeforeAndAfterOneAnotherInTheSameStep) {
  for (const char* method : {"free-exact", "taylor-adaptive"}) {
    RunRequest wanted = request(method, 8, 16, {0.1, 3, 7.9, 8, 8.1});
    wanted.setup.torques.clear();
    EXPECT_THAT(times_written(wanted), ElementsAre(0, 0.1, 3, 7.9, 8, 8.1, 16));
  }
}

std::vector<std::string> digits(const std::vector<Number>& row) {
  std::vector<std::string> all;
  for (const Number& cell : row) all.push_back(decimal(cell));
  return all;
}

// The last row is that of the run without times, to the last bit, and so is the work.
TEST(TimedRows, LeaveTheStepsAsTheyAre) {
  for (const ScalarKind scalar : {ScalarKind::float_, ScalarKind::double_, ScalarKind::long_double_}) {
    for (const MethodInfo& info : methods()) {
      if (info.space != Space::rotations || info.claims.needs == Needs::no_torque) continue;
      for (const double duration : {0.5, -0.5}) {
        RunRequest timed = request(std::string(info.name), 0.0625, duration, {});
        timed.run.scalar = scalar;
        RunRequest plain = timed;
        for (const double share : {0.11, 0.12, 0.6, 0.99}) timed.times.push_back(share * duration);
        Table with, without;
        const Result a = run(plan(timed), &with), b = run(plan(plain), &without);
        ASSERT_EQ(with.rows.size(), 6U) << info.name;
        EXPECT_EQ(digits(with.rows.back()), digits(without.rows.back())) << info.name;
        EXPECT_EQ(digits(with.rows.front()), digits(without.rows.front())) << info.name;
        EXPECT_EQ(a.work.torque_evaluations, b.work.torque_evaluations) << info.name;
        EXPECT_EQ(a.steps, b.steps);
      }
    }
  }
}

TEST(TimedRows, ShowTheMotion) {
  RunRequest wanted = request("taylor-10", 0.03, 1.2, {0.2, 0.77, 1.1});
  Table table;
  run(plan(wanted), &table);
  ASSERT_EQ(table.rows.size(), 5U);
  for (const auto& row : table.rows) {
    const auto there = cast<double>(propagated<long double>(top().setup, static_cast<long double>(row[0].value)));
    const Rotation<double> R{row[1].value, {row[2].value, row[3].value, row[4].value}};
    EXPECT_LT(angle_between(R, there.R_SB), 1e-11) << row[0].value;
  }
}

// An increment of a row is the turn since the beginning of its step.
TEST(TimedRows, HaveTheTurnSinceTheirStepBegan) {
  RunRequest wanted = request("taylor-10", 0.125, 1, {0.125, 0.3});
  wanted.columns = parse_columns({"rotation_increment"});
  Table table;
  run(plan(wanted), &table);
  const auto at = [](double t) { return propagated<long double>(top().setup, static_cast<long double>(t)).R_SB; };
  const auto turn = [&](double a, double b) { return static_cast<double>(angle_between(at(a), at(b))); };
  ASSERT_EQ(table.rows.size(), 4U);
  EXPECT_EQ(table.rows[0][1].value, 0);
  EXPECT_NEAR(table.rows[1][1].value, turn(0, 0.125), 1e-10);
  EXPECT_NEAR(table.rows[2][1].value, turn(0.25, 0.3), 1e-10);
  EXPECT_NEAR(table.rows[3][1].value, turn(0.875, 1), 1e-10);
}

// A free body that turns by 3e19 rad a step, in float: every step is halved (on_failure_test.cpp), and so is a part of one
// where it must be.
TEST(TimedRows, GoOnWhereStepsAreHalved) {
  Scenario scenario = parse_scenario(good, "x.toml");
  scenario.setup.motion.value = {1, 0.3, -0.2};
  scenario.run.method = "taylor-1";
  scenario.run.scalar = ScalarKind::float_;
  scenario.run.step = 0x1.8p+64;
  scenario.run.duration.reset();
  scenario.run.steps = 3;
  scenario.run.on_failure = OnFailure::halve;
  scenario.output.times = {0x1p+63, 0x1.7p+64, 0x1.9p+65};
  Table table;
  const Result result = run(plan(scenario), &table);
  EXPECT_FALSE(result.failure);
  EXPECT_EQ(result.steps_halved, 3);
  EXPECT_THAT(times_of(table), ElementsAre(0, 0x1p+63, 0x1.7p+64, 0x1.9p+65, 0x1.2p+66));
  for (const auto& row : table.rows)
    for (const Number& cell : row) EXPECT_TRUE(std::isfinite(cell.value));
}

// Where the first step fails there is the start and nothing else.
TEST(TimedRows, OfARunThatFailsEndWithItsLastState) {
  Scenario scenario = parse_scenario(good, "x.toml");
  scenario.setup.motion.value = {1, 0.3, -0.2};
  scenario.run.method = "taylor-1";
  scenario.run.scalar = ScalarKind::float_;
  scenario.run.step = 0x1.8p+64;
  scenario.run.duration.reset();
  scenario.run.steps = 3;
  scenario.output.times = {0x1p+63, 0x1.7p+64};
  Table table;
  const Result result = run(plan(scenario), &table);
  ASSERT_TRUE(result.failure);
  EXPECT_THAT(times_of(table), ElementsAre(0));
}

TEST(TimedRows, AreThoseOfTheSimulation) {
  for (const char* method : {"abm4", "rkmk-4", "taylor-4+energy/2", "taylor-adaptive"}) {
    const RunRequest wanted = request(method, 0.125, 1, {0.3, 0.8});
    Table table;
    run(plan(wanted), &table);
    Simulation simulation(plan(wanted));
    for (const std::size_t row : {std::size_t{1}, std::size_t{2}}) {
      simulation.advance_to(table.rows[row][0].value);
      const std::vector<double> cells = simulation.columns_at(table.rows[row][0].value);
      for (std::size_t i = 0; i < cells.size(); ++i)
        EXPECT_NEAR(cells[i], table.rows[row][i].value, 1e-15) << method << table.headers[i];
    }
  }
}

// auto takes the steps that suit it: rows do not ask for any.
TEST(TimedRows, LeaveAutoItsStep) {
  RunRequest wanted = request("auto", 0.01, 4, {0.123, 3.3});
  wanted.run.tolerance = 1e-6;
  const Plan made = plan(wanted);
  Table table;
  run(made, &table);
  EXPECT_THAT(times_of(table), ElementsAre(0, 0.123, 3.3, 4));
}

SetupError refusal(const RunRequest& wanted) {
  try {
    plan(wanted);
  } catch (const SetupError& error) {
    return error;
  }
  ADD_FAILURE() << "not refused";
  return SetupError("", "");
}

TEST(TimedRows, OutsideTheRunAreRefused) {
  for (const double t : {-0.01, 1.01, -1e300, 1e300}) {
    const SetupError error = refusal(request("rkmk-4", 0.125, 1, {0.5, t}));
    EXPECT_EQ(error.key, "output.times");
    EXPECT_THAT(error.what(),
                AllOf(HasSubstr("is outside the run, which goes from 0 s to 1 s"), HasSubstr("duration")));
  }
  EXPECT_EQ(refusal(request("rkmk-4", 0.125, -1, {0.5})).key, "output.times") << "backwards";
  plan(request("rkmk-4", 0.125, 1, {1 + 1e-12}));  // rounding
  RunRequest from_file = request("rkmk-4", 0.125, 1, {2});
  from_file.times_file = "times.txt";
  EXPECT_EQ(refusal(from_file).key, "output.times_file");
  EXPECT_THAT(refusal(from_file).what(), HasSubstr("'times.txt': 2 s is outside"));
}

std::string scenario_with(const std::string& output) { return good + "[output]\n" + output + "\n"; }

TEST(TimesOfAScenario, AreReadAndWrittenBack) {
  const Scenario scenario = parse_scenario(scenario_with("times = [0.5, 0.25, 1]"), "x.toml");
  EXPECT_THAT(scenario.output.times, ElementsAre(0.5, 0.25, 1));
  EXPECT_THAT(*plan(scenario).times, ElementsAre(0.25, 0.5));
  const Scenario again = parse_scenario(to_toml(scenario), "y.toml");
  EXPECT_EQ(again.output, scenario.output);
  Scenario named = scenario;
  named.output.times.clear();
  named.output.times_file = "some where.csv";
  EXPECT_EQ(parse_scenario(to_toml(named), "y.toml").output.times_file, "some where.csv");
}

TEST(TimesOfAScenario, MistakesAreRefusedInASentence) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> mistakes{
      {"times = []", {"x.toml:10: output.times: is empty", "leave the key out"}},
      {"times = 0.5", {"x.toml:10: output.times", "0.5", "times of the rows"}},
      {"times = [0.5, \"x\"]", {"x.toml:10: output.times: element 2", "a string"}},
      {"times = [0.5, nan]", {"x.toml:10: output.times: element 2", "not finite"}},
      {"times = [0.5, inf]", {"not finite"}},
      {"times = [0.5, 2]", {"x.toml:10: output.times: 2 s is outside the run, which goes from 0 s to 1 s"}},
      {"times = [-0.5]", {"-0.5 s is outside"}},
      {"every = 2\ntimes = [0.5]", {"x.toml:11: output.times: excludes every; keep one of them"}},
      {"times = [0.5]\ntimes_file = \"a\"", {"x.toml:11: output.times_file: excludes times"}},
      {"times_file = \"\"", {"x.toml:10: output.times_file: is empty"}},
      {"times_file = 3", {"x.toml:10: output.times_file", "the name of a file"}},
      {"time = [1]", {"x.toml:10", "nearest: times"}}};
  for (const auto& [output, said] : mistakes) {
    try {
      plan(parse_scenario(scenario_with(output), "x.toml"));
      ADD_FAILURE() << "accepted: " << output;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind, ErrorKind::bad_file) << output;
      for (const std::string& part : said) EXPECT_THAT(error.what(), HasSubstr(part));
    }
  }
}

TEST(FileOfTimes, HasOnePerLineOrAColumn) {
  const TestFolder folder;
  const auto read = [&](const std::string& text) { return read_times_file(folder.write("t", text)); };
  EXPECT_THAT(read("0.5\n1\n"), ElementsAre(0.5, 1));
  EXPECT_THAT(read("# times\r\n  2 # two\r\n\r\n\t-1e-3"), ElementsAre(2, -1e-3));
  EXPECT_THAT(read("t[s],qw\n0.5,1\n0.75,0\n"), ElementsAre(0.5, 0.75));
  EXPECT_THAT(read("# a result\ntime; x\n3;4\n"), ElementsAre(3));
}

TEST(FileOfTimes, MistakesNameFileLineAndValue) {
  const TestFolder folder;
  const std::vector<std::pair<std::string, std::string>> mistakes{
      {"0.5\nabc\n", ":2: 'abc' is not a number of seconds"},
      {"abc\n", ":1: 'abc' is not a number"},
      {"t\nt\n", ":2: 't' is not a number"},
      {"1\nt\n", ":2: 't' is not a number"},
      {"# c\n\n1 2\n", ":3: '1 2' is not a number"},
      {"nan\n", ":1: 'nan' is not a number"},
      {"inf\n", ":1: 'inf' is not a number"},
      {",1\n", ":1: '' is not a number"},
      {"1e999\n", ":1: '1e999' is not a number"},
      {std::string("1\0", 2), ":1: '1?' is not a number"},
      {"", ": lists no times"},
      {"# none\n", ": lists no times"},
      {"t[s]\n", ": lists no times"}};
  for (const auto& [text, said] : mistakes) {
    const std::string path = folder.write("t", text);
    try {
      read_times_file(path);
      ADD_FAILURE() << "accepted: " << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind, ErrorKind::bad_file);
      EXPECT_THAT(error.what(), HasSubstr(path + said));
    }
  }
}

}  // namespace
}  // namespace polhode::timed_rows_test
