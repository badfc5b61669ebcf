// The discrete rigid body: its equation as printed, the root that is taken and where it ends, and the corrected
// versions, whose order is higher without torque.
#include "polhode/methods/moser_veselov.hpp"

#include <gtest/gtest.h>

#include "generators.hpp"
#include "kernel_measures.hpp"
#include "polhode/core/quad.hpp"
#include "polhode/model/free_rotor.hpp"

namespace polhode::test::moser_veselov_test {
namespace {

using V = Vec3<double>;
using Plain = MoserVeselov<Uncorrected>;
using Dmv4 = MoserVeselov<RescaledStep<4>>;
using Dmv6 = MoserVeselov<RescaledStep<6>>;
using Full4 = MoserVeselov<ModifiedInertia<4>>;
using Full6 = MoserVeselov<ModifiedInertia<6>>;
using Full8 = MoserVeselov<ModifiedInertia<8>>;
using Full10 = MoserVeselov<ModifiedInertia<10>>;

using Family = testing::Types<Plain, Dmv4, Dmv6, Full4, Full6, Full8, Full10>;

template <class M>
State<double> free_step(const Body<double>& body, const V& pi_B, double h, Work& work) {
  const System sys{body, Free{}};
  State<double> s{{}, pi_B, 0};
  auto memory = start<M>(sys, s, h, work);
  return advance<M>(sys, s, memory, h, work);
}

// A body of this world, not flat, and a momentum of length 1.
struct Case {
  V J, pi_B;
  Body<double> body() const { return Body<double>({J.y + J.z, J.z + J.x, J.x + J.y}); }
};
Case random_case() {
  const auto moment = [] { return *random::real(0.02, 1.5); };
  return {{moment(), moment(), moment()}, *random::direction()};
}

// For lambda^2 = -nu < 0 the pencil lambda^2 - lambda h hat(pi) - J^2, whose eigenvalues belong to X = F J, has the
// determinant -prod(nu + J_i^2) + nu h^2 sum pi_i^2 (nu + J_i^2). A root of F J - J F^T = h hat(pi) ends where a pair
// of eigenvalues of X becomes imaginary: at the least h for which this has a zero nu > 0.
double critical_step(const Case& c) {
  const V q{c.J.x * c.J.x, c.J.y * c.J.y, c.J.z * c.J.z};
  const auto squared_step = [&](double log_nu) {
    const double nu = std::exp(log_nu);
    const V s{nu + q.x, nu + q.y, nu + q.z};
    return s.x * s.y * s.z / (nu * dot(times(c.pi_B, c.pi_B), s));
  };
  // Its logarithm is smooth in log nu; two minima are possible, so look everywhere before narrowing.
  double best = 0;
  for (double x = -20; x < 5; x += 0.01) best = squared_step(x) < squared_step(best) ? x : best;
  double low = best - 0.02, high = best + 0.02;
  for (int i = 0; i < 100; ++i) {
    const double a = low + (high - low) / 3, b = high - (high - low) / 3;
    (squared_step(a) < squared_step(b) ? high : low) = squared_step(a) < squared_step(b) ? b : a;
  }
  return std::sqrt(squared_step((low + high) / 2));
}

// Whether all eigenvalues of a matrix lie in the right half-plane, by the criterion of Hurwitz.
bool in_right_half_plane(const Mat3<double>& X) {
  const double trace = X[0][0] + X[1][1] + X[2][2];
  double minors = 0;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = i + 1; k < 3; ++k) minors += X[i][i] * X[k][k] - X[i][k] * X[k][i];
  return trace > 0 && determinant(X) > 0 && trace * minors > determinant(X);
}

// The equation of the paper in matrices. With F a root, the eigenvalues of X = F J are three of the six of the pencil
// above, which come in pairs +lambda, -lambda. So one root alone has all of them on the right, as X = J has at rest.
RC_GTEST_PROP(MoserVeselov, SolvesTheEquationOfThePaper, ()) {
  const Case c = random_case();
  const double h = critical_step(c) * *random::real(0.01, 0.999);
  Work work;
  const State<double> s = free_step<Plain>(c.body(), c.pi_B, h, work);
  RC_ASSERT(work.converged);
  const Mat3<double> F = matrix(s.R_SB);
  const Mat3<double> want{{{0, -c.pi_B.z, c.pi_B.y}, {c.pi_B.z, 0, -c.pi_B.x}, {-c.pi_B.y, c.pi_B.x, 0}}};
  Mat3<double> X;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k) X[i][k] = F[i][k] * c.J[k];
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k) RC_ASSERT(std::abs(X[i][k] - X[k][i] - h * want[i][k]) < 1e-14);
  RC_ASSERT(in_right_half_plane(X));
  RC_ASSERT(norm(s.R_SB * s.pi_B - c.pi_B) < 1e-15);  // turned twice
}

