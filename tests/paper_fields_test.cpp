// The fields of the papers against the formulas as they are printed, on matrices; their units, their axes and what they
// refuse; and the problems made of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "generators.hpp"
#include "polhode/core/quad.hpp"
#include "polhode/measure/energy.hpp"
#include "polhode/measure/error.hpp"
#include "polhode/methods/registry.hpp"
#include "polhode/problems/problem.hpp"

namespace polhode::paper_fields_test {
namespace {

using testing::HasSubstr;
using V = Vec3<double>;
using M = Mat3<double>;
using Situation = polhode::Setup;
using random::eps;

M transposed(const M& a) {
  return {{{a[0][0], a[1][0], a[2][0]}, {a[0][1], a[1][1], a[2][1]}, {a[0][2], a[1][2], a[2][2]}}};
}
M operator*(const M& a, const M& b) {
  M c{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t k = 0; k < 3; ++k) c[i][j] += a[i][k] * b[k][j];
  return c;
}

// [KE05, Sec. 3.6], spatial axes.
V printed_coulomb(const M& R, double s) {
  const double r = 1.1 + R[2][2];
  return s * (std::pow(r, -2) - 0.01 * std::pow(r, -11)) * V{-R[1][2], R[0][2], 0};
}
double printed_coulomb_energy(const M& R, double s) {
  const double r = 1.1 + R[2][2];
  return s * (-1 / r + 0.001 * std::pow(r, -10));
}

// [BOS09, eq. (7)] and its derivative, body axes.
double distance(const M& A) { return std::sqrt(2 * (3 - A[0][0] - A[1][1] - A[2][2])); }
V axial(const M& A) { return {A[2][1] - A[1][2], A[0][2] - A[2][0], A[1][0] - A[0][1]}; }
V printed_stress(const M& R, double alpha, const M& Q) {
  const M from_well = transposed(Q) * R;
  const double d = distance(R), d_m = distance(from_well);
  return -2.0 * (1 - 1 / d) * axial(R) - alpha / (d_m * d_m * d_m) * axial(from_well);
}
double printed_stress_energy(const M& R, double alpha, const M& Q) {
  return std::pow(distance(R) - 1, 2) - alpha / distance(transposed(Q) * R);
}

RC_GTEST_PROP(CoulombField, IsThePrintedOne, ()) {
  const Rotation<double> q = *random::rotation();
  const double sign = *rc::gen::element(-1.0, 1.0), r = 1.1 + (q * V{0, 0, 1}).z;
  const Coulomb<double> field{sign};
  // Rounding of r, with what the eleventh power makes of it.
  const double tolerance = 64 * eps * (1 + 2 * std::pow(r, -3) + 0.11 * std::pow(r, -12));
  RC_ASSERT(norm(q * field.torque(q, 0.0) - printed_coulomb(matrix(q), sign)) <= tolerance);
  RC_ASSERT(std::abs(field.potential(q) - printed_coulomb_energy(matrix(q), sign)) <= tolerance);
}

RC_GTEST_PROP(StressTestField, IsThePrintedOne, ()) {
  const Rotation<double> q = *random::rotation();
  const V well{2.5 / std::sqrt(2.0), 0, 2.5 / std::sqrt(2.0)};
  const M R = matrix(q), Q = matrix(exp(well));
  const double d = distance(R), d_m = distance(transposed(Q) * R);
  RC_PRE(d > 0.2 && d_m > 0.2);
  const StressTest<double> field{0.3, well};
  // The trace cancels next to the identity: its rounding is divided by d.
  const double tolerance = 64 * eps * (1 + 1 / (d * d) + std::pow(d_m, -4));
  RC_ASSERT(norm(field.torque(q, 0.0) - printed_stress(R, 0.3, Q)) <= tolerance);
  RC_ASSERT(std::abs(field.potential(q) - printed_stress_energy(R, 0.3, Q)) <= tolerance);
}

RC_GTEST_PROP(UniformFieldField, PullsTheAxisItsWay, ()) {
  const Rotation<double> q = *random::rotation();
  const double t = *random::real(-5, 5);
  UniformField<double> field{*random::vector(2.0), *random::direction(), *random::vector(2.0), *random::real(0.1, 3)};
  const V g = field.field + std::cos(field.angular_frequency * t) * field.oscillation, d = q * field.axis_body;
  RC_ASSERT(norm(q * field.torque(q, t) - cross(d, g)) <= 64 * eps);
  RC_ASSERT(std::abs(field.potential(q, t) + dot(d, g)) <= 64 * eps);
  const auto callable = UniformFieldFrom{[&](const auto& s) { return field.field_at(s); }};
  field.axis_body = {0, 0, 1};
  RC_ASSERT(norm(callable.torque(q, t) - field.torque(q, t)) == 0);
  RC_ASSERT(callable.potential(q, t) == field.potential(q, t));
}

// There is no torque at the tip of the cone and in the well, and next to the tip it does not vanish: it is 2 sqrt 2.
TEST(StressTestField, HasNoTorqueAtTwoAttitudes) {
  const StressTest<double> field{0.3, {1, 2, 0}};
  EXPECT_FALSE(all_finite(field.torque(Rotation<double>{}, 0.0)));
  EXPECT_FALSE(all_finite(field.torque(exp(V{1, 2, 0}), 0.0)));
  const StressTest<double> cone{0, {1, 2, 0}};
  const V there = cone.torque(exp(V{1e-9, 0, 0}), 0.0), opposite = cone.torque(exp(V{-1e-9, 0, 0}), 0.0);
  EXPECT_NEAR(there.x, 2 * std::sqrt(2.0), 1e-8);
  EXPECT_NEAR(opposite.x, -2 * std::sqrt(2.0), 1e-8);
}

std::string refusal(const Situation& situation) {
  try {
    prepare<double>(situation);
  } catch (const SetupError& error) {
    return error.key + ": " + error.what();
  }
  return "accepted";
}

TEST(PaperFields, RefuseWhatCannotBe) {
  Situation s = find_problem("coulomb-printed")->setup;
  EXPECT_EQ(refusal(s), "accepted");
  s.torques = {Coulomb<double>{0.5}};
  EXPECT_THAT(refusal(s), HasSubstr("torque[0].sign: 0.5 must be 1"));
  s.torques = {Coulomb<double>{1, -2}};
  EXPECT_THAT(refusal(s), HasSubstr("torque[0].strength: -2 must be positive"));

  s = find_problem("stress-test")->setup;
  EXPECT_EQ(refusal(s), "accepted");
  s.attitude = {AttitudeData::Kind::wxyz, {1, 0, 0, 0}};
  EXPECT_THAT(refusal(s), HasSubstr("start.attitude_wxyz: the torque is not finite in this attitude"));
  const V well = std::get<StressTest<double>>(s.torques[0]).well;
  s.attitude = {AttitudeData::Kind::rotation_vector, {well.x, well.y, well.z}};
  EXPECT_THAT(refusal(s), HasSubstr("start.rotation_vector: the torque is not finite"));
  std::get<StressTest<double>>(s.torques[0]).strength = 0;
  EXPECT_THAT(refusal(s), HasSubstr("torque[0].strength: 0 must be positive"));
}

template <class T>
State<T> integrate(const Situation& setup, std::string_view method, double duration, int steps) {
  const auto prepared = prepare<T>(setup);
  const auto stepper = make_stepper(parse_method(method), prepared.body, prepared.field);
  const T h = prepared.time_in(duration) / T(steps);
  stepper->start(prepared.start, h);
  for (int n = 0; n < steps; ++n) {
    stepper->state.t = prepared.start.t + T(n) * h;
    stepper->step(h);
  }
  return prepared.in_user_units(stepper->state);
}

// The same situation with kilograms, metres and seconds of another size: every energy scales, and no bit changes.
void scale_energies(Coulomb<double>& field, double unit, double) { field.strength *= unit; }
void scale_energies(StressTest<double>& field, double unit, double) { field.strength *= unit; }
void scale_energies(UniformField<double>& field, double unit, double rate) {
  field.field = unit * field.field;
  field.oscillation = unit * field.oscillation;
  field.angular_frequency *= rate;
}

template <class Field>
void expect_same_motion_in_other_units(const Situation& setup) {
  const double inertia_unit = std::ldexp(1.0, 200), time_unit = std::ldexp(1.0, -120);
  Situation other = setup;
  other.inertia = std::get<V>(setup.inertia) * inertia_unit;
  const bool is_velocity = setup.motion.kind == MotionData::Kind::angular_velocity_body;
  other.motion.value = setup.motion.value * ((is_velocity ? 1 : inertia_unit) / time_unit);
  scale_energies(std::get<Field>(other.torques[0]), inertia_unit / time_unit / time_unit, 1 / time_unit);
  for (const char* method : {"taylor-4", "taylor-9", "mclachlan-reich-231", "abm4"}) {
    const auto a = integrate<double>(setup, method, 2, 64), b = integrate<double>(other, method, 2 * time_unit, 64);
    EXPECT_TRUE(a.R_SB == b.R_SB) << method;
    EXPECT_TRUE(a.pi_B * (inertia_unit / time_unit) == b.pi_B) << method;
  }
}

TEST(PaperFields, MoveAlikeInOtherUnits) {
  expect_same_motion_in_other_units<Coulomb<double>>(find_problem("coulomb-printed")->setup);
  expect_same_motion_in_other_units<StressTest<double>>(find_problem("stress-test")->setup);
  Situation dumbbell = find_problem("dumbbell")->setup;
  auto& field = std::get<UniformField<double>>(dumbbell.torques[0]);
  field.oscillation = {1, 2, 0};
  field.angular_frequency = 5;
  expect_same_motion_in_other_units<UniformField<double>>(dumbbell);
}

// What is internal: with moments of 1e6 kg m^2 the numbers of the papers are still joules.
TEST(PaperFields, ArePotentialsInJoules) {
  const Rotation<double> q = exp(V{0.3, -0.5, 0.8});
  for (const double size : {1e-6, 1.0, 1e6}) {
    Situation s = find_problem("stress-test")->setup;
    const M Q = matrix(exp(std::get<StressTest<double>>(s.torques[0]).well));
    s.inertia = V{2 * size, 2 * size, 4 * size};
    const auto stress = prepare<double>(s);
    EXPECT_NEAR(std::ldexp(stress.field.potential(q), stress.units.energy_exponent()),
                printed_stress_energy(matrix(q), 0.3, Q), 1e-14);
    s.torques = {Coulomb<double>{-1}};
    const auto coulomb = prepare<double>(s);
    EXPECT_NEAR(std::ldexp(coulomb.field.potential(q), coulomb.units.energy_exponent()),
                printed_coulomb_energy(matrix(q), -1), 1e-14);
  }
}

// A body that is given by a tensor has its attitude, and so the fields of an attitude, in the axes of the tensor.
TEST(PaperFields, BelongToTheAxesOfTheTensor) {
  const M axes = matrix(exp(V{0.4, -0.9, 0.6}));
  M moments{};
  for (std::size_t i = 0; i < 3; ++i) moments[i][i] = 1 + 0.5 * static_cast<double>(i);
  M tensor = axes * moments * transposed(axes);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < i; ++j) tensor[i][j] = tensor[j][i];
  Situation s;
  s.inertia = tensor;
  s.attitude = {AttitudeData::Kind::rotation_vector, {0.3, -0.5, 0.8}};
  s.motion.value = {0.1, 0.2, 0.3};
  const Rotation<double> R_SU = exp(V{0.3, -0.5, 0.8});
  const V well{1, -0.5, 0.7};
  const auto torque_in_user_axes = [](const Prepared<double>& p) {
    const V torque_B = p.field.torque(p.start.R_SB, V{}, 0.0);
    return p.body.principal_axes * (std::ldexp(1.0, p.units.energy_exponent()) * torque_B);
  };
  s.torques = {StressTest<double>{0.3, well}};
  EXPECT_LT(norm(torque_in_user_axes(prepare<double>(s)) - printed_stress(matrix(R_SU), 0.3, matrix(exp(well)))),
            1e-14);
  s.torques = {Coulomb<double>{1}};
  EXPECT_LT(norm(R_SU * torque_in_user_axes(prepare<double>(s)) - printed_coulomb(matrix(R_SU), 1)), 1e-14);
  s.torques = {UniformField<double>{{1, 2, 3}}};
  EXPECT_LT(norm(R_SU * torque_in_user_axes(prepare<double>(s)) - cross(R_SU * V{0, 0, 1}, V{1, 2, 3})), 1e-14);
}

// Two methods that share nothing but the torque find the same motion, and its energy stays.
TEST(PaperProblems, AreAgreedUpon) {
  struct Case {
    const char* name;
    double duration;
    int steps;
    double tolerance;
  };
  for (const Case& c : {Case{"coulomb-described", 10, 4000, 1e-12}, Case{"coulomb-printed", 5, 4000, 1e-12},
                        Case{"stress-test", 20, 4000, 1e-12}, Case{"dumbbell", 5, 2000, 1e-14}}) {
    const Situation& setup = find_problem(c.name)->setup;
    const auto a = integrate<long double>(setup, "taylor-12", c.duration, c.steps);
    const auto b = integrate<long double>(setup, "mclachlan-reich-231@kahan-li-8", c.duration, c.steps);
    EXPECT_LT(attitude_error(a, b), c.tolerance) << c.name;
    EXPECT_LT(momentum_error(a, b), c.tolerance) << c.name;
    const auto prepared = prepare<long double>(setup);
    const auto field = prepared.field;
    const auto start = prepared.in_user_units(prepared.start);
    const auto total = [&](const State<long double>& s) {
      const long double unit = std::ldexp(1.0L, prepared.units.energy_exponent());
      return Body<long double>(cast<long double>(std::get<V>(setup.inertia))).kinetic_energy(s.pi_B) +
             unit * field.potential(s.R_SB);
    };
    EXPECT_NEAR(static_cast<double>(total(a) - total(start)), 0, 1e-14) << c.name;
  }
}

TEST(PaperProblems, AreStatedAsInThePapers) {
  const auto& stress = find_problem("stress-test")->setup;
  const auto prepared = prepare<double>(stress);
  // The start is at the bottom of the valley, d = 2 sqrt 2 sin(0.7227/2) = 1, as far as four digits of the angle go.
  EXPECT_NEAR(chordal_distance(Rotation<double>{}, prepared.start.R_SB), 1, 7e-5);
  EXPECT_EQ(find_problem("stress-test")->duration, 15000);
  EXPECT_EQ(find_problem("stress-test")->reference_duration, 100);
  // The charge pulls the third axis of coulomb-described to where it is nearest, against e3, until the wall takes over.
  const Rotation<double> level = exp(V{1.5, 0, 0});
  const auto pull = [&](const char* name) {
    const auto field = std::get<Coulomb<double>>(find_problem(name)->setup.torques[0]);
    return field.torque(level, 0.0).x;  // a further turn about e1 lowers the third axis
  };
  EXPECT_GT(pull("coulomb-described"), 0);
  EXPECT_LT(pull("coulomb-printed"), 0);
}

}  // namespace
}  // namespace polhode::paper_fields_test
