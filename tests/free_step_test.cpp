// The short free step against the closed form in quad: random bodies and states, every regime, both directions of time;
// and how its rounding adds up.
#include "polhode/model/free_step.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "polhode/core/quad.hpp"
#include "polhode/methods/free_exact.hpp"

namespace polhode::test::free_step_test {
namespace {

using V = Vec3<double>;

struct Motion {
  std::string name;
  V inertia, pi_B;
};

// |w| = 1.
Motion spun(std::string name, const V& inertia, const V& w_B) {
  return {std::move(name), inertia, times(inertia, (1 / norm(w_B)) * w_B)};
}

V random_direction(std::mt19937& random) {
  std::normal_distribution<double> normal;
  const V v{normal(random), normal(random), normal(random)};
  return (1 / norm(v)) * v;
}

// Any moments that a body can have, from a plate and a rod to a sphere.
V random_moments(std::mt19937& random) {
  std::uniform_real_distribution<double> uniform(0, 1);
  const V mass{uniform(random), uniform(random), uniform(random)};
  return {mass.y + mass.z, mass.z + mass.x, mass.x + mass.y};
}

const std::vector<Motion>& regimes() {
  static const std::vector<Motion> list{
      spun("about the axis of the smallest moment", {0.9, 1.1, 1.7}, {1.4, 0.4, -0.3}),
      spun("about the axis of the largest moment", {0.9, 1.1, 1.7}, {0.2, -0.5, 0.8}),
      spun("largest moment first", {2.1, 0.8, 1.5}, {0.3, 0.9, 0.7}),
      spun("smallest moment in the middle", {1.5, 0.8, 2.1}, {-0.7, 0.2, 0.6}),
      {"on the separatrix", {1, 2, 2.25}, {0.375, -1.5, 1.125}},
      {"1e-15 from the separatrix", {1, 2, 2.25}, {0.375 * (1 + 5e-16), -1.5, 1.125}},
      {"1e-6 from the separatrix", {1, 2, 2.25}, {0.375 * (1 + 5e-7), 0.75, 1.125}},
      spun("nearly symmetric", {1.1, 1.1 * (1 + 4e-16), 1.9}, {0.4, 0.7, 0.9}),
      spun("nearly symmetric, near its equator", {1.1, 1.1 * (1 + 4e-16), 1.9}, {0.4, 0.7, 1e-9}),
      spun("nearly symmetric by 1e-5", {1.1, 1.1 * (1 + 1e-5), 0.3}, {0.4, -0.7, 0.9}),
      spun("nearly a sphere", {1.3, 1.3 * (1 + 1e-13), 1.3 * (1 - 1e-13)}, {0.4, 0.7, -0.9}),
      spun("about the smallest axis", {0.9, 1.1, 1.7}, {1, 0, 0}),
      spun("about the middle axis", {0.9, 1.1, 1.7}, {0, -1, 0}),
      spun("about the largest axis", {0.9, 1.1, 1.7}, {0, 0, 1}),
      spun("a hair off the smallest axis", {0.9, 1.1, 1.7}, {1, 1e-11, 2e-12}),
      spun("a hair off the middle axis", {0.9, 1.1, 1.7}, {1e-11, 1, -2e-12}),
      spun("a hair off the largest axis", {0.9, 1.1, 1.7}, {1e-11, 1e-200, 1}),
      spun("thin rod", {1, 1.0005, 0.001}, {0.7, 0.5, 0.01}),
      spun("thin rod, spinning about itself", {1, 1.0005, 0.001}, {0.07, 0.05, 1}),
      spun("plate", {0.4, 0.6, 1.0}, {0.7, 0.5, 0.9})};
  return list;
}

struct Gap {
  double attitude, momentum;  // momentum relative to its length
};
template <class T>
Gap gap(const FreeTurn<T>& moved, const V& inertia, const V& pi_B, double t) {
  const auto exact = FreeMotion<quad>(cast<quad>(inertia), cast<quad>(pi_B)).after(quad(t));
  return {static_cast<double>(angle_between(normalised(cast<quad>(moved.turn)), exact.turn)),
          static_cast<double>(norm(cast<quad>(moved.pi_B) - exact.pi_B) / norm(exact.pi_B))};
}

// The promise of a short step: ten rounding units.
constexpr double promise = 1.2e-15;

TEST(FreeStep, ExactForRandomBodiesUpToOneRadian) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(0, 1);
  for (int n = 0; n < 3000; ++n) {
    const Motion m = spun("", random_moments(random), random_direction(random));
    const double t = (n % 2 == 0 ? 1 : -1) * (n % 3 == 0 ? 1 - 1e-12 : std::pow(10, -4 * uniform(random)));
    const Body<double> body(m.inertia);
    ASSERT_TRUE(free_step_reaches(body, m.pi_B, t));
    const Gap seen = gap(free_turn(body, m.pi_B, t), m.inertia, m.pi_B, t);
    EXPECT_LE(seen.attitude, promise) << t << " " << m.inertia.x << " " << m.inertia.y << " " << m.inertia.z;
    EXPECT_LE(seen.momentum, promise) << t << " " << m.inertia.x << " " << m.inertia.y << " " << m.inertia.z;
  }
}

TEST(FreeStep, ExactInEveryRegime) {
  for (const Motion& m : regimes()) {
    const Body<double> body(m.inertia);
    for (const double t : {1e-9, 0.01, 0.2499, 0.2501, -0.4, 0.5, -0.9, 0.999}) {
      ASSERT_TRUE(free_step_reaches(body, m.pi_B, t)) << m.name;
      const Gap seen = gap(free_turn(body, m.pi_B, t), m.inertia, m.pi_B, t);
      EXPECT_LE(seen.attitude, promise) << m.name << ", t = " << t;
      EXPECT_LE(seen.momentum, promise) << m.name << ", t = " << t;
    }
  }
}

// Beyond, and for moments that no body has, the closed form takes over: at no time is there a gap.
TEST(FreeStep, ExactAtAnyTime) {
  std::vector<Motion> list = regimes();
  list.push_back(spun("not a body at all", {9, 4, 1}, {3, 1, 12}));
  list.push_back(spun("even less so", {0.01, 4, 1}, {12, 1, 3}));
  for (const Motion& m : list) {
    const Body<double> body(m.inertia);
    const V w = body.velocity(m.pi_B);
    for (const double t : {1e-3, 0.05, 0.3, 0.99, 1.01, -3.0, 10.0}) {
      // What rounding the moments does to the exact motion grows with the time, on a separatrix exponentially.
      const double allowed = promise * std::exp(norm(w) * std::abs(t));
      const Gap seen = gap(free_turn(body, m.pi_B, t), m.inertia, m.pi_B, t);
      EXPECT_LE(seen.attitude, allowed) << m.name << ", t = " << t;
      EXPECT_LE(seen.momentum, allowed) << m.name << ", t = " << t;
    }
  }
  EXPECT_FALSE(free_step_reaches(Body<double>({0.01, 4, 1}), V{0.01, 0, 0}, 0.5)) << "its momentum turns faster than it";
}

TEST(FreeStep, SymmetricBodiesAtAnyTime) {
  std::mt19937 random(2);
  for (const V& inertia : {V{1.1, 1.1, 1.9}, V{0.3, 1.1, 1.1}, V{0.7, 1.3, 0.7}, V{1.3, 1.3, 1.3}}) {
    for (const double t : {1e-3, 0.3, -1.0, 7.0, 300.0}) {
      const Motion m = spun("", inertia, random_direction(random));
      const Gap seen = gap(free_turn(Body<double>(inertia), m.pi_B, t), inertia, m.pi_B, t);
      EXPECT_LE(seen.attitude, promise * (1 + std::abs(t)));
      EXPECT_LE(seen.momentum, promise * (1 + std::abs(t)));
    }
  }
}

TEST(FreeStep, AtRestNothingMoves) {
  for (const V& inertia : {V{0.9, 1.1, 1.7}, V{1.1, 1.1, 1.7}}) {
    const auto moved = free_turn(Body<double>(inertia), V{}, 0.1);
    EXPECT_EQ(moved.pi_B, V{});
    EXPECT_EQ(turned(Rotation<double>{}, moved.turn), Rotation<double>{});
  }
}

// The same lanes, whatever vectors hold them: the same bits.
TEST(FreeStep, EveryInstructionSetGivesTheSameBits) {
  std::vector<detail::FreeStepKernel> kernels{detail::free_step_in_pairs, detail::free_step_kernel()};
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) kernels.push_back(detail::free_step_in_fours);
#endif
  std::mt19937 random(3);
  for (int n = 0; n < 300; ++n) {
    const Motion m = spun("", random_moments(random), random_direction(random));
    const Body<double> body(m.inertia);
    const double t = n % 2 == 0 ? 0.2 : 0.9;
    const auto one_by_one =
        detail::free_step<detail::LanesOver<double>::Of>(body.inertia, body.inverse_inertia, m.pi_B, t);
    for (const auto kernel : kernels) {
      FreeTurn<double> moved;
      kernel(moved, body, m.pi_B, t);
      ASSERT_EQ(moved.pi_B, one_by_one.pi_B);
      ASSERT_EQ(moved.turn, one_by_one.turn);
    }
  }
}

