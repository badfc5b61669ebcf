// Lie-Verlet: the formulas as printed, and a root at every step.
#include "polhode/methods/lie_verlet.hpp"

#include <gtest/gtest.h>

#include "generators.hpp"
#include "kernel_measures.hpp"

namespace polhode::test::lie_verlet_test {
namespace {

using V = Vec3<double>;

State<double> one_step(const System<double, HeavyTop<double>>& sys, const State<double>& s, double h, Work& work) {
  auto memory = start<LieVerlet>(sys, s, h, work);
  return advance<LieVerlet>(sys, s, memory, h, work);
}

// Equations (5a)-(5c) of [BOS09]; the velocity half-way is read off the attitudes, R_1 = R_0 cay(h V).
TEST(LieVerlet, SolvesTheEquationsOfThePaper) {
  const auto sys = tilted_top<double>();
  const auto I = [&](const V& w) { return sys.body.momentum(w); };
  const State<double> s = start_state<double>(2);
  for (const double h : {0.01, 0.1, 0.5, -0.3}) {
    Work work;
    const State<double> next = one_step(sys, s, h, work);
    const Rotation<double> F = inverse(s.R_SB) * next.R_SB;
    const V W = 2 / (h * F.w) * F.v;
    const V before = torque_body(sys, s.R_SB, s.pi_B, s.t, work),
            after = torque_body(sys, next.R_SB, next.pi_B, h, work);
    const V drift = h / 2 * cross(I(W), W), push = h * h / 4 * dot(W, I(W)) * W;
    EXPECT_LT(norm(I(W) - s.pi_B - drift + push - h / 2 * before), 1e-14 / std::min(1.0, std::abs(10 * h))) << h;
    EXPECT_LT(norm(next.pi_B - I(W) - drift - push - h / 2 * after), 1e-14 / std::min(1.0, std::abs(10 * h))) << h;
  }
}

// The cubic term has a root for every right side.
RC_GTEST_PROP(LieVerlet, HasARootAtEveryStep, ()) {
  const Body<double> body({*random::real(0.1, 3.0), *random::real(0.1, 3.0), *random::real(0.1, 3.0)});
  const System sys{body, Free{}};
  const V pi_B = *random::direction();
  const double h = *random::magnitude(1e-3, 1e4);
  Work work;
  State<double> s{{}, pi_B, 0};
  auto memory = start<LieVerlet>(sys, s, h, work);
  s = advance<LieVerlet>(sys, s, memory, h, work);
  RC_ASSERT(work.converged);
  RC_ASSERT(norm(s.R_SB * s.pi_B - pi_B) < 2e-15);
}

TEST(LieVerlet, NewtonIterations) {
  const std::vector<std::pair<double, double>> most{{0.05, 2.0}, {0.1, 2.0}, {0.3, 3.0}};
  for (const auto& [angle, iterations] : most) {
    Work work;
    integrate<LieVerlet>(free_body<double>(), start_state<double>(), angle / 0.944, 200, work);
    EXPECT_LE(static_cast<double>(work.solver_iterations) / 200, iterations) << angle << " rad";
  }
}

TEST(LieVerlet, JacobianIsTheDerivative) {
  const auto equation = []<class T>(const Vec3<T>& y) {
    return lie_verlet_equation(Vec3<T>{T(0.9), T(1.1), T(1.7)}, Vec3<T>{T(0.2), T(-0.5), T(0.4)}, y);
  };
  for (const V& y : {V{}, V{1e-9, 0, 0}, V{0.1, -0.2, 0.3}, V{-1.5, 0.7, 2}})
    EXPECT_LT(jacobian_error(equation, y), 4e-16) << y.x;
}

}  // namespace
}  // namespace polhode::test::lie_verlet_test
