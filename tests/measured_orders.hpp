// The orders of methods, measured: on a body with three different moments, its centre of mass off all principal axes, in
// gravity, from a generic attitude.
//
// In double a method of order 12 falls from "not yet asymptotic" to "rounding" within two halvings of the step, so that
// slopes are measured in long double, and in quad for orders above 6.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <span>
#include <vector>

#include "method_names.hpp"
#include "polhode/core/quad.hpp"
#include "polhode/measure/error.hpp"
#include "polhode/measure/order.hpp"
#include "polhode/problems/reference.hpp"
#include "polhode/run/dense_output.hpp"

namespace polhode::test::measured_orders {

constexpr double duration = 4;
constexpr double not_reached = 0.4;  // of the last step, where it is looked into

template <class Real>
std::unique_ptr<Stepper<Real>> at_end(const Prepared<Real>& problem, const std::string& method, int steps) {
  auto stepper = make_stepper(parse_method(method), problem.body, problem.field);
  after_steps(*stepper, problem.start, problem.time_in(duration), steps);
  return stepper;
}

// Where it is looked at: at the end of the last step, or within it by dense output.
enum class Place { at_step, within_step };

// In the units and axes of the reference.
template <class Real>
State<Real> integrate(const Prepared<Real>& problem, const std::string& method, int steps, Place place) {
  if (place == Place::at_step) return problem.in_user_units(at_end(problem, method, steps)->state);
  const MethodSpec spec = parse_method(method);
  const auto stepper = make_stepper(spec, problem.body, problem.field);
  const Real end = problem.time_in(duration), h = end / (Real(steps) - Real(not_reached));
  EqualTimes<Real> times(problem.start.t, h, steps);
  stepper->start(problem.start, h);
  DenseOutput<Real> dense(spec, problem.field, *stepper);
  drive(*stepper, times, dense);
  return problem.in_user_units(dense.at(Real(problem.start.t + end)));
}

// With the torque of its weight, or without.
inline const Problem& problem(bool free_body) {
  static const Problem top = *find_problem("asymmetric-top-tilted");
  static const Problem body = [] {
    Problem without = top;
    without.setup.torques.clear();
    return without;
  }();
  return free_body ? body : top;
}
template <class Real>
const Prepared<Real>& prepared(bool free_body) {
  static const auto top = prepare<Real>(problem(false).setup), body = prepare<Real>(problem(true).setup);
  return free_body ? body : top;
}

// Two integrators that share nothing agree on it to 1e-29; without torque it is the closed form. Each fit lies so far
// above its uncertainty that this cannot be seen in a slope.
inline const Reference<quad>& reference(bool free_body) {
  static const Reference<quad> with_torque = *reference_at<quad>(problem(false), quad(duration)),
                               without = *reference_at<quad>(problem(true), quad(duration));
  return free_body ? without : with_torque;
}
constexpr double clear_of_reference = 100;

inline double uncertainty(bool free_body) {
  const Reference<quad>& at = reference(free_body);
  return std::max(at.attitude_uncertainty, at.momentum_uncertainty);
}

struct Errors {
  std::vector<ErrorAtStep> attitude, momentum;
};

// At steps growing finer by `finer`, until they are below `floor`.
template <class Real>
Errors measure(Place place, const std::string& method, bool free_body, double fewest_steps, double finer, double floor,
               double most_steps = 3000) {
  Errors errors;
  const auto exact = cast<Real>(reference(free_body).state);
  for (double steps = fewest_steps; steps < most_steps; steps *= finer) {
    const int n = static_cast<int>(steps);
    const double h = duration / (n - (place == Place::within_step ? not_reached : 0));
    const State<Real> s = integrate(prepared<Real>(free_body), method, n, place);
    errors.attitude.push_back({h, static_cast<double>(attitude_error(s, exact))});
    errors.momentum.push_back({h, static_cast<double>(momentum_error(s, exact))});
    if (errors.attitude.back().error < floor && errors.momentum.back().error < floor) break;
  }
  return errors;
}

// Where a method of this order begins to show it, by experience.
inline double ceiling(int order) { return order <= 2 ? 2e-2 : order > 14 ? 1e-22 : order > 6 ? 1e-12 : 1e-5; }

// Order 0: what the method converges to is not the motion. At the finest steps the errors are the same, and so large that a
// method of any other order would be below them.
inline void expect_order_0(const std::vector<ErrorAtStep>& errors, double top, double tolerance, const char* what) {
  ASSERT_GE(errors.size(), 5U) << what;
  const auto fitted = fitted_order(std::span(errors).last(5));
  ASSERT_TRUE(fitted);
  EXPECT_LT(std::abs(fitted->order), tolerance) << what;
  EXPECT_GT(errors.back().error, top) << what;
}

// `below` and `above`: how far the slope may be off.
inline void expect_order(const std::vector<ErrorAtStep>& errors, double floor, double top, int expected, double below,
                         double above, const char* what) {
  if (expected == 0) return expect_order_0(errors, top, below, what);
  const auto fitted = observed_order(errors, floor, top);
  ASSERT_TRUE(fitted) << what << ": too few steps with errors between " << floor << " and " << top;
  const auto told = [&] {
    return fmt::format("{}: {} steps from {} to {}", what, fitted->points, fitted->from_step, fitted->to_step);
  };
  EXPECT_GT(fitted->order, expected - below) << told();
  EXPECT_LT(fitted->order, expected + above) << told();
}

// Where a slope is fitted: in which scalar, above its rounding, and at errors small enough for the leading term to rule.
struct Window {
  bool in_quad;
  double floor, share_of_ceiling;
};
inline Window window(const Claims& claims, int order, bool free_body) {
  const double lowest = clear_of_reference * uncertainty(free_body);
  // A first-order term that a parameter makes as small as one likes rules at small steps only.
  if (claims.dissipative) return {false, 2e-15, 0.1};
  const Window usual{order > 6, order > 8 ? lowest : order > 6 ? 1e-22 : 2e-15, 1};
  if (free_body && claims.order_free != Orders{}) {
    // With little error of the free motion the order shows where only quad is clear of rounding; and where the momentum is of
    // an order higher than the attitude's fourth, its part of the error must be out of the way.
    const bool mixed = order > 2 && claims.order_free.attitude < claims.order_free.momentum;
    return {usual.in_quad, order > 6 ? lowest : usual.floor, mixed ? 1e-4 : 1};
  }
  if (free_body || claims.order_free.attitude <= order) return usual;
  // Where the free part of the error is of higher order, it must be out of the way.
  if (claims.order_free.attitude != exact_order || order <= 4) return {usual.in_quad, usual.floor, 1e-3};
  // Where there is none errors are small from the first step on, and the next term stands in the way: two orders up, or
  // one if the method is not symmetric.
  if (claims.symmetric) return {usual.in_quad, order > 6 ? usual.floor : 2e-16, order > 6 ? 1e-3 : 1e-8};
  return {true, order > 8 ? lowest : order > 6 ? 1e-24 : 1e-20, order > 6 || !claims.variable_steps ? 1e-8 : 1e-11};
}

inline void expect_orders(Place place, const std::string& method, const Claims& claims, bool free_body) {
  const Orders expected = orders_of(claims, free_body);
  const auto [in_quad, floor, far] = window(claims, expected.attitude, free_body);
  ASSERT_GE(floor, clear_of_reference * uncertainty(free_body)) << "the fit would be one of the reference";
  const bool no_free_error = claims.order_free.attitude == exact_order;
  // From the first step that shows anything to the reference an error of order 16 has room for two halvings.
  const double finer = expected.attitude > 14 ? std::sqrt(std::sqrt(2)) : std::sqrt(2);
  const double fewest_in_quad = expected.attitude > 14 ? 12 : no_free_error ? 16 : 80;
  const auto measured_from = [&](double fewest) {
    return in_quad ? measure<quad>(place, method, free_body, fewest, finer, floor)
                   : measure<long double>(place, method, free_body, fewest, finer, floor,
                                          claims.dissipative ? 30000 : 3000);
  };
  const double fewest = in_quad ? fewest_in_quad : free_body ? 8 : 16;
  Errors errors = measured_from(fewest);
  // One that is below the floor within a few steps shows its order at longer ones.
  if (in_quad && errors.attitude.size() < 5) errors = measured_from(fewest / 5);
  // From order 12 on, and with a history from 10, the step at which that term is out of the way is too small for quad: the
  // nearest whole number then. So are the steps at which an error of order 16 is clear of the reference, and those at which
  // a projection's own terms are out of the way at order 12: slopes of quaternion-series-12+energy go down to 12 by less
  // than 0.05 when the coarsest step is halved.
  const bool projected = parse_method(method).suffixes.size() == 1 && method.ends_with("+energy");
  const bool only_nearest = no_free_error ? expected.attitude >= (claims.variable_steps ? 12 : 10)
                                          : expected.attitude > (projected ? 11 : 14);
  const double tolerance = only_nearest ? 0.5 : 0.2;
  const double top = far * ceiling(expected.attitude), top_of_momentum = far * ceiling(expected.momentum);
  // Within a step the last one is a shorter one, with its own error. That is of one order more, and makes slopes steeper
  // where steps are long.
  const double above = place == Place::within_step ? 0.5 : tolerance;
  expect_order(errors.attitude, floor, top, expected.attitude, tolerance, above, "attitude");
  expect_order(errors.momentum, floor, top_of_momentum, expected.momentum, tolerance, above, "momentum");
}

// A method without error: whatever the step, nothing but rounding is left, of the result, of the time, and of a state
// that goes from step to step. One that takes steps of its own rounds in each of them.
template <class Real>
void expect_exact(Place place, const std::string& method, const std::vector<int>& numbers_of_steps, bool free_body) {
  // Extrapolations are measured in quad: weights of up to 25, of either sign, magnify the roundings of 29 substeps.
  const double rounding = std::numeric_limits<Real>::digits > 64 ? 1e-29 : 1e-18;
  const State<quad>& expected = reference(free_body).state;
  for (const int steps : numbers_of_steps) {
    const Prepared<Real>& problem_here = prepared<Real>(free_body);
    const auto stepper = at_end(problem_here, method, steps);
    const State<quad> s = cast<quad>(place == Place::at_step ? problem_here.in_user_units(stepper->state)
                                                             : integrate(problem_here, method, steps, place));
    const quad bound = quad(rounding) * quad(std::max(1LL, stepper->work.own_steps));
    EXPECT_LT(attitude_error(s, expected), bound) << steps << " steps";
    EXPECT_LT(momentum_error(s, expected), bound) << steps << " steps";
  }
}

}  // namespace polhode::test::measured_orders
