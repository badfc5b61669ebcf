// What a row says in its columns, computed again from attitude, velocity and momentum.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "rows.hpp"

namespace polhode::test::columns_test {
namespace {

constexpr double degree = std::numbers::pi / 180;

R from_angles(const V& yaw_pitch_roll_deg) {
  const V a = degree * yaw_pitch_roll_deg;
  return exp(V{0, 0, a.x}) * exp(V{0, a.y, 0}) * exp(V{a.z, 0, 0});
}

void expect_consistent(const Rows& rows, const Situation& s) {
  const auto& tensor = std::get<Mat3<double>>(s.inertia);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    SCOPED_TRACE("row " + std::to_string(i));
    const R q = rows.attitude(i);
    const Mat3<double> m = matrix(q);
    const V l_B = tensor * rows.velocity(i), l_S = m * l_B;
    const double size = norm(l_S);
    EXPECT_NEAR(squared_norm(q), 1, 4 * eps);
    EXPECT_LT(norm(rows.momentum(i) - l_S), 32 * eps * size);
    EXPECT_LT(norm(rows.vector(i, "dx", "dy", "dz") - V{m[0][2], m[1][2], m[2][2]}), 8 * eps);
    const V p = rows.vector(i, "mrp_x", "mrp_y", "mrp_z");
    const double angle = 2 * std::atan2(norm(q.v), std::abs(q.w));
    EXPECT_NEAR(norm(p), std::tan(angle / 4), 8 * eps);
    EXPECT_LT(norm(cross(p, q.v)), 8 * eps);
    EXPECT_GE(dot(p, q.v) * q.w, 0);
    const V angles = rows.vector(i, "yaw[deg]", "pitch[deg]", "roll[deg]");
    EXPECT_LT(angle_between(from_angles(angles), q), 32 * eps);
    EXPECT_LE(std::abs(angles.y), 90);
    const V rho = rows.vector(i, "polhode_x_B[1/(m kg^0.5)]", "polhode_y_B[1/(m kg^0.5)]", "polhode_z_B[1/(m kg^0.5)]");
    const V contact_S = m * rho, on_plane = rows.vector(i, "herpolhode_x_S[1/(m kg^0.5)]",
                                                        "herpolhode_y_S[1/(m kg^0.5)]", "herpolhode_z_S[1/(m kg^0.5)]");
    EXPECT_NEAR(dot(rho, tensor * rho), 1, 32 * eps) << "on the inertia ellipsoid";
    EXPECT_LT(norm(cross(rho, rows.velocity(i))), 16 * eps * norm(rho) * norm(rows.velocity(i)));
    EXPECT_GT(dot(rho, rows.velocity(i)), 0);
    EXPECT_NEAR(dot(on_plane, l_S), 0, 32 * eps * norm(rho) * size) << "in the plane";
    EXPECT_LT(norm(cross(contact_S - on_plane, l_S)), 32 * eps * norm(rho) * size) << "from the foot";
    if (i > 0) {
      EXPECT_NEAR(rows.value(i, "rotation_increment[rad/step]"), angle_between(rows.attitude(i - 1), q), 16 * eps);
    }
  }
}

V unit(const V& v) { return v / norm(v); }

TEST(Columns, AreWhatAttitudeVelocityAndMomentumSay) {
  for (const auto& torque : every_kind()) {
    const Situation first = body_under({torque});
    const Axes axes = fitted(first, {other_space, other_body});
    for (const char* method : {"mclachlan-reich-4-231", "taylor-5", "rkmk-4+energy/3"}) {
      for (const double way : {1.0, -1.0}) {
        SCOPED_TRACE(std::string(method) + ", " + std::string(kind_of(torque)));
        const Situation s = in_axes(first, axes);
        const Rows rows(with_all_columns(s, by(method, 0.05, way * 1.03)));
        ASSERT_EQ(rows.size(), 22U);
        EXPECT_EQ(rows.value(0, "rotation_increment[rad/step]"), 0);
        expect_consistent(rows, s);
      }
    }
  }
}

TEST(Columns, ComponentsAreAlongTheNamedAxes) {
  const Axes axes{other_space, other_body};
  const Situation s = in_axes(body_under({Described<HeavyTop<double>>::sample()}), axes);
  const auto& top = std::get<HeavyTop<double>>(s.torques[0]);
  const V axis_B = unit(top.axis_body), up_S = unit(top.up_spatial);
  const Rows rows(with_all_columns(s, by("rkmk-4", 0.05, 1)));
  const auto& tensor = std::get<Mat3<double>>(s.inertia);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const V l_B = tensor * rows.velocity(i);
    const double size = norm(l_B);
    EXPECT_NEAR(rows.value(i, "momentum_along_axis[kg m^2/s]"), dot(l_B, axis_B), 32 * eps * size);
    EXPECT_NEAR(rows.value(i, "momentum_along_field[kg m^2/s]"), dot(rows.momentum(i), up_S), 32 * eps * size);
  }
}

