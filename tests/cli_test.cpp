// The command line as a contract: streams, exit codes, keys and hints, asked of the built program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "program.hpp"

namespace polhode::cli_test {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

const std::string tumble = R"([body]
inertia = [0.9144, 1.098, 1.66]
[start]
angular_velocity_body = [0.45549, 0.82623, 0.03476]
[torque]
kind = "heavy-top"
weight_times_arm = 0.5
[run]
method = "mclachlan-reich-231"
step = 0.01
duration = 1
)";

TEST(Cli, RunPrintsTheContractsJson) {
  const TestFolder folder;
  const Outcome run = polhode(
      folder, {"run", "--problem", "fast-top", "--method", "taylor-4", "--step", "0.002", "--steps", "100", "--json"});
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.err, "");
  const json result = json::parse(run.out);
  for (const char* key : {"schema_version",
                          "method",
                          "problem",
                          "scalar",
                          "step",
                          "steps",
                          "time",
                          "attitude_wxyz",
                          "rotation_matrix",
                          "angular_velocity_body",
                          "angular_momentum_body",
                          "angular_momentum_spatial",
                          "energy",
                          "energy_initial",
                          "kinetic_energy",
                          "energy_drift_rate",
                          "energy_drift_rate_uncertainty",
                          "energy_error_max",
                          "steps_halved",
                          "torque_evaluations",
                          "solver_iterations",
                          "converged",
                          "warnings",
                          "attitude_error",
                          "momentum_error"}) {
    EXPECT_TRUE(result.contains(key)) << key;
  }
  EXPECT_EQ(result["schema_version"], 1);
  EXPECT_EQ(result["method"], "taylor-4");
  EXPECT_EQ(result["problem"], "fast-top");
  EXPECT_EQ(result["scalar"], "double");
  EXPECT_EQ(result["step"], 0.002);
  EXPECT_EQ(result["steps"], 100);
  EXPECT_DOUBLE_EQ(result["time"], 0.2);
  EXPECT_EQ(result["attitude_wxyz"].size(), 4U);
  EXPECT_EQ(result["rotation_matrix"].size(), 3U);
  EXPECT_EQ(result["rotation_matrix"][2].size(), 3U);
  EXPECT_EQ(result["converged"], true);
  EXPECT_LT(result["attitude_error"], 1e-7);
  EXPECT_NEAR(result["energy"], result["energy_initial"], 1e-6);
  EXPECT_GE(result["energy_error_max"],
            std::abs(result["energy"].get<double>() - result["energy_initial"].get<double>()));
  EXPECT_GT(result["energy_drift_rate_uncertainty"], 0);
  EXPECT_EQ(result["steps_halved"], 0);
}

// A body that turns by 3e19 rad a step: in float the square of that overflows, and that of its half does not.
const std::vector<std::string> overflowing{"run",    "x.toml", "--scalar", "float", "--method", "taylor-2",
                                           "--step", "3e19",   "--steps",  "4",     "--json"};

const std::string spinning = "[body]\ninertia = [1, 2, 2.5]\n[start]\nangular_velocity_body = [1, 0, 0]\n";

TEST(Cli, AStepThatFailsIsTakenInHalvesWhereAskedFor) {
  const TestFolder folder;
  folder.write("x.toml", spinning);
  const Outcome stopped = polhode(folder, overflowing);
  EXPECT_EQ(stopped.code, 1);
  EXPECT_THAT(stopped.err, AllOf(HasSubstr("taylor-2 left the finite numbers in step 1 of 3e+19 s"),
                                 HasSubstr("t = 0 s"), HasSubstr("on_failure = \"halve\"")));
  EXPECT_EQ(json::parse(stopped.out)["failed_step"], 1);
  EXPECT_TRUE(json::parse(stopped.out)["failed_residual"].is_null());

  std::vector<std::string> halve = overflowing;
  halve.insert(halve.end(), {"--on-failure", "halve"});
  const Outcome halved = polhode(folder, halve);
  EXPECT_EQ(halved.code, 0) << halved.err;
  const json result = json::parse(halved.out);
  EXPECT_EQ(result["steps"], 4);
  EXPECT_EQ(result["steps_halved"], 4);
  EXPECT_EQ(result["converged"], true);
  const std::vector<std::string> said = lines_of(halved.err);
  ASSERT_EQ(said.size(), 3U) << halved.err;
  EXPECT_THAT(said[0], HasSubstr("warning: step 1 of 3e+19 s"));
  EXPECT_THAT(said[1], AllOf(HasSubstr("warning: taylor-2"), HasSubstr("in step 1 of"), HasSubstr("in halves")));
  EXPECT_THAT(said[2], HasSubstr("4 of 4 steps failed whole and were taken in halves, down to 1/2 of a step"));
  halve.emplace_back("--quiet");
  EXPECT_EQ(polhode(folder, halve).err, "");
}

