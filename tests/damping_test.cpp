// Torques against the rotation: closed forms, in which a damped motion is the free one at a slower and slower pace; the
// body at rest; what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "generators.hpp"
#include "io_support.hpp"
#include "kind_support.hpp"
#include "polhode/core/dual.hpp"
#include "polhode/core/lanes.hpp"
#include "polhode/core/quad.hpp"
#include "polhode/io/scenario.hpp"
#include "polhode/model/free_rotor.hpp"
#include "polhode/problems/reference.hpp"
#include "polhode/run/simulation.hpp"

namespace polhode::test::damping_test {
namespace {

using testing::HasSubstr;
using V = Vec3<double>;
using R = Rotation<double>;
using M = Mat3<double>;

M diagonal(double x, double y, double z) { return {{{x, 0, 0}, {0, y, 0}, {0, 0, z}}}; }

polhode::Setup body_with(const Damping<double>& damping) {
  polhode::Setup s;
  s.inertia = V{0.9, 1.6, 2.1};
  const R q = exp(V{0.5, -0.9, 0.4});
  s.attitude = {AttitudeData::Kind::wxyz, {q.w, q.v.x, q.v.y, q.v.z}};
  s.motion.value = {0.7, -1.1, 0.9};
  s.torques = {damping};
  return s;
}

// C = k I: the momentum in space decays by exp(-k t) and keeps its direction, and the attitude is that of the free body
// after the time (1 - exp(-k t))/k.
template <class T>
State<T> proportionally_damped(const polhode::Setup& setup, T k, T t) {
  polhode::Setup free = setup;
  free.torques.clear();
  const auto prepared = prepare<T>(free);
  const FreeRotor<T> rotor(prepared.body.inertia, prepared.start);
  State<T> s = prepared.in_user_units(rotor.after(prepared.time_in(1) * T((1 - exp(-k * t)) / k)));
  s.pi_B = T(exp(-k * t)) * s.pi_B;
  s.t = t;
  return s;
}

constexpr double k = 0.375;
polhode::Setup proportional() { return body_with({diagonal(k * 0.9, k * 1.6, k * 2.1), std::nullopt}); }

TEST(Damping, ProportionalToTheInertiaSlowsTheFreeMotionDown) {
  // k times a moment is rounded, which moves the end by a few eps.
  const auto reference = propagated<long double>(proportional(), 3.0L);
  const auto exact = proportionally_damped<long double>(proportional(), k, 3.0L);
  EXPECT_LT(attitude_error(reference, exact), 1e-15L);
  EXPECT_LT(momentum_error(reference, exact), 1e-15L);
  for (const auto& [method, fewest, order] : {std::tuple{"taylor-2", 60, 2.0},
                                              {"taylor-4", 30, 4.0},
                                              {"taylor-6", 12, 6.0},
                                              {"rkmk-4", 30, 4.0},
                                              {"mclachlan-reich-231", 60, 2.0},
                                              {"mclachlan-reich-231@suzuki", 80, 3.0}})
    expect_order(proportional(), method, 3, fewest, reference, order);
}

// The matrices are turned with the body.
TEST(Damping, IsTheSameInAxesThatAreNotPrincipal) {
  const R turn = exp(V{0.8, -0.3, 1.1});
  const auto in_turned_axes = [&](const M& m) {
    M result;
    for (std::size_t i = 0; i < 3; ++i) {
      V axis{};
      axis[i] = 1;
      const V column = turn * (m * (inverse(turn) * axis));
      for (std::size_t row = 0; row < 3; ++row) result[row][i] = column[row];
    }
    return result;
  };
  const M linear{{{0.3, 0.05, -0.1}, {0.02, 0.2, 0.04}, {0.07, -0.03, 0.25}}};
  const M quadratic{{{0.1, 0.02, 0}, {0.02, 0.2, -0.05}, {0.03, 0.01, 0.15}}};
  const polhode::Setup plain = body_with({linear, quadratic});
  polhode::Setup turned = plain;
  M tensor = in_turned_axes(diagonal(0.9, 1.6, 2.1));
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < i; ++j) tensor[i][j] = tensor[j][i];
  turned.inertia = tensor;
  const auto& q = plain.attitude.values;
  const R attitude = R{q[0], {q[1], q[2], q[3]}} * inverse(turn);
  turned.attitude.values = {attitude.w, attitude.v.x, attitude.v.y, attitude.v.z};
  turned.motion.value = turn * plain.motion.value;
  turned.torques = {Damping<double>{in_turned_axes(linear), in_turned_axes(quadratic)}};
  const auto a = reached(plain, 4.0), b = reached(turned, 4.0);
  EXPECT_LT(angle_between(a.R_SB, b.R_SB * turn), 1e-13);
  EXPECT_LT(norm(a.pi_B - inverse(turn) * b.pi_B), 1e-13);
  EXPECT_LT(norm(a.pi_B), 0.6 * norm(times(V{0.9, 1.6, 2.1}, plain.motion.value)));
}

// A sphere about one axis: w' = -q w^2/I, so that w = w_0/(1 + u) with u = q w_0 t/I and the angle is ln(1 + u) I/q.
TEST(Damping, QuadraticAboutOneAxis) {
  polhode::Setup s;
  s.inertia = V{2, 2, 2};
  s.motion.value = {0, 0, 3};
  s.torques = {Damping<double>{std::nullopt, diagonal(0.5, 0.5, 0.5)}};
  const double t = 4, u = 0.5 * 3 * t / 2;
  const State<long double> exact{exp(Vec3<long double>{0, 0, std::log1p(static_cast<long double>(u)) * 4}),
                                 {0, 0, 6 / (1 + static_cast<long double>(u))},
                                 t};
  const auto reference = propagated<long double>(s, t);
  EXPECT_LT(attitude_error(reference, exact), 1e-17L);
  EXPECT_LT(momentum_error(reference, exact), 1e-17L);
  for (const auto& [method, fewest, order] :
       {std::tuple{"taylor-4", 40, 4.0}, {"taylor-6", 20, 6.0}, {"rkmk-4", 40, 4.0}})
    expect_order(s, method, t, fewest, exact, order);
}

TEST(Damping, LinearOnASphereIsAnExponential) {
  polhode::Setup s;
  s.inertia = V{2, 2, 2};
  s.motion.value = {1, -2, 2};
  s.torques = {Damping<double>{diagonal(1, 1, 1), std::nullopt}};
  for (const double t : {0.5, 2.0, -1.5, 30.0}) {
    const double turned = -std::expm1(-t / 2) * 2;  // 3 rad/s about a fixed axis
    const State<long double> exact{exp(turned * Vec3<long double>{1, -2, 2}),
                                   2 * std::exp(-0.5L * t) * Vec3<long double>{1, -2, 2}, t};
    const auto end = reached(s, t);
    EXPECT_LT(attitude_error(cast<long double>(end), exact), 1e-14L) << t;
    EXPECT_LT(momentum_error(cast<long double>(end), exact), 1e-14L * (1 + norm(exact.pi_B))) << t;
  }
}

TEST(Damping, HasNoTorqueAndFiniteDerivativesAtRest) {
  const Damping<double> field{diagonal(0.1, 0.2, 0.3), diagonal(1, 2, 3)};
  using S = Series<double, 4>;
  using D = Dual<double, 3>;
  EXPECT_EQ(field.torque(R{}, V{}, 0.0), V{});
  // From rest: w = a s. The linear part is known exactly; the other begins with |s| s, which has no expansion.
  const Vec3<S> w{2.0 * S::variable(0.0), S(0.0), S(0.0)};
  const Vec3<S> tau = field.torque(Rotation<S>{}, w, S(0.0));
  EXPECT_EQ(tau.x.c, (std::array<double, 5>{0, -0.2, 0, 0, 0}));
  const Vec3<D> by_rate{D::variable(0, 0), D::variable(0, 1), D::variable(0, 2)};
  const Vec3<D> slope = field.torque(Rotation<D>{}, by_rate, D(0.0));
  EXPECT_EQ(slope.x.d[0], -0.1);
  EXPECT_EQ(slope.y.d[1], -0.2);
  EXPECT_EQ(slope.z.d[0], 0);
  polhode::Setup at_rest = body_with(field);
  at_rest.motion.value = {};
  for (const char* method : {"taylor-4", "rkmk-4", "taylor-adaptive", "lie-verlet"})
    EXPECT_EQ(norm(integrated<double>(at_rest, method, 1, 10).pi_B), 0) << method;
}

// With another torque from rest every step but the first is one with an expansion: the order is lost in that step alone.
TEST(Damping, OneStepFromRestMissesDragOfThirdOrder) {
  polhode::Setup s;
  s.inertia = V{1, 1, 1};
  s.torques = {ConstantBody<double>{{0, 0, 1}}, Damping<double>{std::nullopt, diagonal(1, 1, 1)}};
  std::vector<ErrorAtStep> errors;  // w = tanh t
  for (int steps = 10; steps <= 160; steps *= 2)
    errors.push_back({1.0 / steps, std::abs(integrated<double>(s, "taylor-6", 1, steps).pi_B.z - std::tanh(1.0))});
  const auto fit = observed_order(errors, 1e-14, 1);
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit->order, 3, 0.2);
}

