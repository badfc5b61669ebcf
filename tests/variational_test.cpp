// Romero's variational integrator: the equation as printed, steps of different lengths, what the start does, and what
// its momenta approximate.
#include "polhode/methods/variational.hpp"

#include <gtest/gtest.h>

#include "generators.hpp"
#include "kernel_measures.hpp"

namespace polhode::test::variational_test {
namespace {

using V = Vec3<double>;

// The rotation vector between two attitudes.
template <class T>
Vec3<T> increment(const State<T>& from, const State<T>& to) {
  return log(inverse(from.R_SB) * to.R_SB);
}

RC_GTEST_PROP(Variational, SolvesTheEquationOfThePaper, ()) {
  const Body<double> body({*random::real(0.5, 2.0), *random::real(0.5, 2.0), *random::real(0.5, 2.0)});
  const V pi_B = *random::direction();
  const double h = *random::real(0.01, 0.9);
  const System sys{body, Free{}};
  Work work;
  State<double> s{{}, pi_B, 0};
  auto memory = start<VariationalLegendre>(sys, s, h, work);
  s = advance<VariationalLegendre>(sys, s, memory, h, work);
  const V q = increment(State<double>{}, s);
  RC_ASSERT(work.converged);
  RC_ASSERT(norm(dexpinv(-q, body.momentum(q)) - h * pi_B) < 2e-15);
  RC_ASSERT(norm(dexpinv(q, body.momentum(q)) - h * s.pi_B) < 2e-15);
  RC_ASSERT(norm(s.R_SB * s.pi_B - pi_B) < 1e-15);
}

// Equation (26), in attitudes alone: dexpinv(-q_1) I q_1 / h_1 = dexpinv(q_0) I q_0 / h_0, and under torque the
// trapezoidal impulse (h_0 + h_1)/2 tau on top.
template <class F>
void expect_discrete_euler_equations(const System<double, F>& sys) {
  const std::vector<double> steps{0.1, 0.25, 0.04, 0.3, -0.2, 0.17};
  State<double> s = start_state<double>(2), before, two_before;
  Work work;
  auto memory = start<Variational>(sys, s, steps[0], work);
  for (std::size_t n = 0; n < steps.size(); ++n) {
    two_before = before;
    before = s;
    s = advance<Variational>(sys, s, memory, steps[n], work);
    if (n == 0) continue;
    const double h0 = steps[n - 1], h1 = steps[n];
    const V q0 = increment(two_before, before), q1 = increment(before, s);
    const V impulse = (h0 + h1) / 2 * torque_body(sys, before.R_SB, before.pi_B, before.t, work);
    const V left = dexpinv(-q1, sys.body.momentum(q1)) / h1, right = dexpinv(q0, sys.body.momentum(q0)) / h0;
    EXPECT_LT(norm(left - right - impulse), 2e-14) << "step " << n;
  }
}
TEST(Variational, UnequalStepsOfAFreeBody) { expect_discrete_euler_equations(free_body<double>()); }
TEST(Variational, UnequalStepsInAField) { expect_discrete_euler_equations(tilted_top<double>()); }

// The start of Remark 1 as it is printed: the momentum exp(-q) dexpinv(-q) I W at q = h W, W = W_0 - (h/2) W_0'.
TEST(Variational, TheStartIsThatOfThePaper) {
  const double h = 0.2;
  const auto sys = free_body<double>();
  const State<double> initial = start_state<double>(2);
  const V W0 = sys.body.velocity(initial.pi_B), W0_rate = sys.body.velocity(cross(initial.pi_B, W0));
  const V W = W0 - h / 2 * W0_rate, q = h * W;
  const V P0 = exp(-q) * dexpinv(-q, sys.body.momentum(W));
  Work work;
  auto memory = start<Variational>(sys, initial, h, work);
  const State<double> s = advance<Variational>(sys, initial, memory, h, work);
  const V q0 = increment(initial, s);
  EXPECT_LT(norm(dexpinv(-q0, sys.body.momentum(q0)) / h - P0), 1e-14);
  EXPECT_LT(norm(initial.R_SB * P0 - spatial_momentum(s)), 1e-14);
}

// From the start on the steps are those of variational-legendre from the shifted momentum, to the bit. So a step
// backwards undoes a step forwards, and the way back leads to the shifted momentum.
TEST(Variational, StepsAreThoseOfLegendre) {
  const double h = 0.2;
  const auto sys = tilted_top<double>();
  const State<double> initial = start_state<double>(2);
  Work work;
  auto memory = start<Variational>(sys, initial, h, work);
  State<double> a = initial, b = initial;
  b.pi_B = inverse(initial.R_SB) * memory.carried_S;
  const State<double> shifted = b;
  auto kept = start<VariationalLegendre>(sys, b, h, work);
  for (int n = 0; n < 50; ++n) {
    a = advance<Variational>(sys, a, memory, h, work);
    b = advance<VariationalLegendre>(sys, b, kept, h, work);
    EXPECT_EQ(a.R_SB, b.R_SB);
    EXPECT_EQ(a.pi_B, b.pi_B);
  }
  memory = memory.reversed();
  for (int n = 0; n < 50; ++n) a = advance<Variational>(sys, a, memory, -h, work);
  EXPECT_LT(attitude_error(a, shifted) + momentum_error(a, shifted), 1e-13);
}

// How an error shrinks with the step, by halving it five times.
template <class Error>
double slope_of(const Error& error) {
  std::vector<ErrorAtStep> data;
  for (double h = 0.1; h > 0.002; h /= 2) data.push_back({h, error(h)});
  return observed_order(data, 1e-12, 1)->order;
}

// The paper's start shifts the momentum that is conserved by O(h^2); the Legendre start does not shift it.
TEST(Variational, TheStartShiftsTheMomentumBySecondOrder) {
  const auto sys = free_body<double>();
  const State<double> initial = start_state<double>();
  EXPECT_NEAR(slope_of([&](double h) {
                Work work;
                const auto memory = start<Variational>(sys, initial, h, work);
                return norm(memory.carried_S - spatial_momentum(initial));
              }),
              2, 0.05);
}

// "Choosing simply q = h W_0 will spoil the second order accuracy" [R08, Remark 1]: it does.
TEST(Variational, TheSimpleStartIsOfFirstOrder) {
  const auto sys = free_body<double>();
  const State<double> initial = start_state<double>();
  Work work;
  const State<double> exact = integrate<Taylor<12>>(sys, initial, 2.0 / 200, 200, work);
  const V W0 = sys.body.velocity(initial.pi_B);
  const auto error = [&](double h) {
    State<double> s = initial;
    s.pi_B = dexpinv(Vec3<double>(h * W0), initial.pi_B);
    return attitude_error(integrate<VariationalLegendre>(sys, s, h, static_cast<int>(std::lround(2 / h)), work), exact);
  };
  EXPECT_NEAR(slope_of(error), 1, 0.05);
}

// The body momentum of the scheme is of second order at the beginning of the step; the paper says at its middle, where
// it is of first order. I q / h is of second order in the middle.
TEST(Variational, WhatItsMomentaApproximate) {
  const auto sys = free_body<double>();
  Work work;
  const auto state_at = [&](double t) { return integrate<Taylor<12>>(sys, start_state<double>(), t / 200, 200, work); };
  const auto discrete = [&](double h) {
    const int n = static_cast<int>(std::lround(1.6 / h));
    const State<double> s = integrate<Variational>(sys, start_state<double>(), h, n, work);
    State<double> next = s;
    auto memory = start<VariationalLegendre>(sys, s, h, work);
    next = advance<VariationalLegendre>(sys, next, memory, h, work);
    return std::pair{s.pi_B, sys.body.momentum(increment(s, next)) / h};
  };
  EXPECT_NEAR(slope_of([&](double h) { return norm(discrete(h).first - state_at(1.6).pi_B); }), 2, 0.1);
  EXPECT_NEAR(slope_of([&](double h) { return norm(discrete(h).first - state_at(1.6 + h / 2).pi_B); }), 1, 0.1);
  EXPECT_NEAR(slope_of([&](double h) { return norm(discrete(h).second - state_at(1.6 + h / 2).pi_B); }), 2, 0.1);
}

// A sphere turns by h W to the bit, whatever the step, and nothing is iterated.
TEST(Variational, NoIterationForASphericalBody) {
  const System sys{Body<double>({0.7, 0.7, 0.7}), tilted_top<double>().field};
  for (const double h : {0.1, 1.0, 20.0}) {
    Work work;
    const State<double> s = integrate<VariationalLegendre>(sys, start_state<double>(), h, 10, work);
    EXPECT_EQ(work.solver_iterations, 0);
    EXPECT_TRUE(work.converged && all_finite(s));
  }
  Work work;
  const System sphere{Body<double>({0.7, 0.7, 0.7}), Free{}};
  const State<double> s = integrate<VariationalLegendre>(sphere, start_state<double>(), 0.5, 10, work);
  const V w_S = spatial_momentum(s) / 0.7;
  EXPECT_LT(angle_between(s.R_SB, exp(Vec3<double>(5.0 * w_S)) * start_state<double>().R_SB), 1e-14);
}

TEST(Variational, NewtonIterations) {
  const std::vector<std::pair<double, double>> most{{0.05, 2.0}, {0.1, 2.0}, {0.3, 3.0}};
  for (const auto& [angle, iterations] : most) {
    Work work;
    integrate<VariationalLegendre>(free_body<double>(), start_state<double>(), angle / 0.944, 200, work);
    EXPECT_LE(static_cast<double>(work.solver_iterations) / 200, iterations) << angle << " rad";
    EXPECT_TRUE(work.converged);
  }
}

// Either the equation is solved, with an angle of less than a full turn, or the failure is reported.
TEST(Variational, AbsurdSteps) {
  const auto sys = free_body<double>();
  for (const double h : {3.0, 10.0, 100.0, 1e4, 1e8}) {
    Work work;
    const V pi = start_state<double>().pi_B;
    const V q = exponential_turn<VariationalRule>(sys.body, V(h * pi), work);
    EXPECT_TRUE(all_finite(q)) << h;
    EXPECT_LT(norm(q), 2 * random::pi) << h;
    if (work.converged) {
      EXPECT_LT(norm(dexpinv(-q, sys.body.momentum(q)) - h * pi), 1e-10 * h) << h;
    }
    EXPECT_EQ(work.converged, work.share_reached == 1) << h;
  }
}

TEST(Variational, JacobianIsTheDerivative) {
  const auto equation = []<class T>(const Vec3<T>& q) {
    return exponential_turn_equation<VariationalRule>(Vec3<T>{T(0.9), T(1.1), T(1.7)}, Vec3<T>{T(0.2), T(-0.5), T(0.4)},
                                                      q);
  };
  // Across 1.5716, where the coefficient changes from series to closed form, and close to a full turn.
  const V n{-0.48, 0.64, 0.6};
  for (const double f : {0.0, 1e-9, 0.3, 1.57, 1.5716, 1.5717, 1.6, 3.0, 5.0, 6.0})
    EXPECT_LT(jacobian_error(equation, f * n), 1e-14) << f;
}

}  // namespace
}  // namespace polhode::test::variational_test
