// Motion on the sphere, as a user sees it: directions to start from, methods that move them by name, what they refuse,
// and what a run shows.
#include "polhode/core/sphere.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "generators.hpp"
#include "polhode/core/quad.hpp"
#include "polhode/io/scenario.hpp"
#include "polhode/measure/error.hpp"
#include "polhode/measure/order.hpp"
#include "polhode/methods/registry.hpp"
#include "polhode/problems/problem.hpp"
#include "polhode/run/simulation.hpp"
#include "program.hpp"

namespace polhode::sphere_test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using V = Vec3<double>;
using random::eps;

const V e3{0, 0, 1};

RC_GTEST_PROP(DrillFree, TakesTheThirdAxisThereByTheShortestWay, ()) {
  const V d = *random::direction();
  RC_PRE(!(d == V{0, 0, -1}));
  const Rotation<double> R = drill_free(d);
  RC_ASSERT(norm(third_axis(R) - d) <= 8 * eps);
  RC_ASSERT(norm(R * e3 - d) <= 8 * eps);
  RC_ASSERT(R.v.z == 0);
  RC_ASSERT(std::abs(squared_norm(R) - 1) <= 4 * eps);
}

// [R08]: (d . e3) 1 + hat(e3 x d) + (e3 x d)(e3 x d)^T / (1 + d . e3)
RC_GTEST_PROP(DrillFree, IsThePapersMatrix, ()) {
  const V d = *random::direction();
  RC_PRE(d.z > -0.9);
  const V n = cross(e3, d);
  const Mat3<double> hat{{{0, -n.z, n.y}, {n.z, 0, -n.x}, {-n.y, n.x, 0}}}, m = matrix(drill_free(d));
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      RC_ASSERT(std::abs(m[i][j] - ((i == j ? d.z : 0) + hat[i][j] + n[i] * n[j] / (1 + d.z))) <= 64 * eps);
}

TEST(DrillFree, IsExactNextToTheOppositeAndRefusesIt) {
  for (const double tilt : {1e-3, 1e-8, 1e-12}) {
    const V d{tilt, 0, -std::sqrt(1 - tilt * tilt)};
    EXPECT_LT(norm(third_axis(drill_free(d)) - d), 8 * eps) << tilt;
    EXPECT_NEAR(drill_free(d).v.y, 1, 1e-6) << tilt;  // a half turn about e2
  }
  EXPECT_EQ(drill_free(e3).w, 1);
  EXPECT_THROW(drill_free(V{0, 0, -1}), std::domain_error);
}

const std::string pendulum = R"([body]
inertia = [2, 2, 2]
[start]
direction = [0, -0.6, 0.8]
angular_velocity_body = [3, 2, 0]
[torque]
kind = "uniform-field"
field = [0, 0, 3]
[run]
method = "dumbbell-midpoint"
step = 0.05
duration = 1
)";

std::string complaint(const std::string& text) {
  try {
    const Scenario scenario = parse_scenario(text, "x.toml");
    run(plan(scenario));
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::bad_file);
    return error.what();
  }
  return "accepted";
}

TEST(Direction, IsAStartLikeAnyOther) {
  const Scenario scenario = parse_scenario(pendulum, "x.toml");
  const auto prepared = prepare<double>(scenario.setup);
  EXPECT_LT(norm(third_axis(prepared.start.R_SB) - V{0, -0.6, 0.8}), 4 * eps);
  EXPECT_EQ(prepared.start.R_SB.v.z, 0);
  // Of any length; written and read back.
  const Scenario longer = parse_scenario(replaced(pendulum, "[0, -0.6, 0.8]", "[0, -6e200, 8e200]"), "x.toml");
  EXPECT_LT(angle_between(prepare<double>(longer.setup).start.R_SB, prepared.start.R_SB), 4 * eps);
  EXPECT_THAT(to_toml(scenario), HasSubstr("direction = [0, -0.6, 0.8]"));
  EXPECT_EQ(parse_scenario(to_toml(scenario), "y.toml").setup.attitude.values, scenario.setup.attitude.values);
}

TEST(Direction, IsRefusedWithASentence) {
  const auto with = [](const char* direction) { return replaced(pendulum, "[0, -0.6, 0.8]", direction); };
  EXPECT_THAT(complaint(with("[0, 0, -2]")),
              AllOf(HasSubstr("x.toml:4: start.direction: [0, 0, -2] is opposite"), HasSubstr("[0, 1, 0, 0]")));
  EXPECT_THAT(complaint(with("[0, 0, 0]")), HasSubstr("start.direction: a direction cannot be the zero vector"));
  EXPECT_THAT(complaint(with("[0, 1]")), HasSubstr("start.direction"));
  EXPECT_THAT(complaint(with("[0, 1, 0]\nattitude_wxyz = [1, 0, 0, 0]")),
              HasSubstr("start.direction: says the same as"));
  EXPECT_THAT(complaint(replaced(pendulum, "direction", "drection")), HasSubstr("nearest: direction"));
}

