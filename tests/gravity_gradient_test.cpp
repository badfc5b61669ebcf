// The gravity gradient: its torque against Newton's law on points of mass, the integral that replaces the energy, other
// axes and units, orders of the methods, and the scenario's keys.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "io_support.hpp"
#include "polhode/measure/error.hpp"
#include "polhode/measure/extremes.hpp"
#include "polhode/measure/order.hpp"
#include "polhode/run/run.hpp"
#include "satellite.hpp"

namespace polhode::test {
namespace {

using testing::HasSubstr;

// The law the torque comes from. Six points of mass 1/2 at +-d_i along the body axes have I_1 = d_2^2 + d_3^2; a planet
// at the distance D pulls each with n^2 D^3/distance^2 times its mass.
double distance_to_newton(double D) {
  const V d{0.9, 1.7, 2.6};
  const double t = 1.3;
  GravityGradient<double> field;
  field.mean_motion = 0.7;
  field.orbit_normal_spatial = V{2, -1, 2} / 3.0;
  field.radius_spatial = V{1, -2, -2} / 3.0;
  field.acts_on(Body<double>(V{d.y * d.y + d.z * d.z, d.z * d.z + d.x * d.x, d.x * d.x + d.y * d.y}));
  const R q = exp(V{0.4, -1.1, 0.8});
  const V satellite_S = D * (exp(field.mean_motion * t * field.orbit_normal_spatial) * field.radius_spatial);
  V torque_S{};
  for (std::size_t i = 0; i < 3; ++i)
    for (const double sign : {1.0, -1.0}) {
      V point_B{};
      point_B[i] = sign * d[i];
      const V arm_S = q * point_B, from_planet = satellite_S + arm_S;
      const double pull = 0.5 * field.mean_motion * field.mean_motion * std::pow(D / norm(from_planet), 3);
      torque_S += cross(arm_S, -pull * from_planet);
    }
  const V torque_B = inverse(q) * torque_S;
  return norm(field.torque(q, t) - torque_B) / norm(torque_B);
}

// The gradient is the first term in 1/D. For a body this symmetric the next is smaller by (d/D)^2 and a small number;
// rounding enters with eps D/d.
TEST(GravityGradientTorque, IsNewtonsOnPointsOfMass) {
  std::vector<ErrorAtStep> errors;
  for (double D = 50; D < 1000; D *= 2) errors.push_back({1 / D, distance_to_newton(D)});
  const auto fitted = observed_order(errors, 1e-11, 0.1);
  ASSERT_TRUE(fitted);
  EXPECT_NEAR(fitted->order, 2, 0.02);
  EXPECT_LT(distance_to_newton(1e4), 1e-6);
}

// A satellite that tumbles, in general position: E changes, E - n N . l_S does not.
TEST(GravityGradientTumbling, KeepsTheEnergyInTheTurningFrame) {
  Situation s = satellite({0.7, -0.5, 0.9}, {0.4 * n, -0.9 * n, 1.3 * n});
  auto& field = std::get<GravityGradient<double>>(s.torques[0]);
  field.orbit_normal_spatial = {2, -1, 2};
  field.radius_spatial = {1, -2, -2};
  s.time = 500;
  const V N = V{2, -1, 2} / 3.0;
  Flight flight(s, orbit / 200);
  const double unit = n * n * moments.z;
  const auto jacobi = [&] { return (flight.energy() - n * dot(N, spatial_momentum(flight.state()))) / unit; };
  const double energy = flight.energy() / unit, integral = jacobi();
  double energy_change = 0, integral_change = 0;
  for (int i = 0; i < 4000; ++i) {
    flight.step();
    energy_change = larger(energy_change, std::abs(flight.energy() / unit - energy));
    const double change = std::abs(jacobi() - integral);
    integral_change = std::isfinite(change) ? std::max(integral_change, change) : INFINITY;
  }
  EXPECT_GT(energy_change, 0.1);
  EXPECT_LT(integral_change, 4000 * std::numeric_limits<double>::epsilon());  // one rounding a step, at worst
}

// The same motion seen from other spatial axes, with the body described in other body axes.
TEST(GravityGradientTumbling, IsTheSameInOtherAxes) {
  Situation s = satellite({0.7, -0.5, 0.9}, {0.4 * n, -0.9 * n, 1.3 * n});
  Flight flight(s, orbit / 100);

  const R R_UB = exp(V{0.5, 1.2, -0.3}), turned = exp(V{-1.0, 0.4, 2.0});
  const Mat3<double> axes = matrix(R_UB);
  Mat3<double> tensor{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t k = 0; k < 3; ++k) tensor[i][j] += axes[i][k] * moments[k] * axes[j][k];
  const R start = turned * exp(V{0.7, -0.5, 0.9}) * inverse(R_UB);
  Situation other = s;
  other.inertia = tensor;
  other.attitude = {AttitudeData::Kind::wxyz, {start.w, start.v.x, start.v.y, start.v.z}};
  other.motion.value = R_UB * s.motion.value;
  auto& field = std::get<GravityGradient<double>>(other.torques[0]);
  field.orbit_normal_spatial = 7.0 * (turned * normal);
  field.radius_spatial = 1e-3 * (turned * V{1, 0, 0});
  Flight other_flight(other, orbit / 100);

  for (int i = 0; i < 300; ++i) flight.step(), other_flight.step();
  const State<double> a = flight.state(), b = other_flight.state();
  EXPECT_LT(angle_between(turned * a.R_SB * inverse(R_UB), b.R_SB), 1e-12);
  EXPECT_LT(norm(R_UB * a.pi_B - b.pi_B), 1e-12 * norm(a.pi_B));
  EXPECT_NEAR(flight.energy() / other_flight.energy(), 1, 1e-12);
}

// Other units by powers of two: every digit is the same.
TEST(GravityGradientTumbling, IsTheSameInOtherUnits) {
  const Situation s = satellite({0.7, -0.5, 0.9}, {0.4 * n, -0.9 * n, 1.3 * n});
  constexpr double day = 0x1p17, ton = 0x1p10;
  Situation other = s;
  other.inertia = ton * moments;
  other.motion.value = day * s.motion.value;
  std::get<GravityGradient<double>>(other.torques[0]).mean_motion = day * n;
  Flight flight(s, 64.0), other_flight(other, 64.0 / day);
  for (int i = 0; i < 200; ++i) flight.step(), other_flight.step();
  const State<double> a = flight.state(), b = other_flight.state();
  EXPECT_EQ(a.R_SB, b.R_SB);
  EXPECT_EQ(ton * day * a.pi_B, b.pi_B);
  EXPECT_EQ(ton * day * day * flight.energy(), other_flight.energy());
}

// A field that depends on time, on values and on power series: the methods keep their orders.
TEST(GravityGradientTumbling, MethodsKeepTheirOrders) {
  Situation s = satellite({0.7, -0.5, 0.9}, {0.4 * n, -0.9 * n, 1.3 * n});
  s.time = 700;
  const auto prepared = prepare<double>(s);
  const auto integrate = [&](std::string_view method, int steps) {
    const auto stepper = make_stepper(parse_method(method), prepared.body, prepared.field);
    const double h = prepared.time_in(orbit) / steps;
    stepper->start(prepared.start, h);
    for (int i = 1; i <= steps; ++i) {
      stepper->step(h);
      stepper->state.t = prepared.start.t + i * h;
    }
    return stepper->state;
  };
  const State<double> reference = integrate("taylor-12", 400);
  for (const auto& [method, steps] : {std::pair{"taylor-2", 200},
                                      {"taylor-4", 60},
                                      {"taylor-6", 100},
                                      {"rkmk-4", 100},
                                      {"mclachlan-reich-231", 200},
                                      {"mclachlan-reich-4-312", 200}}) {
    std::vector<ErrorAtStep> attitude, momentum;
    for (int k = 1; k <= 8; k *= 2) {
      const State<double> end = integrate(method, k * steps);
      attitude.push_back({1.0 / k, attitude_error(end, reference)});
      momentum.push_back({1.0 / k, momentum_error(end, reference)});
    }
    const auto a = observed_order(attitude, 1e-13, 0.1), m = observed_order(momentum, 1e-13, 0.1);
    ASSERT_TRUE(a && m) << method;
    const MethodSpec spec = parse_method(method);
    EXPECT_NEAR(a->order, spec.claims.order_attitude, 0.2) << method;
    EXPECT_NEAR(m->order, spec.claims.order_momentum, 0.2) << method;
  }
}

const std::string scenario = good + R"(
[torque]
kind = "gravity-gradient"
mean_motion = 0.0011
orbit_normal_spatial = [0, 3, 4]
radius_spatial = [0, -4, 3]
)";

TEST(GravityGradientScenario, IsReadAndWritten) {
  const Scenario s = parse_scenario(scenario, "x.toml");
  const auto& field = std::get<GravityGradient<double>>(s.setup.torques.at(0));
  EXPECT_EQ(field.mean_motion, 0.0011);
  EXPECT_EQ(field.orbit_normal_spatial, (V{0, 3, 4}));
  EXPECT_EQ(field.radius_spatial, (V{0, -4, 3}));
  const auto again = std::get<GravityGradient<double>>(parse_scenario(to_toml(s), "y.toml").setup.torques.at(0));
  EXPECT_EQ(again.mean_motion, field.mean_motion);
  EXPECT_EQ(again.radius_spatial, field.radius_spatial);
  const auto defaults = parse_scenario(good + "[torque]\nkind = \"gravity-gradient\"\nmean_motion = 1\n", "x.toml");
  EXPECT_EQ(std::get<GravityGradient<double>>(defaults.setup.torques.at(0)).orbit_normal_spatial, (V{0, 0, 1}));
  EXPECT_EQ(std::get<GravityGradient<double>>(defaults.setup.torques.at(0)).radius_spatial, (V{1, 0, 0}));
}

TEST(GravityGradientScenario, IsRefusedByName) {
  struct Mistake {
    std::string from, to;
    std::vector<std::string> said;
  };
  const Mistake mistakes[] = {
      {"mean_motion = 0.0011\n", "", {"x.toml:10: torque.mean_motion: is missing", "gravity-gradient", "[rad/s]"}},
      {"0.0011", "-0.0011", {"x.toml:12: torque.mean_motion: -0.0011 must be positive", "orbit_normal_spatial"}},
      {"0.0011", "0", {"x.toml:12: torque.mean_motion: 0 must be positive"}},
      {"0.0011", "nan", {"x.toml:12: torque.mean_motion: nan"}},
      {"0.0011", "\"slow\"", {"x.toml:12: torque.mean_motion: 'slow' is a string"}},
      {"0.0011", "[0, 0, 0.0011]", {"x.toml:12: torque.mean_motion", "a number"}},
      {"mean_motion", "mean_moton", {"torque.mean_moton: no such key; nearest: mean_motion"}},
      {"gravity-gradient", "gravity-gradeint", {"x.toml:11: torque.kind", "nearest: gravity-gradient"}},
      {"[0, -4, 3]", "[0, 4, 3]", {"x.toml:14: torque.radius_spatial: [0, 4, 3]", "[0, 3, 4]", "right angles"}},
      {"[0, -4, 3]", "[0, 0, 0]", {"x.toml:14: torque.radius_spatial", "zero vector"}},
      {"orbit_normal_spatial = [0, 3, 4]\nradius_spatial = [0, -4, 3]\n",
       "orbit_normal_spatial = [3, 0, 4]\n",
       {"x.toml:10: torque.radius_spatial: [1, 0, 0] is not in the plane of the orbit"}}};
  for (const auto& [from, to, said] : mistakes) {
    const std::string text = replaced(scenario, from, to);
    try {
      parse_scenario(text, "x.toml");
      ADD_FAILURE() << "accepted:\n" << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind, ErrorKind::bad_file);
      for (const std::string& part : said) EXPECT_THAT(error.what(), HasSubstr(part));
    }
  }
}

