// The quaternion splitting of molecular dynamics codes: which axis splitting it is, and the formulas of its paper.
#include "polhode/methods/no_squish.hpp"

#include <gtest/gtest.h>

#include "kernel_measures.hpp"
#include "polhode/core/quad.hpp"
#include "polhode/methods/axis_splitting.hpp"

namespace polhode::test::no_squish_test {
namespace {

// In quad, where what the motion makes of rounding in 100 steps is far from any difference of methods.
template <class M>
State<quad> after(double h) {
  Work work;
  return integrate<M>(tilted_top<quad>(), start_state<quad>(4), quad(h), 100, work);
}

TEST(NoSquish, IsTheAxisSplitting321) {
  for (const double h : {0.01, 0.1, 0.4}) {
    const State<quad> s = after<NoSquish>(h);
    EXPECT_LT(distance(s, after<AxisSplitting<3, 2, 1>>(h)), 1e-28) << h;
    EXPECT_GT(distance(s, after<AxisSplitting<1, 2, 3>>(h)), 1e-5) << h;
    EXPECT_GT(distance(s, after<AxisSplitting<2, 3, 1>>(h)), 1e-5) << h;
  }
}

// The step as the paper has it: four components of q and p, permutation matrices P_k, forces on the quaternion, and the
// momentum carried from step to step.
using Quaternion = std::array<double, 4>;

Quaternion permuted(int k, const Quaternion& q) {
  if (k == 1) return {-q[1], q[0], q[3], -q[2]};
  if (k == 2) return {-q[2], -q[3], q[0], q[1]};
  return {-q[3], q[2], -q[1], q[0]};
}

// The product of q and a vector: S(q) (0, a).
Quaternion times_vector(const Quaternion& q, const Vec3<double>& a) {
  Quaternion result{};
  for (int k = 1; k <= 3; ++k)
    for (std::size_t i = 0; i < 4; ++i) result[i] += a[static_cast<std::size_t>(k - 1)] * permuted(k, q)[i];
  return result;
}

TEST(NoSquish, IsTheStepOfThePaper) {
  const auto sys = tilted_top<double>();
  const double h = 0.1;
  const State<double> initial = start_state<double>(4);
  Quaternion q{initial.R_SB.w, initial.R_SB.v.x, initial.R_SB.v.y, initial.R_SB.v.z};
  Quaternion p = times_vector(q, 2.0 * initial.pi_B);
  Work work;
  const auto half_kick = [&] {
    const Rotation<double> R{q[0], {q[1], q[2], q[3]}};
    const Quaternion force = times_vector(q, 2.0 * torque_body(sys, R, initial.pi_B, 0.0, work));
    for (std::size_t i = 0; i < 4; ++i) p[i] += h / 2 * force[i];
  };
  const auto turn = [&](int k, double tau) {
    const Quaternion Pq = permuted(k, q), Pp = permuted(k, p);
    double zeta = 0;
    for (std::size_t i = 0; i < 4; ++i) zeta += p[i] * Pq[i] / (4 * sys.body.inertia[static_cast<std::size_t>(k - 1)]);
    for (std::size_t i = 0; i < 4; ++i) {
      q[i] = std::cos(zeta * tau) * q[i] + std::sin(zeta * tau) * Pq[i];
      p[i] = std::cos(zeta * tau) * p[i] + std::sin(zeta * tau) * Pp[i];
    }
  };
  const int steps = 50;
  for (int n = 0; n < steps; ++n) {
    half_kick();
    turn(3, h / 2);
    turn(2, h / 2);
    turn(1, h);
    turn(2, h / 2);
    turn(3, h / 2);
    half_kick();
  }
  Vec3<double> pi_B;
  for (int k = 1; k <= 3; ++k)
    for (std::size_t i = 0; i < 4; ++i) pi_B[static_cast<std::size_t>(k - 1)] += permuted(k, q)[i] * p[i] / 2;
  const State<double> s = integrate<NoSquish>(sys, initial, h, steps, work);
  EXPECT_LT(distance(s, State<double>{{q[0], {q[1], q[2], q[3]}}, pi_B, steps * h}), 1e-12);
}

}  // namespace
}  // namespace polhode::test::no_squish_test