TEST(SphereMethods, SayWhatDoesNotFit) {
  EXPECT_EQ(complaint(pendulum), "accepted");
  const auto with = [](const char* what, const char* instead) { return complaint(replaced(pendulum, what, instead)); };
  EXPECT_THAT(
      with("[2, 2, 2]", "[2, 2.5, 2]"),
      AllOf(HasSubstr("x.toml:10: run.method: dumbbell-midpoint moves a direction"), HasSubstr("ratio is 0.8")));
  EXPECT_EQ(with("[2, 2, 2]", "[2, 2, 0.5]"), "accepted");
  EXPECT_THAT(with("[2, 2, 2]", "[[2, 0.1, 0], [0.1, 2, 0], [0, 0, 2]]"), HasSubstr("dumbbell-midpoint"));
  EXPECT_THAT(with("[3, 2, 0]", "[3, 2, 1]"), AllOf(HasSubstr("spins about it"), HasSubstr("0.267261 of the whole")));
  EXPECT_THAT(with("field = [0, 0, 3]", "field = [0, 0, 3]\naxis_body = [1, 0, 0]"),
              HasSubstr("pulls the axis [1, 0, 0]"));
  EXPECT_THAT(with("kind = \"uniform-field\"\nfield = [0, 0, 3]", "kind = \"heavy-top\"\nweight_times_arm = 3"),
              HasSubstr("a torque of kind heavy-top"));
  EXPECT_THAT(with("kind = \"uniform-field\"\nfield = [0, 0, 3]", "kind = \"pulse\"\nuntil = 3"),
              HasSubstr("a torque of kind pulse"));
  EXPECT_THAT(with("midpoint", "midpoint+energy"), HasSubstr("'+energy' turns the body at fixed momentum"));
  EXPECT_THAT(with("field = [0, 0, 3]", "field = [0, 0, 3]\noscillation = [1, 0, 0]"),
              AllOf(HasSubstr("torque.angular_frequency"), HasSubstr("[1, 0, 0]")));
  // No field at all, and a spin that is nothing but rounding, will do.
  EXPECT_EQ(with("[torque]\nkind = \"uniform-field\"\nfield = [0, 0, 3]\n", ""), "accepted");
  EXPECT_EQ(with("angular_velocity_body = [3, 2, 0]", "angular_velocity_spatial = [3, 0.8, 0.6]"), "accepted");
}

const std::string two_masses = R"([body]
inertia = [2, 2, 2]
[start]
direction = [0, -0.6, 0.8]
angular_velocity_body = [3, 2, 0]
[torque]
kind = "two-masses"
mass_1 = 1
mass_2 = 1
length = 2
force_1 = [0, 0, 3]
[run]
method = "dumbbell-variational"
step = 0.05
duration = 1
)";

V direction_at_end(const std::string& text) {
  const Result result = run(plan(parse_scenario(text, "x.toml")));
  return {result.end.direction[0].value, result.end.direction[1].value, result.end.direction[2].value};
}

TEST(TwoMasses, AreTheUniformFieldThatTheirForcesMake) {
  const std::string uniform = replaced(pendulum, "dumbbell-midpoint", "dumbbell-variational");
  EXPECT_LT(norm(direction_at_end(two_masses) - direction_at_end(uniform)), 1e-14);
  const std::string attracted =
      replaced(two_masses, "length = 2", "length = 2\nattraction = 2\ncentre = [0.9, 1.1, 2]");
  EXPECT_GT(norm(direction_at_end(attracted) - direction_at_end(uniform)), 1e-2);
  EXPECT_LT(
      norm(direction_at_end(attracted) - direction_at_end(replaced(attracted, "dumbbell-variational", "taylor-12"))),
      1e-2);
}

