// The free body as a symmetric body and a correction: what is exact, the order, and that no choice of axes shows.
#include "polhode/methods/engine_splitting.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "generators.hpp"
#include "kernel_measures.hpp"
#include "polhode/core/quad.hpp"
#include "polhode/model/free_rotor.hpp"

namespace polhode::test::engine_splitting_test {
namespace {

using V = Vec3<double>;
using random::real;
using Plain = SymmetricSplitting<2>;
using Corrected = SymmetricSplitting<4>;

template <class T>
State<T> generic_start() {
  return {exp(Vec3<T>{T(0.3), T(-0.5), T(0.8)}), {T(0.9), T(1.4), T(-0.6)}, T(0)};
}
template <class M, class T>
State<T> free_end(const Body<T>& body, const State<T>& s, const T& h, int steps) {
  Work work;
  return integrate<M>(System{body, Free{}}, s, h, steps, work);
}

// A body with I_a = I_b precesses about its momentum at |L|/I_a and spins about its own axis c besides:
// R(t) = exp(t L/I_a) R_0 exp(t (1/I_c - 1/I_a) pi_c e_c).
State<double> symmetric_motion(const Body<double>& body, std::size_t axis, const State<double>& s, double t) {
  const std::size_t other = (axis + 1) % 3;
  V spin{};
  spin[axis] = (body.inverse_inertia[axis] - body.inverse_inertia[other]) * s.pi_B[axis];
  const V L_S = spatial_momentum(s);
  const Rotation<double> R = exp((t * body.inverse_inertia[other]) * L_S) * s.R_SB * exp(t * spin);
  return {R, inverse(R) * L_S, t};
}

TEST(SymmetricSplitting, IsExactForTwoEqualMoments) {
  const State<double> s = generic_start<double>();
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (const double odd : {0.05, 0.7, 1.3, 1.9}) {
      V moments{1, 1, 1};
      moments[axis] = odd;
      const Body<double> body(moments);
      // Up to turns of a dozen radians a step, and of a hundred in all.
      for (const double h : {0.1, 1.0, 5.0}) {
        const State<double> exact = symmetric_motion(body, axis, s, 10 * h);
        const double bound = 4e-15 * (10 + 10 * h * norm(body.velocity(s.pi_B)));
        EXPECT_LT(distance(free_end<Plain>(body, s, h, 10), exact), bound) << axis << odd << h;
        EXPECT_LT(distance(free_end<Corrected>(body, s, h, 10), exact), bound) << axis << odd << h;
      }
    }
  }
}

TEST(SymmetricSplitting, IsExactForABall) {
  const State<double> s = generic_start<double>();
  const Body<double> ball({0.7, 0.7, 0.7});
  const Rotation<double> exact = s.R_SB * exp(ball.velocity(s.pi_B));
  EXPECT_LT(angle_between(free_end<Plain>(ball, s, 1.0, 1).R_SB, exact), 1e-15);
  EXPECT_LT(angle_between(free_end<Corrected>(ball, s, 1.0, 1).R_SB, exact), 1e-15);
}

// Nothing happens where two moments become equal: the error goes to rounding in proportion to their difference.
TEST(SymmetricSplitting, GoesOverIntoTheSymmetricBodySmoothly) {
  const State<double> s = generic_start<double>();
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (const double apart : {1e-2, 1e-5, 1e-8, 1e-11, 1e-14, 3e-16, -3e-16, -1e-14, -1e-8, -1e-2}) {
      V moments{1.3, 1.3, 1.3};
      moments[axis] = 0.7;
      moments[(axis + 1) % 3] += apart;
      const FreeRotor<double> exact(moments, s);
      const double bound = 5e-14 + 0.3 * std::abs(apart);
      EXPECT_LT(distance(free_end<Plain>(Body<double>(moments), s, 0.5, 8), exact.after(4)), bound) << axis << apart;
      EXPECT_LT(distance(free_end<Corrected>(Body<double>(moments), s, 0.5, 8), exact.after(4)), bound)
          << axis << apart;
    }
  }
}

// The same body with its axes named otherwise: even permutations turn them, odd ones mirror them, which changes the sign of
// what turns.
template <class M>
void expect_same_in_all_names() {
  constexpr std::array<std::array<std::size_t, 3>, 6> names{
      {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}}};
  const V moments{0.9144, 1.098, 1.66};
  const State<double> s = generic_start<double>();
  const State<double> expected = free_end<M>(Body<double>(moments), s, 0.3, 20);
  double difference = 0;
  for (std::size_t p = 0; p < names.size(); ++p) {
    const double sign = p < 3 ? 1 : -1;
    const auto renamed = [&](const V& v, double by) {
      return V{by * v[names[p][0]], by * v[names[p][1]], by * v[names[p][2]]};
    };
    const State<double> other{{s.R_SB.w, renamed(s.R_SB.v, sign)}, renamed(s.pi_B, sign), 0};
    const State<double> end = free_end<M>(Body<double>(renamed(moments, 1)), other, 0.3, 20);
    const State<double> wanted{{expected.R_SB.w, renamed(expected.R_SB.v, sign)}, renamed(expected.pi_B, sign), 0};
    difference = worse(difference, distance(end, wanted));
  }
  // Which of the outer axes is turned about first is the only choice, and of the size of the error.
  const FreeRotor<double> exact(moments, s);
  EXPECT_LT(difference, 4 * distance(expected, exact.after(6)));
}
TEST(SymmetricSplitting, HardlyDependsOnTheNamesOfTheAxes) {
  expect_same_in_all_names<Plain>();
  expect_same_in_all_names<Corrected>();
}