RC_GTEST_PROP(Damping, NeverFeedsTheRotation, ()) {
  M root{}, square{};
  for (auto& row : root)
    for (double& x : row) x = *random::real(-1, 1);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t n = 0; n < 3; ++n) square[i][j] += root[n][i] * root[n][j];
  M whole = square;
  const V axis = *random::vector();
  whole[0][1] -= axis.z, whole[1][0] += axis.z, whole[0][2] += axis.y;
  whole[2][0] -= axis.y, whole[1][2] -= axis.x, whole[2][1] += axis.x;
  const V w = *random::vector();
  const Damping<double> field{whole, square};
  RC_ASSERT(refusal_of(body_with(field)) == "accepted");
  RC_ASSERT(dot(w, field.torque(R{}, w, 0.0)) <= 1e-14);
  // With less of the squares than there is of minus the identity, it does.
  M negative = whole;
  const double largest = square[0][0] + square[1][1] + square[2][2];
  for (std::size_t i = 0; i < 3; ++i) negative[i][i] -= largest + 1e-3;
  RC_ASSERT(refusal_of(body_with({negative, std::nullopt})) != "accepted");
  RC_ASSERT(refusal_of(body_with({negative, std::nullopt, true})) == "accepted");
}

// Bodies side by side have the bits that each has alone, the one at rest among them.
TEST(Damping, OfSeveralBodiesIsThatOfEach) {
  using L = Lanes<double, 4>;
  const Damping<double> field{M{{{0.3, 0.05, -0.1}, {0.02, 0.2, 0.04}, {0.07, -0.03, 0.25}}}, diagonal(1, 2, 3)};
  const V each[] = {{0.1, -0.2, 0.3}, {}, {1e-200, 0, 0}, {5, 6, -7}};
  Vec3<L> w;
  for (std::size_t i = 0; i < 4; ++i) {
    w.x.set(i, each[i].x);
    w.y.set(i, each[i].y);
    w.z.set(i, each[i].z);
  }
  const Vec3<L> all = field.torque(Rotation<L>{}, w, L(0.0));
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_EQ((V{all.x[i], all.y[i], all.z[i]}), field.torque(R{}, each[i], 0.0)) << i;
}

