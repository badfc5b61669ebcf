// Hulbert's staggered method beside the algorithm of the appendix, and its two copies of the body.
#include <gtest/gtest.h>

#include "matrix_programs.hpp"
#include "polhode/methods/hulbert_staggered.hpp"
#include "polhode/methods/newmark.hpp"

namespace polhode::test::hulbert_staggered_test {
namespace {

// [KE05, App. A], with the torque of the first line taken to body axes, as it must be.
struct Program : MatrixTop {
  MatrixTop half;

  void start(const State<double>& s) { set(s); }
  void begin(double h) {
    const Vector theta = h / 2 * W + h * h / 8 * acceleration();
    half.R = R * exponential(theta);
    half.W = I.inverse() * half.R.transpose() * (R * I * W + h / 2 * torque_S(R * exponential(theta / 2)));
  }
  void step(double h) {
    if (half.W.isZero()) begin(h);
    move(*this, half, h);
    move(half, *this, h);
  }
  static void move(MatrixTop& body, const MatrixTop& middle, double h) {
    const Vector L = body.R * body.I * body.W + h * torque_S(middle.R);
    body.turn(h * middle.W);
    body.W = body.I.inverse() * body.R.transpose() * L;
  }
};

TEST(HulbertStaggered, IsTheAlgorithmOfTheAppendix) { EXPECT_LT(distance_to<HulbertStaggered>(Program{}), rounding); }

// The two copies keep their distance of half a step, in time and along the motion: to the error of the method.
TEST(HulbertStaggered, TheOtherCopyIsHalfAStepAhead) {
  const auto system = spun_top();
  const double h = 0.01;
  State<double> s = start_state(2);
  Work work;
  auto memory = start<HulbertStaggered>(system, s, h, work);
  for (int n = 0; n < 400; ++n) s = advance<HulbertStaggered>(system, s, memory, h, work);
  EXPECT_NEAR(memory.other.t, s.t + h / 2, 1e-12);
  const State<double> ahead = integrate<MuntheKaas4>(system, s, h / 2, 1, work);
  EXPECT_LT(distance(memory.other, ahead), h * h);
  EXPECT_GT(distance(memory.other, s), 0.5 * h);
}

TEST(HulbertStaggered, ReversedTheOtherCopyMovesFirst) {
  const HulbertStaggered::Memory<double> memory;
  EXPECT_TRUE(memory.ahead);
  EXPECT_FALSE(memory.reversed().ahead);
  EXPECT_TRUE(memory.reversed().reversed().ahead);
}

// [KE05, Sec. 3.5]: on the slow top an instability develops early. Newmark's method has none at the same step.
TEST(HulbertStaggered, IsUnstableOnTheSlowTop) {
  const System system{Body<double>({5, 5, 1}), HeavyTop<double>{.weight_times_arm = 20}};
  const State<double> s{exp(Vec3<double>{0.05, 0, 0}), {0, 0, 5}, 0};
  const double scale = energy(system.body, system.field, s);
  EXPECT_GT(energy_error<HulbertStaggered>(system, s, 0.02, 5000).largest, 0.1 * scale);
  EXPECT_LT(energy_error<Newmark<>>(system, s, 0.02, 5000).largest, 0.01 * scale);
}

}  // namespace
}  // namespace polhode::test::hulbert_staggered_test
