// The derivative of the flow and the largest Lyapunov exponent: against closed forms of steady rotations, against the top
// integrated by Boost.odeint as quaternion and velocity, and where a free body has none.
#include <gtest/gtest.h>

#include <array>
#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>
#include <cmath>
#include <numbers>

#include "polhode/run/simulation.hpp"

namespace polhode::test::lyapunov_test {
namespace {

using std::numbers::pi;
using Situation = polhode::Setup;  // gtest has a Setup of its own
using V = Vec3<double>;

constexpr std::array<double, 3> moments{0.9144, 1.098, 1.66}, arm{1.0 / 3, 2.0 / 3, 2.0 / 3};
constexpr double weight = 2;

// Quaternion (w, x, y, z) and velocity in body axes: q' = q w/2, I w' = I w x w + weight (R^T e_z) x arm. Nothing of the
// library is in it.
template <class T>
using Motion = std::array<T, 7>;
template <class T>
void equations(const Motion<T>& y, Motion<T>& rate, T) {
  const auto [q0, q1, q2, q3, x, yy, z] = y;
  rate[0] = (-q1 * x - q2 * yy - q3 * z) / 2;
  rate[1] = (q0 * x + q2 * z - q3 * yy) / 2;
  rate[2] = (q0 * yy + q3 * x - q1 * z) / 2;
  rate[3] = (q0 * z + q1 * yy - q2 * x) / 2;
  const T up[3] = {2 * (q1 * q3 - q0 * q2), 2 * (q2 * q3 + q0 * q1), q0 * q0 - q1 * q1 - q2 * q2 + q3 * q3};
  const T w[3] = {x, yy, z};
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3, k = (i + 2) % 3;
    const T gyroscopic = (T(moments[j]) - T(moments[k])) * w[j] * w[k];
    const T gravity = T(weight) * (up[j] * T(arm[k]) - up[k] * T(arm[j]));
    rate[4 + i] = (gyroscopic + gravity) / T(moments[i]);
  }
}
template <class T>
Motion<T> moved(Motion<T> y, double duration, int steps) {
  boost::numeric::odeint::runge_kutta_fehlberg78<Motion<T>, T> stepper;
  const T h = T(duration) / T(steps);
  for (int n = 0; n < steps; ++n) stepper.do_step(equations<T>, y, T(n) * h, h);
  return y;
}
template <class T>
Motion<T> begun() {
  return {T(std::cos(0.15L)), T(std::sin(0.15L)), T(0), T(0), T(0.45549L), T(0.82623L), T(0.03476L)};
}
// y turned by theta in body axes, with momentum changed by p.
template <class T>
Motion<T> changed(Motion<T> y, std::size_t direction, T by) {
  if (direction >= 3) {
    y[1 + direction] += by / T(moments[direction - 3]);
    return y;
  }
  Motion<T> turned = y;
  const T s = std::sin(by / 2), c = std::cos(by / 2);
  const std::size_t i = direction, j = (i + 1) % 3, k = (i + 2) % 3;
  turned[0] = c * y[0] - s * y[1 + i];
  turned[1 + i] = c * y[1 + i] + s * y[0];
  turned[1 + j] = c * y[1 + j] + s * y[1 + k];
  turned[1 + k] = c * y[1 + k] - s * y[1 + j];
  return turned;
}
// From one to the other: the turn between them, and the change of momentum.
template <class T>
std::array<T, 6> difference(const Motion<T>& a, const Motion<T>& b) {
  return {2 * (a[0] * b[1] - a[1] * b[0] - a[2] * b[3] + a[3] * b[2]),
          2 * (a[0] * b[2] - a[2] * b[0] - a[3] * b[1] + a[1] * b[3]),
          2 * (a[0] * b[3] - a[3] * b[0] - a[1] * b[2] + a[2] * b[1]),
          T(moments[0]) * (b[4] - a[4]),
          T(moments[1]) * (b[5] - a[5]),
          T(moments[2]) * (b[6] - a[6])};
}

Situation top() {
  Situation s;
  s.inertia = V{moments[0], moments[1], moments[2]};
  s.attitude = {AttitudeData::Kind::rotation_vector, {0.3, 0, 0}};
  s.motion.value = {0.45549, 0.82623, 0.03476};
  HeavyTop<double> gravity;
  gravity.weight_times_arm = weight;
  gravity.axis_body = {1, 2, 2};
  s.torques = {gravity};
  return s;
}

Sensitivities over(const Situation& setup, const char* method, double duration, long long steps) {
  RunOptions options;
  options.step = duration / static_cast<double>(steps);
  options.steps = steps;
  options.monodromy = options.lyapunov = true;
  return *Simulation(setup, method, options).run().sensitivities;
}

TEST(Monodromy, IsThatOfAnotherIntegrator) {
  using T = long double;
  const Monodromy found = *over(top(), "mclachlan-reich-231@kahan-li-8", 6, 300).monodromy;
  constexpr T by = 1e-6L;
  for (std::size_t k = 0; k < 6; ++k) {
    const auto forth = moved(changed(begun<T>(), k, by), 6, 400), back = moved(changed(begun<T>(), k, -by), 6, 400);
    const auto column = difference(back, forth);
    for (std::size_t i = 0; i < 6; ++i)
      EXPECT_NEAR(found.matrix[i][k], static_cast<double>(column[i] / (2 * by)), 1e-8) << i << k;
  }
}

TEST(Monodromy, IsSymplecticWhereTheMethodIs) {
  const auto defect = [](const char* method) { return over(top(), method, 10, 100).monodromy->symplectic_defect; };
  EXPECT_LT(defect("mclachlan-reich-231"), 1e-13);
  EXPECT_LT(defect("lie-verlet"), 1e-13);
  EXPECT_GT(defect("rkmk-4"), 1e-9);
}

TEST(Monodromy, OfASteadyRotationHasKnownMultipliers) {
  constexpr double I[] = {1, 1.5, 2.2}, rate = 1.3, period = 2 * pi / rate;
  const auto about = [&](std::size_t axis) {
    Situation s;
    s.inertia = V{I[0], I[1], I[2]};
    s.motion.value = {};
    s.motion.value[axis] = rate;
    return *over(s, "mclachlan-reich-231@kahan-li-8", period, 200).monodromy;
  };
  // About the intermediate axis small deviations grow like exp(sigma t); about the largest they turn at that rate.
  const Monodromy unstable = about(1);
  const double sigma = rate * std::sqrt((I[2] - I[1]) * (I[1] - I[0]) / (I[0] * I[2]));
  EXPECT_LT(unstable.return_angle, 1e-9);
  EXPECT_NEAR(unstable.multipliers[0].real(), std::exp(sigma * period), 1e-6);
  EXPECT_NEAR(unstable.multipliers[0].imag(), 0, 1e-12);
  EXPECT_NEAR(unstable.multipliers[5].real(), std::exp(-sigma * period), 1e-6);
  const Monodromy stable = about(2);
  const double nu = rate * std::sqrt((I[2] - I[0]) * (I[2] - I[1]) / (I[0] * I[1]));
  double nearest = 1;
  for (const auto& one : stable.multipliers) nearest = std::min(nearest, std::abs(one - std::polar(1.0, nu * period)));
  EXPECT_LT(nearest, 1e-6);
  for (const auto& one : stable.multipliers)
    EXPECT_NEAR(std::abs(one), 1, 1e-3);  // four of them are one, and defective
}

// Neighbours of a free body drift apart in proportion to time: the exponent goes to zero like log(t)/t.
TEST(Lyapunov, OfAFreeBodyIsZero) {
  Situation s = top();
  s.torques.clear();
  const auto grown = [&](double t) {
    return over(s, "mclachlan-reich-231", t, static_cast<long long>(20 * t)).lyapunov->exponent * t;
  };
  const double ten = grown(100), hundred = grown(1000);
  EXPECT_NEAR(hundred - ten, std::log(10.0), 0.2);
  EXPECT_LT(hundred / 1000, 0.02);
  EXPECT_GT(hundred / 1000, 0.005);
}

// Benettin's way: two bodies by Boost.odeint, the second brought back near the first every second.
TEST(Lyapunov, OfAChaoticTopIsThatOfTwoNeighbours) {
  constexpr double near = 1e-7;
  constexpr int seconds = 3000;
  Motion<double> one = begun<double>(), other = changed(one, 4, near);
  double growth = 0;
  for (int t = 0; t < seconds; ++t) {
    one = moved(one, 1, 8);
    other = moved(other, 1, 8);
    const std::array<double, 6> apart = difference(one, other);
    double distance = 0;
    for (const double x : apart) distance += x * x;
    distance = std::sqrt(distance);
    growth += std::log(distance / near);
    other = one;
    for (std::size_t i = 0; i < 6; ++i) other = changed(other, i, apart[i] * near / distance);
  }
  const double expected = growth / seconds;
  EXPECT_GT(expected, 0.05);  // or it is not chaotic, and nothing is shown
  const Lyapunov found = *over(top(), "mclachlan-reich-231", seconds, 150000).lyapunov;
  EXPECT_NEAR(found.exponent, expected, 0.12 * expected);
  EXPECT_NEAR(*found.second_half, expected, 0.2 * expected);
}

}  // namespace
}  // namespace polhode::test::lyapunov_test