// The scenario that comes with the library stays near the axes of the orbit and keeps what its comment says. The
// method is of fourth order with steps of n h = 0.022.
TEST(GravityGradientScenario, TheShippedOneLibrates) {
  const Scenario s = read_scenario(POLHODE_SOURCE_DIR "/scenarios/gravity-gradient.toml");
  Table table;
  EXPECT_FALSE(run(s, plan(s), &table).failure);
  ASSERT_GT(table.rows.size(), 1000U);
  const double mean_motion = std::get<GravityGradient<double>>(s.setup.torques.at(0)).mean_motion;
  const double unit = mean_motion * mean_motion * std::get<V>(s.setup.inertia).z;
  const auto column = [&](std::string_view name) {
    const auto at = std::find_if(table.headers.begin(), table.headers.end(),
                                 [&](const std::string& header) { return header.starts_with(name); });
    return static_cast<std::size_t>(at - table.headers.begin());
  };
  const std::size_t q = column("qw"), E = column("E["), along = column("momentum_along_field");
  double swing = 0, energy_change = 0, integral_change = 0;
  const auto integral = [&](const auto& row) { return row.at(E).value - mean_motion * row.at(along).value; };
  for (const auto& row : table.rows) {
    const R attitude{row.at(q).value, {row.at(q + 1).value, row.at(q + 2).value, row.at(q + 3).value}};
    swing = larger(swing, angle_between(exp(mean_motion * row[0].value * normal), attitude));
    energy_change = larger(energy_change, std::abs(row.at(E).value - table.rows[0].at(E).value) / unit);
    integral_change = larger(integral_change, std::abs(integral(row) - integral(table.rows[0])) / unit);
  }
  EXPECT_LT(swing, 0.5);
  EXPECT_GT(swing, 0.2);
  EXPECT_GT(energy_change, 0.1);
  EXPECT_LT(integral_change, 1e-6);
}

}  // namespace
}  // namespace polhode::test
