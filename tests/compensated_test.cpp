// Compensated sums in float: the motion that the method has in double, nearer by the angle of a step than plain float comes.
#include "polhode/methods/compensated.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "polhode/measure/error.hpp"
#include "polhode/methods/catalogue.hpp"
#include "polhode/model/fields/heavy_top.hpp"

namespace polhode::compensated_test {
namespace {

constexpr int steps = 20000, bodies = 12;
constexpr float h = 0.1F;

template <class T>
T narrowed(double x) {
  return static_cast<T>(static_cast<float>(x));
}

// Numbers that a float has exactly, |w h| = 0.05.
struct Bodies {
  std::mt19937 random{3};

  Vec3<double> direction() {
    std::normal_distribution<double> normal;
    const Vec3<double> x{normal(random), normal(random), normal(random)};
    return x / norm(x);
  }
  double between(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random); }
};

struct Motion {
  Vec3<double> moments, momentum;
};
Motion free_motion(Bodies& draw) {
  const Vec3<double> moments{draw.between(0.9, 1.1), draw.between(1.2, 1.4), draw.between(1.5, 1.8)};
  return {moments, times(moments, 0.5 * draw.direction())};
}
// About its axis of symmetry, so that the motion is regular, and faster than gravity turns it.
Motion top_motion(Bodies& draw) {
  const double round = draw.between(0.9, 1.1);
  const Vec3<double> moments{round, round, draw.between(0.5, 0.8)};
  return {moments, times(moments, Vec3<double>{draw.between(-0.1, 0.1), draw.between(-0.1, 0.1), 0.48})};
}

template <class M, class F, class T>
State<T> end_of(const Motion& motion) {
  const auto three = [](const Vec3<double>& v) {
    return Vec3<T>{narrowed<T>(v.x), narrowed<T>(v.y), narrowed<T>(v.z)};
  };
  F field;
  if constexpr (!is_free<F>) field.weight_times_arm = narrowed<T>(0.01);
  const System<T, F> system{Body<T>(three(motion.moments)), field};
  State<T> s{{narrowed<T>(0.8), {narrowed<T>(0.6), T(0), T(0)}}, three(motion.momentum), T(0)};
  Work work;
  auto memory = start<M>(system, s, T(h), work);
  for (int n = 0; n < steps; ++n) s = advance<M>(system, s, memory, T(h), work);
  return s;
}

struct Errors {
  double attitude = 0, momentum = 0;  // roots of means of squares, against the method in double
};
template <class M, template <class> class F, class Draw>
Errors errors_of(const Draw& draw) {
  Bodies random;
  Errors all;
  for (int i = 0; i < bodies; ++i) {
    const Motion motion = draw(random);
    const State<double> end = cast<double>(end_of<M, F<float>, float>(motion));
    const State<double> exact = end_of<M, F<double>, double>(motion);
    const double angle = attitude_error(end, exact);
    const double change = norm(spatial_momentum(end) - spatial_momentum(exact)) / norm(motion.momentum);
    all.attitude += angle * angle / bodies;
    all.momentum += change * change / bodies;
  }
  return {std::sqrt(all.attitude), std::sqrt(all.momentum)};
}

template <class>
using FreeOf = Free;

template <class M, template <class> class F, class Draw>
void expect_ten_times_less(std::string_view name, const Draw& draw) {
  const Errors plain = errors_of<M, F>(draw), compensated = errors_of<Compensated<M>, F>(draw);
  EXPECT_LE(compensated.attitude, plain.attitude / 10) << name << ": " << plain.attitude << " rad in plain float";
  EXPECT_LE(compensated.momentum, plain.momentum / 10) << name << ": " << plain.momentum << " in plain float";
}

template <template <class> class F, class Draw>
void expect_of_all(const Draw& draw) {
  expect_ten_times_less<AxisSplitting<2, 3, 1>, F>("mclachlan-reich-231", draw);
  expect_ten_times_less<CayleySplitting<3, 1, 2>, F>("mclachlan-reich-cayley-312", draw);
  expect_ten_times_less<NoSquish, F>("no-squish", draw);
  expect_ten_times_less<LieVerlet, F>("lie-verlet", draw);
  expect_ten_times_less<VariationalLegendre, F>("variational-legendre", draw);
}
TEST(Compensated, LosesTenTimesLessOfAFreeBody) { expect_of_all<FreeOf>(free_motion); }
TEST(Compensated, LosesTenTimesLessOfAHeavyTop) { expect_of_all<HeavyTop>(top_motion); }

// What the catalogue has of them, and in which scalars.
TEST(Compensated, AreTheSplittingsOfSecondOrderInFloat) {
  int compensated = 0;
  Catalogue::for_each([&](auto entry) {
    using M = typename decltype(entry)::Method;
    static_assert(std::is_same_v<KernelIn<M, double>, M> && std::is_same_v<KernelIn<M, long double>, M>);
    if constexpr (is_compensated_in<M, float>) {
      ++compensated;
      static_assert(StepsOn<Compensated<M>, float> && is_compensated_in<M, Lanes<float, 8>>);
      EXPECT_EQ(M::claims.order_attitude, 2) << entry.name;
    }
  });
  EXPECT_EQ(compensated, 15) << "six orders of the axes, by two maps, no-squish, lie-verlet and variational-legendre";
}

}  // namespace
}  // namespace polhode::compensated_test
