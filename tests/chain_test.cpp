// n steps with their joints merged are n steps: to rounding, at fewer evaluations of the torque.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <type_traits>

#include "kernel_measures.hpp"
#include "polhode/methods/catalogue.hpp"

namespace polhode::test::chain_test {
namespace {

template <class M, class F>
State<double> steps(const System<double, F>& system, State<double> s, double h, std::size_t n) {
  Work work;
  auto memory = start<M>(system, s, h, work);
  for (std::size_t i = 0; i < n; ++i) s = advance<M>(system, s, memory, h, work);
  return s;
}

// Each step rounds some fifty times on either way; what one step leaves the motion carries on and stretches, by less than
// n steps times the rate of a regular motion. A joint merged in the wrong way makes an error of order h^3 in each step,
// above 1e-6.
double bound(std::size_t n) {
  const auto count = static_cast<double>(n);
  return 50 * std::numeric_limits<double>::epsilon() * (1 + count);
}

template <class M, class F>
void expect_steps(const System<double, F>& system, std::string_view name) {
  for (const double h : {0.05, -0.05}) {
    for (const std::size_t n : {0, 1, 2, 7, 1000}) {
      Work work;
      const State<double> s = start_state<double>(2), chained = M::chain(system, s, h, n, work);
      const State<double> plain = steps<M>(system, s, h, n);
      EXPECT_LE(distance(chained, plain), bound(n)) << name << ": " << n << " steps of " << h;
      EXPECT_EQ(chained.t, plain.t) << name;
      if (n == 0) {
        EXPECT_EQ(chained.R_SB, s.R_SB) << name;
        EXPECT_EQ(chained.pi_B, s.pi_B) << name;
      }
    }
  }
}

TEST(Chain, IsThatManySteps) {
  int chains = 0;
  Catalogue::for_each([&](auto entry) {
    using M = typename decltype(entry)::Method;
    if constexpr (Chains<M>) {
      ++chains;
      expect_steps<M>(free_body(), entry.name);
      expect_steps<M>(spun_top(), entry.name);
    }
  });
  EXPECT_EQ(chains, 13) << "six orders of the axes, by two maps, and no-squish";
}

// Kicks that depend on the angular velocity are not merged.
struct Drag {
  template <class S>
  Vec3<S> torque(const Rotation<S>&, const Vec3<S>& w_B, const S&) const {
    return {S(-0.2) * w_B.x, S(-0.1) * w_B.y, S(-0.3) * w_B.z};
  }
};
TEST(Chain, IsThatManyStepsWithDrag) {
  const System<double, Drag> system{three_moments(), {}};
  expect_steps<AxisSplitting<2, 3, 1>>(system, "mclachlan-reich-231");
  expect_steps<CayleySplitting<2, 3, 1>>(system, "mclachlan-reich-cayley-231");
  expect_steps<NoSquish>(system, "no-squish");
}

template <class M>
long long evaluations(std::size_t n) {
  Work work;
  M::chain(tilted_top<double>(), start_state<double>(), 0.05, n, work);
  return work.torque_evaluations;
}
// Where the torque is not kept from step to step, both ends of each evaluate it.
template <class M>
long long evaluations_of_lone_steps(int n) {
  Work work;
  State<double> s = start_state<double>();
  for (int i = 0; i < n; ++i) {
    auto memory = start<M>(tilted_top<double>(), s, 0.05, work);
    s = advance<M>(tilted_top<double>(), s, memory, 0.05, work);
  }
  return work.torque_evaluations;
}
template <class M>
void expect_one_evaluation_more_than_steps() {
  EXPECT_EQ(evaluations<M>(0), 0);
  EXPECT_EQ(evaluations<M>(1), 2);
  EXPECT_EQ(evaluations<M>(7), 8);
  EXPECT_EQ(evaluations<M>(1000), 1001);
  EXPECT_EQ(evaluations_of_lone_steps<M>(7), 14);
}
TEST(Chain, EvaluatesTheTorqueOnceAStepAndOnceMore) {
  expect_one_evaluation_more_than_steps<AxisSplitting<1, 2, 3>>();
  expect_one_evaluation_more_than_steps<CayleySplitting<3, 1, 2>>();
  expect_one_evaluation_more_than_steps<NoSquish>();
}

static_assert(!Chains<AnyAxisSplitting<ExponentialMap>>, "it would take the axes in the order 1, 2, 3");
static_assert(!Chains<Taylor<2>>);

}  // namespace
}  // namespace polhode::test::chain_test
