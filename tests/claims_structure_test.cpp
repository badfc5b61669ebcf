// What every method claims to keep, in both directions: time symmetry, momentum, energy, and the work it says it does.
// The problems cannot flatter: three different moments, the centre of mass off all principal axes, a generic attitude.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "method_names.hpp"
#include "polhode/measure/energy.hpp"
#include "polhode/problems/problem.hpp"

namespace polhode::test {
namespace {

// Spun four times as fast as the problem says: gravity is then a strong perturbation, but the motion is not chaotic,
// and a drift of energy shows as one.
Setup spun_top() {
  Setup setup = find_problem("asymmetric-top-tilted")->setup;
  setup.motion.value = 4.0 * setup.motion.value;
  return setup;
}
const Prepared<double>& tilted_top() {
  static const auto prepared = prepare<double>(spun_top());
  return prepared;
}
const Prepared<double>& free_body() {
  static const auto prepared = [] {
    Setup setup = spun_top();
    setup.torques.clear();
    return prepare<double>(setup);
  }();
  return prepared;
}

std::unique_ptr<Stepper<double>> started(const std::string& method, const Prepared<double>& problem, double h) {
  auto stepper = make_stepper(parse_method(method), problem.body, problem.field);
  stepper->start(problem.start, h);
  return stepper;
}

// std::max(x, NaN) is x: a diagnostic must notice.
double worse(double a, double b) { return std::isfinite(b) ? std::max(a, b) : std::numeric_limits<double>::infinity(); }

class Claim : public testing::TestWithParam<std::string> {
 protected:
  Claims claims = parse_method(GetParam()).claims;
  const Prepared<double>& hardest_problem() const { return takes_torque(claims) ? tilted_top() : free_body(); }
};

TEST_P(Claim, TimeSymmetry) {
  // Steps of a radian and a half, so that the asymmetry of order 12 stands clear of rounding.
  const double h = 0.8;
  const int steps = 20;
  const auto forth = started(GetParam(), hardest_problem(), h);
  for (int n = 0; n < steps; ++n) forth->step(h);
  forth->reverse();
  for (int n = 0; n < steps; ++n) forth->step(-h);
  const double gap = worse(angle_between(forth->state.R_SB, hardest_problem().start.R_SB),
                           norm(forth->state.pi_B - hardest_problem().start.pi_B));
  if (claims.symmetric) {
    EXPECT_LT(gap, 1e-12);
  } else {
    EXPECT_GT(gap, 1e-9);
  }
}

// Rounding walks at random: a few units of the last place per stage, times the square root of the number of stages. A
// method that leaks by its formula is above this by many powers of ten.
void check_momentum(double change, Keeps claimed, int steps, const Claims& claims) {
  if (claimed == Keeps::exact) {
    EXPECT_LT(change, 5e-15 * std::sqrt(steps * std::max(1.0, claims.torque_evaluations)));
  } else {
    EXPECT_GT(change, 1e-9) << "keeps more than claimed";
  }
}

TEST_P(Claim, MomentumOfAFreeBody) {
  const auto stepper = started(GetParam(), free_body(), 0.1);
  const Vec3<double> at_start = stepper->momentum_S();
  double change = 0, inconsistency = 0;
  for (int n = 0; n < 20000; ++n) {
    stepper->step(0.1);
    change = worse(change, norm(stepper->momentum_S() - at_start) / norm(at_start));
    inconsistency = worse(inconsistency, norm(spatial_momentum(stepper->state) - stepper->momentum_S()));
  }
  EXPECT_LT(inconsistency, 1e-14);
  check_momentum(change, claims.momentum_free, 20000, claims);
}

TEST_P(Claim, MomentumAlongTheField) {
  if (!takes_torque(claims)) {
    EXPECT_EQ(claims.momentum_along_field, Keeps::no);
    return;
  }
  const auto stepper = started(GetParam(), tilted_top(), 0.1);
  const double at_start = stepper->momentum_S().z;
  double change = 0;
  for (int n = 0; n < 20000; ++n) {
    stepper->step(0.1);
    change = worse(change, std::abs(stepper->momentum_S().z - at_start));
  }
  check_momentum(change, claims.momentum_along_field, 20000, claims);
}

// The largest energy error in each of eight windows of a long run.
std::vector<double> energy_errors(const std::string& method, const Prepared<double>& problem, double h, int steps) {
  const auto stepper = started(method, problem, h);
  const double at_start = energy(problem.body, problem.field, problem.start);
  std::vector<double> windows(8, 0.0);
  for (int n = 0; n < steps; ++n) {
    stepper->step(h);
    double& window = windows[static_cast<std::size_t>(8LL * n / steps)];
    window = worse(window, std::abs(energy(problem.body, problem.field, stepper->state) - at_start));
  }
  return windows;
}

void check_energy(const std::string& method, const Prepared<double>& problem, Keeps claimed) {
  const int steps = 40000;
  const double scale = energy(problem.body, problem.field, problem.start);
  const auto largest = [](const std::vector<double>& windows) {
    return *std::max_element(windows.begin(), windows.end());
  };
  if (claimed == Keeps::exact) {
    EXPECT_LT(largest(energy_errors(method, problem, 0.1, steps)), 1e-13 * scale);
    return;
  }
  // The largest step at which the error stays small compared with what energy can do: growth has room to show.
  double h = 0.5;
  std::vector<double> windows = energy_errors(method, problem, h, steps);
  while (!(largest(windows) < 0.01 * scale) && h > 1e-4) {
    h /= 2;
    windows = energy_errors(method, problem, h, steps);
  }
  const double late = std::max(windows[6], windows[7]);
  if (claimed == Keeps::bounded) {
    EXPECT_GT(largest(windows), 1e-9 * scale) << "keeps more than claimed; h = " << h;
    EXPECT_LT(late, 1.5 * std::max(windows[0], windows[1])) << "h = " << h << ", " << testing::PrintToString(windows);
  } else {
    EXPECT_GT(late, 2 * windows[0]) << "h = " << h << ", " << testing::PrintToString(windows);
  }
}

TEST_P(Claim, EnergyOfAFreeBody) { check_energy(GetParam(), free_body(), claims.energy_free); }

TEST_P(Claim, EnergyInAField) {
  if (!takes_torque(claims)) {
    EXPECT_EQ(claims.energy, Keeps::no);
    return;
  }
  check_energy(GetParam(), tilted_top(), claims.energy);
}

TEST_P(Claim, TorqueEvaluationsPerStep) {
  const auto stepper = started(GetParam(), hardest_problem(), 0.05);
  for (int n = 0; n < 10; ++n) stepper->step(0.05);
  const long long before = stepper->work.torque_evaluations;
  for (int n = 0; n < 100; ++n) stepper->step(0.05);
  const long long counted = stepper->work.torque_evaluations - before;
  const bool projects = GetParam().find("+energy") != std::string::npos;
  if (projects) {
    // Newton's method for the projection comes on top, with a torque for each of its few iterations, and one more
    // where the method keeps the last torque.
    EXPECT_GE(counted, std::llround(100 * claims.torque_evaluations));
    EXPECT_LE(counted, std::llround(100 * (claims.torque_evaluations + 4)));
  } else {
    EXPECT_EQ(counted, std::llround(100 * claims.torque_evaluations));
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, Claim, testing::ValuesIn(tested_names()), test_name);

}  // namespace
}  // namespace polhode::test
