// The references: that every problem has one, that it is what its file says, and that both integrators behind it still
// give it. Recomputing all of them takes minutes; here it is some intervals of each, and conservation at every node.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
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
#include "polhode/model/same_motion.hpp"
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
  const quad energy = body.kinetic_energy(start.pi_B) + in_field(start).potential;
  const Vec3<quad> l_S = spatial_momentum(start);
  for (const ReferenceNode& node : file().nodes) {
    SCOPED_TRACE("t = " + node.time);
    const auto s = state_of<quad>(node);
    EXPECT_LT(static_cast<double>(quad(abs(squared_norm(s.R_SB) - 1))), tolerance);
    const auto [potential, axis_S, axis_B] = in_field(s);
    const quad kinetic = body.kinetic_energy(s.pi_B), terms = kinetic + abs(potential) + abs(energy);
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

TEST(ReferenceFiles, AreThoseOfTheProblems) {
  for (const auto& entry : std::filesystem::directory_iterator(POLHODE_SOURCE_DIR "/data/references")) {
    EXPECT_NE(find_problem(entry.path().stem().string()), nullptr) << entry.path();
  }
}

// The table of the documentation is the one in the files.
TEST(ReferenceFiles, AreDocumented) {
  const std::string page = read_file(POLHODE_SOURCE_DIR "/docs/references.md");
  for (const Problem& problem : problems()) {
    const ReferenceFile* file = find_reference(problem);
    ASSERT_NE(file, nullptr) << problem.name;
    EXPECT_THAT(page, HasSubstr(fmt::format("| `{}` | {} | {:.1e} | {:.1e} |", problem.name, problem.reference_duration,
                                            file->attitude_disagreement, file->momentum_disagreement)));
  }
}

// A file serves the data it was made for, and none but those.
TEST(ReferenceFiles, AreNotUsedForOtherData) {
  const Problem top = *find_problem("asymmetric-top");
  ASSERT_NE(find_reference(top), nullptr);
  Problem other = top;
  auto& moments = std::get<Vec3<double>>(other.setup.inertia);
  moments.x = std::nextafter(moments.x, 1.0);
  EXPECT_EQ(find_reference(other), nullptr);
  EXPECT_FALSE(reference_at(other, 1));
  EXPECT_FALSE(reference_at<quad>(other, 1));
  other = top;
  std::get<HeavyTop<double>>(other.setup.torques.front()).axis_body.x = 1e-300;
  EXPECT_FALSE(reference_at(other, 1));
  other = top;
  other.setup.time = 1;
  EXPECT_FALSE(reference_at(other, 1));
  other = top;
  other.name = "asymmetric-top-tilted";
  EXPECT_FALSE(reference_at(other, 1));
  other.name = "nobody-knows";
  EXPECT_FALSE(reference_at(other, 1));
  other = top;
  other.reference_duration *= 2;
  EXPECT_FALSE(reference_at(other, 1)) << "the file does not reach as far";
  other.reference_duration = 10;
  EXPECT_TRUE(reference_at(other, 10));
  EXPECT_FALSE(reference_at(other, 11));
}

// The same motion in other words is found, and another motion in nearly the same words is not.
TEST(ReferenceFiles, AreFoundByTheMotion) {
  const Problem top = *find_problem("heavy-top-bruls");
  const auto found = [&](auto change) {
    Problem other = top;
    change(other.setup);
    return find_reference(other) != nullptr;
  };
  const auto quaternion = [](double sign, const AttitudeData& from, bool scalar_last) {
    std::vector<double> q = from.values;
    for (double& x : q) x *= sign;
    if (scalar_last) std::rotate(q.begin(), q.begin() + 1, q.end());
    return AttitudeData{scalar_last ? AttitudeData::Kind::xyzw : AttitudeData::Kind::wxyz, q};
  };
  ASSERT_EQ(top.setup.attitude.kind, AttitudeData::Kind::wxyz) << "what follows begins with a quaternion";
  const auto& moments = std::get<Vec3<double>>(top.setup.inertia);
  EXPECT_TRUE(found([](polhode::Setup& setup) { setup.time = -0.0; }));
  EXPECT_TRUE(found([](polhode::Setup& setup) { setup.unphysical = true; }));
  for (const bool scalar_last : {false, true}) {
    for (const double sign : {1.0, -1.0}) {
      EXPECT_TRUE(found([&](polhode::Setup& setup) {
        setup.attitude = quaternion(sign, top.setup.attitude, scalar_last);
      })) << sign
          << scalar_last;
    }
  }
  EXPECT_TRUE(found([&](polhode::Setup& setup) {
    setup.inertia = Mat3<double>{{{moments.x, 0, 0}, {0, moments.y, -0.0}, {0, 0, moments.z}}};
  }));
  EXPECT_FALSE(found([&](polhode::Setup& setup) {
    setup.inertia = Mat3<double>{{{moments.x, 1e-15, 0}, {1e-15, moments.y, 0}, {0, 0, moments.z}}};
  }));
  EXPECT_FALSE(found([](polhode::Setup& setup) { setup.motion.value.z = std::nextafter(setup.motion.value.z, 1.0); }));
  const auto given_in_space = [](polhode::Setup& setup) {
    setup.motion.kind = MotionData::Kind::angular_velocity_spatial;
  };
  EXPECT_TRUE(found(given_in_space)) << "which is the same where the axes of body and space coincide";
  Problem leaning = *find_problem("asymmetric-top");
  EXPECT_NE(find_reference(leaning), nullptr);
  given_in_space(leaning.setup);
  EXPECT_EQ(find_reference(leaning), nullptr);
  EXPECT_FALSE(found([](polhode::Setup& setup) {
    for (double& x : setup.attitude.values) x = std::nextafter(x, 2.0);
  }));
  EXPECT_FALSE(found([](polhode::Setup& setup) { setup.torques.push_back(setup.torques.front()); }));
  EXPECT_FALSE(found([](polhode::Setup& setup) { setup.torques.clear(); }));
}

// The momentum of a body whose moments are powers of two is as exact as its velocity.
TEST(SameMotion, GivenAsVelocityOrAsMomentum) {
  polhode::Setup velocity;
  velocity.inertia = Vec3<double>{1, 2, 2};
  velocity.attitude = {AttitudeData::Kind::rotation_vector, {0.1, -0.2, 0.3}};
  velocity.motion = {MotionData::Kind::angular_velocity_body, {0.1, 0.2, 0.3}};
  velocity.torques = {HeavyTop<double>{0.5, {0, 0, 2}}, ConstantBody<double>{{0.1, 0, 0}}};
  polhode::Setup momentum = velocity;
  momentum.motion = {MotionData::Kind::angular_momentum_body, {0.1, 0.4, 0.6}};
  EXPECT_TRUE(same_motion(velocity, momentum));
  momentum.torques = {ConstantBody<double>{{0.1, -0.0, 0}}, HeavyTop<double>{0.5, {0, 0, 1}}};
  EXPECT_TRUE(same_motion(velocity, momentum)) << "torques add up in any order, and a direction has any length";
  momentum.motion.value.y = std::nextafter(0.4, 1.0);
  EXPECT_FALSE(same_motion(velocity, momentum));
}

TEST(SetupJson, ComesBackAsItWasWritten) {
  for (const Problem& problem : problems()) {
    const std::string text = to_json(problem.setup);
    const polhode::Setup read = setup_from_json(text, "x.json");
    EXPECT_EQ(to_json(read), text) << problem.name;
    EXPECT_TRUE(same_motion(read, problem.setup)) << problem.name;
  }
  EXPECT_THROW(setup_from_json(R"({"inertia": [1, 2, 3]})", "x.json"), Error);
  EXPECT_THROW(setup_from_json("[", "x.json"), Error);
}

ReferenceFile small_file() {
  const auto node = [](const char* t) { return ReferenceNode{t, {"0.6", "0", "-0.8", "0"}, {"1", "2.5", "1e-3"}}; };
  return {"nobody-knows",
          R"({"inertia":[1.0,2.0,2.5]})",
          "0.1.0",
          "2026-11-15",
          {{"one", "quad", 24, 1e-36}, {"two", "quad", 8, 1e-34}},
          1e-30,
          0,
          {node("-0.5"), node("0"), node("0.5")}};
}

TEST(ReferenceFiles, ComeBackAsTheyWereWritten) {
  const ReferenceFile file = small_file(), read = parse_reference(to_json(file), "x.json");
  EXPECT_EQ(read.setup, file.setup);
  EXPECT_EQ(read.date, "2026-11-15");
  ASSERT_EQ(read.integrators.size(), 2U);
  EXPECT_EQ(read.integrators[1].name, "two");
  EXPECT_EQ(read.integrators[1].order, 8);
  EXPECT_EQ(read.integrators[0].tolerance, 1e-36);
  EXPECT_EQ(read.attitude_disagreement, 1e-30);
  ASSERT_EQ(read.nodes.size(), 3U);
  EXPECT_EQ(read.nodes[2].time, "0.5");
  EXPECT_EQ(read.nodes[0].attitude_wxyz[2], "-0.8");
  EXPECT_EQ(read.nodes[1].angular_momentum_body[2], "1e-3");
}

TEST(ReferenceFiles, AreRefusedWhenDamaged) {
  const std::string good_file = to_json(small_file());
  const struct {
    std::string from, to, said;
  } damages[] = {
      {"schema_version\": 1", "schema_version\": 2", "schema_version 2 is not 1"},
      {"\"schema_version\": 1,", "", "schema_version is missing"},
      {"\"problem\": \"nobody-knows\"", "\"problem\": 3", "problem 3 is not a text"},
      {"\"setup\"", "\"settup\"", "setup is missing"},
      {"\"date\"", "\"day\"", "date is missing"},
      {"\"order\": 8", "\"order\": \"8\"", "order \"8\" is not a number"},
      {",\n      {\"name\": \"two\", \"order\": 8, \"tolerance\": 1e-34, \"scalar\": \"quad\"}", "",
       "integrators are fewer than two"},
      {"1.0e-30", "1.0e-19", "attitude_disagreement 1e-19 is not between 0 and 1e-20"},
      {"0.0e+00", "-1", "momentum_disagreement -1 is not"},
      {"0.0e+00", "null", "momentum_disagreement null is not a number"},
      {"\"t\": \"0\"", "\"t\": \"0.1\"", "nodes are not at equal distances in time: 0.1 stands where 0 should"},
      {"\"t\": \"0\"", "\"t\": 0", "t 0 is not a decimal number in quotes"},
      {"\"2.5\"", "\"2.5x\"", "angular_momentum_body \"2.5x\" is not a decimal"},
      {"\"2.5\"", "\"nan\"", "angular_momentum_body \"nan\" is not a decimal"},
      {"\"2.5\", ", "", "angular_momentum_body has 2 numbers instead of 3"},
      {"\"-0.8\"", "\"-0.81\"", "attitude_wxyz at t = -0.5 is not a unit quaternion"},
      {"\"nodes\": [", "\"nodes\": [], \"more\": [", "nodes are fewer than two"},
      {"\"nodes\": [", "\"nodes\": 7, \"more\": [", "nodes is not a list"},
      {"{\n", "[{\n", "the file is not valid JSON"}};
  for (const auto& [from, to, said] : damages) {
    try {
      parse_reference(replaced(good_file, from, to), "x.json");
      ADD_FAILURE() << "accepted with " << to;
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("x.json: " + said));
      EXPECT_THAT(error.what(), HasSubstr("make references"));
    }
  }
  for (const std::size_t length : {std::size_t{0}, good_file.size() / 2, good_file.size() - 3}) {
    EXPECT_THROW(parse_reference(good_file.substr(0, length), "x.json"), Error) << length << " characters";
  }
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
