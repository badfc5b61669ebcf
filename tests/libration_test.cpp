// Librations of an Earth-pointing satellite against their closed forms: the periods of small pitch, roll and yaw [H86],
// and the pendulum of large pitch.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <vector>

#include "polhode/core/dual.hpp"
#include "polhode/measure/order.hpp"
#include "satellite.hpp"
#include "square_matrix.hpp"

namespace polhode::test::libration_test {
namespace {

// The mean time between upward passages of `angle` through zero, over `periods` of them. Each passage is found to
// rounding by bisection on a shortened step. NaN if there are not so many in a hundred orbits.
double period_of(Flight flight, double (*angle)(const State<double>&), int periods) {
  std::vector<double> passages;
  const auto enough = static_cast<std::size_t>(periods) + 1;
  double before = angle(flight.state());
  while (passages.size() < enough && flight.state().t < 100 * orbit) {
    const double after = angle(flight.ahead(1));
    if (before < 0 && after >= 0) {
      double low = 0, high = 1;
      for (int i = 0; i < 53; ++i) {
        const double middle = (low + high) / 2;
        (angle(flight.ahead(middle)) < 0 ? low : high) = middle;
      }
      passages.push_back(flight.ahead(high).t);
    }
    flight.step();
    before = after;
  }
  if (passages.size() < enough) return std::numeric_limits<double>::quiet_NaN();
  return (passages.back() - passages.front()) / periods;
}

double pitch(const State<double>& s) { return deviation(s).z; }
double yaw(const State<double>& s) { return deviation(s).x; }

// With theta = (yaw, roll, pitch) small, r_B = (1, -theta_3, theta_2) and w_B = theta' + n (-theta_2, theta_1, 1), so
// that Euler's equations are, with k_yaw = (I_pitch - I_roll)/I_yaw and k_roll = (I_pitch - I_yaw)/I_roll,
//   theta_1'' - n (1 - k_yaw) theta_2' + n^2 k_yaw theta_1 = 0,
//   theta_2'' + n (1 - k_roll) theta_1' + 4 n^2 k_roll theta_2 = 0,
//   theta_3'' + 3 n^2 (I_roll - I_yaw)/I_pitch theta_3 = 0.
struct Librations {
  double k_yaw, k_roll, pitch, fast, slow;  // the last three are frequencies [rad/s]