// Potentials once more, on matrices and in the scenario's own axes [J].
double potential(const HeavyTop<double>& f, const Mat3<double>& m, const Mat3<double>&, double) {
  return f.weight_times_arm * dot(m * unit(f.axis_body), unit(f.up_spatial));
}
double potential(const GravityGradient<double>& f, const Mat3<double>& m, const Mat3<double>& tensor, double t) {
  const V r = unit(f.radius_spatial), along = cross(unit(f.orbit_normal_spatial), r);
  const V r_S = std::cos(f.mean_motion * t) * r + std::sin(f.mean_motion * t) * along;
  const V r_B{r_S.x * m[0][0] + r_S.y * m[1][0] + r_S.z * m[2][0], r_S.x * m[0][1] + r_S.y * m[1][1] + r_S.z * m[2][1],
              r_S.x * m[0][2] + r_S.y * m[1][2] + r_S.z * m[2][2]};
  return 1.5 * f.mean_motion * f.mean_motion * dot(r_B, tensor * r_B);
}
double potential(const Coulomb<double>& f, const Mat3<double>& m, const Mat3<double>&, double) {
  const double r = 1.1 + m[2][2];
  return f.strength * f.sign * (0.001 * std::pow(r, -10) - 1 / r);
}
double potential(const StressTest<double>& f, const Mat3<double>& m, const Mat3<double>&, double) {
  const Mat3<double> q = matrix(exp(f.well));
  double from_one = 3, from_well = 3;
  for (std::size_t i = 0; i < 3; ++i) {
    from_one -= m[i][i];
    for (std::size_t j = 0; j < 3; ++j) from_well -= q[i][j] * m[i][j];
  }
  const double off = std::sqrt(2 * from_one) - 1;
  return f.strength * (off * off - f.alpha / std::sqrt(2 * from_well));
}
double potential(const UniformField<double>& f, const Mat3<double>& m, const Mat3<double>&, double t) {
  return -dot(m * unit(f.axis_body), f.field + std::cos(f.angular_frequency * t) * f.oscillation);
}
double potential(const TwoMasses<double>& f, const Mat3<double>& m, const Mat3<double>&, double) {
  const V d = m * unit(f.axis_body);
  const double whole = f.mass_1 + f.mass_2;
  const V x_1 = f.length * f.mass_2 / whole * d, x_2 = -f.length * f.mass_1 / whole * d;
  return -dot(x_1, f.force_1) - dot(x_2, f.force_2) - f.attraction * f.mass_1 / norm(x_1 - f.centre) -
         f.attraction * f.mass_2 / norm(x_2 - f.centre);
}
double potential(const ConstantSpatial<double>&, const Mat3<double>&, const Mat3<double>&, double) { return 0; }
double potential(const ConstantBody<double>&, const Mat3<double>&, const Mat3<double>&, double) { return 0; }
double potential(const Pulse<double>&, const Mat3<double>&, const Mat3<double>&, double) { return 0; }
double potential(const Damping<double>&, const Mat3<double>&, const Mat3<double>&, double) { return 0; }
double potential(const TorqueTable<double>&, const Mat3<double>&, const Mat3<double>&, double) { return 0; }
double potential(const Magnetic<double>& f, const Mat3<double>& m, const Mat3<double>&, double t) {
  const V r = exp(*f.mean_motion * t * unit(*f.orbit_normal_spatial)) * unit(*f.radius_spatial);
  const V p = exp(*f.planet_rate * t * unit(*f.planet_axis_spatial)) * unit(*f.pole_spatial);
  return -*f.equatorial_field * dot(m * f.dipole_body, 3.0 * dot(p, r) * r - p);
}
double potential(const ExpressionTorque<double>& f, const Mat3<double>& m, const Mat3<double>&, double t) {
  const auto c = [&](const char* name) { return f.constants.at(name); };
  const V u{c("ux"), c("uy"), c("uz")}, v{c("vx"), c("vy"), c("vz")};
  return (1 + c("d") * std::cos(c("n") * t)) * dot(u, m * v);
}

TEST(Columns, EnergyIsKineticAndPotentialAtThatMoment) {
  for (const auto& torque : every_kind()) {
    const Situation s = in_axes(body_under({torque}), fitted(body_under({torque}), {other_space, other_body}));
    const auto& tensor = std::get<Mat3<double>>(s.inertia);
    const Rows rows(with_all_columns(s, by("rkmk-4", 0.05, 1)));
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const V w_B = rows.velocity(i);
      const double V_now = std::visit(
          [&](const auto& f) { return potential(f, matrix(rows.attitude(i)), tensor, rows.value(i, "t[s]")); },
          s.torques[0]);
      EXPECT_NEAR(rows.value(i, "E[J]"), 0.5 * dot(w_B, tensor * w_B) + V_now, 64 * eps) << kind_of(torque);
    }
  }
}

