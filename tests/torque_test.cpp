// Torque is not an afterthought: orders on tops and on fields made from lambdas (generic, values-only, depending on
// time and on velocity), refusal by name of what a field does not offer, and steps that vary.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "polhode/measure/error.hpp"
#include "polhode/measure/order.hpp"
#include "polhode/methods/catalogue.hpp"
#include "polhode/methods/registry.hpp"
#include "polhode/model/callable.hpp"
#include "polhode/model/fields.hpp"
#include "polhode/problems/problem.hpp"
#include "polhode/problems/reference.hpp"

namespace polhode::test::torque_test {
namespace {

const Body<double> body(Vec3<double>{0.9144, 1.098, 1.66});

State<double> generic_start() { return {exp(Vec3<double>{0.3, -0.5, 0.8}), body.momentum({0.9, 1.6, 0.4}), 0.25}; }

template <class M, class F>
State<double> integrate(const F& field, double duration, int steps) {
  const System system{body, field};
  State<double> s = generic_start();
  const double t0 = s.t, h = duration / steps;
  Work work;
  auto memory = start<M>(system, s, h, work);
  for (int n = 0; n < steps; ++n) {
    s.t = t0 + n * h;
    s = advance<M>(system, s, memory, h, work);
  }
  return s;
}

struct MeasuredOrders {
  double attitude, momentum;
};

template <class M, class F>
MeasuredOrders orders(const F& field, int fewest_steps) {
  // The reference is another kind of method than those tested: Runge-Kutta-Munthe-Kaas with many steps.
  const State<double> reference = integrate<MuntheKaas4>(field, 2, 20000);
  std::vector<ErrorAtStep> attitude, momentum;
  for (int steps = fewest_steps; steps <= 16 * fewest_steps; steps *= 2) {
    const State<double> s = integrate<M>(field, 2, steps);
    attitude.push_back({2.0 / steps, attitude_error(s, reference)});
    momentum.push_back({2.0 / steps, momentum_error(s, reference)});
  }
  const auto a = observed_order(attitude, 2e-13, 0.1), m = observed_order(momentum, 2e-13, 0.1);
  return {a ? a->order : 0, m ? m->order : 0};
}

// A field nobody has written derivatives for: products of direction cosines, a sine, a square root, and time.
const auto generic_lambda = [](const auto& R_SB, const auto& t) {
  const auto up = inverse(R_SB) * Vec3<double>{0, 0, 1};
  const auto strength = sqrt(2.0 + up.x * up.y) * (1.0 + 0.5 * sin(3.0 * t));
  return Vec3<std::decay_t<decltype(strength)>>{strength * up.y, 0.3 * strength * up.x * up.z, cos(up.z) * strength};
};

const auto drag_lambda = [](const auto& R_SB, const auto& w_B, const auto& t) {
  const auto up = inverse(R_SB) * Vec3<double>{0, 0, 1};
  return Vec3<std::decay_t<decltype(t)>>{up.y - 0.3 * w_B.x, 0.2 * sin(t) - 0.1 * w_B.y, up.x - 0.4 * w_B.z};
};

template <class Expected>
void expect_orders(const MeasuredOrders& measured, const Expected& expected, const char* what) {
  EXPECT_NEAR(measured.attitude, expected, 0.2) << what;
  EXPECT_NEAR(measured.momentum, expected, 0.2) << what;
}

TEST(GenericLambda, EveryOrderOfTheTaylorFamily) {
  const auto field = field_from(generic_lambda);
  static_assert(SeriesField<decltype(field), double>);
  expect_orders(orders<Taylor<1>>(field, 200), 1, "taylor-1");
  expect_orders(orders<Taylor<2>>(field, 40), 2, "taylor-2");
  expect_orders(orders<Taylor<3, Rule::averaged_rate>>(field, 20), 3, "taylor-3");
  expect_orders(orders<Taylor<4>>(field, 20), 4, "taylor-4");
  expect_orders(orders<Taylor<6>>(field, 12), 6, "taylor-6");
}

TEST(GenericLambda, KickMethodsSeeTime) {
  const auto field = field_from(generic_lambda);
  expect_orders(orders<AxisSplitting<2, 3, 1>>(field, 40), 2, "mclachlan-reich-231");
  expect_orders(orders<TripleJump<AxisSplitting<2, 3, 1>>>(field, 40), 4, "mclachlan-reich-4-231");
  expect_orders(orders<AdamsBashforthMoulton4<>>(field, 80), 2, "abm4");
  expect_orders(orders<SimoWongExplicit<false>>(field, 160), 2, "simo-wong-ab2");
}

TEST(ValuesOnly, TheFirstTwoTaylorMethodsKeepTheirOrder) {
  const auto field = values_only<double>(generic_lambda);
  static_assert(!SeriesField<decltype(field), double>);
  expect_orders(orders<Taylor<1>>(field, 200), 1, "taylor-1");
  expect_orders(orders<Taylor<2>>(field, 40), 2, "taylor-2");
  expect_orders(orders<Taylor<2, Rule::augmented>>(field, 40), 2, "taylor-2-augmented");
}

TEST(ValuesOnly, OneEvaluationPerStep) {
  const System system{body, values_only<double>(generic_lambda)};
  State<double> s = generic_start();
  Work work;
  auto memory = start<Taylor<2>>(system, s, 0.01, work);
  for (int n = 0; n < 50; ++n) s = advance<Taylor<2>>(system, s, memory, 0.01, work);
  EXPECT_EQ(work.torque_evaluations, 51);
}

TEST(VelocityDependent, TaylorKeepsItsOrderAndKicksTheirSecond) {
  const auto field = field_from(drag_lambda);
  static_assert(VelocityTorqueField<decltype(field), double> && !AttitudeTorqueField<decltype(field), double>);
  expect_orders(orders<Taylor<4>>(field, 20), 4, "taylor-4");
  expect_orders(orders<MuntheKaas4>(field, 20), 4, "rkmk-4");
  expect_orders(orders<AxisSplitting<1, 2, 3>>(field, 40), 2, "mclachlan-reich-123");
  expect_orders(orders<Taylor<2>>(values_only<double>(drag_lambda), 40), 2, "taylor-2 by values");
}

TEST(VelocityDependent, ClaimsAreDroppedByTheTypeOfTheField) {
  using Splitting4 = TripleJump<AxisSplitting<1, 2, 3>>;
  using Drag = decltype(field_from(drag_lambda));
  static_assert(claims_in<Splitting4, double, HeavyTop<double>>() == Splitting4::claims);
  constexpr Claims claims = claims_in<Splitting4, double, Drag>();
  static_assert(!claims.symmetric && !claims.symplectic && claims.energy == Keeps::no && claims.order_attitude == 3);
  static_assert(claims_in<Taylor<4>, double, Drag>().order_attitude == 4);
  expect_orders(orders<Splitting4>(field_from(drag_lambda), 400), claims.order_attitude, "mclachlan-reich-4-123");
}

TEST(Tops, TaylorFourIsFourthOrderOnFastTop) {
  const Problem& problem = *find_problem("fast-top");
  const auto prepared = prepare<double>(problem.setup);
  const auto reference = reference_at(problem, 0.5);
  ASSERT_TRUE(reference);
  std::vector<ErrorAtStep> attitude, momentum;
  for (int steps = 400; steps <= 3200; steps *= 2) {
    const auto stepper = make_stepper(parse_method("taylor-4"), prepared.body, prepared.field);
    const double h = prepared.time_in(0.5) / steps;
    stepper->start(prepared.start, h);
    for (int n = 0; n < steps; ++n) stepper->step(h);
    const State<double> s = prepared.in_user_units(stepper->state), r = cast<double>(reference->state);
    attitude.push_back({0.5 / steps, attitude_error(s, r)});
    momentum.push_back({0.5 / steps, momentum_error(s, r)});
  }
  const auto a = observed_order(attitude, 1e-12, 0.1), m = observed_order(momentum, 1e-12, 1.0);
  ASSERT_TRUE(a && m);
  EXPECT_NEAR(a->order, 4, 0.2);
  EXPECT_NEAR(m->order, 4, 0.2);
}

FieldSum<double> callback_field() {
  Callback<double> callback;
  callback.torque_B = [](const Rotation<double>& R, const double& t) { return generic_lambda(R, t); };
  return FieldSum<double>({callback});
}

TEST(ValuesOnly, MethodsThatNeedMoreOrLessRefuseByName) {
  for (const MethodInfo& method : methods()) {
    if (method.space != Space::rotations) continue;
    const MethodSpec spec = parse_method(method.name);
    if (method.claims.needs == Needs::values) {
      EXPECT_NO_THROW(make_stepper(spec, body, callback_field())) << method.name;
      continue;
    }
    try {
      make_stepper(spec, body, callback_field());
      ADD_FAILURE() << method.name << " took a field that offers values only";
    } catch (const MethodError& error) {
      EXPECT_NE(std::string(error.what()).find(method.name), std::string::npos) << error.what();
      const char* reason = method.claims.needs == Needs::series ? "power series" : "without torque";
      EXPECT_NE(std::string(error.what()).find(reason), std::string::npos) << error.what();
    }
  }
}

// Of order 0 an error does not become small.
double ceiling_of(int order, double otherwise) { return order == 0 ? HUGE_VAL : otherwise; }

// The same by name, in a field known by values.
std::optional<MeasuredOrders> orders_by_name(std::string_view method, const FieldSum<double>& field, int fewest_steps) {
  const auto end_of = [&](std::string_view name, int steps) {
    const auto stepper = make_stepper(parse_method(name), body, field);
    const double h = 2.0 / steps;
    stepper->start(generic_start(), h);
    for (int n = 0; n < steps; ++n) {
      stepper->state.t = generic_start().t + n * h;
      stepper->step(h);
    }
    return stepper->state;
  };
  const State<double> reference = end_of("rkmk-4", 20000);
  std::vector<ErrorAtStep> attitude, momentum;
  for (int steps = fewest_steps; steps <= 16 * fewest_steps; steps *= 2) {
    const State<double> s = end_of(method, steps);
    attitude.push_back({2.0 / steps, attitude_error(s, reference)});
    momentum.push_back({2.0 / steps, momentum_error(s, reference)});
  }
  const double ceiling = ceiling_of(parse_method(method).claims.order_attitude, 0.02);
  const auto a = observed_order(attitude, 1e-12, ceiling), m = observed_order(momentum, 1e-12, ceiling);
  if (!a || !m) return std::nullopt;
  return MeasuredOrders{a->order, m->order};
}

// Above it a double has no room for a slope; the tests of those kernels measure it in a wider scalar.
constexpr int highest_in_double = 4;

int fewest_steps(int order) { return order <= 1 ? 400 : order == 2 ? 80 : order <= 4 ? 40 : 10; }

TEST(ValuesOnly, EveryMethodThatTakesThemKeepsItsOrderInATorqueOfTime) {
  for (const MethodInfo& method : methods()) {
    if (method.claims.needs != Needs::values || method.claims.order_attitude > highest_in_double) continue;
    const auto measured = orders_by_name(method.name, callback_field(), fewest_steps(method.claims.order_attitude));
    ASSERT_TRUE(measured) << method.name;
    EXPECT_NEAR(measured->attitude, method.claims.order_attitude, 0.2) << method.name;
    EXPECT_NEAR(measured->momentum, method.claims.order_momentum, 0.2) << method.name;
  }
}

TEST(ValuesOnly, EveryMethodThatTakesThemHasTheOrderThatItClaimsForDrag) {
  Callback<double> drag;
  drag.torque_B = drag_lambda;
  Catalogue::for_each([&](auto entry) {
    using M = typename decltype(entry)::Method;
    constexpr Claims claims = claims_in<M, double, decltype(field_from(drag_lambda))>();
    // What a triple jump loses shows at small steps only, as above.
    if constexpr (M::claims.needs == Needs::values && claims.order_attitude == M::claims.order_attitude &&
                  claims.order_attitude <= highest_in_double) {
      const int steps = fewest_steps(claims.order_attitude);
      const auto measured = orders_by_name(entry.name, FieldSum<double>({drag}), steps);
      ASSERT_TRUE(measured) << entry.name;
      EXPECT_NEAR(measured->attitude, claims.order_attitude, 0.2) << entry.name;
      EXPECT_NEAR(measured->momentum, claims.order_momentum, 0.2) << entry.name;
    }
  });
}

// Steps that vary smoothly, as a step-size controller would choose them: the order must survive.
TEST(VariableSteps, KeepTheOrderOfEveryMethodThatAdmitsThem) {
  const auto prepared = prepare<double>(find_problem("asymmetric-top-tilted")->setup);
  const double duration = prepared.time_in(2);
  const auto run = [&](const MethodInfo& method, int steps) {
    const auto stepper = make_stepper(parse_method(method.name), prepared.body, prepared.field);
    const auto time = [&](int n) {
      const double x = static_cast<double>(n) / steps;
      return duration * (x + 0.1 * std::sin(6.283185307179586 * x));
    };
    stepper->start(prepared.start, time(1));
    for (int n = 0; n < steps; ++n) stepper->step(time(n + 1) - time(n));
    return stepper->state;
  };
  const auto reference = reference_at(*find_problem("asymmetric-top-tilted"), 2);
  ASSERT_TRUE(reference);
  for (const MethodInfo& method : methods()) {
    const int order = method.claims.order_attitude;
    if (!method.claims.variable_steps || order > 4 || method.space != Space::rotations) continue;
    std::vector<ErrorAtStep> errors;
    for (int steps = order <= 1 ? 400 : 40; steps <= (order <= 1 ? 6400 : 640); steps *= 2) {
      const State<double> s = prepared.in_user_units(run(method, steps));
      errors.push_back({1.0 / steps, attitude_error(s, cast<double>(reference->state))});
    }
    const auto fitted = observed_order(errors, 1e-13, ceiling_of(order, 0.1));
    ASSERT_TRUE(fitted) << method.name;
    EXPECT_NEAR(fitted->order, order, 0.2) << method.name;
  }
}

}  // namespace
}  // namespace polhode::test::torque_test
