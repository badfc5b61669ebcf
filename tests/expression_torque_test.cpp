// Torques by expressions: the same motion as the kind that has the same formula, in any axes, units, scalar and method;
// potentials and the torques derived from them; cuts in time, and switches that the motion decides.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <tuple>

#include "io_support.hpp"
#include "kind_support.hpp"
#include "model/cuts.hpp"
#include "model/switches.hpp"
#include "polhode/core/quad.hpp"
#include "polhode/io/scenario.hpp"
#include "polhode/problems/reference.hpp"
#include "polhode/run/simulation.hpp"

namespace polhode::test::expression_torque_test {
namespace {

using testing::HasSubstr;
using V = Vec3<double>;
using R = Rotation<double>;
using Expression = ExpressionTorque<double>;

Expression by_components(const std::string& x, const std::string& y, const std::string& z, NamedNumbers constants = {},
                         TorqueFrame frame = TorqueFrame::body) {
  Expression field;
  field.frame = frame;
  field.x = x;
  field.y = y;
  field.z = z;
  field.constants = std::move(constants);
  return field;
}
Expression by_potential(const std::string& potential, NamedNumbers constants = {}) {
  Expression field;
  field.potential_energy = potential;
  field.constants = std::move(constants);
  return field;
}

polhode::Setup body_in(const FieldData<double>& torque) {
  polhode::Setup s;
  s.inertia = V{0.9, 1.6, 2.1};
  const R q = exp(V{0.5, -0.9, 0.4});
  s.attitude = {AttitudeData::Kind::wxyz, {q.w, q.v.x, q.v.y, q.v.z}};
  s.motion.value = {0.7, -0.5, 0.9};
  s.torques = {torque};
  return s;
}
// A tensor, in axes that are not principal, and units far from those that the library works in.
polhode::Setup turned_body_in(const FieldData<double>& torque) {
  polhode::Setup s = body_in(torque);
  s.inertia = Mat3<double>{{{1300, 120, -75}, {120, 1700, 210}, {-75, 210, 2100}}};
  s.motion.value = {0.07, -0.05, 0.09};
  return s;
}

void expect_same_motion(const polhode::Setup& one, const polhode::Setup& other, double tolerance) {
  for (const char* method : {"taylor-4", "taylor-8", "rkmk-4", "mclachlan-reich-231", "taylor-adaptive", "abm4"}) {
    const auto a = integrated<double>(one, method, 2, 50), b = integrated<double>(other, method, 2, 50);
    EXPECT_LT(angle_between(a.R_SB, b.R_SB), tolerance) << method;
    EXPECT_LT(norm(a.pi_B - b.pi_B), tolerance * (1 + norm(b.pi_B))) << method;
  }
  const auto a = integrated<quad>(one, "taylor-4", 2, 50), b = integrated<quad>(other, "taylor-4", 2, 50);
  EXPECT_LT(static_cast<double>(angle_between(a.R_SB, b.R_SB)), 1e-30);
}

const std::vector<polhode::Setup (*)(const FieldData<double>&)> bodies{body_in, turned_body_in};

TEST(ExpressionTorque, OfAHeavyTopMovesAsTheHeavyTop) {
  const NamedNumbers mgl{{"mgl", 45}};
  for (const auto body : bodies) {
    const polhode::Setup top = body(HeavyTop<double>{45, {0, 0, 1}, {0, 0, 1}});
    expect_same_motion(body(by_potential("mgl*Rzz", mgl)), top, 1e-12);
    expect_same_motion(body(by_components("mgl*Rzy", "-mgl*Rzx", "0", mgl)), top, 1e-12);
    // In space: (R e_z) x (-mgl e_z).
    expect_same_motion(body(by_components("-mgl*Ryz", "mgl*Rxz", "", mgl, TorqueFrame::spatial)), top, 1e-12);
    // By quaternions: of -mgl e_z and 2 (qx qz + qw qy) = Rxz.
    expect_same_motion(
        body(by_components("-mgl*2*(qy*qz - qw*qx)", "mgl*2*(qx*qz + qw*qy)", "0", mgl, TorqueFrame::spatial)), top,
        1e-12);
  }
}

TEST(ExpressionTorque, OfDampingMovesAsDamping) {
  for (const auto body : bodies) {
    Damping<double> damping;
    damping.linear = Mat3<double>{{{30, 5, -10}, {2, 20, 4}, {7, -3, 25}}};
    damping.quadratic = Mat3<double>{{{10, 0, 0}, {0, 10, 0}, {0, 0, 10}}};
    const std::string rate = "10*sqrt(wx^2 + wy^2 + wz^2)";
    expect_same_motion(
        body(by_components("-30*wx - 5*wy + 10*wz - " + rate + "*wx", "-2*wx - 20*wy - 4*wz - " + rate + "*wy",
                           "-7*wx + 3*wy - 25*wz - " + rate + "*wz")),
        body(damping), 1e-12);
  }
}

TEST(ExpressionTorque, OfAGravityGradientMovesAsTheGravityGradient) {
  for (const auto body : bodies) {
    GravityGradient<double> gradient;
    gradient.mean_motion = 0.6;
    // r = (cos nt, sin nt, 0) in space; V = 3/2 n^2 r_B . I r_B with r_B = R^T r
    const bool turned = body == turned_body_in;
    const NamedNumbers tensor =
        turned ? NamedNumbers{{"n", 0.6},   {"I11", 1300}, {"I22", 1700}, {"I33", 2100},
                              {"I12", 120}, {"I13", -75},  {"I23", 210}}
               : NamedNumbers{{"n", 0.6}, {"I11", 0.9}, {"I22", 1.6}, {"I33", 2.1}, {"I12", 0}, {"I13", 0}, {"I23", 0}};
    const auto r = [](const std::string& column) { return "(cos(n*t)*Rx" + column + " + sin(n*t)*Ry" + column + ")"; };
    const std::string x = r("x"), y = r("y"), z = r("z");
    const std::string potential = "1.5*n^2*(I11*" + x + "^2 + I22*" + y + "^2 + I33*" + z + "^2 + 2*I12*" + x + "*" +
                                  y + " + 2*I13*" + x + "*" + z + " + 2*I23*" + y + "*" + z + ")";
    expect_same_motion(body(by_potential(potential, tensor)), body(gradient), 1e-11);
  }
}

TEST(ExpressionTorque, HasTheEnergyOfItsPotential) {
  for (const auto body : bodies) {
    const auto expression = prepare<double>(body(by_potential("45*Rzz")));
    const auto top = prepare<double>(body(HeavyTop<double>{45, {0, 0, 1}, {0, 0, 1}}));
    EXPECT_TRUE(expression.field.conserves_energy());
    EXPECT_FALSE(expression.field.depends_on_velocity());
    const auto joules = [](const auto& prepared) {
      return std::ldexp(prepared.field.potential(prepared.start.R_SB), prepared.units.energy_exponent());
    };
    EXPECT_NEAR(joules(expression), joules(top), 1e-13);
  }
  EXPECT_FALSE(prepare<double>(body_in(by_potential("t*Rzz"))).field.conserves_energy());
  EXPECT_FALSE(prepare<double>(body_in(by_components("Rzy", "-Rzx", "0"))).field.conserves_energy());
  EXPECT_TRUE(prepare<double>(body_in(by_components("wx", "", ""))).field.depends_on_velocity());
}

TEST(ExpressionTorque, GivenWithItsPotentialIsCheckedAgainstIt) {
  Expression both = by_components("2*Rzy", "-2*Rzx", "");
  both.potential_energy = "2*Rzz";
  EXPECT_EQ(refusal_of(body_in(both)), "accepted");
  EXPECT_TRUE(prepare<double>(body_in(both)).field.conserves_energy());
  both.potential_energy = "-2*Rzz";
  EXPECT_THAT(refusal_of(body_in(both)), HasSubstr("torque[0].potential"));
  EXPECT_THAT(refusal_of(body_in(both)), HasSubstr("is not that of the torque: at t = 0 s"));
  both.potential_energy = "2*Rzz + 1e-6*Rxx";
  EXPECT_THAT(refusal_of(body_in(both)), HasSubstr("is not that of the torque"));
  both.potential_energy = "2*Rzz";
  both.z = "-0.1*wz";
  EXPECT_THAT(refusal_of(body_in(both)), HasSubstr("depends on the angular velocity"));
}

TEST(ExpressionTorque, RefusesWhatIsNoTorque) {
  EXPECT_THAT(refusal_of(body_in(Expression{})), HasSubstr("torque[0].x: is missing, and so are y, z and potential"));
  EXPECT_THAT(refusal_of(body_in(by_components("", "1 + wq", ""))),
              HasSubstr("torque[0].y: column 5: there is no 'wq'"));
  EXPECT_THAT(refusal_of(body_in(by_components("", "", "sin(t"))), HasSubstr("torque[0].z: column 6: the text ends"));
  EXPECT_THAT(refusal_of(body_in(by_potential("wx*Rzz"))), HasSubstr("torque[0].potential: depends on the angular"));
  EXPECT_THAT(refusal_of(body_in(by_potential("qw^2"))), HasSubstr("write it with Rxx to Rzz"));
  EXPECT_THAT(refusal_of(body_in(by_components("a", "", "", {{"a", 1}, {"sin", 2}}))),
              HasSubstr("torque[0].constants: the name 'sin' is taken"));
  EXPECT_THAT(refusal_of(body_in(by_components("a", "", "", {{"a", std::nan("")}}))), HasSubstr("must be finite"));
  EXPECT_THAT(refusal_of(body_in(by_components("-2*qx", "-2*qy", "-2*qz"))),
              HasSubstr("the torque differs between q and -q"));
  EXPECT_EQ(refusal_of(body_in(by_components("-2*qx*if(qw < 0, -1, 1)", "-2*qy*qw", "qz^2"))), "accepted");
  Expression table = by_components("rho(t)", "", "");
  table.table = DataTable{{{"t", {0, 1}}, {"wx", {1, 2}}}};
  EXPECT_THAT(refusal_of(body_in(table)), HasSubstr("torque[0].table: the name 'wx' is taken"));
  table.table = DataTable{{{"t", {0, 1}}, {"rhos", {1, 2}}}};
  EXPECT_THAT(refusal_of(body_in(table)), HasSubstr("there is no function 'rho'; nearest: rhos"));
}

TEST(ExpressionTorque, FromAFileIsRefusedWithItsLineAndColumn) {
  const std::string text =
      good + "[torque]\nkind = \"expression\"\nx = \"-c*wx\"\ny = \"2*(t + \"\nconstants = { c = 0.1 }\n";
  const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<long>(text.find("\ny = ") + 1), '\n');
  try {
    run(plan(parse_scenario(text, "x.toml")));
    FAIL() << "accepted";
  } catch (const std::exception& error) {
    EXPECT_THAT(error.what(), HasSubstr("x.toml:" + std::to_string(line)));
    EXPECT_THAT(error.what(), HasSubstr("column 8"));
  }
  const std::string right = replaced(text, "2*(t + ", "2*sin(t)");
  EXPECT_FALSE(run(plan(parse_scenario(right, "x.toml"))).failure);
}

// Bodies side by side have the bits that they have alone.
TEST(ExpressionTorque, OfLanesIsThatOfEachBody) {
  const auto prepared = prepare<double>(turned_body_in(
      by_components("-c*wx + sin(t)*Rxy", "if(wy > 0, a, Rzz)*exp(qw*qx)", "atan2(Rxx, Ryy)", {{"a", 2}, {"c", 3}})));
  using L = Lanes<double, 4>;
  Rotation<L> q;
  Vec3<L> w;
  L t;
  for (std::size_t i = 0; i < 4; ++i) {
    const double s = static_cast<double>(i);
    set_lane(q, i, normalised(exp(V{0.3 + s, -0.4 * s, 0.7})));
    set_lane(w, i, V{0.2 - s, 1 - 0.6 * s, 0.1});
    t.set(i, 0.4 * s);
  }
  const Vec3<L> all = prepared.field.torque(q, w, t);
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_EQ(lane(all, i), prepared.field.torque(lane(q, i), lane(w, i), double(t[i])));
}

// A sphere about one axis, driven as long as t < 5/3: momentum and angle are polynomials in pieces.
State<long double> driven(long double a, long double b, long double until, long double t) {
  const long double u = std::min(t, until), v = t - u;
  const long double w = a * u, angle = a * u * u / 2 + w * v + b * v * v / 2;
  return {exp(Vec3<long double>{0, 0, angle}), {0, 0, w + b * v}, t};
}
polhode::Setup sphere(const FieldData<double>& torque, double rate = 0) {
  polhode::Setup s;
  s.inertia = V{1, 1, 1};
  s.motion.value = {0, 0, rate};
  s.torques = {torque};
  return s;
}

TEST(ExpressionTorque, CutsTheTimeWhereOnlyTimeDecides) {
  const polhode::Setup s = sphere(by_components("", "", "if(3*t < 5, a, -b)", {{"a", 0.75}, {"b", 0.5}}));
  EXPECT_EQ(Pieces<double>(prepare<double>(s).field).size(), 2u);
  EXPECT_EQ(switch_count(Pieces<double>(prepare<double>(s).field).field(0)), 0u);
  const State<long double> exact = driven(0.75L, -0.5L, 5.0L / 3, 3);
  for (const char* method : {"taylor-2", "taylor-4", "rkmk-4"})
    for (const int steps : {7, 30}) {
      const auto end = integrated<long double>(s, method, 3, steps);
      EXPECT_LT(attitude_error(end, exact), 1e-17L) << method;
      EXPECT_LT(momentum_error(end, exact), 1e-17L) << method;
    }
  EXPECT_LT(attitude_error(propagated<long double>(s, 3), exact), 1e-17L);
  const auto wide = propagated<quad>(s, quad(3));
  EXPECT_LT(static_cast<double>(
                abs(wide.pi_B.z - (quad(0.75) * quad(5) / quad(3) - quad(0.5) * (quad(3) - quad(5) / quad(3))))),
            1e-32);
}

TEST(ExpressionTorque, CallsTheColumnsOfATable) {
  // The table of x by itself, and as a function that is called one second early and twice as fast.
  const DataTable data{{{"t", {0, 1, 3, 3.5}}, {"x", {0, 0, 0, 0}}, {"y", {0, 0, 0, 0}}, {"z", {0, 2, -1, 0.5}}}};
  for (const Interpolation way : {Interpolation::linear, Interpolation::cubic_hermite, Interpolation::natural_spline}) {
    Expression calls = by_components("", "", "z_of(t)");
    DataTable renamed = data;
    renamed.columns[3].name = "z_of";
    renamed.columns[1].name = "x_of", renamed.columns[2].name = "y_of";
    calls.table = renamed;
    calls.interpolation = way;
    const polhode::Setup s = sphere(calls, 0.25),
                         table = sphere(TorqueTable<double>{data, TorqueFrame::body, way}, 0.25);
    for (const char* method : {"taylor-4", "taylor-8", "rkmk-4", "lie-verlet"})
      for (const int steps : {9, 40}) {
        const auto a = integrated<double>(s, method, 3.4, steps), b = integrated<double>(table, method, 3.4, steps);
        EXPECT_LT(angle_between(a.R_SB, b.R_SB), 1e-13) << method;
        EXPECT_NEAR(a.pi_B.z, b.pi_B.z, 1e-13) << method;
      }
    calls.z = "z_of(2*t - 1)";
    const auto prepared = prepare<double>(sphere(calls));
    EXPECT_EQ(Pieces<double>(prepared.field).size(), 5u);
    EXPECT_NEAR(Pieces<double>(prepared.field).begin(2) / prepared.time_in(1), 1, 1e-15);
    EXPECT_EQ(calls.time_range(), std::pair(0.5, 2.25));
  }
}

TEST(ExpressionTorque, OfATableIsRefusedBeyondItsTimes) {
  const std::string text =
      good +
      "[torque]\nkind = \"expression\"\nz = \"rho(t)\"\ntable = { columns = [\"t\", \"rho\"], rows = [[0, 1], "
      "[0.001, 2]] }\n";
  try {
    run(plan(parse_scenario(text, "x.toml")));
    FAIL() << "accepted";
  } catch (const std::exception& error) {
    EXPECT_THAT(error.what(), HasSubstr("is given from 0 s to 0.001 s"));
  }
}

// A thruster that fires with a until the rate has come to w1, and then with b.
polhode::Setup thruster() {
  return sphere(by_components("", "", "if(wz < 0.5, a, b)", {{"a", 0.75}, {"b", 0.25}}), 0.125);
}
State<long double> thruster_at(long double t) {
  const long double w0 = 0.125L, w1 = 0.5L, a = 0.75L, b = 0.25L, u = std::min(t, (w1 - w0) / a), v = t - u;
  return {exp(Vec3<long double>{0, 0, w0 * u + a * u * u / 2 + (v > 0 ? w1 * v + b * v * v / 2 : 0)}),
          {0, 0, v > 0 ? w1 + b * v : w0 + a * u},
          t};
}

TEST(MotionSwitch, IsPassedToRounding) {
  const polhode::Setup s = thruster();
  EXPECT_EQ(switch_count(prepare<double>(s).field), 1u);
  for (const char* method : {"taylor-2", "taylor-4", "rkmk-4", "taylor-adaptive"})
    for (const int steps : {1, 4, 7, 30}) {
      const auto end = integrated<long double>(s, method, 2, steps);
      EXPECT_LT(attitude_error(end, thruster_at(2)), 1e-16L) << method << steps;
      EXPECT_LT(momentum_error(end, thruster_at(2)), 1e-16L) << method << steps;
    }
  const auto wide = integrated<quad>(s, "taylor-4", 2, 5);
  EXPECT_LT(static_cast<double>(abs(wide.pi_B.z - (quad(0.5) + quad(0.25) * quad(1.5)))), 1e-31);
}

TEST(MotionSwitch, IsPassedBackwards) {
  const polhode::Setup s = thruster();
  for (const char* method : {"taylor-4", "lie-verlet", "rkmk-4"}) {
    const auto prepared = prepare<double>(s);
    const auto stepper = make_stepper(parse_method(method), prepared.body, prepared.field);
    const double h = prepared.time_in(0.3);
    stepper->start(prepared.start, h);
    for (int n = 0; n < 5; ++n) stepper->step(h);
    stepper->reverse();
    for (int n = 0; n < 5; ++n) stepper->step(-h);
    EXPECT_LT(angle_between(stepper->state.R_SB, prepared.start.R_SB), 1e-14) << method;
    EXPECT_LT(norm(stepper->state.pi_B - prepared.start.pi_B), 1e-14) << method;
  }
}

// A tumbling body whose torque depends on attitude and rate, and jumps where an axis passes the horizon.
polhode::Setup tumbling() {
  return body_in(by_components("if(Rzz > 0.2, 0.8*Rzy, -0.3)", "0.4*sin(t) - 0.1*wy", "if(wx > wy, 0.5, Rxx)"));
}

// A method of high order with tiny steps is what the others are compared with; it passes the switches like them, and a step
// that does not know of them shows that they are where it puts them.
TEST(MotionSwitch, MethodsKeepTheirOrder) {
  const polhode::Setup s = tumbling();
  const auto exact = integrated<long double>(s, "taylor-12", 4, 800);
  const auto other = integrated<long double>(s, "rkmk-4", 4, 20000);
  EXPECT_LT(attitude_error(exact, other), 1e-14L);
  for (const auto& [method, fewest, order] : std::vector<std::tuple<const char*, int, double>>{
           {"taylor-2", 100, 2}, {"taylor-4", 50, 4}, {"taylor-6", 50, 6}, {"rkmk-4", 50, 4}, {"lie-verlet", 100, 2}})
    expect_order(s, method, 4, fewest, exact, order);
}

TEST(MotionSwitch, WithoutKnowingOfItGivesTheSameInTheLimit) {
  const polhode::Setup s = tumbling();
  const auto exact = integrated<double>(s, "taylor-8", 4, 400);
  const auto prepared = prepare<double>(s);
  Callback<double> values;
  values.torque_B = [field = prepared.field](const R& q, const V& w, const double& t) { return field.torque(q, w, t); };
  const FieldSum<double> plain({values});
  const auto stepper = make_stepper(parse_method("rkmk-4"), prepared.body, plain);
  const int steps = 400000;
  const double h = prepared.time_in(4) / steps;
  stepper->start(prepared.start, h);
  for (int n = 0; n < steps; ++n) {
    stepper->state.t = prepared.start.t + n * h;
    stepper->step(h);
  }
  const auto end = prepared.in_user_units(stepper->state);
  EXPECT_LT(angle_between(end.R_SB, exact.R_SB), 2e-5);  // of first order: h
}

// The rate rises and falls again within one step: w = c + s t - 9/2 t^2 passes 1/2 twice.
TEST(MotionSwitch, IsSeenTwiceWithinAStep) {
  const polhode::Setup s = sphere(by_components("", "0.001*if(wz > 0.5, 1, 0)", "1 - 9*t"), 0.45);
  // wz = 0.45 + t - 4.5 t^2 > 1/2 between these times.
  const double root = std::sqrt(1 - 4 * 4.5 * 0.05), first = (1 - root) / 9, second = (1 + root) / 9;
  const auto end = integrated<double>(s, "taylor-8", 0.3, 1);
  const auto fine = integrated<double>(s, "taylor-8", 0.3, 300);
  EXPECT_NEAR(end.pi_B.y, fine.pi_B.y, 1e-9);
  EXPECT_NEAR(std::hypot(end.pi_B.x, end.pi_B.y), 0.001 * (second - first), 1e-6);
  EXPECT_GT(std::hypot(end.pi_B.x, end.pi_B.y), 1e-5);
}

// A square wave of many periods within one step: switches of time alone are all found.
TEST(MotionSwitch, OfTimeAloneIsNeverMissed) {
  const polhode::Setup s = sphere(by_components("", "", "if(sin(20*pi*t) > 0, 1, 0)"));
  for (const int steps : {1, 3, 10, 37}) {
    const auto end = integrated<double>(s, "taylor-4", 1, steps);
    EXPECT_NEAR(end.pi_B.z, 0.5, 1e-13) << steps;
    // Half a period on, half off: the angle of ten such.
    EXPECT_NEAR(2 * std::acos(std::min(1.0, std::abs(end.R_SB.w))), 0.2625, 1e-9) << steps;
  }
}

TEST(MotionSwitch, ThatCannotBeLeftHasNotConverged) {
  const auto prepared = prepare<double>(sphere(by_components("", "", "if(wz > 0, -1, 1)"), 0.5));
  const auto stepper = make_stepper(parse_method("taylor-4"), prepared.body, prepared.field);
  const double h = prepared.time_in(0.2);
  stepper->start(prepared.start, h);
  for (int n = 0; n < 2; ++n) stepper->step(h);
  EXPECT_TRUE(stepper->work.converged);
  for (int n = 0; n < 2; ++n) stepper->step(h);
  EXPECT_FALSE(stepper->work.converged);
}

TEST(MotionSwitch, BeginsOnTheSideToWhichTheMotionGoes) {
  for (const double rate : {0.0, 0.5}) {
    // At the switch exactly: at 0.5 the torque is positive on both sides, and the rate rises beyond it.
    const auto end = integrated<double>(sphere(by_components("", "", "if(wz > 0.5, 2, 1)"), rate), "taylor-4", 1, 3);
    EXPECT_NEAR(end.pi_B.z, rate == 0.5 ? 2.5 : 0.5 + 2 * 0.5, 1e-14);
  }
  // At rest for ever: the torque is taken as it is written.
  const auto still =
      integrated<double>(sphere(by_components("", "", "if(wz > 0, -1, if(wz < 0, 1, 0))"), 0), "taylor-4", 1, 3);
  EXPECT_EQ(still.pi_B.z, 0);
}

TEST(MotionSwitch, GoesOnWithTheSameBitsAfterACopy) {
  const auto prepared = prepare<double>(tumbling());
  const auto method = parse_method("taylor-4");
  const auto stepper = make_stepper(method, prepared.body, prepared.field);
  const double h = prepared.time_in(0.1);
  stepper->start(prepared.start, h);
  for (int n = 0; n < 11; ++n) stepper->step(h);
  const auto clone = stepper->clone();
  Archive out;
  stepper->transfer(out);
  const auto loaded = make_stepper(method, prepared.body, prepared.field);
  loaded->start(prepared.start, h);
  Archive in(out.bytes());
  loaded->transfer(in);
  EXPECT_TRUE(in.exhausted());
  for (int n = 0; n < 20; ++n) {
    stepper->step(h);
    clone->step(h);
    loaded->step(h);
  }
  EXPECT_EQ(stepper->state.R_SB, clone->state.R_SB);
  EXPECT_EQ(stepper->state.R_SB, loaded->state.R_SB);
  EXPECT_EQ(stepper->state.pi_B, loaded->state.pi_B);
}

TEST(MotionSwitch, IsFoundByTheReference) {
  for (const long double t : {0.4L, 0.5L, 1.0L, -0.1L})
    EXPECT_LT(attitude_error(propagated<long double>(thruster(), t), thruster_at(t)), 1e-18L) << t;
}

}  // namespace
}  // namespace polhode::test::expression_torque_test