  explicit Librations(const V& I) : k_yaw((I.z - I.y) / I.x), k_roll((I.z - I.x) / I.y) {
    pitch = n * std::sqrt(3 * (I.y - I.x) / I.z);
    // w^4 - n^2 (1 + 3 k_roll + k_yaw k_roll) w^2 + 4 n^4 k_yaw k_roll = 0
    const double b = 1 + 3 * k_roll + k_yaw * k_roll, c = 4 * k_yaw * k_roll;
    fast = n * std::sqrt((b + std::sqrt(b * b - 4 * c)) / 2);
    slow = n * std::sqrt(2 * c / (b + std::sqrt(b * b - 4 * c)));
  }
  // yaw = a cos(wt) goes with roll = a roll_per_yaw(w) sin(wt).
  double roll_per_yaw(double w) const { return (n * n * k_yaw - w * w) / (n * w * (1 - k_yaw)); }
};

// Coefficients of det(x - A) from that of 1 on, by the recursion of Faddeev and Le Verrier.
std::array<double, 7> characteristic_polynomial(const SquareMatrix<double, 6>& A) {
  std::array<double, 7> coefficients{};
  coefficients[6] = 1;
  auto product = SquareMatrix<double, 6>{};
  for (std::size_t k = 1; k <= 6; ++k) {
    for (std::size_t i = 0; i < 6; ++i) product(i, i) += coefficients[7 - k];
    product = A * product;
    for (std::size_t i = 0; i < 6; ++i) coefficients[6 - k] -= product(i, i) / static_cast<double>(k);
  }
  return coefficients;
}

// The Jacobian of the equations of motion in the axes of the orbit, by dual numbers, has the analytic frequencies: its
// characteristic polynomial is the product of x^2 + w^2 over them.
TEST(Libration, LinearisedFieldHasTheAnalyticFrequencies) {
  using D = Dual<double, 6>;
  const Body<double> body(moments);
  GravityGradient<double> field;
  field.mean_motion = n;
  field.acts_on(body);
  const V pi_0 = n * body.momentum(normal);
  Vec3<D> theta, pi_B;
  for (std::size_t i = 0; i < 3; ++i) theta[i] = D::variable(0, i), pi_B[i] = D::variable(pi_0[i], 3 + i);
  const Rotation<D> q = exp(theta);
  const Vec3<D> w_B = times(body.inverse_inertia, pi_B);
  const Vec3<D> theta_rate = w_B - inverse(q) * (n * normal);  // dexpinv drops out: it multiplies a rate that vanishes
  const Vec3<D> pi_rate = cross(pi_B, w_B) + field.torque(q, D(0));
  // In units of the orbit, 1/n and n I_pitch, in which all entries are of order one.
  const double unit = n * moments.z;
  SquareMatrix<double, 6> jacobian;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      jacobian(i, j) = theta_rate[i].d[j] / n;
      jacobian(i, 3 + j) = theta_rate[i].d[3 + j] / n * unit;
      jacobian(3 + i, j) = pi_rate[i].d[j] / n / unit;
      jacobian(3 + i, 3 + j) = pi_rate[i].d[3 + j] / n;
    }
  const Librations exact(moments);
  const auto square = [](double frequency) { return frequency / n * (frequency / n); };
  const double a = square(exact.slow), b = square(exact.pitch), c = square(exact.fast);
  const std::array expected{a * b * c, 0.0, a * b + b * c + c * a, 0.0, a + b + c, 0.0, 1.0};
  // A few roundings of the terms of six products, whose sizes the same polynomial has with all signs positive.
  const double rounding = 16 * std::numeric_limits<double>::epsilon() * (1 + a) * (1 + b) * (1 + c);
  const std::array<double, 7> polynomial = characteristic_polynomial(jacobian);
  for (std::size_t k = 0; k < 7; ++k) EXPECT_NEAR(polynomial[k], expected[k], rounding) << "coefficient " << k;
}

// Pitch alone is a pendulum in twice the angle, theta'' = -(w^2/2) sin 2 theta. Released at the angle a it has the
// period 4 K(sin a)/w = 2 pi/(w M(1, cos a)), with the complete elliptic integral K and Gauss's mean M.
double pendulum_period(double frequency, double a) {
  double x = 1, y = std::cos(a);
  for (int i = 0; i < 8; ++i) {
    const double mean = (x + y) / 2;
    y = std::sqrt(x * y);
    x = mean;
  }
  return 2 * pi / (frequency * x);
}

double measured_pitch_period(double a) { return period_of(Flight(satellite({0, 0, a}, {}), orbit / 100), pitch, 4); }

// The attitude is rounded to eps, the angle to eps/a of itself, and errors of some hundred steps add up.
TEST(Libration, PitchPeriodAtSmallAngles) {
  const double linear = 2 * pi / Librations(moments).pitch;
  for (const double a : {1e-3, 1e-4, 1e-5}) {
    const double excess = measured_pitch_period(a) / linear - 1;
    EXPECT_LT(std::abs(excess), a * a / 3 + 1e-14 / a) << a;
  }
}

// K(k) = pi/2 (1 + k^2/4 + 9 k^4/64 + ...) at k = sin a: T = T_0 (1 + a^2/4 + 11 a^4/192 + ...).
TEST(Libration, PitchPeriodGrowsWithTheSquareOfTheAmplitude) {
  const double linear = 2 * pi / Librations(moments).pitch;
  for (const double a : {0.04, 0.02, 0.01, 0.005}) {
    const double coefficient = (measured_pitch_period(a) / linear - 1) / (a * a);
    EXPECT_NEAR(coefficient, 0.25 + 11 * a * a / 192, 0.1 * a * a * a * a + 1e-14 / (a * a * a)) << a;
  }
}

// Near a right angle the period grows like log(1/cos a): an error in the angle then counts tan a times. A thousand
// steps leave one of some dozen rounding units.
TEST(Libration, LargePitchIsThePendulum) {
  const double frequency = Librations(moments).pitch;
  for (const double a : {0.1, 0.5, 1.0, 1.4, 1.5, 1.56})
    EXPECT_NEAR(measured_pitch_period(a) / pendulum_period(frequency, a), 1, 1e-14 * (4 + std::tan(a))) << a;
}

double measured_coupled_period(double frequency, double a) {
  const V rate{0, a * Librations(moments).roll_per_yaw(frequency) * frequency, 0};
  return period_of(Flight(satellite({a, 0, 0}, rate), orbit / 100), yaw, 10);
}

// Released along an eigenvector, roll and yaw oscillate at one frequency. What is not linear changes the period, and
// brings in the other mode, by a^2.
TEST(Libration, RollAndYawPeriodsAtSmallAngles) {
  const Librations exact(moments);
  for (const double frequency : {exact.fast, exact.slow}) {
    const double linear = 2 * pi / frequency;
    std::vector<ErrorAtStep> excess;
    for (const double a : {1.6e-2, 8e-3, 4e-3, 2e-3, 1e-3})
      excess.push_back({a, std::abs(measured_coupled_period(frequency, a) / linear - 1)});
    const auto fitted = observed_order(excess, 1e-11, 1);
    ASSERT_TRUE(fitted) << frequency / n;
    EXPECT_NEAR(fitted->order, 2, 0.05) << frequency / n;
    for (const double a : {1e-4, 1e-5})
      EXPECT_LT(std::abs(measured_coupled_period(frequency, a) / linear - 1), 2 * a * a + 1e-14 / a) << frequency / n;
  }
}

// With yaw and roll exchanged, the long axis lies along the orbit. A small pitch then grows as cosh(g t) with
// g^2 = 3 n^2 (I_yaw - I_roll)/I_pitch.
TEST(Libration, LyingAlongTheOrbitIsUnstable) {
  const V lying{84, 31, 97};
  const double growth = n * std::sqrt(3.0 * (84 - 31) / 97), a = 1e-8;
  Flight flight(satellite({0, 0, a}, {}, lying), orbit / 100);
  for (int i = 0; i < 150; ++i) flight.step();
  const double grown = std::cosh(growth * flight.state().t);
  EXPECT_GT(grown, 1e4);
  // What rounding put in at the start, 1e-16 of 1e-8 and some more in the first steps, has grown alike.
  EXPECT_NEAR(pitch(flight.state()) / (a * grown), 1, 1e-6);
}

}  // namespace
}  // namespace polhode::test::libration_test