TEST(Cli, TheDriftIsNullWhereEnergyIsNotConserved) {
  const TestFolder folder;
  folder.write("x.toml", spinning + "[torque]\nkind = \"constant-body\"\ntorque = [0.1, 0, 0]\n");
  const Outcome run = polhode(folder, {"run", "x.toml", "-m", "taylor-4", "--steps", "100", "--json"});
  ASSERT_EQ(run.code, 0) << run.err;
  for (const char* key : {"energy_drift_rate", "energy_drift_rate_uncertainty", "energy_error_max"}) {
    EXPECT_TRUE(json::parse(run.out).at(key).is_null()) << key;
  }
  EXPECT_THAT(polhode(folder, {"run", "x.toml", "-m", "taylor-4", "--steps", "100"}).out, Not(HasSubstr("drift rate")));
}

TEST(Cli, EveryKeyOfAResultIsDocumented) {
  const TestFolder folder;
  folder.write("x.toml", spinning);
  folder.write("steps.txt", "0.1\n0.2\n");
  const std::string text = read_file(POLHODE_SOURCE_DIR "/docs/results.md");
  const auto keys_of = [&](const std::vector<std::string>& arguments) {
    const json result = json::parse(polhode(folder, arguments).out);
    for (const auto& [key, value] : result.items()) EXPECT_THAT(text, HasSubstr("\n| `" + key + "` | ")) << key;
    return result.size();
  };
  EXPECT_GT(keys_of({"run", "--problem", "fast-top", "-m", "taylor-4", "--steps", "9", "--json"}), 20U);
  EXPECT_GT(keys_of({"run", "x.toml", "-m", "taylor-4", "--step-file", "steps.txt", "--json"}), 20U);
  EXPECT_GT(keys_of(overflowing), 20U);
}

TEST(Cli, NumbersCarryTheDigitsOfTheirScalar) {
  const TestFolder folder;
  const auto energy = [&](const std::string& scalar) {
    const Outcome run =
        polhode(folder, {"run", "--problem", "fast-top", "-m", "rkmk-4", "--steps", "3", "--json", "--scalar", scalar});
    EXPECT_EQ(run.code, 0) << run.err;
    const std::size_t at = run.out.find("\"energy\": ") + 10;
    return run.out.substr(at, run.out.find(',', at) - at);
  };
  EXPECT_THAT(energy("float"), ::testing::SizeIs(::testing::Le(10U)));
  EXPECT_THAT(energy("double"), AllOf(StartsWith("1269.1067297"), ::testing::SizeIs(18U)));
  EXPECT_THAT(energy("long-double"), AllOf(StartsWith("1269.1067297"), ::testing::SizeIs(::testing::Ge(21U))));
  EXPECT_THAT(energy("quad"), AllOf(StartsWith("1269.1067297"), ::testing::SizeIs(::testing::Ge(36U))));
}

TEST(Cli, AScenarioRunsAndOneFlagOverridesOneKey) {
  const TestFolder folder;
  folder.write("tumble.toml", tumble);
  const Outcome plain = polhode(folder, {"run", "tumble.toml", "--json"});
  ASSERT_EQ(plain.code, 0) << plain.err;
  EXPECT_EQ(json::parse(plain.out)["steps"], 100);
  EXPECT_EQ(json::parse(plain.out)["problem"], "tumble");
  EXPECT_FALSE(json::parse(plain.out).contains("attitude_error"));
  const json finer = json::parse(polhode(folder, {"run", "tumble.toml", "--step", "0.005", "--json"}).out);
  EXPECT_EQ(finer["steps"], 200);
  EXPECT_EQ(finer["step"], 0.005);
  EXPECT_EQ(finer["method"], "mclachlan-reich-231");
}

