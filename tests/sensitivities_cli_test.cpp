// Derivatives as a user of the program has them: flags, scenario keys, JSON, rows, mistakes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "program.hpp"

namespace polhode::sensitivities_cli_test {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;

// Spins about the third axis at the rate 1 for 2 s: everything about it is known.
const std::string spinning = R"([body]
inertia = [1, 2, 2.5]
[start]
angular_velocity_body = [0, 0, 1]
[run]
method = "rkmk-4"
step = 0.1
duration = 2
)";

TEST(SensitivitiesOnTheCommandLine, AreInJsonAndInRows) {
  const TestFolder folder;
  folder.write("x.toml", spinning + "sensitivities = [\"start\", \"inertia.z\"]\n");
  const Outcome run = polhode(folder, {"run", "x.toml", "--json"});
  ASSERT_EQ(run.code, 0) << run.err;
  const json all = json::parse(run.out)["sensitivities"];
  ASSERT_EQ(all.size(), 7U);
  EXPECT_EQ(all[2]["by"], "start.attitude.z");
  EXPECT_EQ(all[2]["unit"], "rad");
  EXPECT_NEAR(all[2]["rotation_vector_body"][2].get<double>(), 1, 1e-14);
  EXPECT_EQ(all[5]["by"], "start.angular_velocity_body.z");
  EXPECT_NEAR(all[5]["rotation_vector_body"][2].get<double>(), 2, 1e-13);  // the angle is rate times time
  EXPECT_NEAR(all[5]["angular_velocity_body"][2].get<double>(), 1, 1e-14);
  EXPECT_NEAR(all[5]["angular_momentum_spatial"][2].get<double>(), 2.5, 1e-13);
  EXPECT_EQ(all[6]["by"], "inertia.z");
  EXPECT_NEAR(all[6]["angular_momentum_spatial"][2].get<double>(), 1, 1e-13);  // the velocity is what was given

  const Outcome rows =
      polhode(folder, {"run", "x.toml", "--sensitivities", "start.attitude.z", "--every", "10", "-o", "x.csv"});
  ASSERT_EQ(rows.code, 0) << rows.err;
  EXPECT_THAT(read_file(folder.file("x.csv")), HasSubstr("E[J],dthetax_B_by_start.attitude.z[rad/rad],"));
  const Outcome lines = polhode(folder, {"run", "x.toml", "--lyapunov", "-o", "-.ndjson"});
  ASSERT_EQ(lines.code, 0) << lines.err;
  EXPECT_THAT(lines.out, AllOf(HasSubstr("\"lyapunov_exponent\":"), HasSubstr("\"d_attitude_by_inertia.z\":[")));
  EXPECT_THAT(polhode(folder, {"run", "x.toml", "--monodromy"}).out,
              AllOf(HasSubstr("multiplier of the flow"), HasSubstr("by inertia.z")));
}

// A top that stands on its tip falls as exp(10 t): the derivative of its rate by its tilt is 5 exp(10 t), which is 1e290 after
// 66.61 s. The top itself stands there to the bit.
TEST(SensitivitiesOnTheCommandLine, DerivativesThatOverflowEndTheRun) {
  const TestFolder folder;
  folder.write("tip.toml", R"([body]
inertia = [1, 1, 0.5]
[start]
angular_velocity_body = [0, 0, 0]
[torque]
kind = "heavy-top"
weight_times_arm = 100.0
[run]
method = "rkmk-4"
step = 0.05
duration = 100
)");
  const Outcome run = polhode(
      folder, {"run", "tip.toml", "--sensitivities", "start.attitude", "--every", "1", "-o", "tip.csv", "--json"});
  EXPECT_EQ(run.code, 1);
  EXPECT_THAT(run.err, AllOf(HasSubstr("the derivatives grew beyond some 1e+290 in step 133"),
                             HasSubstr("; end the run before, or ask for the largest Lyapunov exponent alone")));
  const std::string rows = read_file(folder.file("tip.partial.csv"));
  EXPECT_THAT(rows, Not(AnyOf(HasSubstr("nan"), HasSubstr("inf"))));
  const std::size_t end = rows.rfind("\n# incomplete: ");
  ASSERT_NE(end, std::string::npos);
  const double last = std::stod(rows.substr(rows.rfind('\n', end - 1) + 1));
  EXPECT_NEAR(last, 66.61, 0.3);  // of numbers in internal units, which are powers of two
  EXPECT_EQ(json::parse(run.out)["status"], "failed");
  EXPECT_NEAR(json::parse(run.out)["time"].get<double>(), last, 1e-12);

  const Outcome exponent = polhode(folder, {"run", "tip.toml", "--lyapunov", "--json"});
  ASSERT_EQ(exponent.code, 0) << exponent.err;
  EXPECT_NEAR(json::parse(exponent.out)["lyapunov_exponent"].get<double>(), 10, 0.1);
}

TEST(SensitivitiesOnTheCommandLine, MistakesAreNamed) {
  const TestFolder folder;
  folder.write("x.toml", spinning + "sensitivities = [\"intertia\"]\n");
  EXPECT_EQ(polhode(folder, {"run", "x.toml"}).code, 65);
  EXPECT_THAT(polhode(folder, {"run", "x.toml"}).err,
              AllOf(HasSubstr("x.toml:9: run.sensitivities: 'intertia'"), HasSubstr("did you mean 'inertia'?")));
  const auto refusal = [&](std::vector<std::string> arguments) {
    std::vector<std::string> all{"run", "y.toml"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const Outcome run = polhode(folder, all);
    EXPECT_EQ(run.code, 2) << run.err;
    return run.err;
  };
  folder.write("y.toml", spinning);
  EXPECT_THAT(refusal({"--sensitivities", "start", "--method", "free-exact"}),
              AllOf(HasSubstr("--sensitivities: free-exact does not run on"), HasSubstr("rkmk-4")));
  EXPECT_THAT(refusal({"--lyapunov", "--scalar", "quad"}), HasSubstr("derivatives are computed in double"));
  EXPECT_THAT(refusal({"--sensitivities", "torque.kind"}), HasSubstr("--sensitivities: 'torque.kind'"));
  EXPECT_THAT(refusal({"--sensitivities", ""}), HasSubstr("is empty"));
}

}  // namespace
}  // namespace polhode::sensitivities_cli_test
