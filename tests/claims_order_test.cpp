// Every method has the orders it claims, in attitude and in momentum, no less and no more: on a body with three
// different moments, its centre of mass off all principal axes, in gravity, from a generic attitude.
//
// In double a method of order 12 falls from "not yet asymptotic" to "rounding" within two halvings of the step, so that
// slopes are measured in long double, and in quad for orders above 6.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "method_names.hpp"
#include "polhode/core/quad.hpp"
#include "polhode/measure/error.hpp"
#include "polhode/measure/order.hpp"
#include "polhode/problems/problem.hpp"

namespace polhode::test {
namespace {

constexpr double duration = 4;

template <class Real>
State<Real> integrate(const Prepared<Real>& problem, const std::string& method, int steps) {
  const auto stepper = make_stepper(parse_method(method), problem.body, problem.field);
  const Real h = problem.time_in(duration) / Real(steps);
  stepper->start(problem.start, h);
  for (int n = 0; n < steps; ++n) {
    stepper->state.t = problem.start.t + Real(n) * h;
    stepper->step(h);
  }
  return stepper->state;
}

// With the torque of its weight, or without.
template <class Real>
const Prepared<Real>& problem(bool free_body) {
  static const auto top = prepare<Real>(find_problem("asymmetric-top-tilted")->setup);
  static const auto body = [] {
    polhode::Setup setup = find_problem("asymmetric-top-tilted")->setup;
    setup.torques.clear();
    return prepare<Real>(setup);
  }();
  return free_body ? body : top;
}

template <class Real>
const State<Real>& reference(bool free_body = false) {
  static const State<Real> with_torque = integrate(problem<Real>(false), "taylor-12", 1200);
  static const State<Real> without = integrate(problem<Real>(true), "taylor-12", 1200);
  return free_body ? without : with_torque;
}

TEST(Reference, TwoUnrelatedMethodsAgree) {
  const State<quad> other = integrate(problem<quad>(false), "mclachlan-reich-231@kahan-li-8", 4000);
  EXPECT_LT(attitude_error(other, reference<quad>()), quad(1e-23));
  EXPECT_LT(momentum_error(other, reference<quad>()), quad(1e-23));
  EXPECT_LT(attitude_error(cast<long double>(other), reference<long double>()), 1e-17L);
}

struct Errors {
  std::vector<ErrorAtStep> attitude, momentum;
};

// At steps growing finer by sqrt(2), until they are below `floor`.
template <class Real>
Errors measure(const std::string& method, bool free_body, double fewest_steps, double floor) {
  Errors errors;
  for (double steps = fewest_steps; steps < 3000; steps *= std::sqrt(2)) {
    const int n = static_cast<int>(steps);
    const State<Real> s = integrate(problem<Real>(free_body), method, n);
    errors.attitude.push_back({duration / n, static_cast<double>(attitude_error(s, reference<Real>(free_body)))});
    errors.momentum.push_back({duration / n, static_cast<double>(momentum_error(s, reference<Real>(free_body)))});
    if (errors.attitude.back().error < floor && errors.momentum.back().error < floor) break;
  }
  return errors;
}

// Where a method of this order begins to show it, by experience.
double ceiling(int order) { return order <= 2 ? 2e-2 : order > 6 ? 1e-12 : 1e-5; }

void expect_order(const std::vector<ErrorAtStep>& errors, double floor, double top, int expected, const char* what) {
  const auto fitted = observed_order(errors, floor, top);
  ASSERT_TRUE(fitted) << what << ": too few steps with errors between " << floor << " and " << top;
  EXPECT_NEAR(fitted->order, expected, 0.2)
      << what << ": " << fitted->points << " steps from " << fitted->from_step << " to " << fitted->to_step;
}

void expect_orders(const std::string& method, const Claims& claims, bool free_body) {
  const Orders expected = orders_of(claims, free_body);
  const bool high = expected.attitude > 6;
  const double floor = expected.attitude > 8 ? 1e-28 : high ? 1e-22 : 2e-15;
  // Where the free part of the error is of higher order, it must be out of the way.
  const double far = !free_body && claims.order_free.attitude > expected.attitude ? 1e-3 : 1;
  // A high order without error of the free motion is down to rounding within few steps.
  const double fewest = expected.attitude > 10 ? 8 : claims.order_free.attitude == exact_order ? 16 : 80;
  const Errors errors = high ? measure<quad>(method, free_body, fewest, floor)
                             : measure<long double>(method, free_body, free_body ? 8 : 16, floor);
  expect_order(errors.attitude, floor, far * ceiling(expected.attitude), expected.attitude, "attitude");
  expect_order(errors.momentum, floor, far * ceiling(expected.momentum), expected.momentum, "momentum");
}

// A method without error: whatever the step, nothing but rounding is left, of the result, of the time, and of a state
// that goes from step to step.
template <class Real>
void expect_exact(const std::string& method) {
  const State<quad>& expected = reference<quad>(true);
  for (const int steps : {1, 3, 40, 1000}) {
    const State<Real> s = integrate(problem<Real>(true), method, steps);
    EXPECT_LT(attitude_error(cast<quad>(s), expected), quad(1e-18)) << steps << " steps";
    EXPECT_LT(momentum_error(cast<quad>(s), expected), quad(1e-18)) << steps << " steps";
  }
}

class Order : public testing::TestWithParam<std::string> {};

TEST_P(Order, IsWhatIsClaimed) {
  const Claims claims = parse_method(GetParam()).claims;
  if (claims.order_attitude == exact_order) return expect_exact<long double>(GetParam());
  expect_orders(GetParam(), claims, false);
}

class OrderOfAFreeBody : public testing::TestWithParam<std::string> {};

TEST_P(OrderOfAFreeBody, IsWhatIsClaimed) {
  const Claims claims = parse_method(GetParam()).claims;
  if (claims.order_free.attitude == exact_order) return expect_exact<quad>(GetParam());
  expect_orders(GetParam(), claims, true);
}

std::vector<std::string> higher_without_torque() {
  std::vector<std::string> names = tested_names();
  std::erase_if(names, [](const std::string& name) { return parse_method(name).claims.order_free == Orders{}; });
  return names;
}

INSTANTIATE_TEST_SUITE_P(Methods, Order, testing::ValuesIn(tested_names()), test_name);
INSTANTIATE_TEST_SUITE_P(Methods, OrderOfAFreeBody, testing::ValuesIn(higher_without_torque()), test_name);

}  // namespace
}  // namespace polhode::test
