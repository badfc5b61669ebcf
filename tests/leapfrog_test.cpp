// The leapfrogs of molecular dynamics against their own algorithms: momenta at half steps, quaternions of four numbers,
// equations solved by repeated substitution.
#include "polhode/methods/leapfrog.hpp"

#include <gtest/gtest.h>

#include "kernel_measures.hpp"

namespace polhode::test::leapfrog_test {
namespace {

using V = Vec3<double>;
using Q = Rotation<double>;

// q (0, w) / 2.
Q rate(const Q& q, const V& w) { return q * Q{0, 0.5 * w}; }
Q plus(const Q& q, double h, const Q& rate) { return {q.w + h * rate.w, q.v + h * rate.v}; }

struct Leapfrog {
  System<double, HeavyTop<double>> sys = tilted_top<double>();
  State<double> s = start_state<double>(2);
  double h = 0.1;
  Work work{};

  V torque_S() { return torque_spatial(sys, s.R_SB, s.pi_B, s.t, work); }
  V velocity(const Q& q, const V& l_S) const { return sys.body.velocity(inverse(normalised(q)) * l_S); }

  // From the momentum half a step before the start; `turned` gives the new quaternion from the old one, the momenta at
  // the beginning and half a step further, and the torque.
  template <class Turn>
  State<double> after(int steps, Turn turned) {
    V l_half = spatial_momentum(s) - h / 2 * torque_S();
    for (int n = 0; n < steps; ++n) {
      const V t_S = torque_S(), l_S = l_half + h / 2 * t_S;
      l_half += h * t_S;
      s.R_SB = turned(s.R_SB, l_S, l_half, t_S);
    }
    s.pi_B = inverse(s.R_SB) * (l_half + h / 2 * torque_S());
    return s;
  }
};

constexpr int substitutions = 60;

TEST(LeapfrogFincham, IsTheAlgorithmOfThePaper) {
  Leapfrog leapfrog;
  const double h = leapfrog.h;
  const State<double> initial = leapfrog.s;
  const State<double> expected = leapfrog.after(40, [&](const Q& q, const V& l_S, const V& l_half, const V& t_S) {
    const V extrapolated = l_half + h / 2 * t_S;
    const Q rate_0 = rate(q, leapfrog.velocity(q, l_S));
    Q next = normalised(plus(q, h, rate_0));
    for (int i = 0; i < substitutions; ++i) {
      const Q rate_1 = rate(next, leapfrog.velocity(next, extrapolated));
      next = normalised(plus(plus(q, h / 2, rate_0), h / 2, rate_1));
    }
    return next;
  });
  Work work;
  EXPECT_LT(distance(integrate<LeapfrogFincham>(leapfrog.sys, initial, h, 40, work), expected), 1e-13);
}

TEST(LeapfrogSvanberg, IsTheAlgorithmOfThePaper) {
  Leapfrog leapfrog;
  const double h = leapfrog.h;
  const State<double> initial = leapfrog.s;
  const State<double> expected = leapfrog.after(40, [&](const Q& q, const V&, const V& l_half, const V&) {
    Q middle = q;
    for (int i = 0; i < substitutions; ++i) middle = plus(q, h / 2, rate(middle, leapfrog.velocity(middle, l_half)));
    const Q next = plus(q, h, rate(middle, leapfrog.velocity(middle, l_half)));
    EXPECT_NEAR(squared_norm(next), 1, 1e-14);  // needs no normalisation
    return normalised(next);
  });
  Work work;
  EXPECT_LT(distance(integrate<LeapfrogSvanberg>(leapfrog.sys, initial, h, 40, work), expected), 1e-13);
}

TEST(Leapfrog, JacobiansAreTheDerivatives) {
  const auto fincham = []<class T>(const Vec3<T>& b) {
    return fincham_equation(Vec3<T>{T(0.9), T(1.1), T(1.7)}, T(1.3), Vec3<T>{T(0.2), T(-0.5), T(0.4)}, b);
  };
  const auto svanberg = []<class T>(const Vec3<T>& x) {
    return svanberg_equation(Vec3<T>{T(0.9), T(1.1), T(1.7)}, Vec3<T>{T(0.2), T(-0.5), T(0.4)}, x);
  };
  for (const V& x : {V{}, V{1e-9, 0, 0}, V{0.1, -0.2, 0.3}, V{-0.5, 0.7, 0.2}}) {
    EXPECT_LT(jacobian_error(fincham, x), 4e-16) << x.x;
    EXPECT_LT(jacobian_error(svanberg, x), 4e-16) << x.x;
  }
}

// A sphere turns at a constant rate: by 4 atan(h w / 4) a step, which is what both make of it.
TEST(Leapfrog, TurnOfASphere) {
  const System sys{Body<double>({2, 2, 2}), Free{}};
  const State<double> s{{}, {0.6, -1.2, 2.4}, 0};
  const double h = 0.5, angle = 4 * std::atan(h * norm(sys.body.velocity(s.pi_B)) / 4);
  Work work;
  EXPECT_NEAR(norm(log(integrate<LeapfrogFincham>(sys, s, h, 1, work).R_SB)), angle, 1e-15);
  EXPECT_NEAR(norm(log(integrate<LeapfrogSvanberg>(sys, s, h, 1, work).R_SB)), angle, 1e-15);
}

template <class M>
class EveryLeapfrog : public testing::Test {};
using Both = testing::Types<LeapfrogFincham, LeapfrogSvanberg>;
TYPED_TEST_SUITE(EveryLeapfrog, Both);

TYPED_TEST(EveryLeapfrog, NewtonIterations) {
  // Turning by 0.05, 0.1 and 0.3 rad per step.
  for (const double angle : {0.05, 0.1, 0.3}) {
    Work work;
    integrate<TypeParam>(tilted_top<double>(), start_state<double>(), angle / 0.944, 200, work);
    EXPECT_LE(static_cast<double>(work.solver_iterations) / 200, angle < 0.2 ? 2 : 3) << angle << " rad";
    EXPECT_TRUE(work.converged);
  }
}

// What is returned is a state, and where the equation was not solved the work says so.
TYPED_TEST(EveryLeapfrog, AbsurdSteps) {
  for (const double h : {10.0, 1e3, 1e8}) {
    Work work;
    const State<double> s = integrate<TypeParam>(tilted_top<double>(), start_state<double>(), h, 1, work);
    EXPECT_TRUE(work.converged || std::isfinite(work.residual)) << h;
    EXPECT_TRUE(all_finite(s)) << h;
  }
}

TYPED_TEST(EveryLeapfrog, Rest) {
  Work work;
  const State<double> s =
      integrate<TypeParam>(System{Body<double>({1, 2, 2.5}), Free{}}, State<double>{{}, {}, 0}, 0.1, 1, work);
  EXPECT_EQ(s.R_SB, Q{});
  EXPECT_EQ(s.pi_B, V{});
  EXPECT_TRUE(work.converged);
}

}  // namespace
}  // namespace polhode::test::leapfrog_test
