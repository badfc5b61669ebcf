// The explicit method of Simo and Wong beside the algorithm of the appendix, and what it does not admit.
#include <gtest/gtest.h>

#include "matrix_programs.hpp"
#include "polhode/methods/composition.hpp"
#include "polhode/methods/multistep.hpp"
#include "polhode/methods/simo_wong.hpp"

namespace polhode::test::simo_wong_test {
namespace {

// [KE05, App. A], with the torque in spatial axes in the second line, as it must be.
struct Program : MatrixTop {
  Vector A = Vector::Zero();

  void start(const State<double>& s) {
    set(s);
    A = acceleration();
  }
  void step(double h) {
    const Vector L = R * I * W, t = torque_S(R), W_0 = W;
    turn(h * W + h * h / 2 * A);
    W = I.inverse() * R.transpose() * (L + h / 2 * (t + torque_S(R)));
    A = 2 / h * (W - W_0) - A;
  }
};

TEST(SimoWong, IsTheAlgorithmOfTheAppendix) { EXPECT_LT(distance_to<SimoWong>(Program{}), rounding); }

TEST(SimoWong, IsNotTheTwoStepMethodOfThatName) {
  const double gap = distance_between<SimoWong, SimoWongExplicit<false>>();
  EXPECT_GT(gap, 1e-4);
}

// The spatial momentum is carried, so that a free body's does not change by a bit.
TEST(SimoWong, CarriesTheMomentum) {
  State<double> s = start_state();
  Work work;
  auto memory = start<SimoWong>(free_body(), s, 0.1, work);
  const Vec3<double> l_0 = memory.momentum_S;
  for (int n = 0; n < 1000; ++n) s = advance<SimoWong>(free_body(), s, memory, 0.1, work);
  EXPECT_EQ(memory.momentum_S, l_0);
  EXPECT_LT(norm(spatial_momentum(s) - l_0), 1e-15);
}

// Nine steps of Kahan and Li's lengths raise a symmetric one-step method of order 2 to order 6. The remembered
// acceleration does not follow: order 4 is what is left.
struct NineSteps : SimoWong {
  template <class T, class F>
  static State<T> step(const System<T, F>& sys, State<T> s, Memory<T>& memory, const T& h, Work& work) {
    for (const T& fraction : kahan_li_6<T>()) s = SimoWong::step(sys, s, memory, T(fraction * h), work);
    return s;
  }
};

TEST(SimoWong, DoesNotComposeBeyondOrderFour) {
  static_assert(!SimoWong::claims.composes);
  const auto measured = orders_on_top<NineSteps>();
  ASSERT_TRUE(measured);
  EXPECT_NEAR(measured->attitude, 4, 0.2);
  EXPECT_NEAR(measured->momentum, 4, 0.2);
}

}  // namespace
}  // namespace polhode::test::simo_wong_test