TEST(Cli, ANegativeDurationRunsBackToTheStart) {
  const TestFolder folder;
  folder.write("there.toml", tumble);
  const json there = json::parse(polhode(folder, {"run", "there.toml", "--json"}).out);
  const std::string back =
      replaced(replaced(tumble, "angular_velocity_body = [0.45549, 0.82623, 0.03476]",
                        "attitude_wxyz = " + there["attitude_wxyz"].dump() +
                            "\ntime = 1\nangular_momentum_body = " + there["angular_momentum_body"].dump()),
               "duration = 1", "duration = -1");
  folder.write("back.toml", back);
  const json again = json::parse(polhode(folder, {"run", "back.toml", "--json"}).out);
  EXPECT_NEAR(again["time"], 0, 1e-15);
  EXPECT_NEAR(std::abs(again["attitude_wxyz"][0].get<double>()), 1, 1e-14);
  EXPECT_NEAR(again["angular_velocity_body"][1], 0.82623, 1e-13);
}

TEST(Cli, OutputIsCsvWithTheContractsHeader) {
  const TestFolder folder;
  folder.write("tumble.toml", tumble);
  const Outcome run = polhode(folder, {"run", "tumble.toml", "--output", "a.csv", "--every", "10"});
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.out, "");
  EXPECT_THAT(run.err, HasSubstr("11 rows in 'a.csv'"));
  const std::string csv = read_file(folder.file("a.csv"));
  EXPECT_THAT(csv, AllOf(HasSubstr("# method: mclachlan-reich-231\n"), HasSubstr("# step: 0.01\n"),
                         HasSubstr("# problem: tumble\n"), HasSubstr("#| inertia = [0.9144, 1.098, 1.66]")));
  const std::vector<std::string> table = table_of(csv);
  EXPECT_EQ(table.at(0),
            "t[s],qw,qx,qy,qz,wx_B[rad/s],wy_B[rad/s],wz_B[rad/s],Lx_S[kg m^2/s],Ly_S[kg m^2/s],Lz_S[kg m^2/s],E[J]");
  EXPECT_EQ(table.size(), 12U);
  EXPECT_EQ(polhode(folder, {"run", "tumble.toml", "--quiet", "--output", "a.csv"}).err, "");
  const Outcome some = polhode(folder, {"run", "tumble.toml", "-o", "b.csv", "--columns", "mrp,energy"});
  EXPECT_EQ(table_of(read_file(folder.file("b.csv"))).at(0), "t[s],E[J],mrp_x,mrp_y,mrp_z") << some.err;
  EXPECT_EQ(folder.names().size(), 3U);
}

TEST(Cli, WithoutOutputASummaryIsPrinted) {
  const TestFolder folder;
  const Outcome run = polhode(folder, {"run", "--problem", "fast-top", "-m", "taylor-4", "--steps", "50"});
  EXPECT_EQ(run.code, 0);
  EXPECT_EQ(run.err, "");
  for (const char* part :
       {"fast-top", "taylor-4", "50 steps of 0.002 s", "final time", "attitude (w, x, y, z)", "energy change",
        "largest |E - E0|", "energy drift rate", "momentum change", "torque evaluations", "attitude error"}) {
    EXPECT_THAT(run.out, HasSubstr(part));
  }
}

