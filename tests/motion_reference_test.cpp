// References that are computed for any motion: against files of two other integrators, closed forms and wider scalars; and
// what is kept of them.
#include "polhode/problems/motion_reference.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "polhode/core/error.hpp"
#include "polhode/core/quad.hpp"
#include "polhode/measure/error.hpp"
#include "polhode/problems/reference_file.hpp"

namespace polhode::motion_reference_test {
namespace {

using ::testing::HasSubstr;
using Situation = polhode::Setup;  // gtest has a Setup of its own

template <class T>
T number(const std::string& digits) {
  return T(quad(digits));
}
template <class T>
State<T> state_of(const ReferenceNode& node) {
  const auto& [w, x, y, z] = node.attitude_wxyz;
  const auto& p = node.angular_momentum_body;
  return {{number<T>(w), {number<T>(x), number<T>(y), number<T>(z)}},
          {number<T>(p[0]), number<T>(p[1]), number<T>(p[2])},
          number<T>(node.time)};
}

Situation top() {
  Situation setup;
  setup.inertia = Vec3<double>{0.9144, 1.098, 1.66};
  setup.attitude = {AttitudeData::Kind::rotation_vector, {0.3, -0.2, 0.5}};
  setup.motion.value = {0.45549, 0.82623, 0.03476};
  setup.torques = {HeavyTop<double>{.weight_times_arm = 0.5}};
  return setup;
}

// Coordinates about one axis in which a torque jumps with the side of a turning body: parabolas one after the other.
Situation square_pendulum(const char* torque, double rate) {
  Situation setup;
  setup.motion.value = {0, 0, rate};
  ExpressionTorque<double> switched;
  switched.z = torque;
  setup.torques = {switched};
  return setup;
}

struct MemoryStore : ReferenceStore {
  std::map<std::string, std::string> texts;
  int loads = 0;
  bool refuses = false;

