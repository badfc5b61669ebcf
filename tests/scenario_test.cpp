// Scenarios: what the reader reads, and the writer that undoes it.
#include "polhode/io/scenario.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>

#include "io_support.hpp"
#include "polhode/io/scenario.hpp"
#include "polhode/run/simulation.hpp"

namespace polhode::scenario_test {
namespace {

using ::testing::HasSubstr;

TEST(Scenario, ReadsTheContractsExample) {
  const Scenario s = read_scenario(POLHODE_SOURCE_DIR "/scenarios/tumble.toml");
  EXPECT_EQ(s.title, "tumble");
  EXPECT_EQ(std::get<Vec3<double>>(s.setup.inertia), (Vec3<double>{0.9144, 1.098, 1.66}));
  EXPECT_EQ(s.setup.attitude.values, (std::vector<double>{1, 0, 0, 0}));
  EXPECT_EQ(s.setup.motion.value, (Vec3<double>{0.45549, 0.82623, 0.03476}));
  ASSERT_EQ(s.setup.torques.size(), 1U);
  EXPECT_EQ(std::get<HeavyTop<double>>(s.setup.torques[0]).weight_times_arm, 20.0);
  EXPECT_EQ(s.run.step, 0.01);
  EXPECT_EQ(s.run.duration, 100.0);
  EXPECT_EQ(s.output.every, 10);
  EXPECT_EQ(s.output.columns, standard_columns());
  EXPECT_EQ(s.text, read_file(POLHODE_SOURCE_DIR "/scenarios/tumble.toml"));
}

TEST(Scenario, EveryShippedScenarioIsValid) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(POLHODE_SOURCE_DIR "/scenarios")) {
    if (entry.path().extension() != ".toml") continue;
    EXPECT_NO_THROW(plan(read_scenario(entry.path().string()))) << entry.path();
    ++count;
  }
  EXPECT_GE(count, 4);
}

TEST(Scenario, HasDefaultsForAllButBodyStartAndMethod) {
  const Scenario s = parse_scenario("[body]\ninertia=[1,1,1]\n[start]\nangular_momentum_body=[0,0,1]\n", "x.toml");
  EXPECT_EQ(s.run, RunOptions{});
  EXPECT_EQ(s.output, OutputSettings{});
  EXPECT_EQ(s.setup.attitude.values, (std::vector<double>{1, 0, 0, 0}));
  EXPECT_TRUE(s.setup.torques.empty());
}

TEST(Scenario, ReadsEveryFormOfAttitudeMotionAndInertia) {
  const auto with_start = [](const std::string& line) {
    return parse_scenario(replaced(good, "angular_velocity_body = [1, 0, 0]", line), "x.toml").setup;
  };
  const std::string motion = "angular_velocity_spatial = [1, 2, 3]\n";
  EXPECT_EQ(with_start(motion + "attitude_xyzw = [0, 0, 0, 1]").attitude.kind, AttitudeData::Kind::xyzw);
  EXPECT_EQ(with_start(motion + "mrp = [0, 0, 0.5]").attitude.kind, AttitudeData::Kind::mrp);
  EXPECT_EQ(with_start(motion + "rotation_vector = [0, 9, 0]").attitude.kind, AttitudeData::Kind::rotation_vector);
  EXPECT_EQ(with_start(motion + "rotation_matrix = [[0, -1, 0], [1, 0, 0], [0, 0, 1]]").attitude.values,
            (std::vector<double>{0, -1, 0, 1, 0, 0, 0, 0, 1}));
  EXPECT_EQ(with_start(motion).motion.kind, MotionData::Kind::angular_velocity_spatial);
  EXPECT_EQ(with_start("angular_momentum_spatial = [1, 2, 3]").motion.kind, MotionData::Kind::angular_momentum_spatial);
  const auto tensor =
      parse_scenario(replaced(good, "[1, 2, 2.5]", "[[2, 0.1, 0], [0.1, 2, 0], [0, 0, 3]]"), "x.toml").setup;
  EXPECT_EQ(std::get<Mat3<double>>(tensor.inertia)[0][1], 0.1);
  EXPECT_TRUE(parse_scenario(replaced(good, "2.5]", "9]\nunphysical = true"), "x.toml").setup.unphysical);
  // A quaternion off by less than 1e-6 is normalised.
  EXPECT_NO_THROW(with_start(motion + "attitude_wxyz = [1.0000005, 0, 0, 0]"));
}

