// What the comparison with other libraries (bench/work_precision) rests on: that an expensive torque is expensive, and that
// others are given the equations that ours solve. Nothing here looks at a clock.
#include <gtest/gtest.h>

#include <cmath>

#include "../bench/work_precision/idle.hpp"
#include "../bench/work_precision/same_equations.hpp"
#include "polhode/problems/problem.hpp"

namespace polhode::test::bench_premises_test {
namespace {

using namespace polhode::bench;

// x -> scale x + offset modulo 2^64. So many of them, one after the other, are one such map again, found by doubling:
// some ten products instead of a thousand.
struct Affine {
  std::uint64_t scale = 1, offset = 0;

  Affine then(const Affine& next) const { return {next.scale * scale, next.scale * offset + next.offset}; }
  std::uint64_t operator()(std::uint64_t x) const { return scale * x + offset; }
};

Affine repeated(const Affine& once, int times) {
  if (times == 0) return {};
  const Affine half = repeated(once, times / 2), even = half.then(half);
  return times % 2 == 0 ? even : even.then(once);
}

// Where the rounds lead tells how many there were.
TEST(Idling, GoesThroughAsManyRoundsAsItIsAskedTo) {
  for (const std::uint64_t x : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{0x3ff0000000000000}}) {
    for (const int rounds : {0, 1, 2, 3, 10, 999, 1000, 1001, 123'456})
      EXPECT_EQ(after_rounds(x, rounds), repeated({round_multiplier, round_increment}, rounds)(x)) << rounds;
  }
}

// A round from which x does not move could be left out, and so could all that follow one that has been there before.
TEST(Idling, NeverComesToRest) {
  for (const std::uint64_t start : {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{0x3ff0000000000000}}) {
    std::uint64_t x = start;
    for (int i = 0; i < 10'000; ++i) {
      const std::uint64_t next = after_rounds(x, 1);
      ASSERT_NE(next, x) << i;
      ASSERT_NE(next, start) << i;
      x = next;
    }
  }
}

TEST(Idling, ChangesNoBitOfTheAttitude) {
  for (const double value : {0.0, -0.0, 1.0, -0.37, 5e-324}) {
    const double same = delayed(value, 1000);
    EXPECT_EQ(std::signbit(same), std::signbit(value));
    EXPECT_EQ(same, value);
  }
}

TEST(Idling, IsDoneInEveryTorqueCallOfTheOtherLibraries) {
  std::vector<double> calls;
  const Idling idling{10, &calls};
  const auto equations = equations_of(find_problem("asymmetric-top")->setup, &idling);
  ASSERT_TRUE(equations);
  const Seven x{0.8, 0.6, 0, 0, 0.1, 0.2, 0.3};
  Seven rate{};
  for (int i = 0; i < 3; ++i) std::visit([&](const auto& system) { system(x.data(), rate.data()); }, *equations);
  EXPECT_EQ(calls.size(), 3u);
}

// Of every problem that others are given, with the torque in the form that is written down for them.
TEST(PeerEquations, AreThoseOfTheLibraryAtRandomStates) {
  int compared = 0;
  for (const Problem& problem : problems()) {
    const auto equations = equations_of(problem.setup, nullptr);
    if (!equations) continue;
    EXPECT_LE(difference_of_equations(problem.setup, *equations), most_by_rounding) << problem.name;
    ++compared;
  }
  EXPECT_GT(compared, 10);
}

TEST(PeerEquations, OfAnExpensiveTorqueAreThoseOfTheCheapOne) {
  const polhode::Setup& setup = find_problem("asymmetric-top")->setup;
  const Idling idling{3};
  const auto equations = equations_of(setup, &idling);
  ASSERT_TRUE(equations && std::holds_alternative<Equations<ExpensiveWeight>>(*equations));
  EXPECT_LE(difference_of_equations(setup, *equations), most_by_rounding);
}

// The measure sees an error of a millionth in a moment or in the weight.
TEST(PeerEquations, AreFoundOutWhenTheyAreAnothersProblem) {
  const polhode::Setup& setup = find_problem("asymmetric-top")->setup;
  polhode::Setup heavier = setup, wider = setup;
  std::get<HeavyTop<double>>(heavier.torques.front()).weight_times_arm *= 1 + 1e-6;
  std::get<Vec3<double>>(wider.inertia).x *= 1 + 1e-6;
  EXPECT_GT(difference_of_equations(setup, *equations_of(heavier, nullptr)), 1e-7);
  EXPECT_GT(difference_of_equations(setup, *equations_of(wider, nullptr)), 1e-7);
}

}  // namespace
}  // namespace polhode::test::bench_premises_test