TEST(Damping, IsRefusedWhereItMakesNoSense) {
  EXPECT_THAT(refusal_of(body_with({})), HasSubstr("torque[0].linear: is missing, and so is quadratic"));
  EXPECT_THAT(refusal_of(body_with({diagonal(1, -1e-3, 1), std::nullopt})),
              HasSubstr("torque[0].linear: feeds the rotation"));
  EXPECT_THAT(refusal_of(body_with({std::nullopt, M{{{1, 3, 0}, {0, 1, 0}, {0, 0, 1}}}})),
              HasSubstr("torque[0].quadratic: feeds the rotation"));
  EXPECT_EQ(refusal_of(body_with({M{{{0, 3, 0}, {-3, 0, 0}, {0, 0, 0}}}, std::nullopt})), "accepted");
  EXPECT_EQ(refusal_of(body_with({diagonal(1e-300, 2e-300, 0), diagonal(1e300, 1e300, 0)})), "accepted");
  EXPECT_THAT(refusal_of(body_with({diagonal(1, NAN, 1), std::nullopt})), HasSubstr("element [1][1] is nan"));
  EXPECT_THAT(refusal_of(body_with({std::nullopt, diagonal(1, 1, INFINITY)})), HasSubstr("element [2][2] is inf"));
}

TEST(Damping, ReadsOneThreeOrNineNumbers) {
  const auto read = [](const std::string& line) {
    return std::get<Damping<double>>(
        parse_scenario(good + "[torque]\nkind = \"damping\"\n" + line + "\n", "x.toml").setup.torques[0]);
  };
  EXPECT_EQ(read("linear = 2").linear, diagonal(2, 2, 2));
  EXPECT_EQ(read("linear = [1, 2, 3]").linear, diagonal(1, 2, 3));
  EXPECT_FALSE(read("linear = 2").quadratic);
  EXPECT_EQ(read("quadratic = [[1, 0.5, 0], [0, 1, 0], [0, 0, 3.5]]").quadratic,
            (M{{{1, 0.5, 0}, {0, 1, 0}, {0, 0, 3.5}}}));
  EXPECT_TRUE(read("linear = -1\namplifies = true").amplifies);
  for (const auto& [line, said] :
       {std::pair{"linear = [1, 2]", "x.toml:11: torque.linear: [ 1, 2 ] has 2 elements, not 3; give a number, three"},
        {"linear = [[1, 2], [3, 4]]", "is not 3x3"},
        {"linear = [1, \"a\", 3]", "element 2"},
        {"linear = nan", "not finite"},
        {"linear = {}", "x.toml:11: torque.linear: is a table"},
        {"amplifies = 1\nlinear = 1", "x.toml:11: torque.amplifies: 1 is an integer; give true or false"},
        {"", "x.toml:9: torque.linear: is missing"},
        {"linear = -1", "x.toml:11: torque.linear: feeds the rotation"},
        {"linaer = 1", "nearest: linear"}}) {
    try {
      read(line);
      ADD_FAILURE() << line;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr(said)) << line;
    }
  }
}

}  // namespace
}  // namespace polhode::test::damping_test
