// The same motion, however it is told: every method with its suffixes, under every kind of torque, in other axes, in other
// units and from every form of the start.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

#include "descriptions.hpp"
#include "generators.hpp"
#include "method_names.hpp"

namespace polhode::test::same_motion_test {
namespace {

constexpr double step = 0.05;
constexpr std::size_t steps = 20;
constexpr double duration = 1;

// Free, under each kind of torque, and under one that keeps the energy together with a pulse.
std::vector<Situation> situations() {
  std::vector<Situation> all{body_under({})};
  for (const auto& torque : every_kind()) all.push_back(body_under({torque}));
  all.push_back(body_under({Described<HeavyTop<double>>::sample(), Described<Pulse<double>>::sample()}));
  return all;
}

std::string told_kinds(const Situation& s) {
  std::string text;
  for (const auto& torque : s.torques) text += (text.empty() ? "" : " and ") + std::string(kind_of(torque));
  return text.empty() ? "no torque" : text;
}

// As in the tests of claims, and projections that are rarer than steps.
std::vector<std::string> names() {
  std::vector<std::string> all = tested_names();
  for (const char* base : {"taylor-2", "rkmk-4", "newmark", "abm4", "mclachlan-reich-231@triple-jump",
                           "lie-verlet@kahan-li-6", "rotor-verlet@kahan-li-8", "variational"})
    for (const char* suffix : {"+energy/1", "+energy/2", "+energy/3", "+energy/7"})
      all.push_back(std::string(base) + suffix);
  return all;
}

bool takes(const std::string& method, const Situation& s) {
  return s.torques.empty() || takes_torque(parse_method(method).claims);
}

// Any rotation, evenly spread.
R some_rotation(std::mt19937& random) {
  std::normal_distribution<double> normal;
  return normalised(R{normal(random), {normal(random), normal(random), normal(random)}});
}

// function(situation, name of a method that takes it)
template <class Function>
void for_all(const Function& function) {
  for (const Situation& s : situations()) {
    for (const std::string& method : names())
      if (takes(method, s)) function(s, method);
  }
}

TEST(SameMotion, InAnyAxesOfBodyAndSpace) {
  std::mt19937 random(7);
  for_all([&](const Situation& s, const std::string& method) {
    const Axes axes = fitted(s, {some_rotation(random), some_rotation(random)});
    const Motion first = motion_of(s, by(method, step, duration));
    const Motion second = motion_of(in_axes(s, axes), by(method, step, duration));
    ASSERT_EQ(first.rows.size(), steps + 1);
    EXPECT_LT(distance(first, second, [&](const Row& row) { return in_first_axes(row, axes); }),
              rounding(method, first))
        << method << ", " << told_kinds(s);
  });
}

TEST(SameMotion, ToTheBitInUnitsThatDifferByPowersOfTwo) {
  for_all([&](const Situation& s, const std::string& method) {
    const Motion first = motion_of(s, by(method, step, duration));
    for (const Factors& by_two : {Factors{0x1p37, 1}, Factors{0x1p-5, 0x1p12}, Factors{0x1p-140, 0x1p-61}}) {
      if (depends_on_the_second(method) && by_two.time != 1) continue;
      const Motion second = motion_of(in_units(s, by_two), in_units(by(method, step, duration), by_two));
      ASSERT_EQ(first.rows.size(), second.rows.size());
      for (std::size_t i = 0; i < first.rows.size(); ++i)
        ASSERT_TRUE(same_bits(first.rows[i], in_first_units(second.rows[i], by_two)))
            << method << ", " << told_kinds(s) << ", row " << i;
      ASSERT_TRUE(summary_of(first.result) == summary_of(second.result, by_two)) << method << ", " << told_kinds(s);
    }
  });
}

TEST(SameMotion, InUnitsThatDifferByPowersOfTen) {
  const Factors by_ten{1e7, 1e-3};
  for_all([&](const Situation& s, const std::string& method) {
    if (depends_on_the_second(method)) return;
    const Motion first = motion_of(s, by(method, step, duration));
    const Motion second = motion_of(in_units(s, by_ten), in_units(by(method, step, duration), by_ten));
    EXPECT_LT(distance(first, second, [&](const Row& row) { return in_first_units(row, by_ten); }),
              rounding(method, first))
        << method << ", " << told_kinds(s);
  });
}

// Data are rounded to the scalar, and rows are looked at in double.
TEST(SameMotion, InEveryScalar) {
  const Axes turned{exp(V{0.4, 1.3, -0.8}), exp(V{-1.1, 0.7, 0.5})};
  for (const Situation& s : situations()) {
    const Axes axes = fitted(s, turned);
    for (const auto& [scalar, unit] :
         {std::pair{ScalarKind::float_, 0x1p-23}, {ScalarKind::long_double_, eps}, {ScalarKind::quad_, eps}}) {
      for (const std::string method : {"taylor-4", "rotor-verlet@suzuki", "rkmk-4+energy/3"}) {
        RunOptions settings = by(method, step, duration);
        const Motion in_double = motion_of(s, settings);
        settings.scalar = scalar;
        const Motion first = motion_of(s, settings), second = motion_of(in_axes(s, axes), settings);
        const double allowed = unit / eps * rounding(method, in_double);
        EXPECT_LT(distance(in_double, first, [](const Row& row) { return row; }), allowed)
            << method << ", " << told_kinds(s) << ", " << scalar_name(scalar);
        EXPECT_LT(distance(first, second, [&](const Row& row) { return in_first_axes(row, axes); }), allowed)
            << method << ", " << told_kinds(s) << ", " << scalar_name(scalar);
      }
    }
  }
}

// Axes exchanged and turned around, without a reflection: 24 of 48 ways.
std::vector<R> exchanges() {
  std::vector<R> all;
  std::array<std::size_t, 3> to{0, 1, 2};
  do {
    for (int signs = 0; signs < 8; ++signs) {
      Mat3<double> m{};
      for (std::size_t i = 0; i < 3; ++i) m[i][to[i]] = ((signs >> i) & 1) != 0 ? -1 : 1;
      const V x{m[0][0], m[1][0], m[2][0]}, y{m[0][1], m[1][1], m[2][1]}, z{m[0][2], m[1][2], m[2][2]};
      if (dot(cross(x, y), z) > 0) all.push_back(from_matrix(m));
    }
  } while (std::next_permutation(to.begin(), to.end()));
  return all;
}

// A diagonal tensor keeps the order of its axes, and a splitting by axes follows: it is another method then.
TEST(SameMotion, WithItsAxesExchangedAndTurnedAround) {
  for (const Situation& s : situations()) {
    for (const std::string method : {"taylor-6", "rotor-verlet@suzuki", "rkmk-4+energy/2", "variational"}) {
      const Motion first = motion_of(s, by(method, step, duration));
      for (const R& exchange : exchanges()) {
        const Axes axes = fitted(s, {exp(V{0.4, 0.3, -1.2}), exchange});
        const Motion second = motion_of(in_axes(s, axes), by(method, step, duration));
        EXPECT_LT(distance(first, second, [&](const Row& row) { return in_first_axes(row, axes); }),
                  rounding(method, first))
            << method << ", " << told_kinds(s);
      }
    }
  }
}

// x, y, z are called y, z, x: the splitting 123 is then the splitting 231.
TEST(SameMotion, BySplittingsWhoseAxesAreRenamedLikeThoseOfTheBody) {
  const R around = exp(V{1, 1, 1} * (2 * std::acos(-1.0) / 3 / std::sqrt(3.0)));
  const std::pair<const char*, const char*> renamed[] = {{"123", "231"}, {"132", "213"}, {"213", "321"},
                                                         {"231", "312"}, {"312", "123"}, {"321", "132"}};
  for (const auto& torque : every_kind()) {
    if (kind_of(torque) == "coulomb") continue;  // has a third axis of its own
    const Situation s = body_under({torque});
    const Axes axes = fitted(s, {exp(V{0.4, 0.3, -1.2}), around});
    Situation other = in_axes(s, axes);
    const auto tensor = std::get<Mat3<double>>(other.inertia);
    other.inertia = V{tensor[0][0], tensor[1][1], tensor[2][2]};
    for (const auto& [before, after] : renamed) {
      for (const char* suffix : {"", "@kahan-li-6", "+energy/3"}) {
        for (const std::string family : {"mclachlan-reich-", "mclachlan-reich-cayley-4-"}) {
          if (family.ends_with("4-") && std::string(suffix).starts_with("@")) continue;  // is composed already
          const std::string method = family + before + suffix;
          const Motion first = motion_of(s, by(method, step, duration));
          const Motion second = motion_of(other, by(family + after + suffix, step, duration));
          EXPECT_LT(distance(first, second, [&](const Row& row) { return in_first_axes(row, axes); }),
                    rounding(method, first))
              << method << ", " << kind_of(torque);
        }
      }
    }
  }
}

// ---- the start

std::vector<AttitudeData> forms_of(const R& q, double length) {
  using Kind = AttitudeData::Kind;
  const Mat3<double> m = matrix(q);
  const V turn = log(q), p = q.v / (1 + q.w);
  const R other = {-q.w, -q.v};
  const V shadow = other.v / (1 + other.w);  // by the other way around, beyond a half turn
  const double l = length;
  std::vector<AttitudeData> forms{
      {Kind::wxyz, {l * q.w, l * q.v.x, l * q.v.y, l * q.v.z}},
      {Kind::wxyz, {-l * q.w, -l * q.v.x, -l * q.v.y, -l * q.v.z}},
      {Kind::xyzw, {l * q.v.x, l * q.v.y, l * q.v.z, l * q.w}},
      {Kind::xyzw, {-l * q.v.x, -l * q.v.y, -l * q.v.z, -l * q.w}},
      {Kind::matrix, {m[0][0], m[0][1], m[0][2], m[1][0], m[1][1], m[1][2], m[2][0], m[2][1], m[2][2]}},
      {Kind::rotation_vector, {turn.x, turn.y, turn.z}}};
  if (q.w > -0.9) forms.push_back({Kind::mrp, {p.x, p.y, p.z}});
  if (other.w > -0.9) forms.push_back({Kind::mrp, {shadow.x, shadow.y, shadow.z}});
  const double angle = norm(turn);
  const double longer = angle > 0.1 ? 1 - 2 * std::acos(-1.0) / angle : 1;  // a whole turn less, the other way around
  forms.push_back({Kind::rotation_vector, {longer * turn.x, longer * turn.y, longer * turn.z}});
  return forms;
}

std::vector<MotionData> motions_of(const Situation& s) {
  using Kind = MotionData::Kind;
  const R R_SB = attitude_of(s);
  const V w_B = s.motion.value, l_B = std::get<Mat3<double>>(s.inertia) * w_B;
  return {{Kind::angular_velocity_body, w_B},
          {Kind::angular_velocity_spatial, R_SB * w_B},
          {Kind::angular_momentum_body, l_B},
          {Kind::angular_momentum_spatial, R_SB * l_B}};
}

RC_GTEST_PROP(SameMotion, FromEveryFormOfTheStart, ()) {
  const R attitude = *random::rotation();
  const Axes axes{*random::rotation(), *random::rotation()};
  Situation first = body_under({Described<HeavyTop<double>>::sample(), Described<ConstantBody<double>>::sample()});
  first.attitude = told(attitude);
  const Situation s = in_axes(first, axes);
  // What is off by no more than 1e-6 is forgiven, and made right: the motion is that of the unit quaternion.
  const double length = *rc::gen::element(1.0, 1 + 9e-7, 1 - 9e-7);
  const std::string method = *rc::gen::element<std::string>("taylor-4", "rkmk-4", "rotor-verlet@suzuki");
  const Motion expected = motion_of(first, by(method, step, 5 * step));
  for (const AttitudeData& form : forms_of(attitude_of(s), length)) {
    for (const MotionData& motion : motions_of(s)) {
      Situation told = s;
      told.attitude = form;
      told.motion = motion;
      const Motion same = motion_of(told, by(method, step, 5 * step));
      RC_ASSERT(distance(expected, same, [&](const Row& row) { return in_first_axes(row, axes); }) <
                rounding(method, 5));
    }
  }
}

// A body on the sphere has no attitude about its axis: its direction and its momentum are what can be compared.
TEST(SameMotion, OfADirectionSeenFromOtherAxes) {
  Situation s;
  s.inertia = V{1.3, 1.3, 0.4};
  s.attitude = {AttitudeData::Kind::direction, {0.3, -0.8, 0.4}};
  s.motion = {MotionData::Kind::angular_velocity_spatial, cross(V{0.3, -0.8, 0.4}, V{0.5, 0.9, 0.7})};
  const UniformField<double> field{{0.25, -0.3, 0.35}, {0, 0, 1}, {0.1, 0.2, -0.15}, 1.7};
  s.torques = {field};
  const R space = exp(V{0.7, -0.4, 1.1});
  Situation other = s;
  const V direction = space * V{0.3, -0.8, 0.4};
  other.attitude.values = {direction.x, direction.y, direction.z};
  other.motion.value = space * s.motion.value;
  other.torques = {Described<UniformField<double>>::turned(field, {space, {}})};
  for (const std::string method : {"dumbbell-variational", "dumbbell-midpoint", "dumbbell-conserving",
                                   "dumbbell-variational@suzuki", "rkmk-4", "rotor-verlet"}) {
    const Motion first = motion_of(s, by(method, step, duration)),
                 second = motion_of(other, by(method, step, duration));
    ASSERT_EQ(first.rows.size(), second.rows.size());
    for (std::size_t i = 0; i < first.rows.size(); ++i) {
      const Row &a = first.rows[i], &b = second.rows[i];
      const V axis{0, 0, 1};
      EXPECT_LT(norm(space * (a.R_SB * axis) - b.R_SB * axis), rounding(method, steps)) << method;
      EXPECT_LT(norm(space * a.l_S - b.l_S), rounding(method, steps)) << method;
      EXPECT_NEAR(a.energy, b.energy, rounding(method, steps)) << method;
    }
  }
}

}  // namespace
}  // namespace polhode::test::same_motion_test
