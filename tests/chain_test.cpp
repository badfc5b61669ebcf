// n steps with their joints merged are n steps: to rounding, at fewer evaluations of the torque.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string_view>
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

template <class Map, class T>
std::string_view map_up_to(T longest_squared) {
  std::string_view name;
  detail::with_bounded<Map>(longest_squared, [&](auto map) {
    using Chosen = decltype(map);
    name = std::is_same_v<Chosen, detail::ShortTurns>    ? "short"
           : std::is_same_v<Chosen, detail::LongerTurns> ? "longer"
                                                         : "any";
  });
  return name;
}
TEST(BoundedTurns, AreChosenByTheLongestHalfAngle) {
  const double infinity = std::numeric_limits<double>::infinity();
  const auto beyond = [&](double x) { return std::nextafter(x, infinity); };
  const double longest = detail::LongerTurns::limit<double>;
  EXPECT_EQ(map_up_to<ExponentialMap>(0.0), "short");
  EXPECT_EQ(map_up_to<ExponentialMap>(ordinary_limit), "short");
  EXPECT_EQ(map_up_to<ExponentialMap>(beyond(ordinary_limit)), "longer");
  EXPECT_EQ(map_up_to<ExponentialMap>(longest), "longer");
  EXPECT_EQ(map_up_to<ExponentialMap>(beyond(longest)), "any");
  EXPECT_EQ(map_up_to<ExponentialMap>(std::numeric_limits<double>::quiet_NaN()), "any");
  EXPECT_EQ(map_up_to<ExponentialMap>(1.0F), "longer");
  EXPECT_EQ(map_up_to<ExponentialMap>(4.0F), "any") << "polynomials of floats are shorter";
  EXPECT_EQ(map_up_to<ExponentialMap>(0.01L), "any") << "it has no short polynomials";
  EXPECT_EQ(map_up_to<CayleyMap>(0.01), "any") << "it has no angles";
  EXPECT_EQ((map_up_to<ExponentialMap>(Lanes<double, 4>(0.01))), "any");
}

// The argument is exact in both; what is left are the roundings of a polynomial, half a spacing each, and of two doublings, of
// which each makes the error of the cosine up to four times what that of the sine was, and adds a spacing.
template <class Map, class T>
void expect_circle(double spacings) {
  const double limit = Map::template limit<T>;
  double worst = 0;
  for (int i = -1000; i <= 1000; ++i) {
    const T b = static_cast<T>(std::sqrt(limit) * i / 1000);
    const auto f = Map::cos_sin(b);
    const auto exact = static_cast<long double>(b);
    worst = std::max({worst, static_cast<double>(std::abs(static_cast<long double>(f.cosine) - std::cos(exact))),
                      static_cast<double>(std::abs(static_cast<long double>(f.sine) - std::sin(exact)))});
  }
  EXPECT_LE(worst, spacings * static_cast<double>(std::numeric_limits<T>::epsilon())) << "up to " << limit;
}
TEST(BoundedTurns, AreOnTheCircleUpToTheirBounds) {
  expect_circle<detail::ShortTurns, double>(0.5);
  expect_circle<detail::LongerTurns, double>(6);
  expect_circle<detail::ShortTurns, float>(0.5);
  expect_circle<detail::LongerTurns, float>(6);
}

// With every map, and next to the limits: the longest half angle is what the limits are of. Steps of 3 rad are chaotic, and
// stretch a rounding tenfold each.
TEST(BoundedTurns, MakeChainsOfLongSteps) {
  const auto free = free_body();
  const auto top = spun_top();
  const State<double> s = start_state<double>();
  const double at_one = std::sqrt(detail::longest_half_angle_squared(free.body.inverse_inertia, s.pi_B, 1.0));
  for (const double half_angle : {0.1, 0.30, 0.31, 0.6, 1.2, 1.57, 2.35, 2.37, 3.0}) {
    for (const double sign : {1.0, -1.0}) {
      const double h = sign * half_angle / at_one;
      for (const std::size_t n : {1, 2, 5}) {
        if (half_angle > 2 && n > 1) continue;
        Work work;
        using M = AxisSplitting<2, 3, 1>;
        EXPECT_LE(distance(M::chain(free, s, h, n, work), steps<M>(free, s, h, n)), bound(n))
            << half_angle << ", " << n;
        EXPECT_LE(distance(M::chain(top, s, h, n, work), steps<M>(top, s, h, n)), bound(n)) << half_angle << ", " << n;
      }
    }
  }
}

static_assert(!Chains<AnyAxisSplitting<ExponentialMap>>, "it would take the axes in the order 1, 2, 3");
static_assert(!Chains<Taylor<2>>);

}  // namespace
}  // namespace polhode::test::chain_test