TEST(Scenario, TorquesAddUp) {
  const Scenario s = parse_scenario(good + R"(
[[torque]]
kind = "constant-body"
torque = [1, 2, 3]
[[torque]]
kind = "heavy-top"
weight_times_arm = 4
)",
                                    "x.toml");
  ASSERT_EQ(s.setup.torques.size(), 2U);
  EXPECT_EQ(std::get<ConstantBody<double>>(s.setup.torques[0]).torque_B, (Vec3<double>{1, 2, 3}));
  EXPECT_EQ(std::get<HeavyTop<double>>(s.setup.torques[1]).weight_times_arm, 4.0);
}

TEST(Scenario, FlagsTakeThePlaceOfKeys) {
  Scenario s = parse_scenario(good, "x.toml");
  EXPECT_EQ(s.text, good);
  override_key(s, "output.file", "--output", "a.csv");
  EXPECT_EQ(s.text, good);
  override_key(s, "run.step", "--step", "0.005");
  EXPECT_EQ(s.run.step, 0.005);
  EXPECT_EQ(parse_scenario(s.text, "x.toml").run, s.run);
  override_key(s, "run.steps", "--steps", "1e3");
  EXPECT_EQ(s.run.steps, 1000);
  EXPECT_FALSE(s.run.duration.has_value());
  override_key(s, "output.columns", "--columns", "mrp, energy");
  EXPECT_EQ(s.output.columns, (Columns{column("energy"), column("mrp")}));
  for (const char* bad : {"nan", "inf", "-1", "0", "abc", "", "1e999", "0.1s"}) {
    Scenario changed = s;
    try {
      override_key(changed, "run.step", "--step", bad);
      ADD_FAILURE() << "accepted --step " << bad;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind, ErrorKind::bad_request);
      EXPECT_THAT(error.what(), HasSubstr("--step: "));
    }
  }
}

void expect_same(const Scenario& a, const Scenario& b) {
  EXPECT_EQ(a.setup.inertia, b.setup.inertia);
  EXPECT_EQ(a.setup.unphysical, b.setup.unphysical);
  EXPECT_EQ(a.setup.attitude.kind, b.setup.attitude.kind);
  EXPECT_EQ(a.setup.attitude.values, b.setup.attitude.values);
  EXPECT_EQ(a.setup.motion.kind, b.setup.motion.kind);
  EXPECT_EQ(a.setup.motion.value, b.setup.motion.value);
  EXPECT_EQ(a.setup.time, b.setup.time);
  ASSERT_EQ(a.setup.torques.size(), b.setup.torques.size());
  for (std::size_t i = 0; i < a.setup.torques.size(); ++i) {
    ASSERT_EQ(a.setup.torques[i].index(), b.setup.torques[i].index());
    std::visit(
        [&](const auto& field) {
          const auto& other = std::get<std::decay_t<decltype(field)>>(b.setup.torques[i]);
          const auto same = [&](const auto& key) { EXPECT_EQ(field.*(key.member), other.*(key.member)) << key.name; };
          std::apply([&](const auto&... key) { (same(key), ...); }, field.keys());
        },
        a.setup.torques[i]);
  }
  EXPECT_EQ(a.run, b.run);
  EXPECT_EQ(a.output, b.output);
}

TEST(Scenario, EveryProblemSurvivesBeingWrittenAndRead) {
  for (const Problem& problem : problems()) {
    SCOPED_TRACE(problem.name);
    Scenario scenario = problem_scenario(problem);
    scenario.run.method = "taylor-4";
    expect_same(parse_scenario(to_toml(scenario), "x.toml"), scenario);
  }
}

const std::string with_gamma = replaced(good, "taylor-4", "newmark-gamma") + "[run.parameters]\ngamma = 0.55\n";

