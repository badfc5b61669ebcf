// Wheels in scenario files, in JSON, in results and in the choice of a method; and every mistake one can make with them.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "io_support.hpp"
#include "polhode/io/json.hpp"
#include "polhode/io/scenario.hpp"
#include "polhode/model/same_motion.hpp"
#include "polhode/model/setup_json.hpp"
#include "polhode/problems/problem.hpp"
#include "polhode/run/simulation.hpp"

namespace polhode::wheels_scenario_test {
namespace {

using ::testing::HasSubstr;

using Situation = polhode::Setup;  // gtest has a Setup of its own

const std::string wheel = "{ axis = [0, 0, 2], inertia = 0.01, speed = 600 }";

std::string with_wheels(const std::string& wheels) {
  return replaced(good, "[start]", "wheels = " + wheels + "\n[start]");
}

std::string refusal(const std::string& text) {
  try {
    plan(parse_scenario(text, "x.toml"));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::bad_file);
    return error.what();
  }
  ADD_FAILURE() << "accepted:\n" << text;
  return "";
}

TEST(WheelsInAFile, AreReadAndWritten) {
  const std::string two = "[" + wheel + ",\n  { axis = [1, 0, 0], inertia = 0.5, speed = -3.5, torque = 0.25 }]";
  const Scenario scenario = parse_scenario(with_wheels(two), "x.toml");
  ASSERT_EQ(scenario.setup.wheels.size(), 2U);
  const WheelData first{{0, 0, 2}, 0.01, 600, {}}, second{{1, 0, 0}, 0.5, -3.5, 0.25};
  EXPECT_EQ(scenario.setup.wheels[0], first);
  EXPECT_EQ(scenario.setup.wheels[1], second);
  const Scenario again = parse_scenario(to_toml(scenario), "y.toml");
  EXPECT_EQ(again.setup.wheels, scenario.setup.wheels);
  EXPECT_TRUE(same_motion(again.setup, scenario.setup));
  EXPECT_EQ(setup_from_json(to_json(scenario.setup), "z.json").wheels, scenario.setup.wheels);
  const Scenario tables = parse_scenario(
      replaced(good, "[start]", "[[body.wheels]]\naxis = [0, 0, 2]\ninertia = 0.01\nspeed = 600\n[start]"), "x.toml");
  EXPECT_EQ(tables.setup.wheels.front(), first);
}

TEST(WheelsInAFile, MakeAnotherMotion) {
  const Situation body = parse_scenario(good, "x.toml").setup,
                  one = parse_scenario(with_wheels("[" + wheel + "]"), "x").setup;
  EXPECT_FALSE(same_motion(body, one));
  EXPECT_TRUE(same_motion(one, one));
  Situation other = one;
  other.wheels[0].axis = {0, 0, 1};
  EXPECT_TRUE(same_motion(one, other)) << "an axis has any length";
  for (const auto change : {+[](WheelData& w) {
                              w.axis = {0, 1, 2};
                            },
                            +[](WheelData& w) { w.inertia *= 2; }, +[](WheelData& w) { w.speed = -w.speed; },
                            +[](WheelData& w) { w.torque = 0; }}) {
    other = one;
    change(other.wheels[0]);
    EXPECT_FALSE(same_motion(one, other));
  }
}

TEST(WheelsInAFile, EveryMistakeIsNamedWithItsLine) {
  const auto one = [](std::string_view from, std::string_view to) {
    return with_wheels("[" + replaced(wheel, std::string(from), std::string(to)) + "]");
  };
  const std::vector<std::pair<std::string, std::vector<std::string>>> mistakes{
      {with_wheels("3"), {"x.toml:3: body.wheels: 3 is an integer", "give an array of tables"}},
      {with_wheels(wheel), {"x.toml:3: body.wheels:", "is a table", "[{ axis = [0, 0, 1]"}},
      {with_wheels("[1, 2]"), {"x.toml:3: body.wheels: 1 is not a table"}},
      {one("axis = [0, 0, 2], ", ""), {"x.toml:3: body.wheels[0].axis: is missing", "three numbers"}},
      {one("inertia = 0.01, ", ""), {"x.toml:3: body.wheels[0].inertia: is missing", "kg m^2"}},
      {one(", speed = 600", ""), {"x.toml:3: body.wheels[0].speed: is missing", "relative to the body"}},
      {one("speed", "sped"), {"x.toml:3: ", "body.wheels[0].sped: no such key; nearest: speed"}},
      {one("[0, 0, 2]", "[0, 0]"), {"x.toml:3: body.wheels[0].axis", "three numbers"}},
      {one("[0, 0, 2]", "\"z\""), {"x.toml:3: body.wheels[0].axis", "three numbers"}},
      {one("[0, 0, 2]", "[0, 0, 0]"), {"x.toml:3: body.wheels[0].axis: a direction cannot be the zero vector"}},
      {one("[0, 0, 2]", "[0, nan, 1]"), {"x.toml:3: body.wheels[0].axis", "nan", "finite"}},
      {one("0.01", "0"), {"x.toml:3: body.wheels[0].inertia: 0 must be a positive number"}},
      {one("0.01", "-0.5"), {"body.wheels[0].inertia: -0.5 must be a positive number"}},
      {one("0.01", "inf"), {"body.wheels[0].inertia", "inf"}},
      {one("0.01", "\"heavy\""), {"x.toml:3: body.wheels[0].inertia", "kg m^2"}},
      {one("600", "nan"), {"body.wheels[0].speed", "nan", "finite"}},
      {one("600", "600, torque = inf"), {"body.wheels[0].torque", "inf", "finite"}},
      {one("600", "600, torque = \"much\""), {"body.wheels[0].torque", "N m"}},
      // The body has 2.5 about the axis: as much is too much, and so it is where another wheel has its share.
      {one("0.01", "2.5"), {"body.wheels[0].inertia: 2.5 is not less than 2.5", "includes its wheels"}},
      {with_wheels("[{ axis = [0, 0, 1], inertia = 1.5, speed = 1 },\n{ axis = [0, 0, 1], inertia = 1.2, speed = 1 }]"),
       {"x.toml:4: body.wheels[1].inertia: 1.2 is not less than 1", "without the wheels before"}}};
  for (const auto& [text, said] : mistakes) {
    const std::string sentence = refusal(text);
    SCOPED_TRACE(text);
    for (const std::string& part : said) EXPECT_THAT(sentence, HasSubstr(part));
    EXPECT_EQ(sentence.find('\n'), std::string::npos);
  }
  EXPECT_NO_THROW(parse_scenario(one("0.01", "2.4999999"), "x.toml")) << "just below what the body has";
}

TEST(WheelsInAFile, AreSixteenAtMost) {
  std::string many = "[";
  for (int i = 0; i < 16; ++i) many += wheel + ", ";
  EXPECT_NO_THROW(parse_scenario(with_wheels(many + "]"), "x.toml"));
  EXPECT_THAT(refusal(with_wheels(many + wheel + "]")), HasSubstr("x.toml:3: body.wheels: 17 wheels are given"));
}

TEST(WheelsInAFile, DoNotGoWithEverything) {
  const std::string text = with_wheels("[" + wheel + "]");
  EXPECT_THAT(refusal(replaced(text, "angular_velocity_body", "direction = [1, 0, 0]\nangular_velocity_body")),
              HasSubstr("moves on the sphere and has no wheels"));
  EXPECT_THAT(refusal(replaced(text, "\"taylor-4\"", "\"rotor-verlet\"")),
              HasSubstr("x.toml:7: run.method: rotor-verlet cannot take a body with wheels"));
  EXPECT_THAT(refusal(replaced(text, "\"taylor-4\"", "\"free-exact\"")), HasSubstr("free-exact cannot take"));
  for (const char* column : {"polhode", "herpolhode"}) {
    EXPECT_THAT(refusal(text + fmt::format("[output]\ncolumns = [\"standard\", \"{}\"]\n", column)),
                HasSubstr(fmt::format("{} is Poinsot's construction", column)));
  }
  const std::string gradient = "[torque]\nkind = \"gravity-gradient\"\nmean_motion = 0.001\n";
  EXPECT_NO_THROW(plan(parse_scenario(text + gradient, "x.toml")));
  EXPECT_THAT(refusal(replaced(text, "600", "600, torque = 0.1") + gradient),
              HasSubstr("x.toml:11: torque.kind: a gravity-gradient acts on all of the inertia"));
}

// The energy is called by its name, and is an error only where it should be constant.
TEST(WheelsInAResult, AreToldOf) {
  const std::string still = with_wheels("[" + wheel + "]"), driven = replaced(still, "600", "600, torque = 0.1");
  const Result kept = run(plan(parse_scenario(still, "x.toml"))), changed = run(plan(parse_scenario(driven, "x.toml")));
  EXPECT_EQ(energy_terms(kept.about), "kinetic without wheels");
  EXPECT_TRUE(kept.about.energy_conserved);
  EXPECT_TRUE(kept.energy_error_max);
  EXPECT_FALSE(changed.about.energy_conserved);
  EXPECT_FALSE(changed.energy_error_max);
  // pi = I w + J Omega a: the momentum is the whole one.
  EXPECT_DOUBLE_EQ(kept.start.angular_momentum_spatial[0].value, 1);
  EXPECT_DOUBLE_EQ(kept.start.angular_momentum_spatial[2].value, 6);
  EXPECT_DOUBLE_EQ(kept.start.angular_velocity_body[0].value, 1);
  EXPECT_DOUBLE_EQ(kept.start.energy.value, 0.5);
  EXPECT_LT(kept.momentum_change, 1e-14);
  EXPECT_LT(changed.momentum_change, 1e-14);
}

TEST(WheelsInARun, AutoTakesAMethodThatCan) {
  Scenario scenario = problem_scenario(*find_problem("gyrostat"));
  scenario.run.method = "auto";
  scenario.run.tolerance = 1e-8;
  const Plan made = plan(scenario);
  EXPECT_TRUE(made.method.claims.wheels) << made.method.name;
  const Result result = run(made);
  ASSERT_TRUE(result.attitude_error);
  EXPECT_LT(result.attitude_error->value, 1e-8);
}

// A simulation goes on from where it was saved, and not in another body.
TEST(WheelsInARun, AreSavedAndGoOn) {
  Situation setup = find_problem("gyrostat")->setup;
  setup.wheels[0].torque = 0.1;
  const RunOptions options{.step = 0.05, .duration = 2};
  Simulation whole(setup, "mclachlan-reich-231", options), half(setup, "mclachlan-reich-231", options);
  half.advance_to(1);
  Simulation later(setup, "mclachlan-reich-231", options);
  later.restore(half.save());
  for (Simulation* simulation : {&whole, &later}) simulation->advance_to(2);
  EXPECT_EQ(whole.state().R_SB, later.state().R_SB);
  EXPECT_EQ(whole.state().pi_B, later.state().pi_B);
  setup.wheels[0].torque = 0.2;
  EXPECT_THROW(Simulation(setup, "mclachlan-reich-231", options).restore(half.save()), Error);
}

}  // namespace
}  // namespace polhode::wheels_scenario_test