// Where it follows a root from h = 0 the solver stops at advances of 1e-4 of the step, after one of at most twice that.
constexpr double solver_share = 2e-4;

RC_GTEST_PROP(MoserVeselov, BeyondTheCriticalStepSaysHowFarTheRootGoes, ()) {
  const Case c = random_case();
  const double critical = critical_step(c), h = critical * *random::real(1.002, 20.0);
  Work work;
  const State<double> s = free_step<Plain>(c.body(), c.pi_B, h, work);
  RC_ASSERT(!work.converged);
  RC_ASSERT(std::abs(work.share_reached * h / critical - 1) < solver_share * h / critical);
  RC_ASSERT(std::isfinite(work.residual) && work.residual > 0);
  RC_ASSERT(all_finite(s));
}

// About a principal axis sin f = h pi / I.
TEST(MoserVeselov, CriticalStepAboutAPrincipalAxis) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const Body<double> body({0.9144, 1.098, 1.66});
    V pi{};
    pi[axis] = 2;
    const double critical = body.inertia[axis] / 2;
    Work below, above;
    const State<double> s = free_step<Plain>(body, pi, 0.99 * critical, below);
    EXPECT_TRUE(below.converged);
    EXPECT_NEAR(norm(log(s.R_SB)), std::asin(0.99), 1e-14);
    free_step<Plain>(body, pi, 3 * critical, above);
    EXPECT_FALSE(above.converged);
    EXPECT_NEAR(above.share_reached, 1.0 / 3, solver_share);
  }
}

// A step backwards meets the same limit.
TEST(MoserVeselov, CriticalStepBackwards) {
  Work work;
  free_step<Plain>(Body<double>({0.9144, 1.098, 1.66}), {2, 0, 0}, -0.9144, work);
  EXPECT_FALSE(work.converged);
  EXPECT_NEAR(work.share_reached, 0.5, solver_share);
}

// About the third axis the root ends where the rescaled step h~ = h (1 - a3 h^2 + (3 a3^2 - a5) h^4) reaches I / pi.
// With the first term alone it does not come so far: h~ grows up to h = 1 / sqrt(3 a3) only, and steps beyond would go
// less far and in the end backwards. They are refused, though the equation has a root.
TEST(MoserVeselov, WhereRescaledStepsEnd) {
  const V I{0.9144, 1.098, 1.66}, pi{0, 0, 2};
  const double e1 = I.x + I.y + I.z, e2 = I.x * I.y + I.y * I.z + I.z * I.x, e3 = I.x * I.y * I.z;
  const double C = 2, H = C / I.z;
  const double a3 = H * e2 / (3 * e3) - C * e1 / (6 * e3);
  const double a5 = H * H * (3 * e2 * e2 / (10 * e3 * e3) - 3 * e1 / (20 * e3)) +
                    H * C * (-3 * e1 * e2 / (10 * e3 * e3) + 1 / (5 * e3)) +
                    C * C * (e1 * e1 / (20 * e3 * e3) + e2 / (10 * e3 * e3));
  const double end_4 = 1 / std::sqrt(3 * a3);
  ASSERT_LT(end_4 * (1 - a3 * end_4 * end_4), I.z / pi.z);
  double end_6 = 0;
  const auto rescaled = [&](double h) { return h * (1 - a3 * h * h + (3 * a3 * a3 - a5) * std::pow(h, 4)); };
  while (rescaled(end_6) < I.z / pi.z) end_6 += 1e-6;
  const double h = 4;
  Work below, four, six;
  free_step<Dmv4>(Body<double>(I), pi, 0.99 * end_4, below);
  free_step<Dmv6>(Body<double>(I), pi, 0.99 * end_6, below);
  EXPECT_TRUE(below.converged);
  free_step<Dmv4>(Body<double>(I), pi, h, four);
  free_step<Dmv6>(Body<double>(I), pi, h, six);
  EXPECT_FALSE(four.converged || six.converged);
  EXPECT_NEAR(four.share_reached, end_4 / h, solver_share);
  EXPECT_NEAR(six.share_reached, end_6 / h, solver_share);
}

template <class M>
class EveryMoserVeselov : public testing::Test {};
TYPED_TEST_SUITE(EveryMoserVeselov, Family);

// Failure is reported at every absurd step, and what is returned is a state.
TYPED_TEST(EveryMoserVeselov, AbsurdStepsAreReported) {
  const auto sys = tilted_top<double>();
  for (const double h : {3.0, 10.0, 1e3, 1e8}) {
    Work work;
    State<double> s = start_state<double>();
    auto memory = start<TypeParam>(sys, s, h, work);
    s = advance<TypeParam>(sys, s, memory, h, work);
    EXPECT_FALSE(work.converged) << h;
    EXPECT_TRUE(std::isfinite(work.residual) && std::isfinite(work.share_reached)) << h;
    EXPECT_TRUE(all_finite(s.R_SB)) << h;
  }
}

