// The references: that every problem has one, that it is what its file says, and that both integrators behind it still
// give it. Recomputing all of them takes minutes; here it is some intervals of each, and conservation at every node.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "io_support.hpp"
#include "odeint_motion.hpp"
#include "polhode/core/error.hpp"
#include "polhode/core/quad.hpp"
#include "polhode/io/decimal.hpp"
#include "polhode/io/scenario.hpp"
#include "polhode/measure/energy.hpp"
#include "polhode/measure/error.hpp"
#include "polhode/measure/order.hpp"
#include "polhode/model/setup_json.hpp"
#include "polhode/problems/reference.hpp"
#include "polhode/problems/reference_file.hpp"
#include "polhode/run/simulation.hpp"

namespace polhode {

void PrintTo(const Problem& problem, std::ostream* stream) { *stream << problem.name; }

namespace references_test {
namespace {

using ::testing::HasSubstr;

template <class T>
State<T> state_of(const ReferenceNode& node) {
  const auto& q = node.attitude_wxyz;
  const auto& p = node.angular_momentum_body;
  return {{T(q[0]), {T(q[1]), T(q[2]), T(q[3])}}, {T(p[0]), T(p[1]), T(p[2])}, T(node.time)};
}

// The larger of the two errors; the momentum's is relative, unless the body is at rest. NaN counts as infinite.
template <class T>
double gap(const State<T>& a, const State<T>& b) {
  const double attitude = static_cast<double>(attitude_error(a, b));
  const T length = norm(b.pi_B);
  const double momentum = static_cast<double>(T(momentum_error(a, b) / (length == 0 ? T(1) : length)));
  return std::isfinite(attitude + momentum) ? std::fmax(attitude, momentum) : std::numeric_limits<double>::infinity();
}

class Problems : public testing::TestWithParam<Problem> {
 protected:
  const Problem& problem() const { return GetParam(); }
  const ReferenceFile& file() const {
    const ReferenceFile* found = find_reference(problem());
    if (found == nullptr) throw std::runtime_error("no reference fits; 'make references' makes it");
    return *found;
  }