TEST(FreeStep, OtherScalars) {
  const Motion& m = regimes()[0];
  for (const double t : {0.125, 0.75}) {
    const auto single = free_turn(Body<float>(cast<float>(m.inertia)), cast<float>(m.pi_B), static_cast<float>(t));
    const Gap rounded = gap(single, cast<double>(cast<float>(m.inertia)), cast<double>(cast<float>(m.pi_B)), t);
    EXPECT_LE(rounded.attitude, 2e-7);
    EXPECT_LE(rounded.momentum, 2e-7);
    const auto wide = free_turn(Body<long double>(cast<long double>(m.inertia)), cast<long double>(m.pi_B),
                                static_cast<long double>(t));
    EXPECT_LE(gap(wide, m.inertia, m.pi_B, t).attitude, 1e-18);
    EXPECT_LE(gap(wide, m.inertia, m.pi_B, t).momentum, 1e-18);

    // d turn / dt = turn hat(w_B), by a dual number in place of t.
    using Number = Dual<double, 1>;
    const auto moved = free_turn(Body<Number>(cast<Number>(m.inertia)), cast<Number>(m.pi_B), Number::variable(t, 0));
    const Rotation<double> q{moved.turn.w.value, {moved.turn.v.x.value, moved.turn.v.y.value, moved.turn.v.z.value}};
    const Rotation<double> dq{moved.turn.w.d[0], {moved.turn.v.x.d[0], moved.turn.v.y.d[0], moved.turn.v.z.d[0]}};
    const V pi{moved.pi_B.x.value, moved.pi_B.y.value, moved.pi_B.z.value};
    const V dpi{moved.pi_B.x.d[0], moved.pi_B.y.d[0], moved.pi_B.z.d[0]}, w = over(pi, m.inertia);
    EXPECT_LT(norm(2.0 * (inverse(q) * dq).v - w), 1e-14);
    EXPECT_LT(norm(dpi - cross(pi, w)), 1e-14);
  }
}

