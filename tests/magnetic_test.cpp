// A magnetic dipole in a field: a pendulum with a known period, the field of a dipole where it is known, what a turning
// field conserves, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "generators.hpp"
#include "io_support.hpp"
#include "kind_support.hpp"
#include "polhode/io/scenario.hpp"
#include "polhode/measure/energy.hpp"
#include "polhode/problems/reference.hpp"
#include "polhode/run/simulation.hpp"

namespace polhode::test::magnetic_test {
namespace {

using testing::HasSubstr;
using V = Vec3<double>;
using R = Rotation<double>;
using random::eps;

constexpr double n = 1.1e-3, earth = 7.2921159e-5;

Magnetic<double> in_constant_field(const V& dipole, const V& field) {
  Magnetic<double> f;
  f.dipole_body = dipole;
  f.field_spatial = field;
  return f;
}

// On a circular orbit through the north pole.
Magnetic<double> on_polar_orbit() {
  Magnetic<double> f;
  f.dipole_body = {1, -2, 0.5};
  f.equatorial_field = 3e-5;
  f.mean_motion = n;
  f.orbit_normal_spatial = V{0, -1, 0};
  return f;
}

polhode::Setup satellite_in(const Magnetic<double>& magnet) {
  polhode::Setup s;
  s.inertia = V{0.9, 1.6, 2.1};
  const R q = exp(V{0.5, -0.9, 0.4});
  s.attitude = {AttitudeData::Kind::wxyz, {q.w, q.v.x, q.v.y, q.v.z}};
  s.motion.value = {0.002, -0.001, 0.0015};
  s.torques = {magnet};
  return s;
}

// A compass needle: I a'' = -m B sin a from rest at a_0 swings with the period 4 sqrt(I/(m B)) K(sin(a_0/2)).
TEST(Magnetic, ACompassNeedleSwingsAsAPendulum) {
  polhode::Setup s;
  s.inertia = V{0.02, 0.03, 0.04};
  s.torques = {in_constant_field({0.5, 0, 0}, {4e-5, 0, 0})};
  for (const double a : {0.1, 1.0, 2.5}) {
    s.attitude = {AttitudeData::Kind::rotation_vector, {0, 0, a}};
    const double period = 4 * std::sqrt(0.04 / (0.5 * 4e-5)) * std::comp_ellint_1(std::sin(a / 2));
    const auto quarter = reached(s, period / 4), whole = reached(s, period);
    EXPECT_LT(angle_between(quarter.R_SB, R{}), 1e-13) << "through its rest after a quarter";
    EXPECT_LT(quarter.pi_B.z, 0);
    EXPECT_LT(angle_between(whole.R_SB, exp(V{0, 0, a})), 1e-13);
    EXPECT_LT(norm(whole.pi_B), 1e-13 * norm(quarter.pi_B));
  }
}

// V = -m . B is a heavy top whose weight points along the field.
RC_GTEST_PROP(Magnetic, InAConstantFieldIsAWeight, ()) {
  const R q = *random::rotation();
  const V axis = *random::direction(), up = *random::direction();
  const auto magnet = in_constant_field(3.0 * axis, -0.25 * up);
  const HeavyTop<double> top{0.75, axis, up};
  RC_ASSERT(norm(magnet.torque(q, 1.0) - top.torque(q, 1.0)) <= 8 * eps);
  RC_ASSERT(std::abs(magnet.potential(q, 1.0) - top.potential(q)) <= 8 * eps);
  RC_ASSERT(magnet.conserves_energy());
}

// The Earth's field points north over the equator, with twice the strength down over the north pole.
TEST(Magnetic, TheFieldOfADipoleWhereItIsKnown) {
  const Magnetic<double> f = on_polar_orbit();
  const double quarter = std::numbers::pi / 2 / n;
  const auto expect_near = [](const V& a, const V& b) {
    EXPECT_LT(norm(a - b), 1e-19) << a.x << ' ' << a.y << ' ' << a.z;
  };
  expect_near(f.field_at(0.0), {0, 0, 3e-5});
  expect_near(f.field_at(quarter), {0, 0, -6e-5});
  expect_near(f.field_at(2 * quarter), {0, 0, 3e-5});
  expect_near(f.field_at(3 * quarter), {0, 0, -6e-5});
  // At the magnetic latitude l the strength is B_0 sqrt(1 + 3 sin^2 l), and the dip has tan = 2 tan l.
  for (const double latitude : {0.2, 0.7, 1.3}) {
    const V B = f.field_at(latitude / n), up{std::cos(latitude), 0, std::sin(latitude)};
    EXPECT_NEAR(norm(B), 3e-5 * std::sqrt(1 + 3 * std::pow(std::sin(latitude), 2)), 1e-19);
    const double down = -dot(B, up), north = dot(B, V{-std::sin(latitude), 0, std::cos(latitude)});
    EXPECT_NEAR(down / north, 2 * std::tan(latitude), 1e-13);
  }
}

// A tilted dipole goes around with the planet: after half a day its pole leans the other way.
TEST(Magnetic, ThePlanetTurnsItsDipole) {
  Magnetic<double> f = on_polar_orbit();
  const double tilt = 0.2, half_day = std::numbers::pi / earth;
  f.pole_spatial = V{std::sin(tilt), 0, -std::cos(tilt)};
  f.planet_rate = earth;
  Magnetic<double> other = on_polar_orbit();
  other.pole_spatial = V{-std::sin(tilt), 0, -std::cos(tilt)};
  EXPECT_LT(norm(f.field_at(half_day) - other.field_at(half_day)), 1e-18);
  Magnetic<double> still = f;
  still.planet_rate.reset();
  EXPECT_LT(norm(f.field_at(0.0) - still.field_at(0.0)), 1e-20);
  EXPECT_GT(norm(f.field_at(half_day) - still.field_at(half_day)), 1e-6);
  // Divergence and curl of the field of a dipole vanish: for fixed p, B = grad(p . r/r^3) B_0 r_0^3, whose part along r is
  // -2 B_0 (p . r) of the other sign.
  const V r = exp(V{0, -n * 100, 0}) * V{1, 0, 0};
  EXPECT_NEAR(dot(still.field_at(100.0), r), 2 * 3e-5 * dot(*f.pole_spatial, r), 1e-19);
}

// A dipole along the axis of the orbit has the same field all along it.
TEST(Magnetic, AnEquatorialOrbitSeesAConstantField) {
  Magnetic<double> orbit = on_polar_orbit();
  orbit.orbit_normal_spatial.reset();
  const auto constant = in_constant_field(orbit.dipole_body, {0, 0, 3e-5});
  const auto a = reached(satellite_in(orbit), 2000.0), b = reached(satellite_in(constant), 2000.0);
  EXPECT_LT(angle_between(a.R_SB, b.R_SB), 1e-12);
  EXPECT_FALSE(orbit.conserves_energy());
}

TEST(Magnetic, EnergyIsConservedInAConstantFieldAndTheIntegralOfTheTurningFrameInATurningOne) {
  for (const bool turning : {false, true}) {
    Magnetic<double> f = in_constant_field({1, -2, 0.5}, {2e-5, 1e-5, -3e-5});
    const V normal = V{1, 2, 2} / 3.0;
    if (turning) {
      f.mean_motion = 0.004;
      f.orbit_normal_spatial = normal;
    }
    EXPECT_EQ(f.conserves_energy(), !turning);
    const polhode::Setup s = satellite_in(f);
    const auto kept = [&](double t) {
      const auto state = reached(s, t);
      const double kinetic = 0.5 * dot(state.pi_B, over(state.pi_B, V{0.9, 1.6, 2.1}));
      const V l_S = state.R_SB * state.pi_B;
      return kinetic + f.potential(state.R_SB, t) - (turning ? 0.004 * dot(normal, l_S) : 0);
    };
    const double before = kept(0);
    for (const double t : {100.0, 1000.0, 5000.0}) EXPECT_NEAR(kept(t), before, 1e-12 * 1e-4) << turning << t;
  }
}

TEST(Magnetic, MethodsKeepTheirOrder) {
  Magnetic<double> f = in_constant_field({1, -2, 0.5}, {0.2, 0.1, -0.3});
  f.mean_motion = 0.8;
  f.orbit_normal_spatial = V{1, 2, 2};
  polhode::Setup s = satellite_in(f);
  s.motion.value = {0.7, -0.4, 0.5};
  const auto reference = propagated<long double>(s, 3.0L);
  for (const auto& [method, fewest, order] : {std::tuple{"taylor-4", 30, 4.0},
                                              {"taylor-6", 15, 6.0},
                                              {"rkmk-4", 30, 4.0},
                                              {"lie-verlet", 60, 2.0},
                                              {"mclachlan-reich-4-231", 60, 4.0}})
    expect_order(s, method, 3, fewest, reference, order);
}

TEST(Magnetic, IsRefusedWhereKeysDoNotGoTogether) {
  const std::string magnet = good + "[torque]\nkind = \"magnetic\"\ndipole_body = [0, 0, 1]\n";
  for (const auto& [lines, said] : {
           std::pair{"", "x.toml:9: torque.field_spatial: is missing; give it [T], or equatorial_field"},
           {"field_spatial = [1, 0, 0]\nequatorial_field = 1",
            "x.toml:13: torque.equatorial_field: excludes field_spat"},
           {"field_spatial = [1, 0, 0]\norbit_normal_spatial = [0, 0, 1]",
            "x.toml:13: torque.orbit_normal_spatial: is of no use without mean_motion"},
           {"field_spatial = [1, 0, 0]\nmean_motion = 0", "x.toml:13: torque.mean_motion: 0 must be positive"},
           {"field_spatial = [1, 0, 0]\nmean_motion = -1", "-1 must be positive"},
           {"field_spatial = [1, 0, 0]\nradius_spatial = [1, 0, 0]", "radius_spatial: is of no use without equatorial"},
           {"field_spatial = [1, 0, 0]\npole_spatial = [1, 0, 0]", "pole_spatial: is of no use without equatorial"},
           {"field_spatial = [1, 0, 0]\nplanet_rate = 1", "planet_rate: is of no use without equatorial"},
           {"field_spatial = [1, 0, 0]\nplanet_axis_spatial = [1, 0, 0]", "planet_axis_spatial: is of no use without"},
           {"equatorial_field = 1", "x.toml:9: torque.mean_motion: is missing"},
           {"equatorial_field = 0\nmean_motion = 1", "equatorial_field: 0 must be positive"},
           {"equatorial_field = 1\nmean_motion = 1\nplanet_axis_spatial = [1, 0, 0]",
            "is of no use without planet_rate"},
           {"equatorial_field = 1\nmean_motion = 1\nradius_spatial = [1, 0, 0.1]", "is not in the plane of the orbit"},
           {"equatorial_field = 1\nmean_motion = 1\norbit_normal_spatial = [0, 0, 0]", "cannot be the zero vector"},
           {"equatorial_field = inf\nmean_motion = 1", "not finite"},
           {"field_spatial = [1, 0]", "has 2 elements, not 3"},
           {"field_spatal = [1, 0, 0]", "nearest: field_spatial"},
       }) {
    try {
      parse_scenario(magnet + lines + "\n", "x.toml");
      ADD_FAILURE() << lines;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr(said)) << lines;
    }
  }
  EXPECT_NO_THROW(parse_scenario(magnet + "equatorial_field = 1\nmean_motion = 1\nradius_spatial = [0, 5, 0]\n", "x"));
}

// A column of the momentum along the field: conserved in a constant one.
TEST(Magnetic, NamesTheDirectionOfItsField) {
  const std::string text = replaced(good, "angular_velocity_body = [1, 0, 0]", "angular_velocity_body = [1, 2, 0.5]") +
                           "[torque]\nkind = \"magnetic\"\ndipole_body = [0.2, 0.1, 1]\nfield_spatial = [1, 2, 3]\n" +
                           "[output]\ncolumns = [\"momentum_along_field\"]\n";
  polhode::Table table;
  run(plan(parse_scenario(text, "x.toml")), &table);
  ASSERT_GT(table.rows.size(), 5U);
  const double first = table.rows.front().back().value;
  EXPECT_GT(std::abs(first), 0.1);
  for (const auto& row : table.rows) EXPECT_NEAR(row.back().value, first, 1e-5);  // order 4, step 0.1
}

}  // namespace
}  // namespace polhode::test::magnetic_test