  // Intervals by a fixed rule without favourites.
  std::vector<std::size_t> some_intervals(std::size_t count) const {
    std::mt19937 random(static_cast<unsigned>(problem().name.size() * 7919 + problem().name.front()));
    std::vector<std::size_t> chosen;
    for (std::size_t i = 0; i < count; ++i) chosen.push_back(random() % (file().nodes.size() - 1));
    return chosen;
  }
  // How much an error may grow from node to node. The book spins about its middle axis at 8 rad/s, where small errors
  // grow like exp(8 sqrt((5 - 1)(10 - 5)/(10 1)) t); its nodes are 0.625 s apart.
  double growth() const { return problem().name == "book-toss" ? std::exp(8 * std::sqrt(2.0) * 0.625) : 1; }
};

INSTANTIATE_TEST_SUITE_P(Every, Problems, testing::ValuesIn(problems()), [](const auto& test) {
  std::string name(test.param.name);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

TEST_P(Problems, FileIsInTheLibraryAndInGoodOrder) {
  const std::string text = built_in_reference(problem().name);
  EXPECT_EQ(text, read_file(fmt::format(POLHODE_SOURCE_DIR "/data/references/{}.json", problem().name)));
  const ReferenceFile read = parse_reference(text, problem().name);
  EXPECT_EQ(read.problem, problem().name);
  EXPECT_EQ(read.setup, to_json(problem().setup));
  EXPECT_EQ(to_json(read), text);
  EXPECT_LE(read.attitude_disagreement, 1e-20);
  EXPECT_LE(read.momentum_disagreement, 1e-20);
  const quad start(problem().setup.time), duration(problem().reference_duration);
  EXPECT_EQ(quad(read.nodes.front().time), start - duration);
  EXPECT_EQ(quad(read.nodes.back().time), start + duration);
  ASSERT_NE(find_reference(problem()), nullptr);

  const ReferenceNode& middle = read.nodes[read.nodes.size() / 2];
  const auto prepared = prepare<quad>(problem().setup);
  EXPECT_LT(gap(state_of<quad>(middle), prepared.in_user_units(prepared.start)), 2e-33);
}

// A potential and the axis about which its field is symmetric, written down here once more.
struct Conserved {
  quad potential{0};
  Vec3<quad> axis_S{};  // the momentum along it is constant; zero: there is none
  Vec3<quad> axis_B{};  // the same in the body, where its moments are symmetric too
};
Conserved conserved(const HeavyTop<double>& top, const Rotation<quad>& R) {
  const auto axis = cast<quad>(top.axis_body), up = cast<quad>(top.up_spatial);
  return {quad(top.weight_times_arm) * dot(R * axis, up) / (norm(axis) * norm(up)), up, axis};
}
Conserved conserved(const Coulomb<double>& field, const Rotation<quad>& R) {
  const quad r = quad(11) / 10 + matrix(R)[2][2];
  return {quad(field.sign) * (quad(1) / 1000 / pow(r, 10) - 1 / r), {0, 0, 1}, {}};
}
Conserved conserved(const StressTest<double>& field, const Rotation<quad>& R) {
  const auto distance = [&](const Rotation<quad>& other) {
    const Mat3<quad> m = matrix(inverse(other) * R);
    return quad(sqrt(quad(2 * (3 - m[0][0] - m[1][1] - m[2][2]))));
  };
  const quad off = distance({}) - 1;
  return {off * off - quad(field.alpha) / distance(exp(cast<quad>(field.well))), {}, {}};
}
Conserved conserved(const UniformField<double>& field, const Rotation<quad>& R) {
  const auto g = cast<quad>(field.field), axis = cast<quad>(field.axis_body);
  return {-dot(R * axis, g), g / norm(g), axis};
}
template <class Other>
Conserved conserved(const Other&, const Rotation<quad>&) {
  ADD_FAILURE() << "no potential of " << Other::kind << " is written down here";
  return {};
}

// What is constant in the exact motion, from quads read from 36 digits: ten rounding units of 2e-34.
constexpr double tolerance = 2e-33;

TEST_P(Problems, ConservationAtEveryNode) {
  const auto& torques = problem().setup.torques;
  if (problem().name == "book-toss") GTEST_SKIP() << "has a test of its own";
  const auto prepared = prepare<quad>(problem().setup);
  const Body<quad> body = prepared.body_in_user_units();
  ASSERT_EQ(body.principal_axes, Rotation<quad>{}) << "the sums below are in principal axes";
  const auto in_field = [&](const State<quad>& s) {
    if (torques.empty()) return Conserved{};
    return std::visit([&](const auto& field) { return conserved(field, s.R_SB); }, torques.front());
  };
  const State<quad> start = prepared.in_user_units(prepared.start);
  const quad energy = body.kinetic_energy(start.pi_B, start.t) + in_field(start).potential;
  const Vec3<quad> l_S = spatial_momentum(start);
  for (const ReferenceNode& node : file().nodes) {
    SCOPED_TRACE("t = " + node.time);
    const auto s = state_of<quad>(node);
    EXPECT_LT(static_cast<double>(quad(abs(squared_norm(s.R_SB) - 1))), tolerance);
    const auto [potential, axis_S, axis_B] = in_field(s);
    const quad kinetic = body.kinetic_energy(s.pi_B, s.t), terms = kinetic + abs(potential) + abs(energy);
    EXPECT_LT(static_cast<double>(quad(abs(kinetic + potential - energy) / terms)), tolerance);
    const Vec3<quad> change = (spatial_momentum(s) - l_S) / norm(l_S);
    if (torques.empty()) {
      EXPECT_LT(static_cast<double>(norm(change)), tolerance);
      continue;
    }
    EXPECT_LT(std::abs(static_cast<double>(dot(change, axis_S))), tolerance);
    // Lagrange's top: the momentum about its own axis.
    for (std::size_t k = 0; k < 3; ++k) {
      if (body.inertia[(k + 1) % 3] != body.inertia[(k + 2) % 3] || axis_B[k] != 1) continue;
      EXPECT_LT(std::abs(static_cast<double>(quad((s.pi_B[k] - start.pi_B[k]) / norm(l_S)))), tolerance);
    }
  }
}

// The momentum in space is the impulse of the torque so far, and the energy is constant where no torque acts.
TEST(BookToss, MomentumIsTheImpulse) {
  const Problem& problem = *find_problem("book-toss");
  const Body<quad> body = prepare<quad>(problem.setup).body_in_user_units();
  // By t = 2 the book has turned about its first axis by 1/2 (20/5) 2^2 = 8 rad; the blow then comes across it.
  const quad blow(0.2), energy = 160 + blow * blow * (pow(cos(quad(8)), 2) / 20 + pow(sin(quad(8)), 2) / 2);
  for (const ReferenceNode& node : find_reference(problem)->nodes) {
    SCOPED_TRACE("t = " + node.time);
    const auto s = state_of<quad>(node);
    const Vec3<quad> impulse = s.t < 0   ? Vec3<quad>{}
                               : s.t < 2 ? Vec3<quad>{20 * s.t, 0, 0}
                                         : Vec3<quad>{quad(40), blow, quad(0)};
    EXPECT_LT(static_cast<double>(norm(spatial_momentum(s) - impulse)), 40 * tolerance);
    if (s.t < 2) continue;
    EXPECT_LT(static_cast<double>(quad(abs(body.kinetic_energy(s.pi_B) / energy - 1))), tolerance);
  }
}

// From one node to the next, and back: up to 16 radians, some 50 steps of the one in quad and of the other in 50
// digits, between states that are rounded to 36.
TEST_P(Problems, BothIntegratorsGoFromNodeToNode) {
  for (const std::size_t i : some_intervals(2)) {
    const auto& nodes = file().nodes;
    SCOPED_TRACE("from t = " + nodes[i].time);
    const auto a = state_of<quad>(nodes[i]), b = state_of<quad>(nodes[i + 1]);
    EXPECT_LT(gap(propagated(problem().setup, a, b.t), b), growth() * 1e-32);
    EXPECT_LT(gap(propagated(problem().setup, b, a.t), a), growth() * 1e-32);
    const auto c = state_of<Digits50>(nodes[i]), d = state_of<Digits50>(nodes[i + 1]);
    EXPECT_LT(gap(OdeintMotion(problem().setup, c).advance_to(d.t), d), growth() * 1e-34);
    EXPECT_LT(gap(OdeintMotion(problem().setup, d).advance_to(c.t), c), growth() * 1e-34);
  }
}

// Between nodes: the same from the nearest one, from both neighbours, and in both scalars.
TEST_P(Problems, BetweenNodes) {
  const std::size_t i = some_intervals(1).front();
  const auto a = state_of<quad>(file().nodes[i]), b = state_of<quad>(file().nodes[i + 1]);
  const quad t = a.t + quad(0.41) * (b.t - a.t);
  const auto exact = cached_reference_at<quad>(problem(), t);
  const auto rounded = cached_reference_at(problem(), static_cast<long double>(t));
  ASSERT_TRUE(exact && rounded);
  const double exact_allowed = exact->attitude_uncertainty, allowed = rounded->attitude_uncertainty;
  EXPECT_LE(exact_allowed, growth() * 1e-29);
  EXPECT_LE(allowed, 1e-17);
  for (const State<quad>& node : {a, b}) {
    const State<quad> s = propagated(problem().setup, node, t);
    EXPECT_LE(static_cast<double>(attitude_error(s, exact->state)), exact_allowed);
    EXPECT_LE(static_cast<double>(momentum_error(s, exact->state)), exact->momentum_uncertainty);
    const auto l = propagated(problem().setup, cast<long double>(node), static_cast<long double>(t));
    EXPECT_LE(static_cast<double>(attitude_error(l, rounded->state)), allowed);
    EXPECT_LE(static_cast<double>(momentum_error(l, rounded->state)), rounded->momentum_uncertainty);
  }
  const auto at_rounded_time = propagated(problem().setup, exact->state, quad(static_cast<long double>(t)));
  EXPECT_LE(static_cast<double>(attitude_error(cast<quad>(rounded->state), at_rounded_time)), allowed);
  EXPECT_LE(static_cast<double>(momentum_error(cast<quad>(rounded->state), at_rounded_time)),
            rounded->momentum_uncertainty);
}

TEST_P(Problems, TheReferenceEndsWithItsDuration) {
  const long double start = problem().setup.time, duration = problem().reference_duration;
  for (const long double sign : {-1.0L, 1.0L}) {
    EXPECT_TRUE(cached_reference_at(problem(), start + sign * duration));
    EXPECT_TRUE(cached_reference_at(problem(), start + sign * duration * (1 + 1e-7L))) << "the rounding of a float";
    EXPECT_FALSE(cached_reference_at(problem(), start + sign * duration * 1.001L));
    EXPECT_FALSE(cached_reference_at(problem(), sign * std::numeric_limits<long double>::infinity()));
  }
  EXPECT_FALSE(cached_reference_at(problem(), std::numeric_limits<long double>::quiet_NaN()));
}

// A free symmetric body, I1 = I2, in closed form: R(t) = exp(t L/I1) R_0 exp(t (1/I3 - 1/I1) pi_3 e_3).
TEST(Integrators, ClosedFormOfASymmetricBody) {
  polhode::Setup setup;
  setup.inertia = Vec3<double>{1.125, 1.125, 0.625};
  setup.attitude = {AttitudeData::Kind::rotation_vector, {0.3, -0.7, 0.5}};
  setup.motion.value = {0.8, -0.4, 1.3};
  const State<Digits50> start = OdeintMotion(setup).state();
  for (const double t : {-12.5, 20.0}) {
    const Vec3<Digits50> precession = Digits50(t / Digits50(1.125)) * spatial_momentum(start);
    const Digits50 spin = t * (1 / Digits50(0.625) - 1 / Digits50(1.125)) * start.pi_B.z;
    State<Digits50> exact;
    exact.R_SB = exp(precession) * start.R_SB * exp(Vec3<Digits50>{Digits50(0), Digits50(0), spin});
    exact.pi_B = inverse(exact.R_SB) * spatial_momentum(start);
    EXPECT_LT(gap(OdeintMotion(setup).advance_to(t), exact), 1e-35);
    EXPECT_LT(gap(cast<Digits50>(propagated<quad>(setup, t)), exact), 1e-31);
    EXPECT_LT(gap(cast<Digits50>(propagated<long double>(setup, t)), exact), 1e-17);
  }
}

// A tensor: one integrator turns to principal axes, the other does not. The spatial velocity and the start at another
// time than zero are read by both.
TEST(Integrators, AgreeOnATensorInGravity) {
  polhode::Setup setup;
  setup.inertia = Mat3<double>{{{1.5, 0.25, -0.125}, {0.25, 1.25, 0.0625}, {-0.125, 0.0625, 0.875}}};
  setup.attitude = {AttitudeData::Kind::mrp, {0.125, -0.25, 0.5}};
  setup.motion = {MotionData::Kind::angular_velocity_spatial, {0.5, -1.25, 0.75}};
  setup.time = 3;
  HeavyTop<double> top;
  top.weight_times_arm = 0.75;
  top.axis_body = {2, -1, 2};
  setup.torques = {top};
  for (const double t : {-4.0, 3.0, 9.0}) {
    EXPECT_LT(gap(cast<Digits50>(propagated<quad>(setup, t)), OdeintMotion(setup).advance_to(t)), 1e-31) << t;
  }
}

// Two skew wheels, one with a motor, from a velocity and from a momentum.
TEST(Integrators, AgreeOnATensorWithWheelsInGravity) {
  polhode::Setup setup;
  setup.inertia = Mat3<double>{{{0.9144, 0.05, -0.02}, {0.05, 1.098, 0.07}, {-0.02, 0.07, 1.66}}};
  setup.wheels = {{{1, 2, 2}, 0.05, 20, {}}, {{-2, 1, 0.5}, 0.08, -6, 0.15}};
  setup.attitude = {AttitudeData::Kind::rotation_vector, {0.3, 0.1, -0.2}};
  setup.time = 1.5;
  setup.torques = {HeavyTop<double>{0.5, {1, 0, 2}}};
  for (const auto kind : {MotionData::Kind::angular_velocity_body, MotionData::Kind::angular_momentum_spatial}) {
    setup.motion = {kind, {0.45549, 0.82623, 0.03476}};
    for (const double t : {-1.5, 1.5, 4.0})
      EXPECT_LT(gap(cast<Digits50>(propagated<quad>(setup, t)), OdeintMotion(setup).advance_to(t)), 1e-31) << t;
  }
}

TEST(Integrators, SimpleMotions) {
  polhode::Setup setup;
  setup.inertia = Vec3<double>{1, 2, 2.5};
  EXPECT_EQ(propagated<long double>(setup, 1e9L).R_SB, Rotation<long double>{}) << "at rest";
  setup.motion.value = {0, 3, 0};
  const State<long double> spinning = propagated<long double>(setup, 40);
  EXPECT_LT(static_cast<double>(angle_between(spinning.R_SB, exp(Vec3<long double>{0, 120, 0}))), 120 * 0x1p-63);
  EXPECT_EQ(spinning.pi_B, (Vec3<long double>{0, 6, 0}));
  EXPECT_THROW(propagated<long double>(setup, std::nanl("")), std::invalid_argument);
  // From rest, about an axis of equal moments: half the acceleration times the time squared.
  setup.motion.value = {};
  ConstantBody<double> thruster;
  thruster.torque_B = {0.5, 0, 0};
  setup.torques = {thruster};
  const State<long double> pushed = propagated<long double>(setup, 6);
  EXPECT_LT(static_cast<double>(angle_between(pushed.R_SB, exp(Vec3<long double>{9, 0, 0}))), 1e-17);
  EXPECT_LT(static_cast<double>(norm(pushed.pi_B - Vec3<long double>{3, 0, 0})), 1e-18);
}

Result run_in(ScalarKind scalar, const std::string& method, double step) {
  Scenario scenario = problem_scenario(*find_problem("asymmetric-top-tilted"));
  scenario.run.method = method;
  scenario.run.scalar = scalar;
  scenario.run.step = step;
  scenario.run.duration = 2;
  return run(plan(scenario));
}

// In quad a run's errors follow its order far below what a long double resolves, which they can only if the reference
// has those digits too.
TEST(ErrorsOfARun, AreTakenInItsOwnScalar) {
  std::vector<ErrorAtStep> attitude, momentum;
  for (const double step : {1.0 / 8, 1.0 / 16, 1.0 / 32, 1.0 / 64}) {
    const Result result = run_in(ScalarKind::quad_, "taylor-12", step);
    ASSERT_TRUE(result.attitude_error && result.momentum_error);
    attitude.push_back({step, result.attitude_error->value});
    momentum.push_back({step, result.momentum_error->value});
    EXPECT_GT(decimal(*result.attitude_error).size(), 30U);
  }
  EXPECT_LT(attitude.back().error, 1e-22);
  const auto a = observed_order(attitude, 1e-30, 1), m = observed_order(momentum, 1e-30, 1);
  ASSERT_TRUE(a && m);
  EXPECT_NEAR(a->order, 12, 0.3);
  EXPECT_NEAR(m->order, 12, 0.3);
}

TEST(ErrorsOfARun, AreThoseOfItsRounding) {
  const struct {
    ScalarKind scalar;
    double unit;
    std::size_t digits;
  } cases[] = {
      {ScalarKind::float_, 0x1p-23, 9}, {ScalarKind::double_, 0x1p-52, 17}, {ScalarKind::long_double_, 0x1p-63, 21}};
  for (const auto& [scalar, unit, digits] : cases) {
    const Result result = run_in(scalar, "taylor-12", 1.0 / 16);
    ASSERT_TRUE(result.attitude_error);
    EXPECT_GT(result.attitude_error->value, unit / 50);
    EXPECT_LT(result.attitude_error->value, unit * 50);
    EXPECT_LE(decimal(*result.attitude_error).find('e'), digits + 1) << decimal(*result.attitude_error);
  }
}

}  // namespace
}  // namespace references_test
}  // namespace polhode