// Four bodies side by side, from nearly at rest to far beyond the reach of one short step, each in its own regime.
TEST(FreeStep, BodiesSideBySideMoveAsTheyDoAlone) {
  constexpr std::size_t width = 4;
  using S = Lanes<double, width, 2>;
  const std::vector<Motion> all = regimes();
  for (const double size : {0.01, 0.8, 6.0}) {
    for (const std::size_t first : {std::size_t{0}, width}) {
      std::array<double, width> times{};
      Vec3<S> inertia, pi_B;
      S t;
      for (std::size_t i = 0; i < width; ++i) {
        const Motion& alone = all.at(first + i);
        times[i] = (i % 2 == 0 ? size : -size) / (1.0 + static_cast<double>(first + i));
        t.set(i, times[i]);
        for (std::size_t k = 0; k < 3; ++k) {
          inertia[k].set(i, alone.inertia[k]);
          pi_B[k].set(i, alone.pi_B[k]);
        }
      }
      const FreeTurn<S> moved = free_turn(Body<S>(inertia), pi_B, t);
      for (std::size_t i = 0; i < width; ++i) {
        const FreeTurn<double> one{{moved.turn.w[i], {moved.turn.v.x[i], moved.turn.v.y[i], moved.turn.v.z[i]}},
                                   {moved.pi_B.x[i], moved.pi_B.y[i], moved.pi_B.z[i]}};
        const Gap off = gap(one, all[first + i].inertia, all[first + i].pi_B, times[i]);
        EXPECT_LE(off.attitude, 2e-14) << size << " " << first + i;
        EXPECT_LE(off.momentum, 2e-14) << size << " " << first + i;
      }
    }
  }
}

