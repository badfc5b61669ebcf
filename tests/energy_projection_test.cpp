// Energy projection where it is hard: principal axes, spheres, symmetric bodies, huge steps, energies out of reach,
// moments of any size.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "polhode/measure/order.hpp"
#include "polhode/methods/energy_projection.hpp"
#include "polhode/methods/registry.hpp"
#include "polhode/model/fields.hpp"
#include "polhode/problems/problem.hpp"

namespace polhode::test::energy_projection_test {
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

// An energy that is none turns nothing, and is counted: it would be clamped to that of an axis.
TEST(EnergyProjection, AnEnergyThatIsNotFiniteIsGivenUp) {
  const Body<double> body(Vec3<double>{1, 2, 3});
  const Vec3<double> pi{1, 1, 1};
  long long given_up = 0;
  Work work;
  for (const double energy : {std::nan(""), static_cast<double>(INFINITY), -static_cast<double>(INFINITY)}) {
    EXPECT_TRUE(project_energy(body, pi, energy, half_turn, work) == Rotation<double>{});
    EXPECT_EQ(work.projections_given_up, ++given_up);
  }
  const System<double, HeavyTop<double>> top{body, {}};
  project_total_energy(top, {exp(Vec3<double>{0.1, 0.2, 0.3}), pi, 0}, std::nan(""), half_turn, work);
  EXPECT_EQ(work.projections_given_up, ++given_up);
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

// Where the torque has no potential, +energy keeps the order of the methods that know the work to their own order, and
// leaves 2 of the others, which the trapezoidal rule of the work has.
TEST(EnergyProjection, WithoutPotentialTheOrderIsThatOfTheWork) {
  polhode::Setup setup = find_problem("asymmetric-top-tilted")->setup;
  setup.torques.push_back(ConstantBody<double>{{0.2, -0.1, 0.3}});
  const auto prepared = prepare<double>(setup);
  const auto end_of = [&](const std::string& method, int steps) {
    const auto stepper = make_stepper(parse_method(method), prepared.body, prepared.field);
    const double h = prepared.time_in(4) / steps;
    stepper->start(prepared.start, h);
    for (int n = 0; n < steps; ++n) stepper->step(h);
    return stepper->state.R_SB;
  };
  const Rotation<double> exact = end_of("taylor-12", 800);
  for (const MethodInfo& method : methods()) {
    const int order = method.claims.order_attitude;
    if (order < 3 || order > 4 || method.space != Space::rotations || method.claims.dissipative) continue;
    const std::string name = std::string(method.name) + "+energy";
    std::vector<ErrorAtStep> errors;
    for (const int steps : {100, 141, 200, 283, 400}) {
      errors.push_back({4.0 / steps, angle_between(end_of(name, steps), exact)});
    }
    const auto fitted = observed_order(errors, 1e-12, 0.1);
    ASSERT_TRUE(fitted) << name;
    EXPECT_NEAR(fitted->order, method.claims.knows_work ? order : 2, 0.25) << name;
  }
}

}  // namespace
}  // namespace polhode::test::energy_projection_test