// Straight up and down, next to it, and at a distance: the angles always make up the attitude. Where only the sum or the
// difference of yaw and roll is defined the roll is zero, and the yaw all of it.
TEST(Columns, YawPitchAndRollMakeUpTheAttitudeWhereverItLooks) {
  for (const double sign : {1.0, -1.0}) {
    for (const double off : {0.0, 1e-17, 1e-16, 1e-15, 4e-15, 1e-14, 1e-13, 1e-12, 1e-10, 1e-8, 1e-6, 1e-3, 0.3}) {
      for (double yaw = -3; yaw < 3.2; yaw += 0.37) {
        for (const double roll : {0.0, 0.8, -2.1}) {
          Situation s = body_under({});
          const R q = exp(V{0, 0, yaw}) * exp(V{0, sign * (std::numbers::pi / 2 - off), 0}) * exp(V{roll, 0, 0});
          s.attitude = told(q);
          Scenario scenario = scenario_of(s, by("rkmk-4", 1e-3, 1e-3));
          scenario.output.columns = {column("euler_321_deg")};
          const Rows rows(scenario);
          const V angles = rows.vector(0, "yaw[deg]", "pitch[deg]", "roll[deg]");
          EXPECT_LT(angle_between(from_angles(angles), q), 32 * eps) << yaw << " " << sign << " " << off << " " << roll;
          EXPECT_LE(std::abs(angles.y), 90);
          EXPECT_LE(std::abs(angles.x), 180);
          EXPECT_LE(std::abs(angles.z), 180);
        }
      }
    }
  }
}

TEST(Columns, StraightUpAndDownTheYawIsAllOfTheTurn) {
  const double quarter = std::sqrt(0.5);
  for (const double sign : {1.0, -1.0}) {
    // Turned by a right angle about y to the bit, and before that by a multiple of a right angle about z.
    for (const auto& [w, z, yaw] : {std::tuple{1.0, 0.0, 0.0}, {quarter, quarter, 90.0}, {0.0, 1.0, 180.0}}) {
      Situation s = body_under({});
      s.attitude = told(R{w, {0, 0, z}} * R{quarter, {0, sign * quarter, 0}});
      Scenario scenario = scenario_of(s, by("rkmk-4", 1e-3, 1e-3));
      scenario.output.columns = {column("euler_321_deg")};
      const Rows rows(scenario);
      EXPECT_NEAR(rows.value(0, "pitch[deg]"), sign * 90, 90 * 4 * eps);
      EXPECT_NEAR(std::abs(rows.value(0, "yaw[deg]")), yaw, 180 * 4 * eps);
      EXPECT_EQ(rows.value(0, "roll[deg]"), 0);
    }
  }
}

// Where a run begins and ends is told in more ways than its rows are.
void expect_consistent(const Snapshot& seen, const Situation& s) {
  const auto vector = [](const std::array<Number, 3>& v) { return V{v[0].value, v[1].value, v[2].value}; };
  const auto& a = seen.attitude_wxyz;
  const Mat3<double> m = matrix(R{a[0].value, {a[1].value, a[2].value, a[3].value}});
  const V w_B = vector(seen.angular_velocity_body), l_B = std::get<Mat3<double>>(s.inertia) * w_B;
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_LT(norm(vector(seen.rotation_matrix[i]) - V{m[i][0], m[i][1], m[i][2]}), 8 * eps);
  EXPECT_LT(norm(vector(seen.direction) - V{m[0][2], m[1][2], m[2][2]}), 8 * eps);
  EXPECT_LT(norm(vector(seen.angular_momentum_body) - l_B), 32 * eps * norm(l_B));
  EXPECT_LT(norm(vector(seen.angular_momentum_spatial) - m * l_B), 32 * eps * norm(l_B));
  EXPECT_NEAR(seen.kinetic_energy.value, 0.5 * dot(w_B, l_B), 32 * eps * norm(w_B) * norm(l_B));
}

TEST(Columns, TheFirstAndTheLastRowAreThoseOfTheResult) {
  for (const auto& torque : every_kind()) {
    const Situation s = in_axes(body_under({torque}), fitted(body_under({torque}), {other_space, other_body}));
    const Rows rows(with_all_columns(s, by("taylor-5", 0.05, 1.03)));
    expect_consistent(rows.result.start, s);
    expect_consistent(rows.result.end, s);
    for (const auto& [row, seen] : {std::pair{std::size_t{0}, rows.result.start}, {rows.size() - 1, rows.result.end}}) {
      EXPECT_EQ(rows.value(row, "t[s]"), seen.time.value);
      EXPECT_EQ(rows.value(row, "qw"), seen.attitude_wxyz[0].value);
      EXPECT_EQ(rows.value(row, "wy_B[rad/s]"), seen.angular_velocity_body[1].value);
      EXPECT_EQ(rows.value(row, "Lz_S[kg m^2/s]"), seen.angular_momentum_spatial[2].value);
      EXPECT_EQ(rows.value(row, "E[J]"), seen.energy.value);
    }
    const double change = rows.result.end.energy.value - rows.result.start.energy.value;
    EXPECT_NEAR(rows.result.energy_change, change, 4 * eps);
  }
}

}  // namespace
}  // namespace polhode::test::columns_test
