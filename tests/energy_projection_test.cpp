// Energy projection where it is hard: principal axes, spheres, symmetric bodies, huge steps, energies out of reach,
// moments of any size.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "polhode/methods/energy_projection.hpp"
#include "polhode/methods/registry.hpp"
#include "polhode/problems/problem.hpp"

namespace polhode::test {
namespace {

constexpr double half_turn = 3.2;

double energy_after(const Body<double>& body, const Vec3<double>& pi_B, const Rotation<double>& C) {
  return body.kinetic_energy(inverse(C) * pi_B);
}

rc::Gen<double> between(double low, double high) {
  return rc::gen::map(rc::gen::inRange(0, 1 << 30),
                      [=](int i) { return low + (high - low) * static_cast<double>(i) / (1 << 30); });
}

RC_GTEST_PROP(EnergyProjection, ReachesEveryEnergyTheMomentumAllows, ()) {
  const Vec3<double> moments{*between(0.5, 3), *between(0.5, 3), *between(0.5, 3)};
  const double scale = std::ldexp(1.0, *rc::gen::inRange(-300, 300));
  const Body<double> body(moments * scale);
  const Vec3<double> direction{*between(-1, 1), *between(-1, 1), *between(-1, 1)};
  RC_PRE(norm(direction) > 1e-3);
  const Vec3<double> pi = direction * scale;
  const double square = squared_norm(direction);
  const double low = square / (2 * std::max({moments.x, moments.y, moments.z})) * scale;
  const double high = square / (2 * std::min({moments.x, moments.y, moments.z})) * scale;
  const double energy = low + (high - low) * *between(0, 1);
  Work work;
  const Rotation<double> C = project_energy(body, pi, energy, half_turn, work);
  RC_ASSERT(work.projections_given_up == 0);
  RC_ASSERT(std::abs(squared_norm(C) - 1) < 1e-14);
  RC_ASSERT(std::abs(energy_after(body, pi, C) - energy) < 1e-13 * energy);
}

RC_GTEST_PROP(EnergyProjection, TurnsLittleForSmallErrors, ()) {
  // Well away from where the energy is stationary, the turn is of the size of the energy error.
  const Body<double> body(Vec3<double>{1, 2, 3});
  const Vec3<double> pi{*between(0.5, 1), *between(0.5, 1), *between(0.5, 1)};
  const double energy = body.kinetic_energy(pi), error = *between(-1e-6, 1e-6);
  Work work;
  const Rotation<double> C = project_energy(body, pi, energy * (1 + error), half_turn, work);
  RC_ASSERT(angle_between(Rotation<double>{}, C) <= 20 * std::abs(error) + 1e-15);
}

TEST(EnergyProjection, OnAPrincipalAxisItTiltsAway) {
  const Body<double> body(Vec3<double>{1, 2, 3});
  for (const std::size_t axis : {0U, 1U, 2U}) {
    Vec3<double> pi{};
    pi[axis] = 2;
    for (const double energy : {0.7, 0.9, 1.3, 1.9}) {
      Work work;
      const Rotation<double> C = project_energy(body, pi, energy, half_turn, work);
      EXPECT_EQ(work.projections_given_up, 0);
      EXPECT_NEAR(energy_after(body, pi, C), energy, 1e-14) << "axis " << axis << ", energy " << energy;
    }
  }
}

TEST(EnergyProjection, ASphereHasOneEnergyOnly) {
  const Body<double> body(Vec3<double>{2, 2, 2});
  Work work;
  const Rotation<double> C = project_energy(body, {1, 2, 3}, 5.0, half_turn, work);
  EXPECT_TRUE(C == Rotation<double>{});
}

TEST(EnergyProjection, SymmetricBodyInItsEquator) {
  const Body<double> body(Vec3<double>{2, 2, 1});
  const Vec3<double> pi{3, 4, 0};
  const double energy = body.kinetic_energy(pi) * 1.2;
  Work work;
  const Rotation<double> C = project_energy(body, pi, energy, half_turn, work);
  EXPECT_NEAR(energy_after(body, pi, C), energy, 1e-14 * energy);
}

TEST(EnergyProjection, EnergiesOutOfReachAreClamped) {
  const Body<double> body(Vec3<double>{1, 2, 3});
  const Vec3<double> pi{1, 1, 1};
  Work work;
  EXPECT_NEAR(energy_after(body, pi, project_energy(body, pi, 100.0, half_turn, work)), 1.5, 1e-14);
  EXPECT_NEAR(energy_after(body, pi, project_energy(body, pi, -1.0, half_turn, work)), 0.5, 1e-14);
}

TEST(EnergyProjection, NeverTurnsByMoreThanTheStep) {
  const Body<double> body(Vec3<double>{1, 2, 3});
  const Vec3<double> pi{1, 1, 1};
  Work work;
  EXPECT_TRUE(project_energy(body, pi, 1.4, 1e-3, work) == Rotation<double>{});
  EXPECT_EQ(work.projections_given_up, 1);
}

TEST(EnergyProjection, AtRestThereIsNothingToDo) {
  Work work;
  EXPECT_TRUE(project_energy(Body<double>(Vec3<double>{1, 2, 3}), {0, 0, 0}, 1.0, 1.0, work) == Rotation<double>{});
}

// Work of the torque where there is no potential: a constant torque fixed in the body, against a fine integration.
TEST(EnergyProjection, FollowsTheWorkOfATorqueWithoutPotential) {
  polhode::Setup setup = find_problem("free-mclachlan-zanna")->setup;
  setup.torques = {ConstantBody<double>{{0.02, -0.01, 0.03}}};
  const auto prepared = prepare<double>(setup);
  const auto run = [&](const char* method, int steps) {
    const auto stepper = make_stepper(parse_method(method), prepared.body, prepared.field);
    const double h = prepared.time_in(10) / steps;
    stepper->start(prepared.start, h);
    for (int n = 0; n < steps; ++n) stepper->step(h);
    return prepared.body.kinetic_energy(stepper->state.pi_B);
  };
  const double exact = run("taylor-8", 1000);
  const double coarse = std::abs(run("taylor-1+energy", 400) - exact),
               fine = std::abs(run("taylor-1+energy", 800) - exact);
  EXPECT_LT(fine, 0.6 * coarse);
  const double c4 = std::abs(run("taylor-4+energy", 50) - exact), f4 = std::abs(run("taylor-4+energy", 100) - exact);
  EXPECT_NEAR(std::log2(c4 / f4), 4, 0.5) << "the method's own series of the work keeps its order";
}

}  // namespace
}  // namespace polhode::test
