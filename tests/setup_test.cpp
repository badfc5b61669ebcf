// Bodies and starts from data: tensors diagonalised, attitudes in every form, and every refusal by name.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "polhode/model/setup.hpp"

namespace polhode::test::setup_test {
namespace {

using testing::HasSubstr;
using Situation = polhode::Setup;  // GoogleTest has a Setup of its own

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

Situation with_moments(double a, double b, double c) {
  Situation s;
  s.inertia = Vec3<double>{a, b, c};
  s.motion.value = {1, 2, 3};
  return s;
}
Situation with_attitude(AttitudeData::Kind kind, std::vector<double> values) {
  Situation s = with_moments(1, 2, 2.5);
  s.attitude = {kind, std::move(values)};
  return s;
}

// The key and the sentence of the refusal.
std::string refusal(const Situation& situation) {
  try {
    check(situation);
  } catch (const SetupError& error) {
    return error.key + ": " + error.what();
  }
  return "accepted";
}

TEST(Moments, RefusedByName) {
  EXPECT_THAT(refusal(with_moments(nan, 1, 1)),
              HasSubstr("body.inertia: principal moments [nan, 1, 1] must be finite numbers"));
  EXPECT_THAT(refusal(with_moments(1, infinity, 1)), HasSubstr("must be finite numbers"));
  EXPECT_THAT(refusal(with_moments(1, -2, 2)), HasSubstr("[1, -2, 2] must be positive"));
  EXPECT_THAT(refusal(with_moments(1, 1, 0)), HasSubstr("rod"));
  EXPECT_THAT(refusal(with_moments(1, 1, 0)), HasSubstr("dumbbell"));
  EXPECT_THAT(refusal(with_moments(0, 0, 0)), HasSubstr("point mass"));
  EXPECT_THAT(refusal(with_moments(1, 2, 3.5)), HasSubstr("triangle inequality: 3.5 > 1 + 2"));
  EXPECT_THAT(refusal(with_moments(1, 2, 3.5)), HasSubstr("unphysical = true"));
}

TEST(Moments, AcceptedUpToEqualityAndRounding) {
  EXPECT_EQ(refusal(with_moments(1, 2, 3)), "accepted");  // a flat plate
  EXPECT_EQ(refusal(with_moments(0.1, 0.2, 0.1 + 0.2)), "accepted");
  EXPECT_EQ(refusal(with_moments(1, 2, 3 * (1 + 1e-15))), "accepted");
  EXPECT_EQ(refusal(with_moments(1e-300, 2e-300, 2.5e-300)), "accepted");
  Situation s = with_moments(9, 4, 1);
  s.unphysical = true;
  EXPECT_EQ(refusal(s), "accepted");
}

TEST(Tensor, RefusedByName) {
  Situation s = with_moments(1, 1, 1);
  s.inertia = Mat3<double>{{{2, 0.1, 0}, {0.2, 3, 0}, {0, 0, 4}}};
  EXPECT_THAT(refusal(s), HasSubstr("symmetric: element [1][0] is 0.2 and [0][1] is 0.1"));
  s.inertia = Mat3<double>{{{2, nan, 0}, {nan, 3, 0}, {0, 0, 4}}};
  EXPECT_THAT(refusal(s), HasSubstr("not finite"));
  s.inertia = Mat3<double>{};
  EXPECT_THAT(refusal(s), HasSubstr("zero"));
  s.inertia = Mat3<double>{{{1, 2, 0}, {2, 1, 0}, {0, 0, 2}}};
  EXPECT_THAT(refusal(s), HasSubstr("the tensor's principal moments"));
  EXPECT_THAT(refusal(s), HasSubstr("must be positive"));
  // A rod along (1,1,0): two equal moments and none about its axis.
  s.inertia = Mat3<double>{{{1, -1, 0}, {-1, 1, 0}, {0, 0, 2}}};
  EXPECT_THAT(refusal(s), HasSubstr("rod"));
}

// R diag R^T for a known R must give back diag, and axes that carry momentum and torque to where they belong.
template <class T>
void expect_diagonalised(double tolerance) {
  const Vec3<double> moments{1.0, 2.0, 2.75};
  // In long double, or the rounding of this product would be what is measured.
  const Mat3<long double> axes = matrix(exp(Vec3<long double>{0.4L, -0.9L, 0.6L}));
  Mat3<double> tensor{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      long double sum = 0;
      for (std::size_t k = 0; k < 3; ++k) sum += axes[i][k] * moments[k] * axes[j][k];
      tensor[i][j] = static_cast<double>(sum);
    }
  }
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < i; ++j) tensor[i][j] = tensor[j][i];

