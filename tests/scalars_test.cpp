// One source serves every scalar: float, double, long double and quad agree to the rounding of the coarser one, and
// units scaled by powers of two change no bit.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "polhode/core/quad.hpp"
#include "polhode/measure/error.hpp"
#include "polhode/methods/registry.hpp"
#include "polhode/problems/problem.hpp"

namespace polhode::test {
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
}  // namespace polhode::test