struct Change {
  double energy = 0, length = 0, momentum_S = 0;  // relative; of several bodies the root of the mean square
};
Change operator+(const Change& a, const Change& b) {
  return {a.energy + b.energy, a.length + b.length, a.momentum_S + b.momentum_S};
}

Change squared_change(const Motion& m, double h, int steps) {
  const Body<double> body(m.inertia);
  State<double> s{{}, m.pi_B, 0};
  for (int n = 0; n < steps; ++n) drift(body, s, h);
  const auto energy = [&](const V& pi) { return dot(cast<quad>(pi), over(cast<quad>(pi), cast<quad>(m.inertia))); };
  const Vec3<quad> L_S = normalised(cast<quad>(s.R_SB)) * cast<quad>(s.pi_B), L_0 = cast<quad>(m.pi_B);
  const auto squared = [](const quad& x) { return static_cast<double>(x * x); };
  return {squared(energy(s.pi_B) / energy(m.pi_B) - 1), squared(norm(L_S) / norm(L_0) - 1),
          squared(norm(L_S - L_0) / norm(L_0))};
}

// Sixteen times the steps: four times the change if rounding walks at random, sixteen times if it leans to one side.
TEST(FreeStep, RoundingWalksAtRandom) {
  std::mt19937 random(4);
  Change few, many;
  const int bodies = 48;
  for (int n = 0; n < bodies; ++n) {
    const Motion m = spun("", random_moments(random), random_direction(random));
    few = few + squared_change(m, 0.1, 2000);
    many = many + squared_change(m, 0.1, 32000);
  }
  EXPECT_LT(std::sqrt(many.energy / few.energy), 8);
  EXPECT_LT(std::sqrt(many.length / few.length), 8);
  EXPECT_LT(std::sqrt(many.momentum_S / few.momentum_S), 8);
  // A component is rounded by at most 1.1e-16, and energy is quadratic.
  EXPECT_LT(std::sqrt(many.energy / bodies), 2.2e-16 * std::sqrt(32000));
  EXPECT_LT(std::sqrt(many.momentum_S / bodies), 2.2e-16 * std::sqrt(32000));
}

// At times that a double holds exactly there is nothing but rounding of the result, however many steps were taken.
TEST(FreeExact, NothingAddsUp) {
  for (const Motion& m : {regimes()[0], regimes()[1], regimes()[19]}) {
    const System<double, Free> system{Body<double>(m.inertia), {}};
    const FreeMotion<quad> motion(cast<quad>(m.inertia), cast<quad>(m.pi_B));
    State<double> s{{}, m.pi_B, 0};
    Work work;
    const double h = 0.125;
    auto memory = start<FreeExact>(system, s, h, work);
    for (int n = 1; n <= 100000; ++n) {
      s = advance<FreeExact>(system, s, memory, h, work);
      if (n % 9973 != 0) continue;
      EXPECT_LT(angle_between(normalised(cast<quad>(s.R_SB)), motion.after(quad(s.t)).turn), quad(1e-12)) << m.name;
      EXPECT_LT(std::abs(system.body.kinetic_energy(s.pi_B) / system.body.kinetic_energy(m.pi_B) - 1), 1e-14) << m.name;
    }
  }
}

}  // namespace
}  // namespace polhode::test::free_step_test