  Situation s;
  s.inertia = tensor;
  s.attitude = {AttitudeData::Kind::rotation_vector, {0.1, 0.2, 0.3}};
  s.motion = {MotionData::Kind::angular_velocity_body, {0.5, -1.5, 2.5}};
  const auto prepared = prepare<T>(s);
  const Body<T> body = prepared.body_in_user_units();
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(static_cast<double>(body.inertia[i]), moments[i], tolerance);

  // Momentum in the user's axes is the tensor times the velocity in the user's axes.
  const State<T> start = prepared.in_user_units(prepared.start);
  const Vec3<double> expected = tensor * Vec3<double>{0.5, -1.5, 2.5};
  EXPECT_LT(norm(cast<double>(start.pi_B) - expected), 20 * tolerance);
  EXPECT_LT(angle_between(cast<double>(start.R_SB), exp(Vec3<double>{0.1, 0.2, 0.3})), 20 * tolerance);
}

TEST(Tensor, IsDiagonalised) {
  expect_diagonalised<double>(1e-15);
  expect_diagonalised<long double>(1e-15);
  expect_diagonalised<float>(1e-6);
}

TEST(Tensor, ADiagonalOneKeepsTheOrderOfItsAxes) {
  Situation s = with_moments(1, 1, 1);
  s.inertia = Mat3<double>{{{3, 0, 0}, {0, 2, 0}, {0, 0, 1.5}}};
  const auto prepared = prepare<double>(s);
  EXPECT_TRUE(prepared.body_in_user_units().inertia == (Vec3<double>{3, 2, 1.5}));
  EXPECT_TRUE(prepared.body.principal_axes == Rotation<double>{});
}

TEST(Attitude, EveryFormSaysTheSame) {
  const Rotation<double> q = exp(Vec3<double>{0.7, -1.1, 0.4});
  const Mat3<double> m = matrix(q);
  const Vec3<double> p = mrp(q);
  using Kind = AttitudeData::Kind;
  for (const Situation& s :
       {with_attitude(Kind::wxyz, {q.w, q.v.x, q.v.y, q.v.z}), with_attitude(Kind::xyzw, {q.v.x, q.v.y, q.v.z, q.w}),
        with_attitude(Kind::matrix, {m[0][0], m[0][1], m[0][2], m[1][0], m[1][1], m[1][2], m[2][0], m[2][1], m[2][2]}),
        with_attitude(Kind::rotation_vector, {0.7, -1.1, 0.4}), with_attitude(Kind::mrp, {p.x, p.y, p.z})}) {
    EXPECT_LT(angle_between(prepare<double>(s).start.R_SB, q), 1e-15);
  }
}

TEST(Attitude, RefusedByName) {
  using Kind = AttitudeData::Kind;
  EXPECT_EQ(refusal(with_attitude(Kind::wxyz, {1 + 5e-7, 0, 0, 0})), "accepted");
  EXPECT_NEAR(squared_norm(prepare<double>(with_attitude(Kind::wxyz, {1 + 5e-7, 0, 0, 0})).start.R_SB), 1, 1e-15);
  EXPECT_THAT(refusal(with_attitude(Kind::wxyz, {1.1, 0, 0, 0})),
              HasSubstr("start.attitude_wxyz: the quaternion has length 1.1"));
  EXPECT_THAT(refusal(with_attitude(Kind::xyzw, {0, 0, 0, 0})), HasSubstr("start.attitude_xyzw"));
  EXPECT_THAT(refusal(with_attitude(Kind::wxyz, {1, 0, 0})), HasSubstr("needs 4 numbers, and 3 are given"));
  EXPECT_THAT(refusal(with_attitude(Kind::rotation_vector, {nan, 0, 0})), HasSubstr("not finite"));
  EXPECT_THAT(refusal(with_attitude(Kind::matrix, {1, 0, 0, 0, 1, 0, 0, 0, 1.01})), HasSubstr("not a rotation"));
  EXPECT_THAT(refusal(with_attitude(Kind::matrix, {1, 0, 0, 0, 1, 0, 0, 0, -1})), HasSubstr("reflection"));
}