TEST(Cli, AutoSaysWhatItChoseAndWhy) {
  const TestFolder folder;
  const Outcome run = polhode(folder, {"run", "--problem", "asymmetric-top", "-m", "auto", "--tolerance", "1e-7",
                                       "--goal", "torque-evaluations", "--json"});
  EXPECT_EQ(run.code, 0);
  const json result = json::parse(run.out);
  const std::string method = result["method"];
  EXPECT_EQ(result["auto"]["method"], method);
  EXPECT_EQ(result["auto"]["goal"], "torque-evaluations");
  EXPECT_EQ(result["auto"]["tolerance"], 1e-7);
  EXPECT_EQ(result["auto"]["step"], result["step"]);
  EXPECT_LT(result["auto"]["predicted_error"], 1e-7);
  EXPECT_LT(result["attitude_error"], 1e-7);
  EXPECT_THAT(run.err, AllOf(HasSubstr("auto chose " + method), HasSubstr("for 1e-07 rad"), HasSubstr("methods tried"),
                             HasSubstr("fewest torque evaluations"), HasSubstr("expected error")));
  const Outcome rows = polhode(folder, {"run", "--problem", "slow-top", "-m", "auto", "-o", "a.csv"});
  EXPECT_THAT(rows.err, HasSubstr("1e-06 rad (the default)"));
  const std::string text = read_file(folder.file("a.csv"));
  for (const char* part : {"# requested: auto\n", "# tolerance: 1e-06 rad\n", "# goal: time\n", "# predicted_error: "})
    EXPECT_THAT(text, HasSubstr(part));
  EXPECT_EQ(table_of(text).size(), 102U) << "a heading, the start and a hundred rows";
  const Outcome quiet = polhode(folder, {"run", "--problem", "slow-top", "-m", "auto", "--quiet", "--json"});
  EXPECT_EQ(quiet.err, "");
}

