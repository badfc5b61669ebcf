// Adams methods on the torque: what a polynomial torque does to the momentum, what a step costs, and against other methods.
#include "polhode/methods/rotor_adams.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "kernel_measures.hpp"
#include "polhode/model/callable.hpp"
#include "polhode/model/fields.hpp"

namespace polhode::test::rotor_adams_test {
namespace {

// A torque in space that is a polynomial of time of degree 7: integrated without error, the first steps included.
TEST(RotorAdams, IntegratesAPolynomialTorqueExactly) {
  const auto torque_S = [](const auto& t) {
    using S = std::decay_t<decltype(t)>;
    const S t3 = t * t * t;
    return Vec3<S>{S(1) - t3 * t3 * t, S(0.5) * t3 * t, t * t - S(0.25) * t3};
  };
  const System system{three_moments<double>(), values_only<double>([&](const Rotation<double>& R_SB, const double& t) {
                        return inverse(R_SB) * torque_S(t);
                      })};
  Work work;
  const State<double> end = integrate<RotorAdams<7>>(system, start_state(), 0.0625, 16, work);
  const Vec3<double> impulse = spatial_momentum(end) - spatial_momentum(start_state());
  EXPECT_NEAR(impulse.x, 1 - 1.0 / 8, 1e-14);
  EXPECT_NEAR(impulse.y, 0.5 / 5, 1e-14);
  EXPECT_NEAR(impulse.z, 1.0 / 3 - 0.25 / 4, 1e-14);
}

// One evaluation a step, after those that find the first ones.
TEST(RotorAdams, AsksForOneTorqueAStep) {
  Work work;
  State<double> s = start_state();
  auto memory = start<RotorAdams<9>>(tilted_top(), s, 0.05, work);
  for (int n = 0; n < 8; ++n) s = advance<RotorAdams<9>>(tilted_top(), s, memory, 0.05, work);
  EXPECT_EQ(work.torque_evaluations, 1 + 5 * 8);
  for (int n = 0; n < 100; ++n) s = advance<RotorAdams<9>>(tilted_top(), s, memory, 0.05, work);
  EXPECT_EQ(work.torque_evaluations, 1 + 5 * 8 + 100);
}

// Under a momentum in space that stays, a driven turn is that of the free body.
TEST(DrivenTurn, TurnsAFreeBodyAsTheClosedFormDoes) {
  const Body<double> body = three_moments<double>();
  for (const double h : {0.01, 0.25, 1.0, -0.5}) {
    State<double> exact = start_state();
    drift(body, exact, h);
    const State<double> begin = start_state();
    DrivenTurn<double> turn(body, begin.R_SB, spatial_momentum(begin), h);
    Work work;
    const State<double> driven = turn.driven_by({}, begin.t, work);
    EXPECT_LT(distance(driven, exact), 5e-15) << h;
    EXPECT_TRUE(work.converged);
  }
}

// Steps so long that sweeps do not settle are no steps. Where nothing is said the turn is right, to the h^16 of its nodes.
TEST(DrivenTurn, SaysWhereItsSweepsDoNotSettle) {
  const Body<double> body = three_moments<double>();
  const State<double> begin = start_state();
  int failed = 0;
  for (double h = 0.25; h < 40; h *= 1.25) {
    State<double> exact = begin;
    drift(body, exact, h);
    DrivenTurn<double> turn(body, begin.R_SB, spatial_momentum(begin), h);
    Work work;
    const State<double> driven = turn.driven_by({}, begin.t, work);
    if (work.converged) {
      EXPECT_LT(distance(driven, exact), 1e-3) << h;
    } else {
      ++failed;
      EXPECT_FALSE(work.residual < 1e-14);
    }
  }
  EXPECT_GT(failed, 3);
}

TEST(RotorAdams, SaysWhereAStepIsTooLong) {
  for (const auto& [h, converges] : {std::pair(0.1, true), std::pair(20.0, false)}) {
    Work work;
    integrate<RotorAdams<5>>(tilted_top(), start_state(), h, 12, work);
    EXPECT_EQ(work.converged, converges) << h;
  }
}

// The same steps in long double tell what rounding does. What the last digits leave out is carried on, so that it does not
// add up: after 4096 steps a state is as good as one that is rounded once.
TEST(RotorAdams, DoesNotAddUpItsRoundings) {
  const auto end_of = []<class T>(T) {
    const System<T, HeavyTop<T>> top{three_moments<T>(), HeavyTop<T>{.weight_times_arm = T(0.5)}};
    State<T> s{Rotation<T>{T(0.5), {T(0.5), T(-0.5), T(0.5)}}, {T(0.5), T(0.75), T(0.25)}, T(0)};
    Work work;
    return integrate<RotorAdams<9>>(top, s, T(1) / T(4096), 4096, work);
  };
  const State<double> rounded = end_of(double{});
  const State<long double> exact = end_of(static_cast<long double>(0));
  const long double turn = angle_between(normalised(cast<long double>(rounded.R_SB)), exact.R_SB);
  const long double momentum = norm(cast<long double>(spatial_momentum(rounded)) - spatial_momentum(exact));
  EXPECT_LT(static_cast<double>(turn), 4 * std::numeric_limits<double>::epsilon());
  EXPECT_LT(static_cast<double>(momentum), 4 * std::numeric_limits<double>::epsilon());
}

// The order holds where a torque depends on time and velocity too: the first steps then take more passages.
TEST(RotorAdams, KeepsItsOrderWithDrag) {
  using Real = long double;
  const System system{three_moments<Real>(), field_from([](const auto& R_SB, const auto& w_B, const auto& t) {
                        using S = std::decay_t<decltype(t)>;
                        const Vec3<S> up_B = inverse(R_SB) * Vec3<S>{S(0), sin(t), S(1)};
                        return up_B - Vec3<S>{S(0.3) * w_B.x, S(0.2) * w_B.y, S(0.4) * w_B.z};
                      })};
  Work work;
  const State<Real> reference = integrate<RotorAdams<11>>(system, start_state<Real>(), Real(2) / 512, 512, work);
  const auto measured = orders<RotorAdams<7>>(system, start_state<Real>(), reference, 2, 40, 1e-16, 1e-11);
  ASSERT_TRUE(measured);
  EXPECT_NEAR(measured->attitude, 8, 0.3);
  EXPECT_NEAR(measured->momentum, 8, 0.3);
}

}  // namespace
}  // namespace polhode::test::rotor_adams_test
