// What the tests of single kinds of torque share.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "polhode/measure/error.hpp"
#include "polhode/measure/order.hpp"
#include "polhode/methods/registry.hpp"
#include "polhode/model/setup.hpp"
#include "polhode/problems/reference.hpp"

namespace polhode::test {

template <class T>
State<T> integrated(const polhode::Setup& setup, const std::string& method, double duration, int steps) {
  const auto prepared = prepare<T>(setup);
  const auto stepper = make_stepper(parse_method(method), prepared.body, prepared.field);
  const T h = prepared.time_in(duration) / T(steps);
  stepper->start(prepared.start, h);
  for (int done = 0; done < steps; ++done) {
    stepper->state.t = prepared.start.t + T(done) * h;
    stepper->step(h);
  }
  return prepared.in_user_units(stepper->state);
}

// Where the references are at a time [s].
inline State<double> reached(const polhode::Setup& setup, double t) {
  return cast<double>(propagated<long double>(setup, static_cast<long double>(t)));
}

// The order that a method shows against the exact end, in attitude and in momentum.
inline void expect_order(const polhode::Setup& setup, const std::string& method, double duration, int fewest,
                         const State<long double>& exact, double order) {
  std::vector<ErrorAtStep> attitude, momentum;
  for (int steps = fewest; steps <= 8 * fewest; steps *= 2) {
    const auto s = integrated<long double>(setup, method, duration, steps);
    attitude.push_back({duration / steps, static_cast<double>(attitude_error(s, exact))});
    momentum.push_back({duration / steps, static_cast<double>(momentum_error(s, exact))});
  }
  const auto a = observed_order(attitude, 1e-15, 0.1), m = observed_order(momentum, 1e-15, 1.0);
  ASSERT_TRUE(a && m) << method << ": " << attitude.front().error << " to " << attitude.back().error;
  EXPECT_NEAR(a->order, order, 0.25) << method;
  EXPECT_NEAR(m->order, order, 0.25) << method;
}

// What a situation is refused with: the key and the sentence.
inline std::string refusal_of(const polhode::Setup& setup) {
  try {
    check(setup);
  } catch (const SetupError& error) {
    return error.key + ": " + error.what();
  }
  return "accepted";
}

}  // namespace polhode::test
