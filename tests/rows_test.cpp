// Which rows there are, and what is left of a run that fails.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <regex>

#include "program.hpp"
#include "rows.hpp"

namespace polhode::test::rows_test {
namespace {

// With every = k: the start, each k-th and the last of those with every = 1, digit by digit in all columns.
void expect_thinned(const Rows& all, const Rows& some, std::size_t k) {
  std::vector<std::vector<std::string>> expected, found;
  for (std::size_t i = 0; i < all.size(); ++i)
    if (i % k == 0 || i + 1 == all.size()) expected.push_back(all.digits(i));
  for (std::size_t i = 0; i < some.size(); ++i) found.push_back(some.digits(i));
  EXPECT_EQ(found, expected) << "every = " << k;
}

TEST(Every, RowsAreThoseOfEveryStepThinned) {
  for (const auto& torque : every_kind()) {
    const Situation s = in_axes(body_under({torque}), fitted(body_under({torque}), {other_space, other_body}));
    for (const char* method : {"taylor-3", "mclachlan-reich-123+energy/2", "rotor-verlet@suzuki"}) {
      for (const double duration : {1.0, 1.03, -1.03}) {
        const Rows all(with_all_columns(s, by(method, 0.05, duration)));
        EXPECT_EQ(all.size(), duration == 1.0 ? 21U : 22U);
        EXPECT_EQ(all.value(all.size() - 1, "t[s]"), 0.25 + duration);
        for (const long long k : {2, 3, 7, 21, 100})
          expect_thinned(all, Rows(with_all_columns(s, by(method, 0.05, duration), k)), static_cast<std::size_t>(k));
      }
    }
  }
}

// ---- runs that fail

struct Failing {
  Situation situation;
  RunOptions run;
};

// A torque speeds the body up until the step is too large: for a solver, or for numbers to stay finite. The taylor methods
// carry the momentum in space along.
std::vector<Failing> failing() {
  const std::pair<const char*, double> methods[] = {{"moser-veselov", 0.11},
                                                    {"moser-veselov-full-4", 0.11},
                                                    {"moser-veselov+energy/3", 0.11},
                                                    {"energy-momentum", 2},
                                                    {"taylor-2", 40},
                                                    {"taylor-3+energy/2", 2},
                                                    {"taylor-3", 2},
                                                    {"crouch-grossman-rk4", 2}};
  std::vector<Failing> all;
  for (const auto& [method, step] : methods) {
    for (const int way : {1, -1}) {
      Situation s = body_under({ConstantBody<double>{V{3, 2, -4}}});
      s.motion.value = way * s.motion.value;
      all.push_back({s, by(method, step, way * 60 * step)});
    }
  }
  return all;
}

TEST(Failure, TheLastGoodRowIsWrittenWhateverRowsAreLeftOut) {
  std::size_t late = 0;
  for (const Failing& f : failing()) {
    SCOPED_TRACE(f.run.method + (f.run.duration > 0 ? "" : ", backwards"));
    const Rows all(with_all_columns(f.situation, f.run));
    ASSERT_TRUE(all.result.failure);
    const auto good = static_cast<std::size_t>(all.result.steps);  // steps before the one that failed
    EXPECT_EQ(all.size(), good + 1);
    late += good >= 5 ? 1 : 0;
    const double h = f.run.duration > 0 ? f.run.step : -f.run.step;
    EXPECT_DOUBLE_EQ(all.value(good, "t[s]"), f.situation.time + static_cast<double>(good) * h);
    for (const long long k : {1LL, 2LL, 3LL, 7LL, all.result.steps, all.result.steps + 1, 1000LL}) {
      const Rows some(with_all_columns(f.situation, f.run, k));
      expect_thinned(all, some, static_cast<std::size_t>(k));
      ASSERT_TRUE(some.result.failure);
      EXPECT_EQ(some.result.steps, all.result.steps);
      EXPECT_EQ(some.result.failure->step, all.result.steps + 1);
      EXPECT_EQ(decimal(some.result.end.time), all.digits(good)[0]);
      EXPECT_EQ(decimal(some.result.end.attitude_wxyz[2]), all.digits(good)[3]);
      // "... in step 9 of 0.11 s, which begins at t = 1.13 s"
      std::smatch said;
      ASSERT_TRUE(std::regex_search(some.result.failure->what, said,
                                    std::regex("in step (\\d+) of ([^ ]+) s, which begins at t = ([^ ]+) s")));
      EXPECT_EQ(std::stoll(said[1]), all.result.steps + 1);
      EXPECT_DOUBLE_EQ(std::stod(said[2]), f.run.step);
      EXPECT_NEAR(std::stod(said[3]), all.value(good, "t[s]"), 1e-8 * std::abs(all.value(good, "t[s]")));
    }
  }
  EXPECT_GE(late, 6U) << "most of these runs should come some way";
}

// What is not there any more with the body stopped where the run failed: the same run, ended a step earlier, is whole.
TEST(Failure, WhatIsKeptIsTheRunThatEndsBefore) {
  for (const Failing& f : failing()) {
    const Rows failed(with_all_columns(f.situation, f.run, 3));
    if (failed.result.steps == 0) continue;
    RunOptions shorter = f.run;
    shorter.duration = std::copysign(f.run.step * static_cast<double>(failed.result.steps), *f.run.duration);
    const Rows whole(with_all_columns(f.situation, shorter, 3));
    EXPECT_FALSE(whole.result.failure);
    EXPECT_EQ(whole.result.steps, failed.result.steps);
    ASSERT_EQ(whole.size(), failed.size());
    for (std::size_t i = 0; i < whole.size(); ++i) EXPECT_EQ(whole.digits(i), failed.digits(i)) << f.run.method;
  }
}

TEST(Failure, TheProgramLeavesTheRowsAndSaysSo) {
  const TestFolder folder;
  const Failing f = failing().front();
  Scenario scenario = with_all_columns(f.situation, f.run, 3);
  const Rows expected(scenario);
  folder.write("fails.toml", to_toml(scenario));
  const Outcome outcome = polhode(folder, {"run", "fails.toml", "--output", "rows.csv"});
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  EXPECT_THAT(outcome.err, testing::HasSubstr("in step " + std::to_string(expected.result.steps + 1)));
  const std::vector<std::string> table = table_of(read_file(folder.file("rows.partial.csv")));
  ASSERT_EQ(table.size(), expected.size() + 1);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const std::vector<std::string> digits = expected.digits(i);
    std::istringstream cells(table[i + 1]);
    std::string cell;
    std::size_t count = 0;
    while (std::getline(cells, cell, ',') && count < digits.size())
      EXPECT_EQ(std::stod(cell), std::stod(digits[count++])) << i;
    EXPECT_EQ(count, digits.size());
  }
}

}  // namespace
}  // namespace polhode::test::rows_test