TEST(Cli, BadUsageIsAnsweredWithASentenceAndTheNearestName) {
  const TestFolder folder;
  folder.write("x.toml", tumble);
  folder.write("h.toml", tumble + "on_failure = \"halve\"\n");
  folder.write("steps.txt", "0.1\n0.2\n");
  const std::vector<Refused> cases{
      {{}, 2, {"Usage: polhode"}},
      {{"rum"}, 2, {"no command named 'rum'; nearest: run"}},
      {{"transmogrify"}, 2, {"no command named", "methods, problems, run"}},
      {{"--vresion"}, 2, {"'--vresion'; nearest: --version"}},
      {{"run"}, 2, {"nothing to run", "--problem"}},
      {{"run", "x.toml", "--stpe", "1"}, 2, {"no flag named '--stpe'; nearest: --step"}},
      {{"run", "x.toml", "y.toml"}, 2, {"'y.toml' is one argument too many"}},
      {{"run", "x.toml", "--problem", "fast-top"}, 2, {"exclude each other"}},
      {{"run", "--problem", "fast-tpo"}, 2, {"no problem named 'fast-tpo'; nearest: fast-top"}},
      {{"run", "--problem", "fast-top"}, 2, {"no method is chosen", "--method"}},
      {{"run", "x.toml", "--method", "tailor-4"}, 2, {"--method: no method named 'tailor-4'; nearest: taylor-4"}},
      {{"run", "x.toml", "--step", "-0.1"}, 2, {"--step: -0.1 is not positive", "negative duration"}},
      {{"run", "x.toml", "--step", "0"}, 2, {"--step: 0 is not positive"}},
      {{"run", "x.toml", "--step", "nan"}, 2, {"--step: nan is not finite"}},
      {{"run", "x.toml", "--step", "fast"}, 2, {"--step: 'fast' is not a number"}},
      {{"run", "x.toml", "--steps", "1.5"}, 2, {"--steps: 1.5 is not a whole number"}},
      {{"run", "x.toml", "--steps", "0"}, 2, {"--steps: 0 is below 1"}},
      {{"run", "x.toml", "--duration", "inf"}, 2, {"--duration: inf is not finite"}},
      {{"run", "x.toml", "--steps", "3", "--duration", "1"}, 2, {"--steps and --duration exclude each other"}},
      {{"run", "x.toml", "--step", "1", "--step-file", "steps.txt"}, 2, {"--step and --step-file exclude"}},
      {{"run", "x.toml", "--method", "abm4", "--duration", "1.005"}, 2, {"--duration", "abm4", "whole number"}},
      {{"run", "x.toml", "--method", "abm4", "--step-file", "steps.txt"}, 2, {"--step-file", "abm4 needs equal steps"}},
      {{"run", "x.toml", "--scalar", "flaot"}, 2, {"--scalar: no scalar named 'flaot'; nearest: float"}},
      {{"run", "x.toml", "--scalar", "float", "--step", "1e-90", "--steps", "1"}, 2, {"outside the range of float"}},
      {{"run", "x.toml", "--duration", "5e-324", "--step", "1"},
       2,
       {"--duration: 5e-324 s are outside the range of double"}},
      {{"run", "x.toml", "--on-failure", "halv"}, 2, {"--on-failure: 'halv' is not a choice", "stop", "halve"}},
      {{"run", "x.toml", "--on-failure", "halve", "-m", "abm4"}, 2, {"--on-failure: abm4 needs equal steps", "stop"}},
      {{"run", "h.toml", "-m", "abm4"}, 2, {"--method: abm4 needs equal steps", "halve"}},
      {{"run", "x.toml", "--tolerance", "0"}, 2, {"--tolerance: 0 is not positive", "1e-8"}},
      {{"run", "x.toml", "--tolerance", "small"}, 2, {"--tolerance: 'small' is not a number"}},
      {{"run", "x.toml", "-m", "rkmk-4", "--tolerance", "1e-8"}, 2, {"--tolerance: rkmk-4 takes steps", "auto"}},
      {{"run", "x.toml", "--goal", "speed"}, 2, {"--goal: 'speed' is not a goal", "torque-evaluations"}},
      {{"run", "x.toml", "-m", "rkmk-4", "--goal", "time"}, 2, {"--goal: the goal time is for auto", "leave"}},
      {{"run", "x.toml", "-m", "auto", "--step-file", "steps.txt"}, 2, {"auto chooses the step", "'steps.txt'"}},
      {{"run", "x.toml", "-m", "auto+energy"}, 2, {"auto is not a method but chooses one", "tolerance"}},
      {{"run", "x.toml", "-m", "atuo"}, 2, {"nearest: auto"}},
      {{"run", "--problem", "book-toss", "-m", "auto", "--goal", "energy"}, 2, {"--goal: energy is not a constant"}},
      {{"compare", "fast-top", "-m", "auto"}, 2, {"auto chooses a method and a step", "a run by auto"}},
      {{"converge", "fast-top", "-m", "auto"}, 2, {"auto chooses a method and a step", "a run by auto"}},
      {{"run", "x.toml", "--every", "0"}, 2, {"--every: 0 is below 1"}},
      {{"run", "x.toml", "--columns", "enrgy"}, 2, {"--columns: no column named 'enrgy'; nearest: energy"}},
      {{"run", "x.toml", "--output", "a.dat"}, 2, {"--output: 'a.dat'", ".csv", ".h5", ".ndjson", "'a.dat.csv'"}},
      {{"run", "x.toml", "--plot", "a.gif"}, 2, {"--plot: 'a.gif'", ".pdf"}},
      {{"run", "x.toml", "--plot", "a.pdf", "--columns", "mrp"}, 2, {"--plot needs the standard columns"}},
      {{"run", "x.toml", "--progress=sometimes"}, 2, {"--progress: 'sometimes'", "always"}},
      {{"run", "none.toml"}, 66, {"cannot read 'none.toml': No such file"}},
      {{"run", "fast-top"}, 66, {"--problem fast-top"}},
      {{"run", "."}, 66, {"cannot read '.': Is a directory"}},
      {{"run", "x.toml", "--step-file", "none.txt"}, 66, {"--step-file: cannot read 'none.txt'"}},
      {{"run", "x.toml", "--output", "none/a.csv"}, 74, {"'none/a.csv': No such file or directory", "folder"}},
      {{"run", "x.toml", "--output", "/dev/full"}, 74, {"'/dev/full': No space left"}},
      {{"validate"}, 2, {"FILE is required"}},
      {{"validate", "none.toml"}, 66, {"none.toml"}},
      {{"init", "x.toml"}, 2, {"'x.toml' exists", "--force"}},
      {{"init", "none/x.toml"}, 74, {"none/x.toml"}},
      {{"methods", "--json", "--markdown"}, 2, {"--json", "--markdown"}}};
  for (const Refused& call : cases) expect_refused(folder, call);
  EXPECT_EQ(folder.names().size(), 3U) << "something was left behind";
}

