// Newmark's method beside the program that the paper prints, its relatives beside it, and what the literature says of
// its energy.
#include <gtest/gtest.h>

#include "matrix_programs.hpp"
#include "polhode/methods/axis_splitting.hpp"
#include "polhode/methods/newmark.hpp"
#include "polhode/methods/newmark_beta.hpp"
#include "polhode/methods/newmark_matrix.hpp"
#include "polhode/methods/newmark_spatial.hpp"

namespace polhode::test::newmark_test {
namespace {

// [KE05, eq. (33)] with the sign for increments composed on the right.
Matrix push_forward(const Vector& x) {
  const double f = x.norm();
  return Matrix::Identity() - (1 - std::cos(f)) / (f * f) * hat(x) + (1 - std::sin(f) / f) / (f * f) * hat(x) * hat(x);
}

// The program of [KE05, App. B] for any gamma, eq. (34): a matrix for the attitude, the acceleration for the unknown.
struct Program : MatrixTop {
  Matrix (*increment)(const Vector&) = exponential;
  double gamma = 0.5;
  Vector A = Vector::Zero();

  Program(Matrix (*map)(const Vector&), double g) : increment(map), gamma(g) {}

  void start(const State<double>& s) {
    set(s);
    A = acceleration();
  }
  void step(double h) {
    const Vector x = h * W + h * h / 2 * A;
    R = R * increment(x);
    const Vector T = R.transpose() * torque_S(R), W_p = push_forward(x) * (W + h * (1 - gamma) * A);
    const double g = h * gamma;
    for (int i = 0; i < 20; ++i) {
      const Vector W_1 = W_p + g * A;
      const Matrix tangent = I + g * (hat(W_1) * I - hat(I * W_1));
      A -= tangent.inverse() * (I * A - T + W_1.cross(I * W_1));
    }
    W = W_p + g * A;
  }
};

TEST(Newmark, IsTheProgramOfThePaper) {
  EXPECT_LT(distance_to<Newmark<>>(Program(exponential, 0.5)), rounding);
  EXPECT_LT(distance_to<Newmark<Increment::cayley>>(Program(cayley_matrix, 0.5)), rounding);
  EXPECT_GT(distance_to<Newmark<>>(Program(cayley_matrix, 0.5)), 1e-3) << "the two maps differ";
}

TEST(Newmark, InSpatialAxesItIsTheSame) {
  const double gap = distance_between<Newmark<>, NewmarkSpatial>();
  EXPECT_LT(gap, rounding);
}

// With gamma in hundredths, which measures of methods can be asked for by type.
template <int hundredths>
struct GammaAt : NewmarkFamily {
  template <class T, class F>
  static State<T> step(const System<T, F>& sys, const State<T>& s, KeptTorque<T>& memory, const T& h, Work& work) {
    return NewmarkGamma::step(sys, s, memory, {hundredths / 100.0}, h, work);
  }
};

TEST(NewmarkGamma, IsEquationThirtyFour) {
  EXPECT_LT(distance_to<NewmarkGamma>(Program(exponential, 0.6)), rounding);
  EXPECT_LT(distance_to<GammaAt<40>>(Program(exponential, 0.4)), rounding);
  EXPECT_LT(distance_to<GammaAt<55>>(Program(exponential, 0.55)), rounding);
  EXPECT_LT(distance_to<GammaAt<100>>(Program(exponential, 1)), rounding);
  EXPECT_GT(distance_to<GammaAt<55>>(Program(exponential, 0.6)), 1e-3) << "gamma matters";
}

TEST(NewmarkGamma, OneHalfIsNewmark) {
  static_assert(NewmarkGamma::claims_for({0.5}) == Newmark<>::claims);
  static_assert(NewmarkGamma::claims_for({0.6}) == NewmarkGamma::claims);
  const double gap = distance_between<Newmark<>, GammaAt<50>>();
  EXPECT_LT(gap, rounding);
}

// Above one half the energy of every window is below that of the one before, below one half above.
TEST(NewmarkGamma, DissipatesAboveOneHalf) {
  const EnergyError above = energy_error<NewmarkGamma>(free_body(), start_state(2), 0.05, 4000);
  const EnergyError further = energy_error<GammaAt<80>>(free_body(), start_state(2), 0.05, 4000);
  const EnergyError below = energy_error<GammaAt<40>>(free_body(), start_state(2), 0.05, 4000);
  for (std::size_t i = 1; i < 8; ++i) {
    EXPECT_LT(above.mean[i], above.mean[i - 1]);
    EXPECT_GT(below.mean[i], below.mean[i - 1]);
  }
  const double scale = energy(free_body().body, Free{}, start_state(2));
  EXPECT_LT(above.mean[7], -0.01 * scale);
  EXPECT_GT(below.mean[7], 0.01 * scale);
  EXPECT_LT(further.mean[7], above.mean[7]) << "the further above, the faster";
}

// With both parameters in hundredths.
template <int beta, int gamma>
struct BetaAt {
  template <class T, class F>
  static State<T> step(const System<T, F>& sys, const State<T>& s, const T& h, Work& work) {
    return NewmarkBeta::step(sys, s, {beta / 100.0, gamma / 100.0}, h, work);
  }
};

// The formulas at the head of newmark_beta.hpp on matrices: the acceleration by substitution, as often as it takes.
struct BetaProgram : MatrixTop {
  double beta, gamma;