TEST(TwoMasses, AreRefusedWhereTheyDoNotFit) {
  EXPECT_EQ(complaint(two_masses), "accepted");
  const auto with = [](const char* what, const char* instead) {
    return complaint(replaced(two_masses, what, instead));
  };
  EXPECT_THAT(with("variational", "midpoint"),
              HasSubstr("in a uniform-field or in none, and here is a torque of kind two-masses"));
  EXPECT_THAT(with("length = 2", "length = 1"), AllOf(HasSubstr("run.method"), HasSubstr("is 0.25 of the body's")));
  EXPECT_EQ(complaint(replaced(replaced(two_masses, "length = 2", "length = 1"), "dumbbell-variational", "rkmk-4")),
            "accepted")
      << "a body may hold more than the two masses";
  EXPECT_THAT(with("mass_1 = 1\n", ""), HasSubstr("torque.mass_1"));
  EXPECT_THAT(with("mass_1 = 1", "mass_1 = -1"), HasSubstr("torque.mass_1: -1 must be positive"));
  EXPECT_THAT(with("length = 2", "length = 2\nattraction = 1"),
              HasSubstr("torque.centre: is the centre of mass itself"));
  EXPECT_THAT(with("length = 2", "length = 2\naxis_body = [1, 0, 0]"),
              HasSubstr("this two-masses pulls the axis [1, 0, 0]"));
}

// Other potentials of the direction of the third axis will do as well.
TEST(SphereMethods, TheVariationalOneTakesAnyPotentialOfTheDirection) {
  const std::string uniform = replaced(pendulum, "dumbbell-midpoint", "dumbbell-variational");
  const std::string top = replaced(uniform, "kind = \"uniform-field\"\nfield = [0, 0, 3]",
                                   "kind = \"heavy-top\"\nweight_times_arm = 3\nup_spatial = [0, 0, -1]");
  EXPECT_LT(norm(direction_at_end(top) - direction_at_end(uniform)), 1e-14);
  EXPECT_THAT(complaint(replaced(top, "[0, 0, -1]", "[0, 0, -1]\naxis_body = [0, 1, 0]")),
              HasSubstr("this heavy-top pulls"));
  EXPECT_THAT(
      complaint(replaced(uniform, "kind = \"uniform-field\"\nfield = [0, 0, 3]", "kind = \"pulse\"\nuntil = 3")),
      HasSubstr("in a potential of that direction"));
}

// A method for bodies takes a dumbbell like any body, and shows its direction.
TEST(Sphere, IsOpenToMethodsForBodies) {
  const auto direction = [](const std::string& method) {
    const Scenario scenario = parse_scenario(replaced(pendulum, "dumbbell-midpoint", method), "x.toml");
    const Result result = run(plan(scenario));
    EXPECT_EQ(result.about.space, Space::sphere) << method;
    return V{result.end.direction[0].value, result.end.direction[1].value, result.end.direction[2].value};
  };
  const V exact = direction("taylor-12");
  EXPECT_NEAR(norm(exact), 1, 1e-15);
  EXPECT_LT(angle_between(direction("taylor-4"), exact), 1e-5);
  EXPECT_LT(angle_between(direction("mclachlan-reich-231"), exact), 1e-2);
  EXPECT_LT(angle_between(direction("dumbbell-conserving"), exact), 1e-2);
}

TEST(SphereMethods, CanBeComposed) {
  const Problem& problem = *find_problem("dumbbell");
  for (const char* method :
       {"dumbbell-variational@suzuki", "dumbbell-midpoint@triple-jump", "dumbbell-conserving@suzuki"}) {
    std::vector<ErrorAtStep> errors;
    for (const double step : {0.05, 0.025, 0.0125, 0.00625}) {
      Scenario scenario = problem_scenario(problem);
      scenario.run.method = method;
      scenario.run.step = step;
      const Result result = run(plan(scenario));
      ASSERT_TRUE(result.attitude_error) << method;
      errors.push_back({step, result.attitude_error->value});
    }
    const auto fit = observed_order(errors, 1e-13, 0.1);
    ASSERT_TRUE(fit) << method;
    EXPECT_NEAR(fit->order, 4, 0.2) << method;
  }
}

TEST(SphereMethods, AgreeInEveryScalar) {
  Scenario scenario = problem_scenario(*find_problem("dumbbell"));
  for (const char* method : {"dumbbell-variational", "dumbbell-midpoint", "dumbbell-conserving"}) {
    scenario.run.method = method;
    scenario.run.scalar = ScalarKind::quad_;
    const Result best = run(plan(scenario));
    const std::pair<ScalarKind, double> cases[] = {
        {ScalarKind::float_, 1e-4}, {ScalarKind::double_, 1e-13}, {ScalarKind::long_double_, 1e-15}};
    for (const auto& [scalar, tolerance] : cases) {
      scenario.run.scalar = scalar;
      const Result result = run(plan(scenario));
      for (std::size_t i = 0; i < 3; ++i)
        EXPECT_NEAR(result.end.direction[i].value, best.end.direction[i].value, tolerance) << method;
    }
  }
}

