// Torques that begin and end, and impulses: whatever the method and its step, the momentum gets what it is due, and the
// motion converges to the exact one with the order of the method. The book toss is that motion: a spin about the middle
// axis in closed form, a blow, and a free body in closed form.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "polhode/core/quad.hpp"
#include "polhode/measure/error.hpp"
#include "polhode/measure/order.hpp"
#include "polhode/methods/registry.hpp"
#include "polhode/model/free_rotor.hpp"
#include "polhode/problems/problem.hpp"
#include "polhode/problems/reference.hpp"
#include "polhode/run/run.hpp"

namespace polhode::test {
namespace {

const polhode::Setup& book_toss() { return find_problem("book-toss")->setup; }

template <class T>
State<T> integrate(const polhode::Setup& setup, const std::string& method, double duration, int steps) {
  const auto prepared = prepare<T>(setup);
  const auto stepper = make_stepper(parse_method(method), prepared.body, prepared.field);
  const T h = prepared.time_in(duration) / T(steps);
  stepper->start(prepared.start, h);
  for (int n = 0; n < steps; ++n) {
    stepper->state.t = prepared.start.t + T(n) * h;
    stepper->step(h);
  }
  return prepared.in_user_units(stepper->state);
}

// Until t = 2 the body turns about axis 1 by 20 t^2/(2 I_1); then it is free, with the momentum (40, 0.2, 0) in space.
State<long double> exact_toss(long double t) {
  using T = long double;
  if (t < 2) return {exp(Vec3<T>{2 * t * t, 0, 0}), {20 * t, 0, 0}, t};
  State<T> after{exp(Vec3<T>{8, 0, 0}), {}, 2};
  after.pi_B = inverse(after.R_SB) * Vec3<T>{40, T(0.2), 0};
  return FreeRotor<T>(Vec3<T>{5, 10, 1}, after).after(t - 2);
}

const std::vector<std::string> plain{"taylor-1", "taylor-2", "taylor-4",      "mclachlan-reich-231",
                                     "rkmk-4",   "abm4",     "simo-wong-ab2", "mclachlan-reich-123@suzuki"};

// Also with steps that do not fit the pulse: 0.03 and 0.07 end at 1.98, 2.01 and 1.96, 2.03.
TEST(BookToss, EveryMethodGetsTheWholeImpulse) {
  std::vector<std::string> methods = plain;
  methods.insert(methods.end(), {"taylor-4+energy", "mclachlan-reich-4-123"});
  for (const std::string& method : methods) {
    for (const double h : {0.05, 0.04, 0.03, 0.07, 0.001}) {
      const int steps = static_cast<int>(std::lround(2.1 / h));
      const State<double> s = integrate<double>(book_toss(), method, steps * h, steps);
      // 20 * 2 and 0.2; rounding walks at random, a few units of the last place per stage.
      const double stages = steps * std::max(1.0, parse_method(method).claims.torque_evaluations);
      EXPECT_LT(norm(spatial_momentum(s) - Vec3<double>{40, 0.2, 0}), 40 * 5e-15 * std::sqrt(stages)) << method << h;
    }
  }
}

// Not with +energy: a spin about the middle axis has a critical energy, where a rounding of it is made up for by a tilt
// as large as its root, and tilts grow.
TEST(BookToss, ConvergesToTheImpulsiveLimitWithTheOrderOfTheMethod) {
  for (const std::string& method : plain) {
    const int order = parse_method(method).claims.order_attitude;
    for (const int fewest :
         {order == 1 ? 4000 : 250, order == 1 ? 3777 : 333}) {  // 2 is a whole number of steps, or not
      std::vector<ErrorAtStep> attitude, momentum;
      for (int steps = fewest; steps <= 16 * fewest; steps *= 2) {
        const auto s = integrate<long double>(book_toss(), method, 2.5, steps);
        attitude.push_back({2.5 / steps, static_cast<double>(attitude_error(s, exact_toss(2.5L)))});
        momentum.push_back({2.5 / steps, static_cast<double>(momentum_error(s, exact_toss(2.5L)))});
      }
      const auto a = observed_order(attitude, 1e-15, 0.1), m = observed_order(momentum, 1e-14, 1.0);
      ASSERT_TRUE(a && m) << method;
      EXPECT_NEAR(a->order, order, 0.2) << method << ", " << fewest;
      EXPECT_NEAR(m->order, order, 0.2) << method << ", " << fewest;
    }
  }
}

// The paper's own way, a torque for one step, has the same impulse half a step later: first order, whatever the method.
TEST(BookToss, SpreadOverOneStepIsOfFirstOrder) {
  std::vector<ErrorAtStep> errors;
  for (int steps = 1000; steps <= 8000; steps *= 2) {
    const double h = 2.5 / steps;
    polhode::Setup setup = book_toss();
    Pulse<double> spin = std::get<Pulse<double>>(setup.torques[0]), blow;
    spin.impulse_S = {};
    blow.torque_S = {0, 0.2 / h, 0};
    blow.from = 2;
    blow.until = 2 + h;
    setup.torques = {spin, blow};
    const auto s = integrate<long double>(setup, "taylor-6", 2.5, steps);
    EXPECT_LT(norm(spatial_momentum(s) - Vec3<long double>{40, 0.2L, 0}), 1e-15L * steps);
    errors.push_back({h, static_cast<double>(attitude_error(s, exact_toss(2.5L)))});
  }
  const auto fit = observed_order(errors, 1e-15, 0.1);
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit->order, 1, 0.1);
}

TEST(BookToss, HasAReferenceThatIsTheImpulsiveLimit) {
  for (const double t : {1.0, 2.0, 2.5, 10.0}) {
    const auto reference = reference_at(*find_problem("book-toss"), t);
    ASSERT_TRUE(reference);
    // Rounding of some hundred steps; after the blow the motion is unstable, and it grows.
    EXPECT_LT(attitude_error(cast<long double>(reference->state), exact_toss(t)), t > 2 ? 1e-13L : 1e-16L) << t;
  }
}

// At the moment of the blow the state is that after it; backwards it is taken away again. The spin is about the axis of
// the largest moment, which is stable: rounding does not grow.
TEST(Pulse, TimeGoesBothWays) {
  polhode::Setup setup = book_toss();
  auto& pulse = std::get<Pulse<double>>(setup.torques[0]);
  pulse.torque_S = {0, 20, 0};
  pulse.impulse_S = {0.2, 0, 0};
  for (const double h : {0.05, 0.03}) {
    const auto prepared = prepare<double>(setup);
    const auto stepper = make_stepper(parse_method("mclachlan-reich-231"), prepared.body, prepared.field);
    const double step = prepared.time_in(h);
    const int steps = static_cast<int>(std::lround(2.4 / h));
    stepper->start(prepared.start, step);
    for (int n = 0; n < steps; ++n) {
      stepper->step(step);
      const double t = prepared.in_user_units(stepper->state).t;
      const double across = std::ldexp(stepper->momentum_S().x, prepared.units.momentum_exponent());
      EXPECT_NEAR(across, t > 2 - 1e-9 ? 0.2 : 0, 1e-13) << t;
    }
    stepper->reverse();
    for (int n = 0; n < steps; ++n) stepper->step(-step);
    EXPECT_NEAR(stepper->state.t, 0, 1e-14);
    EXPECT_LT(angle_between(stepper->state.R_SB, prepared.start.R_SB), 1e-13);
    EXPECT_LT(norm(stepper->state.pi_B), 1e-13);
  }
}

// A run may begin anywhere: what is over has no effect, and what is under way goes on.
TEST(Pulse, ARunMayBeginInTheMiddle) {
  const State<long double> whole = integrate<long double>(book_toss(), "taylor-12", 2.5, 500);
  for (const double begin : {1.0, 2.0, 2.25}) {
    polhode::Setup setup = book_toss();
    const State<double> s = cast<double>(exact_toss(begin));
    setup.attitude = {AttitudeData::Kind::wxyz, {s.R_SB.w, s.R_SB.v.x, s.R_SB.v.y, s.R_SB.v.z}};
    setup.motion = {MotionData::Kind::angular_momentum_body, s.pi_B};
    setup.time = begin;
    const auto rest = integrate<long double>(setup, "taylor-12", 2.5 - begin, 500);
    EXPECT_LT(attitude_error(rest, whole), 1e-13L) << begin;  // the start was rounded to double
  }
}

TEST(Pulse, WithoutAnEndIsAConstantTorqueToTheBit) {
  polhode::Setup pulse = book_toss(), constant = book_toss();
  std::get<Pulse<double>>(pulse.torques[0]).until = 1000;
  constant.torques = {
      ConstantSpatial<double>{{20, 0, 0}},
  };
  pulse.motion.value = constant.motion.value = {0.3, 0.2, 0.1};
  std::get<Pulse<double>>(pulse.torques[0]).impulse_S = {};
  for (const std::string& method : plain) {
    const auto a = integrate<double>(pulse, method, 1, 50), b = integrate<double>(constant, method, 1, 50);
    EXPECT_TRUE(a.R_SB == b.R_SB && a.pi_B == b.pi_B) << method;
  }
}

// Pulses and other torques add up; two that overlap cut the time three times.
TEST(Pulse, AddUpWithOtherTorques) {
  polhode::Setup setup = find_problem("asymmetric-top-tilted")->setup;
  Pulse<double> first, second;
  first.torque_S = {0.3, 0, 0.1};
  first.from = 0.3;
  first.until = 1.1;
  second.torque_S = {0, -0.2, 0};
  second.until = 0.7;
  second.impulse_S = {0.05, 0, 0};
  setup.torques.insert(setup.torques.end(), {first, second});
  const auto coarse = integrate<long double>(setup, "taylor-12", 2, 37);
  // By hand, from cut to cut.
  polhode::Setup leg = find_problem("asymmetric-top-tilted")->setup;
  const FieldData<double> gravity = leg.torques[0];
  struct Leg {
    double until;
    Vec3<double> torque, impulse;
  };
  const Leg legs[] = {
      {0.3, {0, -0.2, 0}, {}}, {0.7, {0.3, -0.2, 0.1}, {0.05, 0, 0}}, {1.1, {0.3, 0, 0.1}, {}}, {2.0, {}, {}}};
  auto prepared = prepare<long double>(leg);
  State<long double> s = prepared.start;
  for (const Leg& l : legs) {
    leg.torques = {gravity, ConstantSpatial<double>{l.torque}};
    auto at = prepare<long double>(leg);
    ASSERT_EQ(at.units.energy_exponent(), prepared.units.energy_exponent());
    const auto stepper = make_stepper(parse_method("taylor-12"), at.body, at.field);
    const long double h = (at.time_in(l.until) - s.t) / 40;
    stepper->start(s, h);
    for (int n = 0; n < 40; ++n) stepper->step(h);
    s = stepper->state;
    s.t = at.time_in(l.until);
    const Vec3<long double> impulse_S = cast<long double>(l.impulse);
    s.pi_B += inverse(s.R_SB) * (std::ldexp(1.0L, -at.units.momentum_exponent()) * impulse_S);
  }
  EXPECT_LT(attitude_error(coarse, prepared.in_user_units(s)), 1e-15L);
  EXPECT_LT(momentum_error(coarse, prepared.in_user_units(s)), 1e-15L);
}

TEST(Pulse, CountsTheWorkOfAllItsParts) {
  const auto prepared = prepare<double>(book_toss());
  const auto stepper = make_stepper(parse_method("mclachlan-reich-123"), prepared.body, prepared.field);
  const double h = prepared.time_in(0.05);
  stepper->start(prepared.start, h);
  for (int n = 0; n < 60; ++n) stepper->step(h);
  EXPECT_EQ(stepper->work.torque_evaluations, 41);  // one a step and one at the start, and none after the blow
  const auto branch = stepper->clone();
  stepper->step(h);
  EXPECT_FALSE(branch->state.R_SB == stepper->state.R_SB);
  branch->step(h);
  EXPECT_TRUE(branch->state.R_SB == stepper->state.R_SB);
}

TEST(Pulse, RunsInEveryScalarAndInOtherUnits) {
  const State<quad> best = integrate<quad>(book_toss(), "taylor-4", 2.5, 50);
  const auto distance = [&](const auto& s) { return static_cast<double>(attitude_error(cast<quad>(s), best)); };
  EXPECT_LT(distance(integrate<float>(book_toss(), "taylor-4", 2.5, 50)), 1e-2);  // unstable: e^(11 * 0.5) of rounding
  EXPECT_LT(distance(integrate<double>(book_toss(), "taylor-4", 2.5, 50)), 1e-11);
  EXPECT_LT(distance(integrate<long double>(book_toss(), "taylor-4", 2.5, 50)), 1e-14);

  const double inertia_unit = std::ldexp(1.0, 40), time_unit = std::ldexp(1.0, -30);
  polhode::Setup other = book_toss();
  other.inertia = std::get<Vec3<double>>(other.inertia) * inertia_unit;
  auto& pulse = std::get<Pulse<double>>(other.torques[0]);
  pulse.torque_S = pulse.torque_S * (inertia_unit / time_unit / time_unit);
  pulse.impulse_S = pulse.impulse_S * (inertia_unit / time_unit);
  pulse.until *= time_unit;
  const auto a = integrate<double>(book_toss(), "taylor-4", 2.5, 50);
  const auto b = integrate<double>(other, "taylor-4", 2.5 * time_unit, 50);
  EXPECT_TRUE(a.R_SB == b.R_SB && a.pi_B * (inertia_unit / time_unit) == b.pi_B);
}

TEST(Pulse, RefusesAnEndBeforeItsBeginning) {
  polhode::Setup setup = book_toss();
  std::get<Pulse<double>>(setup.torques[0]).from = 3;
  try {
    check(setup);
    ADD_FAILURE() << "accepted";
  } catch (const SetupError& error) {
    EXPECT_EQ(error.key, "torque[0].until");
    EXPECT_THAT(error.what(), testing::HasSubstr("2 s is before the beginning at 3 s"));
  }
}

// The loop over time needs to know nothing of it.
TEST(Pulse, RunsFromAScenario) {
  Scenario scenario = problem_scenario(*find_problem("book-toss"));
  scenario.run.method = "taylor-12";
  scenario.run.step = 0.01;
  scenario.run.duration = 2.5;
  scenario.run.scalar = ScalarKind::long_double_;
  Table rows;
  const Result result = run(scenario, plan(scenario), &rows);
  EXPECT_EQ(result.steps, 250);
  ASSERT_TRUE(result.attitude_error);
  EXPECT_LT(result.attitude_error->value, 1e-13);
  EXPECT_NEAR(rows.rows[199][9].value, 0, 1e-15);    // Ly_S at t = 1.99
  EXPECT_NEAR(rows.rows[200][9].value, 0.2, 1e-15);  // and at t = 2
}

}  // namespace
}  // namespace polhode::test