TEST(Cli, ABadScenarioLeavesNoFile) {
  const TestFolder folder;
  folder.write("x.toml", replaced(tumble, "inertia", "inertai"));
  const Outcome run = polhode(folder, {"run", "x.toml", "--output", "a.csv"});
  EXPECT_EQ(run.code, 65);
  EXPECT_EQ(run.err, "polhode: x.toml:2: body.inertai: no such key; nearest: inertia\n");
  EXPECT_EQ(polhode(folder, {"validate", "x.toml"}).code, 65);
  EXPECT_EQ(folder.names(), std::vector<std::string>{"x.toml"});
}

TEST(Cli, AFailedRunSaysWhenAndKeepsItsRows) {
  const TestFolder folder;
  folder.write("x.toml", replaced(tumble, "step = 0.01\nduration = 1", "step = 1e200\nsteps = 5"));
  const Outcome run = polhode(folder, {"run", "x.toml", "--method", "taylor-2", "--output", "a.csv", "--json"});
  EXPECT_EQ(run.code, 1);
  EXPECT_THAT(run.err,
              AllOf(HasSubstr("taylor-2"), HasSubstr("in step "), HasSubstr("t = "), HasSubstr("'a.partial.csv'")));
  EXPECT_EQ(json::parse(run.out)["converged"], false);
  EXPECT_GE(table_of(read_file(folder.file("a.partial.csv"))).size(), 2U);
}

TEST(Cli, PlotHandsTheRowsToTheScript) {
  if (!std::filesystem::exists("/usr/bin/python3")) GTEST_SKIP() << "python3 is not installed";
  const TestFolder folder, scripts;
  const std::string script = scripts.write("plot.py", R"(import os, sys
command, result, _, figure = sys.argv[1:]
print("talk")
if os.path.basename(figure) == "full.png": sys.exit(74)
if os.path.basename(figure) == "bare.png": sys.exit(69)
open(figure, "w").write(command + " " + open(result).readline())
)");
  setenv("POLHODE_PLOT", script.c_str(), 1);
  const auto plot = [&](const std::string& figure) {
    return polhode(folder,
                   {"run", "--problem", "fast-top", "-m", "taylor-2", "--steps", "9", "--json", "--plot", figure});
  };
  const Outcome drawn = plot("it's a figure.svg");
  EXPECT_EQ(drawn.code, 0) << drawn.err;
  EXPECT_TRUE(json::accept(drawn.out)) << "the script's talk is on stdout";
  EXPECT_THAT(read_file(folder.file("it's a figure.svg")), StartsWith("run # program: polhode"));
  EXPECT_EQ(folder.names().size(), 1U);
  EXPECT_EQ(plot("full.png").code, 74);
  EXPECT_EQ(plot("bare.png").code, 69);
  setenv("POLHODE_PLOT", "/none/plot.py", 1);
  const Outcome absent = plot("a.pdf");
  unsetenv("POLHODE_PLOT");
  EXPECT_EQ(absent.code, 69);
  EXPECT_THAT(absent.err, AllOf(HasSubstr("/none/plot.py"), HasSubstr("POLHODE_PLOT")));
  EXPECT_EQ(absent.out, "") << "nothing was computed";
}

TEST(Cli, ProgressInAPipeIsALineEveryTenthAndOnlyOfLongRuns) {
  const TestFolder folder;
  const std::vector<std::string> run{"run", "--problem", "free-mclachlan-zanna", "-m", "taylor-8", "--steps", "1000"};
  auto always = run, quiet = run;
  always.emplace_back("--progress");
  quiet.emplace_back("--quiet");
  const std::vector<std::string> lines = lines_of(polhode(folder, always).err);
  EXPECT_EQ(lines.size(), 10U);
  for (const std::string& line : lines) {
    EXPECT_THAT(line, AllOf(HasSubstr("0 % "), HasSubstr("t = "), HasSubstr("steps/s"), HasSubstr("left")));
  }
  EXPECT_EQ(polhode(folder, quiet).err, "");
}