// A drill tells nothing about the direction: the error that a run reports is the angle between directions.
TEST(SphereErrors, AreAnglesBetweenDirections) {
  const State<double> a{drill_free(V{0, -0.6, 0.8}), {}, 0};
  State<double> b = a;
  b.R_SB = b.R_SB * exp(V{0, 0, 1.5});
  EXPECT_NEAR(attitude_error(a, b), 1.5, 1e-15);
  EXPECT_LT(direction_error(a, b), 1e-15);
  b.R_SB = exp(V{0.01, 0, 0}) * b.R_SB;
  EXPECT_NEAR(direction_error(a, b), 0.01, 1e-15);
}

TEST(SphereErrors, AreThoseOfTheDumbbellRuns) {
  Scenario scenario = problem_scenario(*find_problem("dumbbell"));
  for (const char* method : {"dumbbell-conserving", "taylor-2"}) {
    scenario.run.method = method;
    const Result coarse = run(plan(scenario));
    ASSERT_TRUE(coarse.attitude_error) << method;
    scenario.run.method = "taylor-12";
    const Result fine = run(plan(scenario));
    const auto direction = [](const Result& r) {
      return V{r.end.direction[0].value, r.end.direction[1].value, r.end.direction[2].value};
    };
    EXPECT_NEAR(coarse.attitude_error->value, angle_between(direction(coarse), direction(fine)), 1e-12) << method;
  }
}

TEST(SphereCli, ShowsTheDirection) {
  const TestFolder folder;
  folder.write("pendulum.toml", pendulum);
  const Outcome run = polhode(folder, {"run", "pendulum.toml", "--json", "--output", "a.csv"});
  ASSERT_EQ(run.code, 0) << run.err;
  const auto result = nlohmann::json::parse(run.out);
  ASSERT_EQ(result["direction"].size(), 3U);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_NEAR(result["direction"][i], result["rotation_matrix"][i][2].get<double>(), 1e-15);
  const std::vector<std::string> table = table_of(read_file(folder.file("a.csv")));
  EXPECT_THAT(table.at(0), ::testing::EndsWith(",E[J],dx,dy,dz"));
  std::vector<double> first;
  std::istringstream row(table.at(1));
  for (std::string cell; std::getline(row, cell, ',');) first.push_back(std::stod(cell));
  ASSERT_EQ(first.size(), 15U);
  EXPECT_LT(norm(V{first[12], first[13], first[14]} - V{0, -0.6, 0.8}), 1e-15);

  const auto of_body = nlohmann::json::parse(
      polhode(folder, {"run", "--problem", "fast-top", "-m", "taylor-2", "--steps", "3", "--json"}).out);
  EXPECT_FALSE(of_body.contains("direction"));
  const auto of_problem =
      nlohmann::json::parse(polhode(folder, {"run", "--problem", "dumbbell", "-m", "taylor-4", "--json"}).out);
  EXPECT_TRUE(of_problem.contains("direction"));
  EXPECT_LT(of_problem["attitude_error"], 1e-4);
}

TEST(SphereCli, TellsTheSpaceOfMethodsAndProblems) {
  const TestFolder folder;
  int on_sphere = 0;
  for (const auto& method : nlohmann::json::parse(polhode(folder, {"methods", "--json"}).out)) {
    const bool is_dumbbell = method["name"].get<std::string>().starts_with("dumbbell");
    EXPECT_EQ(method["space"], is_dumbbell ? "S^2" : "SO(3)") << method["name"];
    EXPECT_EQ(method["needs"] == "uniform field" || method["needs"] == "direction", is_dumbbell) << method["name"];
    on_sphere += is_dumbbell;
  }
  EXPECT_EQ(on_sphere, 3);
  for (const auto& problem : nlohmann::json::parse(polhode(folder, {"problems", "--json"}).out))
    EXPECT_EQ(problem["space"], problem["name"] == "dumbbell" ? "S^2" : "SO(3)") << problem["name"];
}

// A column of its own for the momentum along the field, about which the dumbbell's field is symmetric.
TEST(SphereCli, KnowsTheMomentumAlongTheField) {
  Scenario scenario = parse_scenario(replaced(pendulum, "[0, 0, 3]", "[0, 3, 4]"), "x.toml");
  scenario.output.columns = {column("angular_momentum_spatial"), column("momentum_along_field")};
  Table table;
  run(plan(scenario), &table);
  for (const auto& row : table.rows) {
    EXPECT_NEAR(row[4].value, 0.6 * row[2].value + 0.8 * row[3].value, 1e-14);
    EXPECT_NEAR(row[4].value, table.rows[0][4].value, 1e-13);
  }
}

}  // namespace
}  // namespace polhode::sphere_test
