// One source serves every scalar: float, double, long double and quad agree to the rounding of the coarser one, and
// units scaled by powers of two change no bit.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "polhode/core/quad.hpp"
#include "polhode/measure/error.hpp"
#include "polhode/methods/registry.hpp"
#include "polhode/problems/problem.hpp"

namespace polhode::test::scalars_test {
namespace {

constexpr int steps = 64;

template <class T>
State<T> integrate(std::string_view method, const Setup& setup, double step) {
  const auto prepared = prepare<T>(setup);
  const auto stepper = make_stepper(parse_method(method), prepared.body, prepared.field);
  const T h = prepared.time_in(step);
  stepper->start(prepared.start, h);
  for (int n = 0; n < steps; ++n) {
    stepper->state.t = prepared.start.t + T(n) * h;
    stepper->step(h);
  }
  return prepared.in_user_units(stepper->state);
}

// As it is, or without torque for a method that takes none.
polhode::Setup for_method(const MethodInfo& method, polhode::Setup setup) {
  if (method.claims.needs == Needs::no_torque) setup.torques.clear();
  return setup;
}

template <class T>
double distance(const State<quad>& exact, const State<T>& s) {
  const State<quad> q = cast<quad>(s);
  const quad a = attitude_error(q, exact), m = momentum_error(q, exact) / norm(exact.pi_B);
  return static_cast<double>(max(a, m));
}

TEST(Scalars, AgreeToTheRoundingOfTheCoarserOne) {
  const polhode::Setup& top = find_problem("asymmetric-top-tilted")->setup;
  // Each of the 64 steps rounds a few dozen times, and the motion spreads errors by a small factor: 1000 units of the
  // last place are generous for rounding and far below what any slip would leave.
  for (const MethodInfo& method : methods()) {
    if (method.space != Space::rotations) continue;
    const polhode::Setup setup = for_method(method, top);
    const State<quad> exact = integrate<quad>(method.name, setup, 0.03125);
    // Extrapolation adds up to 28 parts of a step with weights up to 25 of either sign: rounding counts tens of times.
    const double units = method.name.starts_with("rotor-extrapolated") ? 10'000 : 1000;
    EXPECT_LT(distance(exact, integrate<float>(method.name, setup, 0.03125)),
              units * static_cast<double>(std::numeric_limits<float>::epsilon()))
        << method.name;
    EXPECT_LT(distance(exact, integrate<double>(method.name, setup, 0.03125)),
              units * std::numeric_limits<double>::epsilon())
        << method.name;
    EXPECT_LT(distance(exact, integrate<long double>(method.name, setup, 0.03125)),
              units * static_cast<double>(std::numeric_limits<long double>::epsilon()))
        << method.name;
  }
}

TEST(Scalars, EachIsMoreExactThanTheOneBefore) {
  const polhode::Setup& setup = find_problem("fast-top")->setup;
  const State<quad> exact = integrate<quad>("taylor-8", setup, 0.001953125);
  const double f = distance(exact, integrate<float>("taylor-8", setup, 0.001953125));
  const double d = distance(exact, integrate<double>("taylor-8", setup, 0.001953125));
  const double l = distance(exact, integrate<long double>("taylor-8", setup, 0.001953125));
  EXPECT_LT(d, 1e-6 * f);
  EXPECT_LT(l, 1e-2 * d);
}

// A constant that went through a double would be wrong by 1e-17 of itself, which no comparison with double can tell. With
// steps so short that the error of the method, h^(p+1) and less, is next to the rounding of quad, nothing else is left.
TEST(Scalars, NoMethodHasConstantsOfDoubleInQuad) {
  const auto prepared = prepare<quad>(find_problem("asymmetric-top-tilted")->setup);
  const auto end_of = [&](std::string_view method, double step) {
    const auto stepper = make_stepper(parse_method(method), prepared.body, prepared.field);
    stepper->start(prepared.start, quad(step));
    for (int n = 0; n < 12; ++n) stepper->step(quad(step));
    return stepper->state;
  };
  std::map<double, State<quad>> exact;
  for (const MethodInfo& method : methods()) {
    const Claims& claims = method.claims;
    // Up to order 1 the error is larger than that of a wrong constant at any step; so is what these two begin with.
    const bool begins_roughly = method.name == "abm4-buss" || method.name == "variational";
    if (method.space != Space::rotations || claims.order_attitude <= 1 || claims.needs == Needs::no_torque) continue;
    if (begins_roughly) continue;
    const double step = std::pow(10, -33.0 / (std::min(claims.order_attitude, 12) + 1));
    if (!exact.contains(step)) exact[step] = end_of("picard-lobatto-16", step);
    const State<quad> other = end_of(method.name == "picard-lobatto-16" ? "taylor-12" : method.name, step);
    EXPECT_LT(distance(exact[step], other), 1e-29) << method.name << " at steps of " << step;
  }
}

// What is kept exactly is kept to the rounding of quad, which extrapolation with its large weights counts tens of times.
TEST(Scalars, WhatIsKeptIsKeptToTheLastDigitsInQuad) {
  polhode::Setup setup = find_problem("asymmetric-top-tilted")->setup;
  setup.torques.clear();
  const auto prepared = prepare<quad>(setup);
  for (const MethodInfo& method : methods()) {
    if (method.space != Space::rotations) continue;
    const auto stepper = make_stepper(parse_method(method.name), prepared.body, prepared.field);
    stepper->start(prepared.start, quad(0.25));
    stepper->step(quad(0.25));
    const Vec3<quad> momentum_S = stepper->momentum_S();
    const quad energy = prepared.body.kinetic_energy(stepper->state.pi_B);
    for (int n = 0; n < 25; ++n) stepper->step(quad(0.25));
    const quad change = norm(stepper->momentum_S() - momentum_S) / norm(momentum_S);
    const quad gain = abs(quad(prepared.body.kinetic_energy(stepper->state.pi_B) / energy - 1));
    if (method.claims.momentum_free == Keeps::exact) {
      EXPECT_LT(change, quad(1e-30)) << method.name;
    }
    if (method.claims.energy_free == Keeps::exact) {
      EXPECT_LT(gain, quad(1e-30)) << method.name;
    }
  }
}

// The same top in other units: lengths of 2^a, times of 2^b. Every digit of the result must be the same.
TEST(Units, PowersOfTwoChangeNoBit) {
  const polhode::Setup& setup = find_problem("asymmetric-top-tilted")->setup;
  const double inertia_unit = std::ldexp(1.0, 300), time_unit = std::ldexp(1.0, -200);
  polhode::Setup other = setup;
  other.inertia = std::get<Vec3<double>>(setup.inertia) * inertia_unit;
  other.motion.value = setup.motion.value / time_unit;
  auto& top = std::get<HeavyTop<double>>(other.torques[0]);
  top.weight_times_arm = top.weight_times_arm * inertia_unit / time_unit / time_unit;
  for (const MethodInfo& method : methods()) {
    if (method.space != Space::rotations) continue;
    const State<double> a = integrate<double>(method.name, for_method(method, setup), 0.0625);
    const State<double> b = integrate<double>(method.name, for_method(method, other), 0.0625 * time_unit);
    if (method.name == "simo-wong-buss") {
      // The slip it reproduces, an acceleration without its 1/h, makes it depend on the unit of time.
      EXPECT_FALSE(a.R_SB == b.R_SB);
      continue;
    }
    EXPECT_TRUE(a.R_SB == b.R_SB) << method.name;
    EXPECT_TRUE(a.pi_B * (inertia_unit / time_unit) == b.pi_B) << method.name;
  }
}

}  // namespace
}  // namespace polhode::test::scalars_test
