// What every method that asks a torque for values claims in one that depends on the angular velocity, no less and no more:
// the orders of attitude and momentum, and time symmetry. Methods that ask for power series are in
// claims_velocity_series_test, where the reference is compared with theirs.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "method_names.hpp"
#include "polhode/core/quad.hpp"
#include "polhode/measure/error.hpp"
#include "polhode/measure/order.hpp"
#include "velocity_torque.hpp"

namespace polhode::test::claims_velocity_test {
namespace {

template <class T>
std::unique_ptr<Stepper<T>> started(const std::string& method, const T& h) {
  Callback<T> callback;
  callback.torque_B = [](const Rotation<T>& R_SB, const Vec3<T>& w_B, const T& t) -> Vec3<T> {
    return velocity_torque(R_SB, w_B, t);
  };
  auto stepper = make_stepper(parse_method(method), body_under_velocity_torque<T>(), FieldSum<T>({callback}));
  stepper->start(start_under_velocity_torque<T>(), h);
  return stepper;
}

template <class T>
State<T> end_of(const std::string& method, int steps) {
  const T h = T(duration_under_velocity_torque) / T(steps);
  const auto stepper = started<T>(method, h);
  for (int n = 0; n < steps; ++n) {
    stepper->state.t = T(n) * h;
    stepper->step(h);
  }
  if (!stepper->work.converged) stepper->state.t = std::numeric_limits<T>::quiet_NaN();
  return stepper->state;
}

const State<quad>& reference() {
  static const State<quad> state = end_of<quad>("picard-lobatto-16", 160);
  return state;
}
constexpr double uncertainty = 1e-29;  // of the reference

TEST(ReferenceWithVelocity, DoesNotHangOnItsStep) {
  const State<quad> other = end_of<quad>("picard-lobatto-16", 113);
  EXPECT_LT(attitude_error(other, reference()), quad(uncertainty));
  EXPECT_LT(momentum_error(other, reference()), quad(uncertainty));
}

struct Errors {
  std::vector<ErrorAtStep> attitude, momentum;
};

template <class T>
Errors measure(const std::string& method, int fewest, int most, double finer) {
  Errors errors;
  const State<T> exact = cast<T>(reference());
  for (double steps = fewest; steps < 1.01 * most; steps *= finer) {
    const int n = static_cast<int>(std::round(steps));
    const State<T> s = end_of<T>(method, n);
    const bool failed = !isfinite(s.t);
    const double h = 1.0 / n;
    errors.attitude.push_back({h, failed ? HUGE_VAL : static_cast<double>(attitude_error(s, exact))});
    errors.momentum.push_back({h, failed ? HUGE_VAL : static_cast<double>(momentum_error(s, exact))});
  }
  return errors;
}

// Where a slope is fitted: between errors above the rounding of the scalar and the reference, and steps at which the
// leading term rules.
struct Window {
  bool in_quad;
  int fewest, most;  // steps
  double floor;
};
Window window(const Claims& claims, int order) {
  if (order > 14) return {true, 20, 40, 100 * uncertainty};
  // Adams methods of high order are stable at short steps only where a torque damps.
  const bool stable_late = !claims.variable_steps && claims.order_attitude > 8;
  if (stable_late && order > 4) return {true, 1280, 2560, 100 * uncertainty};
  if (stable_late) return {false, 1280, 10240, 1e-15};
  if (!claims.variable_steps && order > 4) return {true, 320, 905, 100 * uncertainty};
  if (order > 6) return {true, 80, 160, 100 * uncertainty};
  if (order > 4) return {false, 40, 160, 1e-15};
  return {false, order <= 1 ? 640 : 320, order <= 1 ? 5120 : 2560, 1e-15};
}

class WithVelocity : public testing::TestWithParam<std::string> {
 protected:
  const Claims claims = parse_method(GetParam()).claims;
};

TEST_P(WithVelocity, OrdersAreThoseClaimed) {
  const Orders expected = orders_with_velocity(claims);
  ASSERT_EQ(expected.attitude, expected.momentum) << "the window is one for both";
  const auto [in_quad, fewest, most, floor] = window(claims, expected.attitude);
  ASSERT_GE(floor, 100 * (in_quad ? uncertainty : 1e-18));
  const double finer = most < 4 * fewest ? std::sqrt(std::sqrt(2.0)) : 2;
  const Errors errors =
      in_quad ? measure<quad>(GetParam(), fewest, most, finer) : measure<long double>(GetParam(), fewest, most, finer);
  // Of order 0 errors stay what they are, and above those of any other.
  const double ceiling = expected.attitude == 0 ? HUGE_VAL : 0.5;
  const auto attitude = observed_order(errors.attitude, floor, ceiling);
  const auto momentum = observed_order(errors.momentum, floor, ceiling);
  ASSERT_TRUE(attitude && momentum);
  if (expected.attitude == 0) {
    EXPECT_GT(errors.attitude.back().error, 0.02);
    EXPECT_GT(errors.momentum.back().error, 0.02);
  }
  if (expected.attitude > 14) {
    // Where an error of order 16 is its leading term it is next to the rounding of quad: that it is no less can be seen
    // before, that it is no more cannot.
    EXPECT_GT(attitude->order, expected.attitude - 0.5);
    EXPECT_GT(momentum->order, expected.momentum - 0.5);
    return;
  }
  EXPECT_NEAR(attitude->order, expected.attitude, expected.attitude >= 10 ? 0.5 : 0.2);
  EXPECT_NEAR(momentum->order, expected.momentum, expected.momentum >= 10 ? 0.5 : 0.2);
}

// From after the first step, which a start-up may be part of, there and back again.
double gap_there_and_back(const std::string& method, double h) {
  const auto stepper = started<double>(method, h);
  stepper->step(h);
  const State<double> begin = stepper->state;
  for (int n = 0; n < 10; ++n) stepper->step(h);
  stepper->reverse();
  for (int n = 0; n < 10; ++n) stepper->step(-h);
  EXPECT_TRUE(stepper->work.converged && all_finite(stepper->state)) << h;
  return angle_between(stepper->state.R_SB, begin.R_SB) + norm(stepper->state.pi_B - begin.pi_B);
}

// A step that stays symmetric is what lets compositions gain all they gain elsewhere.
TEST_P(WithVelocity, TimeSymmetryIsAsClaimed) {
  double gap = gap_there_and_back(GetParam(), 0.1);
  if (claims.symmetric && claims.gains_with_velocity == Gains::all) {
    EXPECT_LT(gap, 1e-12);
  } else {
    // A high order shows it at larger steps.
    if (gap < 1e-10) gap = gap_there_and_back(GetParam(), 0.9);
    EXPECT_GT(gap, 1e-10);
  }
}

std::vector<std::string> methods_of_values() {
  std::vector<std::string> names = tested_names();
  std::erase_if(names, [](const std::string& name) { return parse_method(name).claims.needs != Needs::values; });
  return names;
}
INSTANTIATE_TEST_SUITE_P(Methods, WithVelocity, testing::ValuesIn(methods_of_values()), test_name);

}  // namespace
}  // namespace polhode::test::claims_velocity_test