TEST(Motion, EveryFormSaysTheSame) {
  const Rotation<double> R = exp(Vec3<double>{0.7, -1.1, 0.4});
  const Vec3<double> I{1, 2, 2.5}, w_B{0.3, -0.4, 1.2}, pi_B = times(I, w_B);
  using Kind = MotionData::Kind;
  for (const MotionData& motion :
       {MotionData{Kind::angular_velocity_body, w_B}, MotionData{Kind::angular_velocity_spatial, R * w_B},
        MotionData{Kind::angular_momentum_body, pi_B}, MotionData{Kind::angular_momentum_spatial, R * pi_B}}) {
    Situation s = with_attitude(AttitudeData::Kind::rotation_vector, {0.7, -1.1, 0.4});
    s.motion = motion;
    const auto prepared = prepare<double>(s);
    EXPECT_LT(norm(prepared.in_user_units(prepared.start).pi_B - pi_B), 1e-15);
  }
  Situation s = with_moments(1, 2, 2.5);
  s.motion = {Kind::angular_momentum_spatial, {0, infinity, 0}};
  EXPECT_THAT(refusal(s), HasSubstr("start.angular_momentum_spatial: [0, inf, 0] must be finite"));
}

TEST(Torque, RefusedByName) {
  Situation s = with_moments(1, 2, 2.5);
  HeavyTop<double> top;
  top.axis_body = {0, 0, 0};
  s.torques = {ConstantBody<double>{}, top};
  EXPECT_THAT(refusal(s), HasSubstr("torque[1].axis_body: a direction cannot be the zero vector"));
  top.axis_body = {0, 0, 1};
  top.weight_times_arm = nan;
  s.torques = {top};
  EXPECT_THAT(refusal(s), HasSubstr("torque[0].weight_times_arm: nan must be finite"));
  s.torques = {ConstantSpatial<double>{{1, infinity, 0}}};
  EXPECT_THAT(refusal(s), HasSubstr("torque[0].torque"));
}

// Directions of any length are normalised, and body directions follow the tensor's principal axes.
TEST(Torque, ActsAlikeInBothDescriptionsOfABody) {
  const Rotation<double> R_UB = exp(Vec3<double>{0, 0, 1.0});
  const Mat3<double> axes = matrix(R_UB);
  const Vec3<double> moments{1, 2, 2.5};
  Mat3<double> tensor{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t k = 0; k < 3; ++k) tensor[i][j] += axes[i][k] * moments[k] * axes[j][k];
  Situation s;
  s.inertia = tensor;
  HeavyTop<double> top;
  top.weight_times_arm = 3;
  top.axis_body = {0, 2, 0};
  top.up_spatial = {0, 0, 5};
  s.torques = {top};
  s.attitude = {AttitudeData::Kind::rotation_vector, {0.3, 0, 0}};
  const auto prepared = prepare<double>(s);
  // The potential is 3 e3 . R e2 = 3 sin 0.3 whatever axes the body is described in.
  EXPECT_NEAR(std::ldexp(prepared.field.potential(prepared.start.R_SB), prepared.units.energy_exponent()),
              3 * std::sin(0.3), 1e-14);
}

// The square of its length may be beyond every number.
TEST(Torque, TakesDirectionsOfAnyLength) {
  const auto axis_in = [](double length, auto scalar) {
    using T = decltype(scalar);
    HeavyTop<double> top;
    top.axis_body = {0, 3 * length, -4 * length};
    Situation s = with_moments(1, 2, 2.5);
    s.torques = {top};
    return std::get<HeavyTop<T>>(prepare<T>(s).field.terms()[0]).axis_body;
  };
  for (const double length : {1e-310, 1e-200, 1e-30, 1.0, 1e30, 4e307}) {
    EXPECT_LT(norm(axis_in(length, 0.0) - Vec3<double>{0, 0.6, -0.8}), 1e-12) << length;
    EXPECT_LT(norm(axis_in(length, 0.0F) - Vec3<float>{0, 0.6F, -0.8F}), 1e-6F) << length;
  }
}

TEST(Units, BringMomentsAndRatesToOrderOne) {
  for (const double size : {1e-280, 1e-20, 1.0, 1e20, 1e280}) {
    Situation s = with_moments(size, 2 * size, 2.5 * size);
    const auto prepared = prepare<double>(s);
    EXPECT_GE(prepared.body.inertia.z, 1);
    EXPECT_LT(prepared.body.inertia.z, 2);
    EXPECT_TRUE(all_finite(prepared.start));
    EXPECT_DOUBLE_EQ(prepared.body_in_user_units().inertia.y, 2 * size);
  }
}

}  // namespace
}  // namespace polhode::test::setup_test