TYPED_TEST(EveryMoserVeselov, NewtonIterations) {
  // Turning by 0.05, 0.1 and 0.3 rad per step.
  const std::vector<std::pair<double, double>> most{{0.05, 2.0}, {0.1, 2.0}, {0.3, 3.0}};
  for (const auto& [angle, iterations] : most) {
    Work work;
    integrate<TypeParam>(free_body<double>(), start_state<double>(), angle / 0.944, 200, work);
    EXPECT_LE(static_cast<double>(work.solver_iterations) / 200, iterations) << angle << " rad";
    EXPECT_TRUE(work.converged);
  }
}

// A body at rest stays at rest.
TYPED_TEST(EveryMoserVeselov, Rest) {
  Work work;
  const State<double> s = free_step<TypeParam>(Body<double>({1, 2, 2.5}), {}, 0.1, work);
  EXPECT_EQ(s.R_SB, Rotation<double>{});
  EXPECT_EQ(s.pi_B, V{});
  EXPECT_TRUE(work.converged);
}

// Order 6 against the closed form: the error of a step is of order 7.
TEST(MoserVeselov, FullOrderAgainstTheClosedForm) {
  using T = long double;
  const State<T> initial = start_state<T>();
  const State<T> exact = FreeRotor<T>(three_moments<T>().inertia, initial).after(T(4));
  const auto four = orders<Full4>(free_body<T>(), initial, exact, 4, 8, 1e-15, 1e-4);
  const auto six = orders<Full6>(free_body<T>(), initial, exact, 4, 8, 1e-15, 1e-5);
  ASSERT_TRUE(four && six);
  EXPECT_NEAR(four->attitude, 4, 0.2);
  EXPECT_NEAR(four->momentum, 4, 0.2);
  EXPECT_NEAR(six->attitude, 6, 0.2);
  EXPECT_NEAR(six->momentum, 6, 0.2);
}

// Orders 8 and 10 are seen in quad only.
TEST(MoserVeselov, HighOrdersAgainstTheClosedForm) {
  const State<quad> initial = start_state<quad>();
  const State<quad> exact = FreeRotor<quad>(three_moments<quad>().inertia, initial).after(quad(4));
  const auto eight = orders<Full8>(free_body<quad>(), initial, exact, 4, 8, 1e-25, 1e-10);
  const auto ten = orders<Full10>(free_body<quad>(), initial, exact, 4, 8, 1e-28, 1e-12);
  ASSERT_TRUE(eight && ten);
  EXPECT_NEAR(eight->attitude, 8, 0.1);
  EXPECT_NEAR(eight->momentum, 8, 0.1);
  EXPECT_NEAR(ten->attitude, 10, 0.1);
  EXPECT_NEAR(ten->momentum, 10, 0.1);
}

// About a principal axis the discrete body turns by f with sin f = h pi m~, whatever its other moments. It turns as far
// as the exact one if m~ = sin(h pi m)/(h pi): the modified moment must be this series, cut off where it is.
TEST(MoserVeselov, ModifiedMomentOfASpin) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const Vec3<quad> m{quad(1.1), quad(0.9), quad(0.6)};
    Vec3<quad> pi{};
    pi[axis] = quad(2);
    const quad x(0.01), y = x * pi[axis] * pi[axis] * m[axis] * m[axis];
    const quad to_8 = 1 - y / 6 + y * y / 120 - y * y * y / 5040, to_10 = to_8 + y * y * y * y / 362880;
    const ModifiedInertiaSeries<8, quad> eight(m, pi, x);
    const ModifiedInertiaSeries<10, quad> ten(m, pi, x);
    EXPECT_LT(abs(eight.lambda + eight.delta / m[axis] - to_8), quad("1e-32"));
    EXPECT_LT(abs(ten.lambda + ten.delta / m[axis] - to_10), quad("1e-32"));
  }
}

TEST(MoserVeselov, JacobianIsTheDerivative) {
  const auto equation = []<class T>(const Vec3<T>& y) {
    return moser_veselov_equation(Vec3<T>{T(0.9), T(1.1), T(1.7)}, Vec3<T>{T(0.2), T(-0.5), T(0.4)}, y);
  };
  for (const V& y : {V{}, V{1e-9, 0, 0}, V{0.1, -0.2, 0.3}, V{-1.5, 0.7, 2}})
    EXPECT_LT(jacobian_error(equation, y), 4e-16) << y.x;
}

}  // namespace
}  // namespace polhode::test::moser_veselov_test
