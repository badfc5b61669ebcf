// The two implicit families: their steps satisfy the equations of the papers, written in matrices.
#include <gtest/gtest.h>

#include "matrix_programs.hpp"
#include "polhode/methods/energy_momentum.hpp"
#include "polhode/methods/implicit_midpoint.hpp"
#include "polhode/model/any_field.hpp"
#include "polhode/model/callable.hpp"

namespace polhode::test::implicit_midpoint_test {
namespace {

// One step of half a radian, from a generic state.
template <class M>
std::array<MatrixTop, 2> one_step(double h) {
  std::array<MatrixTop, 2> ends;
  State<double> s = start_state(2);
  s.R_SB = exp(Vec3<double>{0.3, -0.5, 0.8});
  ends[0].set(s);
  Work work;
  ends[1].set(integrate<M>(spun_top(), s, h, 1, work));
  EXPECT_TRUE(work.converged);
  return ends;
}

// A few operations on numbers of order 1.
constexpr double residual = 2e-15;

Matrix midway(const Matrix& from, const Matrix& to) {
  const Eigen::AngleAxisd turn(from.transpose() * to);
  return from * Eigen::AngleAxisd(turn.angle() / 2, turn.axis()).toRotationMatrix();
}

template <class M>
void expect_midpoint_rule(Matrix (*increment)(const Vector&)) {
  const double h = 0.25;
  const auto [a, b] = one_step<M>(h);
  const Vector W_m = (a.W + b.W) / 2;
  EXPECT_LT((b.R - a.R * increment(h * W_m)).norm(), residual);
  const Matrix R_m = midway(a.R, b.R);
  const Vector T_m = R_m.transpose() * MatrixTop::torque_S(R_m), P_m = a.I * W_m;
  EXPECT_LT((a.I * (b.W - a.W) - h * (P_m.cross(W_m) + T_m)).norm(), residual);
}

TEST(ImplicitMidpoint, SatisfiesItsEquations) {
  expect_midpoint_rule<ImplicitMidpoint<>>(cayley_matrix);
  expect_midpoint_rule<ImplicitMidpoint<Increment::exponential>>(exponential);
}

TEST(EnergyMomentum, SatisfiesItsEquations) {
  const double h = 0.25;
  const auto [a, b] = one_step<EnergyMomentum>(h);
  const Vector x = h / 2 * (a.W + b.W);
  EXPECT_LT((b.R - a.R * exponential(x)).norm(), residual);
  const Vector t_m = MatrixTop::torque_S(a.R * exponential(x / 2));
  EXPECT_LT((exponential(x) * a.I * b.W - a.I * a.W - h * a.R.transpose() * t_m).norm(), residual);
}

// A free body's momenta do not depend on the map for the attitude.
TEST(ImplicitMidpoint, TheMapDoesNotMatterToTheMomentumOfAFreeBody) {
  Work work;
  const auto cayley = integrate<ImplicitMidpoint<>>(free_body(), start_state(2), 0.1, 100, work);
  const auto exponential =
      integrate<ImplicitMidpoint<Increment::exponential>>(free_body(), start_state(2), 0.1, 100, work);
  EXPECT_EQ(cayley.pi_B, exponential.pi_B);
  EXPECT_GT(angle_between(cayley.R_SB, exponential.R_SB), 1e-3);
}

// A field that gives values only is differentiated by differences. The root is the same; an iteration asks four times.
template <class M>
void expect_same_by_values() {
  const auto gravity = spun_top().field;
  const System by_values{three_moments(), values_only<double>([gravity](const Rotation<double>& R, const double& t) {
                           return gravity.torque(R, t);
                         })};
  Callback<double> callback;
  callback.torque_B = [gravity](const Rotation<double>& R, const double& t) { return gravity.torque(R, t); };
  const System by_callback{three_moments(), FieldSum<double>({callback})};
  Work duals, values, callbacks;
  const State<double> s = integrate<M>(spun_top(), start_state(2), 0.1, 100, duals);
  EXPECT_LT(distance(integrate<M>(by_values, start_state(2), 0.1, 100, values), s), rounding);
  EXPECT_LT(distance(integrate<M>(by_callback, start_state(2), 0.1, 100, callbacks), s), rounding);
  EXPECT_EQ(duals.torque_evaluations, 100 + duals.solver_iterations);
  EXPECT_EQ(values.torque_evaluations, 100 + 4 * values.solver_iterations);
  EXPECT_EQ(callbacks.torque_evaluations, values.torque_evaluations);
  EXPECT_EQ(values.solver_iterations, duals.solver_iterations);
}

TEST(ImplicitTorque, ByValuesTheStepIsTheSame) {
  expect_same_by_values<ImplicitMidpoint<>>();
  expect_same_by_values<ImplicitMidpoint<Increment::exponential>>();
  expect_same_by_values<EnergyMomentum>();
}

// With a torque of the velocity too, time symmetry stays: the torque stands in the middle of the step.
TEST(ImplicitTorque, OfTheVelocityIsTakenSymmetrically) {
  const System dragged{
      three_moments(), field_from([](const auto& R_SB, const auto& w_B, const auto& t) {
        const auto up = inverse(R_SB) * Vec3<double>{0, 0, 1};
        return Vec3<std::decay_t<decltype(t)>>{up.y - 0.3 * w_B.x, 0.2 * sin(t) - 0.1 * w_B.y, up.x - 0.4 * w_B.z};
      })};
  EXPECT_LT(symmetry_gap<ImplicitMidpoint<>>(dragged, start_state(), 0.1, 20), 1e-13);
  EXPECT_LT(symmetry_gap<EnergyMomentum>(dragged, start_state(), 0.1, 20), 1e-13);
}

}  // namespace
}  // namespace polhode::test::implicit_midpoint_test