  std::string load(const std::string& name) override {
    ++loads;
    const auto found = texts.find(name);
    return found == texts.end() ? "" : found->second;
  }
  void save(const std::string& name, const std::string& text) override {
    if (refuses) throw Error(ErrorKind::input_output, "the disk is full");
    texts[name] = text;
  }
  std::string place(const std::string& name) const override { return "memory/" + name; }
};

struct Told {
  std::vector<std::string> warnings;
  std::vector<double> estimates;
  ReferenceControl control() {
    return {[this](double seconds) { estimates.push_back(seconds); },
            {},
            nullptr,
            [this](const std::string& sentence) { warnings.push_back(sentence); }};
  }
};

// The nodes of data/references are by Boost.odeint in 50 digits and checked by another integrator to 1e-20.
TEST(MotionReference, AgreesWithTheFilesOfTwoOtherIntegrators) {
  for (const Problem& problem : problems()) {
    const ReferenceFile* file = find_reference(problem);
    ASSERT_NE(file, nullptr) << problem.name;
    if (moves_freely(problem.setup)) continue;
    MotionReference reference(problem.setup);
    const std::size_t middle = file->nodes.size() / 2, away = std::min<std::size_t>(middle, 4);
    for (const std::size_t at : {middle - away, middle + away}) {
      const auto exact = state_of<long double>(file->nodes[at]);
      const auto found = reference.at<long double>(exact.t);
      EXPECT_EQ(found.source, ReferenceSource::computed);
      EXPECT_LE(attitude_error(found.state, exact), found.attitude_uncertainty) << problem.name << " " << exact.t;
      EXPECT_LE(momentum_error(found.state, exact), found.momentum_uncertainty) << problem.name << " " << exact.t;
      // The book is spun about its middle axis, and a turn of its start grows 1e7 times.
      EXPECT_LT(found.attitude_uncertainty, problem.name == "book-toss" ? 1e-11 : 1e-15) << problem.name;
    }
  }
}

TEST(MotionReference, InQuadHasThirtyDigits) {
  const Problem& problem = *find_problem("asymmetric-top-tilted");
  const ReferenceFile& file = *find_reference(problem);
  const auto exact = state_of<quad>(file.nodes[file.nodes.size() / 2 + 2]);
  const auto found = MotionReference(problem.setup).at<quad>(exact.t);
  EXPECT_LE(attitude_error(found.state, exact), quad(found.attitude_uncertainty));
  EXPECT_LE(momentum_error(found.state, exact), quad(found.momentum_uncertainty));
  EXPECT_LT(found.attitude_uncertainty, 1e-30);
  EXPECT_GT(found.attitude_uncertainty, 1e-34);
}

// What the uncertainty of a long double promises is tested by a quad, for every way in which a torque may not be smooth.
TEST(MotionReference, IsAsUncertainAsItSays) {
  std::map<std::string, Situation> situations;
  situations["wheels"] = top();
  situations["wheels"].wheels = {{{0, 0, 1}, 0.05, 12, {}}, {{1, 0, 1}, 0.02, 3, 0.1}};
  situations["pulse"] = top();
  situations["pulse"].torques.push_back(
      Pulse<double>{.torque_S = {0.3, 0, -0.2}, .until = 0.7, .impulse_S = Vec3<double>{0, 0.4, 0.1}});
  situations["table"] = top();
  DataTable data;
  data.columns = {
      {"t", {-4, 0.5, 1.25, 4}}, {"x", {0, 0.5, -0.2, 0.1}}, {"y", {0.3, 0, 0.2, 0}}, {"z", {0, 0, 0.4, 0.2}}};
  situations["table"].torques.push_back(TorqueTable<double>{data, TorqueFrame::body, Interpolation::cubic_hermite});
  situations["expression"] = top();
  ExpressionTorque<double> smooth;
  smooth.x = "0.3*sin(3*t) - 0.1*wx", smooth.y = "0.2*Rzz*wy";
  situations["expression"].torques.push_back(smooth);
  situations["switched"] = top();
  ExpressionTorque<double> switched;
  switched.z = "if(Rxx > 0.2, 0.4, -0.3)", switched.y = "max(-0.05, min(0.05, -wy))";
  situations["switched"].torques.push_back(switched);
  situations["tensor"] = top();
  situations["tensor"].inertia = Mat3<double>{{{1.2, -0.1, 0.05}, {-0.1, 0.95, 0.08}, {0.05, 0.08, 0.7}}};
  for (const auto& [name, setup] : situations) {
    for (const double t : {3.0, -2.5}) {
      const auto exact = MotionReference(setup).at<quad>(quad(t));
      const auto found = MotionReference(setup).at<long double>(t);
      EXPECT_LE(static_cast<double>(attitude_error(cast<quad>(found.state), exact.state)), found.attitude_uncertainty)
          << name << " " << t;
      EXPECT_LE(static_cast<double>(momentum_error(cast<quad>(found.state), exact.state)), found.momentum_uncertainty)
          << name << " " << t;
      EXPECT_LT(found.attitude_uncertainty, 1e-16) << name;
      EXPECT_LT(exact.attitude_uncertainty, 1e-30) << name;
    }
  }
}

// Driven about its middle axis a body stays there, but whatever is aside grows by exp(0.577) with every radian.
TEST(MotionReference, OfAMotionThatMagnifiesRoundingIsFoundInQuad) {
  Situation setup;
  setup.inertia = Vec3<double>{1, 2, 3};
  setup.motion.value = {0, 5, 0};
  setup.torques = {ConstantBody<double>{.torque_B = {0, 0.25, 0}}};
  const auto store = std::make_shared<MemoryStore>();
  const auto found = MotionReference(setup, store).at<long double>(11);
  const long double angle = 5 * 11 + 0.125L * 11 * 11 / 2;
  EXPECT_EQ(store->texts.size(), 2U) << "a long double was not enough";
  EXPECT_LT(angle_between(found.state.R_SB, exp(Vec3<long double>{0, angle, 0})), 1e-17L);
  EXPECT_LT(found.attitude_uncertainty, 1e-15);
  EXPECT_EQ(MotionReference(setup, store).at<long double>(11).source, ReferenceSource::cache);
}

// Slowed down on one side and driven on the other: from 0 the angle pi/2 is reached at the rate sqrt(4 - pi), and 3 pi/2 at
// sqrt(4 + pi).
TEST(MotionReference, FindsSwitchesToRounding) {
  MotionReference reference(square_pendulum("if(Rxx > 0, -1, 1)", 2));
  const quad pi("3.14159265358979323846264338327950288");
  const quad first = sqrt(quad(4) - pi), second = sqrt(quad(4) + pi);
  const quad to_first = quad(2) - first, to_second = to_first + second - first;
  const quad t = to_second + quad(0.5);  // and half a second more, slowed down again
  const quad angle = quad(3) * pi / quad(2) + second * quad(0.5) - quad(0.125), rate = second - quad(0.5);
  const auto exact = Rotation<quad>{cos(angle / quad(2)), {0, 0, sin(angle / quad(2))}};
  const auto found = reference.at<quad>(t);
  EXPECT_LT(angle_between(found.state.R_SB, exact), quad(1e-31));
  EXPECT_LT(abs(found.state.pi_B.z - rate), quad(1e-31));
  const auto shorter = reference.at<long double>(static_cast<long double>(t));
  EXPECT_LT(angle_between(shorter.state.R_SB, cast<long double>(exact)), 1e-17L);
}

TEST(MotionReference, SaysWhereAMotionCannotLeaveASwitch) {
  MotionReference reference(square_pendulum("if(wz > 0, -1, 1)", 0.5));
  const auto before = reference.at<long double>(0.25L);
  EXPECT_NEAR(static_cast<double>(before.state.pi_B.z), 0.25, 1e-17);
  try {
    reference.at<long double>(1);
    FAIL() << "the body rests from 0.5 s on, and no smooth motion does";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::run_failed);
    EXPECT_THAT(error.what(), HasSubstr("from both sides of a switch"));
  }
}

TEST(MotionReference, IsThatOfABodyAfterAnImpulseWhereTimesDifferByRounding) {
  Situation setup = top();
  setup.torques = {Pulse<double>{.until = 2, .impulse_S = Vec3<double>{0, 1, 0}}};
  MotionReference reference(setup);
  const long double before = std::nextafter(2.0, 0.0);
  const auto without = reference.at<long double>(before), with = reference.at<long double>(before, 1e-15);
  EXPECT_NEAR(static_cast<double>(momentum_error(without.state, with.state)), 1, 1e-12);
}

TEST(MotionReference, OfAFreeBodyIsTheClosedForm) {
  Situation setup = top();
  setup.torques.clear();
  const auto found = MotionReference(setup).at<quad>(quad(5));
  EXPECT_EQ(found.source, ReferenceSource::closed_form);
  EXPECT_LT(attitude_error(found.state, propagated<quad>(setup, quad(5))), quad(found.attitude_uncertainty) * 8);
}

TEST(KeptReference, HasTheSameBits) {
  const auto store = std::make_shared<MemoryStore>();
  const auto computed = MotionReference(top(), store).at<long double>(3);
  ASSERT_EQ(store->texts.size(), 1U);
  Told told;
  const auto kept = MotionReference(top(), store).at<long double>(3, 0, told.control());
  EXPECT_EQ(computed.source, ReferenceSource::computed);
  EXPECT_EQ(kept.source, ReferenceSource::cache);
  EXPECT_EQ(kept.state.R_SB, computed.state.R_SB);
  EXPECT_EQ(kept.state.pi_B, computed.state.pi_B);
  EXPECT_EQ(kept.attitude_uncertainty, computed.attitude_uncertainty);
  EXPECT_EQ(kept.momentum_uncertainty, computed.momentum_uncertainty);
  EXPECT_TRUE(told.warnings.empty());
  EXPECT_TRUE(told.estimates.empty()) << "nothing was computed";
}

TEST(KeptReference, IsGoneOnFrom) {
  const auto store = std::make_shared<MemoryStore>();
  MotionReference(top(), store).at<long double>(3);
  Told told;
  const auto further = MotionReference(top(), store).at<long double>(4, 0, told.control());
  EXPECT_EQ(told.estimates.size(), 1U);
  const auto at_once = MotionReference(top()).at<long double>(4);
  EXPECT_LE(attitude_error(further.state, at_once.state), at_once.attitude_uncertainty);
  // Other times come from their own side of the start.
  const auto back = MotionReference(top(), store).at<long double>(-1);
  EXPECT_LE(attitude_error(back.state, propagated<long double>(top(), -1)), back.attitude_uncertainty);
}

TEST(KeptReference, IsSharedByWhoeverHasTheSameMotion) {
  const auto store = std::make_shared<MemoryStore>();
  Situation first = top();
  first.attitude = {AttitudeData::Kind::wxyz, {0.5, 0.5, -0.5, 0.5}};
  first.torques.push_back(ConstantSpatial<double>{.torque_S = {0.1, 0, 0}});
  MotionReference(first, store).at<long double>(1);
  ASSERT_EQ(store->texts.size(), 1U);

  Situation other = first;
  other.inertia = Mat3<double>{{{0.9144, 0, 0}, {0, 1.098, 0}, {0, 0, 1.66}}};
  other.attitude = {AttitudeData::Kind::xyzw, {-0.5, 0.5, -0.5, -0.5}};
  std::swap(other.torques[0], other.torques[1]);
  other.torques[1] = HeavyTop<double>{.weight_times_arm = 0.5, .axis_body = {0, 0, 3}};
  EXPECT_EQ(MotionReference(other, store).at<long double>(1).source, ReferenceSource::cache);

  // Units twice as large for the time and eight times for the inertia.
  Situation units;
  units.inertia = Vec3<double>{8 * 0.9144, 8 * 1.098, 8 * 1.66};
  units.attitude = first.attitude;
  units.motion.value = 0.5 * first.motion.value;
  units.torques = {HeavyTop<double>{.weight_times_arm = 0.5 * 8 / 4}, ConstantSpatial<double>{.torque_S = {0.2, 0, 0}}};
  const auto in_units = MotionReference(units, store).at<long double>(2);
  EXPECT_EQ(in_units.source, ReferenceSource::cache);
  EXPECT_LE(attitude_error(in_units.state, propagated<long double>(units, 2)), in_units.attitude_uncertainty);
  EXPECT_LE(momentum_error(in_units.state, propagated<long double>(units, 2)), in_units.momentum_uncertainty);
  EXPECT_EQ(store->texts.size(), 1U);

  Situation next_to_it = first;
  next_to_it.motion.value.x = std::nextafter(first.motion.value.x, 1.0);
  EXPECT_EQ(MotionReference(next_to_it, store).at<long double>(1).source, ReferenceSource::computed);
  EXPECT_EQ(store->texts.size(), 2U);
  EXPECT_EQ(MotionReference(first, store).at<quad>(quad(1)).source, ReferenceSource::computed) << "a wider scalar";
}

TEST(KeptReference, OfFormulasIsByWhatTheyCompute) {
  const auto store = std::make_shared<MemoryStore>();
  ExpressionTorque<double> torque;
  torque.x = "-c*wx + 0.5*sin(2*t)", torque.constants = {{"c", 0.1}};
  Situation setup = top();
  setup.torques = {torque};
  MotionReference(setup, store).at<long double>(1);
  torque.x = " -drag * wx  +  0.5 * sin( 2*t )", torque.constants = {{"drag", 0.1}};
  setup.torques = {torque};
  EXPECT_EQ(MotionReference(setup, store).at<long double>(1).source, ReferenceSource::cache);
  torque.x = "-c*wx + 0.5*sin(2*t)", torque.constants = {{"c", 0.2}};
  setup.torques = {torque};
  EXPECT_EQ(MotionReference(setup, store).at<long double>(1).source, ReferenceSource::computed);
}

TEST(KeptReference, ThatIsDamagedIsComputedAgain) {
  const auto store = std::make_shared<MemoryStore>();
  const auto computed = MotionReference(top(), store).at<long double>(1);
  const auto [name, good] = *store->texts.begin();
  std::string digit = good, schema = good;
  const std::size_t place = good.find("attitude_wxyz") + 22;
  digit[place] = digit[place] == '1' ? '2' : '1';
  schema.replace(good.find("\"schema_version\": 1"), 19, "\"schema_version\": 9");
  const std::map<std::string, std::string> damaged{{good.substr(0, good.size() / 2), "is not JSON"},
                                                   {"{}", "lacks a part"},
                                                   {"[1, 2]", "lacks a part"},
                                                   {digit, "has been changed"},
                                                   {schema, "has the schema_version 9"}};
  for (const auto& [text, why] : damaged) {
    store->texts[name] = text;
    Told told;
    const auto again = MotionReference(top(), store).at<long double>(1, 0, told.control());
    EXPECT_EQ(again.source, ReferenceSource::computed);
    EXPECT_EQ(again.state.R_SB, computed.state.R_SB);
    ASSERT_EQ(told.warnings.size(), 1U) << why;
    EXPECT_THAT(told.warnings[0], HasSubstr("'memory/" + name + "' " + why)) << text.substr(0, 60);
    EXPECT_THAT(told.warnings[0], HasSubstr("computed again"));
    EXPECT_EQ(store->texts[name], good) << "and takes its place";
  }
}

TEST(KeptReference, ThatCannotBeKeptCostsNoMore) {
  const auto store = std::make_shared<MemoryStore>();
  store->refuses = true;
  Told told;
  const auto found = MotionReference(top(), store).at<long double>(1, 0, told.control());
  EXPECT_LE(attitude_error(found.state, propagated<long double>(top(), 1)), found.attitude_uncertainty);
  ASSERT_EQ(told.warnings.size(), 1U);
  EXPECT_THAT(told.warnings[0], HasSubstr("the disk is full; the reference is not kept"));
}

TEST(KeptReference, OfAnInterruptedComputationIsGoneOnFrom) {
  const auto store = std::make_shared<MemoryStore>();
  std::atomic<bool> stop{true};
  ReferenceControl control;
  control.stop = &stop;
  MotionReference reference(top(), store);
  try {
    reference.at<long double>(100, 0, control);
    FAIL() << "was not stopped";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::interrupted);
  }
  EXPECT_EQ(store->texts.size(), 1U) << "a part of the way is kept";
  const auto found = MotionReference(top(), store).at<long double>(100);
  const auto at_once = MotionReference(top()).at<long double>(100);
  EXPECT_LE(attitude_error(found.state, at_once.state), at_once.attitude_uncertainty + found.attitude_uncertainty);
}

TEST(MotionReference, HasNoStateAtATimeThatIsNoNumber) {
  EXPECT_THROW(MotionReference(top()).at<long double>(std::nanl("")), std::invalid_argument);
  const auto start = MotionReference(top()).at<long double>(0);
  EXPECT_EQ(start.state.t, 0);
}

}  // namespace
}  // namespace polhode::motion_reference_test
