// Against solutions that nobody here computed: NASA's tumbling brick, the heavy top of the Lie-group community, and the
// closed form of a symmetric body.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <numbers>
#include <sstream>
#include <string>
#include <vector>

#include "polhode/io/scenario.hpp"
#include "polhode/measure/error.hpp"
#include "polhode/measure/extremes.hpp"
#include "polhode/methods/registry.hpp"
#include "polhode/problems/reference.hpp"
#include "polhode/run/simulation.hpp"

namespace polhode::test::external_checks_test {
namespace {

constexpr double degree = std::numbers::pi / 180;

// The state in SI units after each of `steps` steps of `step` seconds.
template <class T = double, class Visit>
void integrate(const polhode::Setup& setup, std::string_view method, double step, int steps, const Visit& visit) {
  const auto prepared = prepare<T>(setup);
  const auto stepper = make_stepper(parse_method(method), prepared.body, prepared.field);
  const T h = prepared.time_in(step);
  stepper->start(prepared.start, h);
  for (int n = 1; n <= steps; ++n) {
    stepper->step(h);
    stepper->state.t = prepared.start.t + n * h;
    visit(n, prepared.in_user_units(stepper->state));
  }
}

// The columns of a file that are named, row by row.
std::vector<std::vector<double>> columns(const std::string& path, const std::vector<std::string>& names) {
  std::ifstream file(path);
  std::string line, cell;
  std::getline(file, line);
  std::vector<std::string> header;
  for (std::istringstream cells(line); std::getline(cells, cell, ',');) header.push_back(cell);
  std::vector<std::vector<double>> rows;
  while (std::getline(file, line)) {
    std::vector<double> all, wanted;
    for (std::istringstream cells(line); std::getline(cells, cell, ',');) all.push_back(std::stod(cell));
    for (const std::string& name : names) {
      const auto at = std::find(header.begin(), header.end(), name);
      wanted.push_back(at == header.end() ? std::nan("") : all.at(static_cast<std::size_t>(at - header.begin())));
    }
    rows.push_back(wanted);
  }
  return rows;
}

// The difference of two angles in degrees, whatever whole turns lie between.
double angle_gap(double a, double b) { return std::abs(std::remainder(a - b, 360.0)); }

class NescBrick : public testing::TestWithParam<const char*> {};

// Rates are inertial; yaw, pitch and roll refer to the local north-east-down frame, which turns with the Earth about its
// own north axis at the equator, and with the brick's small change of longitude.
TEST_P(NescBrick, RatesAndAngles) {
  const auto rows = columns(
      std::string(POLHODE_SOURCE_DIR "/data/nesc_brick/") + GetParam(),
      {"time", "bodyAngularRateWrtEi_deg_s_Roll", "bodyAngularRateWrtEi_deg_s_Pitch", "bodyAngularRateWrtEi_deg_s_Yaw",
       "eulerAngle_deg_Yaw", "eulerAngle_deg_Pitch", "eulerAngle_deg_Roll", "longitude_deg"});
  ASSERT_GE(rows.size(), 300U);
  constexpr double earth_rate = 7.292115e-5;  // rad/s
  const Problem& brick = *find_problem("nesc-brick");
  const Vec3<double> moments = std::get<Vec3<double>>(brick.setup.inertia);
  double rate_gap = 0, angle_gap_seen = 0;
  integrate(brick.setup, "taylor-12", 0.1, 300, [&](int n, const State<double>& s) {
    const auto& row = rows.at(static_cast<std::size_t>(n));
    ASSERT_NEAR(row[0], 0.1 * n, 1e-9);
    const Vec3<double> w = over(s.pi_B, moments) / degree;
    for (std::size_t i = 0; i < 3; ++i) rate_gap = larger(rate_gap, std::abs(w[i] - row[1 + i]));
    const double turned = earth_rate * row[0] + row[7] * degree;
    const Mat3<double> m = matrix(exp(Vec3<double>{-turned, 0, 0}) * s.R_SB);
    const double yaw = std::atan2(m[1][0], m[0][0]), pitch = -std::asin(m[2][0]), roll = std::atan2(m[2][1], m[2][2]);
    angle_gap_seen = larger(angle_gap_seen, angle_gap(yaw / degree, row[4]));
    angle_gap_seen = larger(angle_gap_seen, angle_gap(pitch / degree, row[5]));
    angle_gap_seen = larger(angle_gap_seen, angle_gap(roll / degree, row[6]));
  });
  EXPECT_LT(rate_gap, 1e-9) << "deg/s";
  EXPECT_LT(angle_gap_seen, 1e-8) << "deg";
}

INSTANTIATE_TEST_SUITE_P(Simulators, NescBrick, testing::Values("Atmos_02_sim_01.csv", "Atmos_02_sim_04.csv"),
                         [](const auto& test) { return std::string(test.param).substr(9, 6); });

// With damping, from a scenario file and its table of the air. The table has the numbers of NASA's file.
TEST(NescBrickInAir, RatesOfSimulator04) {
  const auto rows = columns(POLHODE_SOURCE_DIR "/data/nesc_brick/Atmos_03_sim_04.csv",
                            {"time", "bodyAngularRateWrtEi_deg_s_Roll", "bodyAngularRateWrtEi_deg_s_Pitch",
                             "bodyAngularRateWrtEi_deg_s_Yaw", "airDensity_slug_ft3", "speedOfSound_ft_s", "mach"});
  ASSERT_EQ(rows.size(), 301U);
  const Scenario scenario = read_scenario(POLHODE_SOURCE_DIR "/scenarios/falling-brick.toml");
  const DataTable& air = *std::get<ExpressionTorque<double>>(scenario.setup.torques.at(0)).table.table;
  ASSERT_EQ(air.columns.size(), 3U);
  ASSERT_EQ(air.rows(), rows.size());
  Table table;
  run(plan(scenario), &table);
  ASSERT_EQ(table.rows.size(), rows.size());
  double gap = 0;
  for (std::size_t n = 0; n < rows.size(); ++n) {
    EXPECT_EQ(air.columns[0].values[n], rows[n][0]);
    EXPECT_EQ(air.columns[1].values[n], rows[n][4]) << n;
    EXPECT_EQ(air.columns[2].values[n], rows[n][5] * rows[n][6]) << n;
    ASSERT_NEAR(table.rows[n][0].value, rows[n][0], 1e-12);
    for (std::size_t i = 0; i < 3; ++i)
      gap = larger(gap, std::abs(table.rows[n][5 + i].value / degree - rows[n][1 + i]));
  }
  EXPECT_LT(gap, 1e-9) << "deg/s";
}

// Published solvers give this quaternion at t = 0.2 s, to five digits [BCA12].
TEST(HeavyTopOfBruls, QuaternionAtATenthOfItsTime) {
  State<double> end;
  integrate(find_problem("heavy-top-bruls")->setup, "taylor-10", 2e-4, 1000,
            [&](int, const State<double>& s) { end = s; });
  const double sign = end.R_SB.w < 0 ? -1 : 1;
  EXPECT_NEAR(sign * end.R_SB.w, 0.70828, 6e-6);
  EXPECT_NEAR(sign * end.R_SB.v.x, -0.43878, 6e-6);
  EXPECT_NEAR(sign * end.R_SB.v.y, -0.54573, 6e-6);
  EXPECT_NEAR(sign * end.R_SB.v.z, -0.08940, 6e-6);
}

// To its end, 300 rad later, against the reference, on which Boost.odeint and our Lie-Taylor integrator agree to 1e-30.
// Steps of 2^-11 s leave taylor-12 no truncation error. In double the rounding of the steps adds up: the top turns by the
// same angle in every step and rounds it in the same way, so that for other steps it is anything from 1e-14 to 3e-12.
template <class T>
void expect_end_of_bruls_top(double tolerance) {
  const Problem& top = *find_problem("heavy-top-bruls");
  State<T> end;
  integrate<T>(top.setup, "taylor-12", 0x1p-11, 4096, [&](int, const State<T>& s) { end = s; });
  const auto reference = reference_at(top, 2);
  ASSERT_TRUE(reference);
  const auto s = cast<long double>(end);
  EXPECT_EQ(end.t, T(2));
  EXPECT_LT(attitude_error(s, reference->state), tolerance) << "rad";
  EXPECT_LT(momentum_error(s, reference->state) / norm(reference->state.pi_B), tolerance) << "relative";
}
TEST(HeavyTopOfBruls, EndInDouble) { expect_end_of_bruls_top<double>(4e-12); }
TEST(HeavyTopOfBruls, EndInLongDouble) { expect_end_of_bruls_top<long double>(1e-15); }

// Without torque a symmetric body, I1 = I2, precesses about its momentum at the rate |L|/I1 while it spins about its axis at
// (1/I3 - 1/I1) pi_3: R(t) = exp(t L/I1) R_0 exp(t (1/I3 - 1/I1) pi_3 e_3).
TEST(SymmetricBody, ClosedForm) {
  for (const double axial : {0.6, 1.7}) {
    polhode::Setup setup;
    setup.inertia = Vec3<double>{1.1, 1.1, axial};
    setup.attitude = {AttitudeData::Kind::rotation_vector, {0.3, -0.7, 0.5}};
    setup.motion.value = {0.8, -0.4, 1.3};
    const auto start = prepare<double>(setup);
    const State<double> s0 = start.in_user_units(start.start);
    const Vec3<double> L = spatial_momentum(s0);
    double gap = 0;
    integrate(setup, "taylor-12", 0.1, 200, [&](int, const State<double>& s) {
      const Rotation<double> exact = exp(Vec3<double>(L * (s.t / 1.1))) * s0.R_SB *
                                     exp(Vec3<double>{0, 0, s.t * (1 / axial - 1 / 1.1) * s0.pi_B.z});
      gap = larger(gap, angle_between(s.R_SB, exact));
    });
    EXPECT_LT(gap, 2e-14) << "axial moment " << axial;
  }
}

}  // namespace
}  // namespace polhode::test::external_checks_test
