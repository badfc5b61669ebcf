// The midpoint rule on the rotation group, alone and as Krysl's LIEMID[EA].
#include "polhode/methods/lie_midpoint.hpp"

#include <gtest/gtest.h>

#include "generators.hpp"
#include "kernel_measures.hpp"

namespace polhode::test::lie_midpoint_test {
namespace {

using V = Vec3<double>;
using OneTurn = LieMidpoint<1>;
using TwoTurns = LieMidpoint<2>;

template <class M, class F>
State<double> one_step(const System<double, F>& sys, const State<double>& s, double h, Work& work) {
  auto memory = start<M>(sys, s, h, work);
  return advance<M>(sys, s, memory, h, work);
}

RC_GTEST_PROP(LieMidpoint, SolvesTheEquationOfThePaper, ()) {
  const Body<double> body({*random::real(0.5, 2.0), *random::real(0.5, 2.0), *random::real(0.5, 2.0)});
  const V pi_B = *random::direction();
  const double h = *random::real(0.01, 0.9);
  Work work;
  const State<double> s = one_step<OneTurn>(System{body, Free{}}, {{}, pi_B, 0}, h, work);
  const V q = log(s.R_SB);
  RC_ASSERT(work.converged);
  RC_ASSERT(norm(body.momentum(q) - h * (exp(-0.5 * q) * pi_B)) < 2e-15);
  RC_ASSERT(norm(s.R_SB * s.pi_B - pi_B) < 1e-15);
}

// Algorithm (8) of [BOS09], by fixed-point iteration in its own order of operations. With `as_printed` the last
// rotation is by the first half-step's vector.
State<double> explicit_midpoint(const System<double, HeavyTop<double>>& sys, const State<double>& s, double h,
                                bool as_printed) {
  Work work;
  const auto half_turn = [&](const V& momentum) {
    V theta{};
    for (int i = 0; i < 200; ++i) theta = sys.body.velocity(h / 2 * (exp(-0.5 * theta) * momentum));
    return theta;
  };
  const V kicked = s.pi_B + h / 2 * torque_body(sys, s.R_SB, s.pi_B, s.t, work);
  const V first = half_turn(kicked), middle = exp(-first) * kicked, second = half_turn(middle);
  const Rotation<double> R = s.R_SB * exp(first) * exp(second);
  const V turned = exp(as_printed ? -first : -second) * middle;
  return {R, turned + h / 2 * torque_body(sys, R, turned, s.t + h, work), s.t + h};
}

TEST(LieMidpoint, TwoTurnsAreAlgorithm8Corrected) {
  const auto sys = tilted_top<double>();
  Work work;
  for (const double h : {0.01, 0.1, 0.3}) {
    const State<double> s = start_state<double>(2);
    const State<double> a = one_step<TwoTurns>(sys, s, h, work), b = explicit_midpoint(sys, s, h, false);
    EXPECT_LT(attitude_error(a, b) + momentum_error(a, b), 4e-15) << h;
  }
}

// Equation (8f) as printed is of first order.
TEST(LieMidpoint, Algorithm8AsPrintedIsOfFirstOrder) {
  const auto sys = tilted_top<double>();
  Work work;
  const State<double> exact = integrate<Taylor<12>>(sys, start_state<double>(), 2.0 / 300, 300, work);
  for (const bool as_printed : {true, false}) {
    std::vector<ErrorAtStep> errors;
    for (int steps = 40; steps <= 640; steps *= 2) {
      State<double> s = start_state<double>();
      for (int n = 0; n < steps; ++n) s = explicit_midpoint(sys, s, 2.0 / steps, as_printed);
      errors.push_back({2.0 / steps, momentum_error(s, exact)});
    }
    EXPECT_NEAR(observed_order(errors, 1e-12, 1)->order, as_printed ? 1 : 2, 0.1);
  }
}

TEST(LieMidpoint, NewtonIterations) {
  const std::vector<std::pair<double, double>> most{{0.05, 2.0}, {0.1, 2.0}, {0.3, 3.0}};
  for (const auto& [angle, iterations] : most) {
    Work one, two;
    integrate<OneTurn>(free_body<double>(), start_state<double>(), angle / 0.944, 200, one);
    integrate<TwoTurns>(free_body<double>(), start_state<double>(), angle / 0.944, 200, two);
    EXPECT_LE(static_cast<double>(one.solver_iterations) / 200, iterations) << angle << " rad";
    EXPECT_LE(static_cast<double>(two.solver_iterations) / 200, 2 * iterations) << angle << " rad";
  }
}

// Either the equation is solved, or the failure is reported with the share of the step that was reached.
TEST(LieMidpoint, AbsurdSteps) {
  const auto sys = free_body<double>();
  const State<double> initial = start_state<double>();
  for (const double h : {3.0, 10.0, 100.0, 1e4, 1e8}) {
    Work work;
    const State<double> s = one_step<OneTurn>(sys, initial, h, work);
    EXPECT_TRUE(all_finite(s)) << h;
    EXPECT_LT(norm(spatial_momentum(s) - spatial_momentum(initial)), 1e-14) << h;
    EXPECT_EQ(work.converged, work.share_reached == 1) << h;
  }
}

TEST(LieMidpoint, JacobianIsTheDerivative) {
  const auto equation = []<class T>(const Vec3<T>& q) {
    return exponential_turn_equation<MidpointRule>(Vec3<T>{T(0.9), T(1.1), T(1.7)}, Vec3<T>{T(0.2), T(-0.5), T(0.4)},
                                                   q);
  };
  // Across the switches of the coefficients from series to closed form, at 0.876 and 1.5716 of f = |q|, and 3.143.
  const V n{-0.48, 0.64, 0.6};
  for (const double f : {0.0, 1e-9, 0.3, 0.876, 0.877, 1.5716, 1.5717, 3.14, 3.15, 5.0, 12.0})
    EXPECT_LT(jacobian_error(equation, f * n), 4e-15) << f;
}

}  // namespace
}  // namespace polhode::test::lie_midpoint_test