template <class M>
void expect_order(const Vec3<long double>& moments, double order) {
  using T = long double;
  const State<T> s = generic_start<T>();
  const State<T> exact = FreeRotor<T>(moments, s).after(T(4));
  std::vector<ErrorAtStep> attitude, momentum;
  for (int steps = 16; steps <= 256; steps *= 2) {
    const State<T> end = free_end<M, T>(Body<T>(moments), s, T(4) / T(steps), steps);
    attitude.push_back({4.0 / steps, static_cast<double>(attitude_error(end, exact))});
    momentum.push_back({4.0 / steps, static_cast<double>(momentum_error(end, exact))});
  }
  const auto a = observed_order(attitude, 1e-16, 0.1), m = observed_order(momentum, 1e-16, 0.1);
  ASSERT_TRUE(a && m);
  EXPECT_NEAR(a->order, order, 0.1) << static_cast<double>(moments.x) << ' ' << static_cast<double>(moments.y);
  EXPECT_NEAR(m->order, order, 0.1) << static_cast<double>(moments.x) << ' ' << static_cast<double>(moments.y);
}

// Whichever axis is the middle one, whichever of its neighbours is nearer, for plates and for rods.
TEST(SymmetricSplitting, HasItsOrderForEveryBody) {
  using W = Vec3<long double>;
  for (const W& moments : {W{0.9L, 1.1L, 1.7L}, W{1.7L, 0.9L, 1.1L}, W{1.1L, 1.7L, 0.9L}, W{1.7L, 1.1L, 0.9L},
                           W{0.9L, 1.6L, 1.7L}, W{1, 2, 3}, W{1.2L, 0.3L, 1.3L}}) {
    expect_order<Plain>(moments, 2);
    expect_order<Corrected>(moments, 4);
  }
}

// The shares of the step solve the equation that they are made for: u g_b + v g_a = 0, and none is negative.
RC_GTEST_PROP(SymmetricSplitting, SharesCancelWhatCouplesTheTwoTurns, ()) {
  const detail::NearlySymmetric<double> body({*real(0.1, 5.0), *real(0.1, 5.0), *real(0.1, 5.0)});
  const double x = body.lambda, u = (1 - 6 * x + 6 * x * x) / 12, v = (6 * x - 1) / 24;
  RC_ASSERT(std::abs(u * body.g_b + v * body.g_a) <= 4 * random::eps * (std::abs(body.g_a) + std::abs(body.g_b)));
  RC_ASSERT(body.g_a * body.g_b <= 0);
  RC_ASSERT(x >= (1 - random::eps) / 6 && x <= 0.2114);
  RC_ASSERT(std::abs(body.k - v * body.g_a * body.g_a * body.g_b) <= 1e-15 * std::abs(body.g_a * body.g_a * body.g_b));
}

// Far beyond the steps of a game: three radians in each.
TEST(SymmetricSplitting, KeepsTheEnergyNearAtVeryLargeSteps) {
  const Body<double> body = three_moments();
  const State<double> s = generic_start<double>();
  const double h = 3 / norm(body.velocity(s.pi_B));
  const EnergyError plain = energy_error<Plain>(free_body(), s, h, 100000);
  const EnergyError corrected = energy_error<Corrected>(free_body(), s, h, 100000);
  const double energy = body.kinetic_energy(s.pi_B);
  EXPECT_TRUE(plain.stays() && plain.largest < 0.5 * energy) << plain.largest / energy;
  EXPECT_TRUE(corrected.stays() && corrected.largest < 0.01 * energy) << corrected.largest / energy;
}

template <class M>
double error_at(double radians_a_step, const Body<double>& body, const State<double>& s) {
  const double h = radians_a_step / norm(body.velocity(s.pi_B));
  return angle_between(free_end<M>(body, s, h, 50).R_SB, FreeRotor<double>(body.inertia, s).after(50 * h).R_SB);
}

// Next to the splitting by axes, in the order of the axes that suits the motion best: not for each of them, but for bodies
// and starts on the average, at a fifth of a radian a step.
TEST(SymmetricSplitting, HasASmallErrorNextToTheSplittingByAxes) {
  double by_axes = 0, plain = 0, corrected = 0;
  for (int n = 0; n < 60; ++n) {
    // Three halves of edges make a box, and three angles a start: multiples of irrational numbers, which spread evenly.
    const auto spread = [&](double x) { return std::fmod((n + 1) * x, 1.0); };
    const double a = 0.2 + spread(0.618034), b = 0.2 + spread(0.414214), c = 0.2 + spread(0.732051);
    const Body<double> body({b * b + c * c, a * a + c * c, a * a + b * b});
    const double height = 2 * spread(0.236068) - 1, angle = 6.283185 * spread(0.645751);
    const double radius = std::sqrt(1 - height * height);
    const State<double> s{{}, {radius * std::cos(angle), radius * std::sin(angle), height}, 0};
    by_axes += std::log(
        std::min({error_at<AxisSplitting<1, 2, 3>>(0.2, body, s), error_at<AxisSplitting<1, 3, 2>>(0.2, body, s),
                  error_at<AxisSplitting<2, 1, 3>>(0.2, body, s), error_at<AxisSplitting<2, 3, 1>>(0.2, body, s),
                  error_at<AxisSplitting<3, 1, 2>>(0.2, body, s), error_at<AxisSplitting<3, 2, 1>>(0.2, body, s)}));
    plain += std::log(error_at<Plain>(0.2, body, s));
    corrected += std::log(error_at<Corrected>(0.2, body, s));
  }
  EXPECT_LT(std::exp((plain - by_axes) / 60), 0.1);
  EXPECT_LT(std::exp((corrected - by_axes) / 60), 1e-4);
}

}  // namespace
}  // namespace polhode::test::engine_splitting_test