TEST(Cli, ColourComesOnlyWhereItIsAskedFor) {
  const TestFolder folder;
  EXPECT_EQ(polhode(folder, {"validate", "none.toml"}).err.find('\033'), std::string::npos);
  EXPECT_NE(polhode(folder, {"validate", "none.toml", "--color"}).err.find('\033'), std::string::npos);
  EXPECT_EQ(polhode(folder, {"validate", "none.toml", "--color=never"}).err.find('\033'), std::string::npos);
}

TEST(Cli, InitWritesAScenarioThatValidatesAndRuns) {
  const TestFolder folder;
  ASSERT_EQ(polhode(folder, {"init", "a.toml"}).code, 0);
  const Outcome valid = polhode(folder, {"validate", "a.toml"});
  EXPECT_EQ(valid.code, 0) << valid.err;
  EXPECT_THAT(valid.err, HasSubstr("'a.toml' is valid"));
  EXPECT_EQ(polhode(folder, {"run", "a.toml", "--steps", "3"}).code, 0);
  EXPECT_EQ(polhode(folder, {"init", "a.toml", "--force", "--problem", "slow-top"}).code, 0);
  EXPECT_THAT(read_file(folder.file("a.toml")), AllOf(HasSubstr("slow-top"), HasSubstr("weight_times_arm = 20")));
  EXPECT_EQ(polhode(folder, {"init", "--problem", "slow-top"}).out,
            replaced(read_file(folder.file("a.toml")), "\"a.csv\"", "\"slow-top.csv\""));
}

TEST(Cli, EveryProblemIsValidScenarioInput) {
  const TestFolder folder;
  const json list = json::parse(polhode(folder, {"problems", "--json"}).out);
  ASSERT_GE(list.size(), 10U);
  for (const json& problem : list) {
    for (const char* key : {"name", "cite", "space", "inertia", "start", "torque", "step", "duration", "reference"}) {
      EXPECT_TRUE(problem.contains(key)) << problem["name"] << " " << key;
    }
    const std::string name = problem["name"];
    EXPECT_EQ(polhode(folder, {"init", name + ".toml", "--problem", name}).code, 0);
    const Outcome valid = polhode(folder, {"validate", name + ".toml"});
    EXPECT_EQ(valid.code, 0) << valid.err;
  }
  EXPECT_THAT(polhode(folder, {"problems"}).out, HasSubstr("fast-top"));
}

TEST(Cli, MethodsAreListedForPeopleScriptsAndDocuments) {
  const TestFolder folder;
  const json list = json::parse(polhode(folder, {"methods", "--json"}).out);
  ASSERT_FALSE(list.empty());
  for (const json& method : list) {
    for (const char* key : {"name", "aliases", "family", "cite", "space", "order_attitude", "order_momentum",
                            "symmetric", "symplectic", "momentum_free", "momentum_along_field", "energy_free", "energy",
                            "torque_evaluations", "needs", "batch", "memory"}) {
      EXPECT_TRUE(method.contains(key)) << method["name"] << " " << key;
    }
  }
  const std::string text = polhode(folder, {"methods"}).out;
  const std::string markdown = polhode(folder, {"methods", "--markdown"}).out;
  EXPECT_EQ(lines_of(markdown).size(), list.size() + 2);
  for (const json& method : list) {
    EXPECT_THAT(text, HasSubstr(method["name"].get<std::string>()));
    EXPECT_THAT(markdown, HasSubstr("`" + method["name"].get<std::string>() + "`"));
  }
  EXPECT_THAT(text, HasSubstr("@suzuki"));
}

TEST(Cli, HelpTeaches) {
  const TestFolder folder;
  EXPECT_THAT(polhode(folder, {"--version"}).out, StartsWith("polhode "));
  for (const char* command : {"methods", "problems", "run", "init", "validate"}) {
    const Outcome help = polhode(folder, {command, "--help"});
    EXPECT_EQ(help.code, 0);
    EXPECT_THAT(help.out, AllOf(HasSubstr("Usage: polhode "), HasSubstr("Examples:"))) << command;
    EXPECT_THAT(polhode(folder, {"--help"}).out, HasSubstr(command));
  }
}

}  // namespace
}  // namespace polhode::cli_test
