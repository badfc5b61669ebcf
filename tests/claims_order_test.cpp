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

template <class Real>
State<Real> integrate(const std::string& method, int steps) {
  static const auto problem = prepare<Real>(find_problem("asymmetric-top-tilted")->setup);
  return integrate(problem, method, steps);
}

template <class Real>
const State<Real>& reference() {
  static const State<Real> state = integrate<Real>("taylor-12", 1200);
  return state;
}

TEST(Reference, TwoUnrelatedMethodsAgree) {
  const State<quad> other = integrate<quad>("mclachlan-reich-231@kahan-li-8", 4000);
  EXPECT_LT(attitude_error(other, reference<quad>()), quad(1e-23));
  EXPECT_LT(momentum_error(other, reference<quad>()), quad(1e-23));
  EXPECT_LT(attitude_error(cast<long double>(other), reference<long double>()), 1e-17L);
}

// Errors at steps growing finer by sqrt(2), until they are below `floor`.
template <class Real>
void measure(const std::string& method, double fewest_steps, double floor, std::vector<ErrorAtStep>& attitude,
             std::vector<ErrorAtStep>& momentum) {
  for (double steps = fewest_steps; steps < 3000; steps *= std::sqrt(2)) {
    const int n = static_cast<int>(steps);
    const State<Real> s = integrate<Real>(method, n);
    attitude.push_back({duration / n, static_cast<double>(attitude_error(s, reference<Real>()))});
    momentum.push_back({duration / n, static_cast<double>(momentum_error(s, reference<Real>()))});
    if (attitude.back().error < floor && momentum.back().error < floor) break;
  }
}

// A method without error: whatever the step, nothing but the rounding of the result and of the time is left.
void expect_exact(const std::string& method) {
  polhode::Setup setup = find_problem("asymmetric-top-tilted")->setup;
  setup.torques.clear();
  const auto in_quad = prepare<quad>(setup);
  const auto in_long_double = prepare<long double>(setup);
  const State<quad> expected = integrate(in_quad, "taylor-12", 1200);
  for (const int steps : {1, 3, 40, 1000}) {
    const State<long double> s = integrate(in_long_double, method, steps);
    EXPECT_LT(attitude_error(cast<quad>(s), expected), quad(1e-18)) << steps << " steps";
    EXPECT_LT(momentum_error(cast<quad>(s), expected), quad(1e-18)) << steps << " steps";
  }
}

class Order : public testing::TestWithParam<std::string> {};

TEST_P(Order, IsWhatIsClaimed) {
  const Claims claims = parse_method(GetParam()).claims;
  if (claims.order_attitude == exact_order) return expect_exact(GetParam());
  const bool high = claims.order_attitude > 6;
  const double ceiling = claims.order_attitude <= 2 ? 2e-2 : high ? 1e-12 : 1e-5, floor = high ? 1e-28 : 2e-15;
  std::vector<ErrorAtStep> attitude, momentum;
  if (high) {
    measure<quad>(GetParam(), 80, floor, attitude, momentum);
  } else {
    measure<long double>(GetParam(), 16, floor, attitude, momentum);
  }
  const auto of_attitude = observed_order(attitude, floor, ceiling);
  const auto of_momentum = observed_order(momentum, floor, ceiling);
  ASSERT_TRUE(of_attitude && of_momentum) << "too few steps with errors between " << floor << " and " << ceiling;
  EXPECT_NEAR(of_attitude->order, claims.order_attitude, 0.2)
      << of_attitude->points << " steps from " << of_attitude->from_step << " to " << of_attitude->to_step;
  EXPECT_NEAR(of_momentum->order, claims.order_momentum, 0.2)
      << of_momentum->points << " steps from " << of_momentum->from_step << " to " << of_momentum->to_step;
}

INSTANTIATE_TEST_SUITE_P(Methods, Order, testing::ValuesIn(tested_names()), test_name);

}  // namespace
}  // namespace polhode::test