  BetaProgram(double b, double g) : beta(b), gamma(g) {}

  void start(const State<double>& s) { set(s); }
  void step(double h) {
    const Matrix R_0 = R;
    const Vector W_0 = W, A_0 = acceleration();
    Vector A_1 = A_0;
    for (int i = 0; i < 200; ++i) {
      const Vector q = h * W_0 + h * h / 2 * ((1 - 2 * beta) * A_0 + 2 * beta * A_1);
      R = R_0 * exponential(q);
      W = W_0 + h / 2 * (A_0 + A_1) + h * (0.5 - gamma) * (push_forward(q) * A_0 - A_1);
      A_1 = acceleration();
    }
  }
};

TEST(NewmarkBeta, IsWhatItsFormulasSay) {
  EXPECT_LT((distance_to<BetaAt<25, 50>>(BetaProgram(0.25, 0.5))), rounding);
  EXPECT_LT((distance_to<BetaAt<50, 50>>(BetaProgram(0.5, 0.5))), rounding);
  EXPECT_LT((distance_to<BetaAt<25, 60>>(BetaProgram(0.25, 0.6))), rounding);
  EXPECT_LT((distance_to<BetaAt<10, 40>>(BetaProgram(0.1, 0.4))), rounding);
  EXPECT_GT((distance_to<BetaAt<25, 50>>(BetaProgram(0.2, 0.5))), 1e-4) << "beta matters";
}

TEST(NewmarkBeta, WithoutBetaIsTheExplicitMethod) {
  const double newmark = distance_between<Newmark<>, BetaAt<0, 50>>();
  const double damped = distance_between<GammaAt<60>, BetaAt<0, 60>>();
  const double growing = distance_between<GammaAt<40>, BetaAt<0, 40>>();
  EXPECT_LT(newmark, rounding);
  EXPECT_LT(damped, rounding);
  EXPECT_LT(growing, rounding);
}

TEST(NewmarkBeta, IsOfOrderTwoAndSymmetricForEveryBetaAndOnlyWithGammaOneHalf) {
  const auto expect = [](auto method, int order) {
    using M = decltype(method);
    const auto measured = orders_on_top<M>();
    ASSERT_TRUE(measured);
    EXPECT_NEAR(measured->attitude, order, 0.1);
    EXPECT_NEAR(measured->momentum, order, 0.1);
    const double gap = symmetry_gap<M>(spun_top(), start_state(2), 0.4, 20);
    if (order == 2) {
      EXPECT_LT(gap, 1e-12);
    } else {
      EXPECT_GT(gap, 1e-3);
    }
  };
  expect(BetaAt<0, 50>{}, 2);
  expect(BetaAt<17, 50>{}, 2);
  expect(BetaAt<25, 50>{}, 2);
  expect(BetaAt<50, 50>{}, 2);
  expect(BetaAt<25, 80>{}, 1);
  expect(BetaAt<0, 60>{}, 1);
  expect(BetaAt<25, 20>{}, 1);
}

double defect_of(const Mat3<double>& m) {
  double largest = 0;
  for (const auto& row : orthogonality_defect(m))
    for (const double x : row) largest = worse(largest, std::abs(x));
  return largest;
}

TEST(NewmarkMatrix, OneNewtonStepSquaresTheDefect) {
  Mat3<double> m = matrix(exp(Vec3<double>{0.3, -0.5, 0.8}));
  m[0][1] += 1e-5;
  m[2][2] -= 2e-5;
  const double before = defect_of(m);
  EXPECT_GT(before, 1e-5);
  EXPECT_LT(defect_of(orthogonalised(m)), before * before);
}

TEST(NewmarkMatrix, IsNewmarkToRounding) {
  const double plain = distance_between<Newmark<>, NewmarkMatrix<false>>();
  const double orthogonal = distance_between<Newmark<>, NewmarkMatrix<true>>();
  EXPECT_LT(plain, rounding);
  EXPECT_LT(orthogonal, rounding);
}

// [KE05, Fig. 9]: the momentum along the axis of a symmetric top, (R pi) . (R e3), which is constant. Multiplied up,
// the matrix leaves the group and the error grows; brought back in every step, it is rounding.
template <bool orthogonalise>
double error_along_axis() {
  using M = NewmarkMatrix<orthogonalise>;
  const System system{Body<double>({1, 1, 0.5}), HeavyTop<double>{.weight_times_arm = std::sqrt(3.0) / 2 * 9.81}};
  State<double> s{exp(Vec3<double>{0.3, 0, 0}), {0, 0, 10}, 0};
  Work work;
  auto memory = start<M>(system, s, 0.05, work);
  double error = 0;
  for (int n = 0; n < 2000; ++n) {
    s = advance<M>(system, s, memory, 0.05, work);
    const Vec3<double> axis_S = memory.attitude * Vec3<double>{0, 0, 1};
    error = worse(error, std::abs(dot(memory.attitude * s.pi_B, axis_S) - 10));
  }
  EXPECT_TRUE(work.converged);
  return error;
}

TEST(NewmarkMatrix, OnlyOrthogonalisedItStaysARotation) {
  EXPECT_LT(error_along_axis<true>(), 10 * 8 * std::numeric_limits<double>::epsilon());
  EXPECT_GT(error_along_axis<false>(), 10 * error_along_axis<true>());
}

// [BOS09, Fig. 1]: on 0 <= t <= 15000 the energy drifts, with either map, in proportion to T h^2. A symplectic method
// does not drift.
template <class M>
double drift_in_half_the_time(double h) {
  const EnergyError error = energy_error<M>(stress_test(), stress_test_start(), h, static_cast<int>(15000 / h));
  EXPECT_TRUE(error.drifts()) << testing::PrintToString(error.mean);
  return error.mean[3] - error.mean[0];
}

TEST(Counterexample, NewmarkDriftsLikeTheSquareOfTheStep) {
  const double with_exp = drift_in_half_the_time<Newmark<>>(0.25) / drift_in_half_the_time<Newmark<>>(0.125);
  EXPECT_NEAR(with_exp, 4, 0.5);
  using WithCayley = Newmark<Increment::cayley>;
  const double with_cayley = drift_in_half_the_time<WithCayley>(0.25) / drift_in_half_the_time<WithCayley>(0.125);
  EXPECT_NEAR(with_cayley, 4, 0.5);
  using Symplectic = AxisSplitting<1, 2, 3>;
  EXPECT_TRUE(energy_error<Symplectic>(stress_test(), stress_test_start(), 0.25, 60000).stays());
}

// [KE05, Fig. 1]: the free body at steps of up to four radians; the energy oscillates with the same amplitude for ever.
TEST(FreeBody, LargeStepsDoNotDrift) {
  for (const double h : {4.0, 2.0, 1.0, 0.5}) {
    const EnergyError error = energy_error<Newmark<>>(free_body(), start_state(), h, 40000);
    EXPECT_TRUE(error.stays()) << h << ": " << testing::PrintToString(error.mean) << ", " << error.largest;
    EXPECT_LT(error.largest, energy(free_body().body, Free{}, start_state())) << h;
  }
}

}  // namespace
}  // namespace polhode::test::newmark_test