TEST(Scenario, ParametersOfTheMethodAreATableOrPartOfItsName) {
  const Scenario s = parse_scenario(with_gamma, "x.toml");
  EXPECT_EQ(s.run.method, "newmark-gamma");
  EXPECT_EQ(s.run.parameters, (std::map<std::string, double>{{"gamma", 0.55}}));
  EXPECT_EQ(plan(s).method.name, "newmark-gamma:gamma=0.55");
  const Scenario named = parse_scenario(replaced(good, "taylor-4", "newmark-gamma:gamma=0.55"), "x.toml");
  EXPECT_EQ(plan(named).method.name, plan(s).method.name);
  EXPECT_EQ(plan(named).method.parameters, plan(s).method.parameters);
  expect_same(parse_scenario(to_toml(s), "x.toml"), s);
  // A suffix may need them: without gamma = 1/2 there is nothing to compose.
  const std::string composed = replaced(replaced(with_gamma, "newmark-gamma", "newmark-gamma@suzuki"), "0.55", "0.5");
  EXPECT_EQ(plan(parse_scenario(composed, "x.toml")).method.name, "newmark-gamma:gamma=0.5@suzuki");
  const std::string standard = replaced(with_gamma, "gamma = 0.55\n", "");
  EXPECT_EQ(plan(parse_scenario(standard, "x.toml")).method.name, "newmark-gamma") << "an empty table";
}

TEST(Scenario, AFlagThatNamesAMethodBringsItsParameters) {
  Scenario s = parse_scenario(with_gamma, "x.toml");
  override_key(s, "run.step", "--step", "0.05");
  EXPECT_EQ(plan(s).method.name, "newmark-gamma:gamma=0.55") << "another flag leaves them";
  EXPECT_EQ(parse_scenario(s.text, "x.toml").run, s.run);
  override_key(s, "run.method", "--method", "newmark-gamma:gamma=0.8");
  EXPECT_EQ(plan(s).method.name, "newmark-gamma:gamma=0.8");
  override_key(s, "run.method", "--method", "taylor-4");
  EXPECT_EQ(plan(s).method.name, "taylor-4");
}

TEST(Scenario, WritingKeepsStringsThatNeedQuotes) {
  Scenario scenario = problem_scenario(problems().front());
  scenario.output.file = "a \"quoted\" \\ file \t name.csv";
  scenario.run.step_file = "steps'.txt";
  scenario.run.parameters = {{"plain_key-1", 1}, {"a \"key\" = 2 # of sorts", 2}, {"", 3}};
  scenario.run.step = RunOptions{}.step;  // not written beside a step file
  expect_same(parse_scenario(to_toml(scenario), "x.toml"), scenario);
}

RC_GTEST_PROP(Scenario, NumbersSurviveBeingWrittenAndRead, ()) {
  // Any finite double but zero: bits first, then the infinities and NaNs taken out.
  const auto number = [] {
    return std::bit_cast<double>(*rc::gen::suchThat(
        rc::gen::arbitrary<std::uint64_t>(), [](std::uint64_t b) { return std::isnormal(std::bit_cast<double>(b)); }));
  };
  const auto vector = [&] { return Vec3<double>{number(), number(), number()}; };
  const auto positive = [] { return *rc::gen::inRange(1, 1 << 30) * 1e-7 / 3; };
  Scenario scenario;
  scenario.setup.inertia = Vec3<double>{positive(), positive(), positive()};
  scenario.setup.unphysical = true;
  scenario.setup.attitude = {AttitudeData::Kind::rotation_vector, {number(), number(), number()}};
  scenario.setup.motion = {MotionData::Kind::angular_momentum_spatial, vector()};
  scenario.setup.time = number();
  scenario.setup.torques = {HeavyTop<double>{number(), vector(), vector()}, ConstantSpatial<double>{vector()}};
  scenario.run.step = positive();
  scenario.run.duration = number();
  expect_same(parse_scenario(to_toml(scenario), "x.toml"), scenario);
}

}  // namespace
}  // namespace polhode::scenario_test
