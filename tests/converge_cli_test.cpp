// `polhode converge` as a contract: keys, streams, exit codes and sentences, asked of the built program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "program.hpp"

namespace polhode::converge_cli_test {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

std::vector<std::string> converge(const std::vector<std::string>& more) {
  std::vector<std::string> words{"converge", "--problem", "free-mclachlan-zanna", "--duration", "8"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST(ConvergeCli, PrintsTheContractsJson) {
  const TestFolder folder;
  const Outcome run = polhode(
      folder, converge({"--methods", "mclachlan-reich-231, rkmk-4", "--step-sizes", "0.2,0.1,0.05,0.025", "--json"}));
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.err, "");
  const json study = json::parse(run.out);
  EXPECT_EQ(study["schema_version"], 1);
  EXPECT_EQ(study["problem"], "free-mclachlan-zanna");
  EXPECT_EQ(study["scalar"], "double");
  EXPECT_TRUE(study["reference"].is_string());
  ASSERT_EQ(study["rows"].size(), 8U);
  for (const json& row : study["rows"]) {
    for (const char* key : {"step", "steps", "attitude_error", "momentum_error", "torque_evaluations"}) {
      EXPECT_TRUE(row.at(key).is_number()) << key;
    }
    EXPECT_EQ(row.at("converged"), true);
  }
  EXPECT_EQ(study["rows"][0]["method"], "mclachlan-reich-231");
  EXPECT_EQ(study["rows"][0]["step"], 0.2);
  EXPECT_EQ(study["rows"][0]["steps"], 40);
  EXPECT_EQ(study["rows"][7]["method"], "rkmk-4");
  ASSERT_EQ(study["orders"].size(), 2U);
  for (const json& order : study["orders"]) {
    for (const char* key : {"attitude", "momentum", "from_step", "to_step", "attitude_uncertainty"}) {
      EXPECT_TRUE(order.at(key).is_number()) << key;
    }
    EXPECT_NEAR(order["attitude"], order["claimed_attitude"].get<double>(), 0.2);
    EXPECT_NEAR(order["momentum"], order["claimed_momentum"].get<double>(), 0.2);
    EXPECT_EQ(order["to_step"], 0.025);
  }
}

TEST(ConvergeCli, ErrorsAreThoseOfRun) {
  const TestFolder folder;
  const json study =
      json::parse(polhode(folder, converge({"--methods", "taylor-3+energy", "--step-sizes", "0.1", "--json"})).out);
  const json one = json::parse(polhode(folder, {"run", "--problem", "free-mclachlan-zanna", "--duration", "8",
                                                "--method", "taylor-3+energy", "--step", "0.1", "--json"})
                                   .out);
  for (const char* key : {"method", "step", "steps", "attitude_error", "momentum_error", "torque_evaluations"}) {
    EXPECT_EQ(study["rows"][0][key], one[key]) << key;
  }
}

TEST(ConvergeCli, WithoutFlagsItChoosesMethodsAndSteps) {
  const TestFolder folder;
  const Outcome run = polhode(folder, {"converge", "nesc-brick"});
  EXPECT_EQ(run.code, 0) << run.err;
  for (const char* part : {"nesc-brick: errors after 30 s", "taylor-2\n", "mclachlan-reich-4-231\n", "attitude [rad]",
                           "momentum [kg m^2/s]", "slope", "torque calls", "fitted order", "claimed", "+-"}) {
    EXPECT_THAT(run.out, HasSubstr(part));
  }
  for (const std::string& line : lines_of(run.out)) {
    EXPECT_LE(line.size(), 120U) << line;
    EXPECT_FALSE(line.ends_with(' ')) << line;
  }
  EXPECT_EQ(run.out.find('\033'), std::string::npos);
}

TEST(ConvergeCli, SaysWhyThereIsNoOrder) {
  const TestFolder folder;
  const std::vector<std::string> fine = converge({"--methods", "taylor-12", "--step-sizes", "0.1:0.0125"});
  EXPECT_THAT(polhode(folder, fine).out, AllOf(HasSubstr("none"), HasSubstr("every error is at rounding")));
  std::vector<std::string> as_json = fine;
  as_json.emplace_back("--json");
  const json order = json::parse(polhode(folder, as_json).out)["orders"][0];
  EXPECT_EQ(order["attitude"], nullptr);
  EXPECT_EQ(order["from_step"], nullptr);
  EXPECT_THAT(order["reason"].get<std::string>(), HasSubstr("every error is at rounding"));
  const std::string few = polhode(folder, converge({"--methods", "rkmk-4", "--step-sizes", "0.1,0.05"})).out;
  EXPECT_THAT(few, HasSubstr("2 step sizes support no slope"));
}

TEST(ConvergeCli, WritesCsvOrJson) {
  const TestFolder folder;
  const auto with = [&](const std::string& file) {
    return polhode(folder, converge({"--methods", "taylor-4", "--step-sizes", "0.2:0.05", "--json", "-o", file}));
  };
  const Outcome json_run = with("a.json");
  EXPECT_EQ(json_run.code, 0) << json_run.err;
  EXPECT_THAT(json_run.err, HasSubstr("3 rows in 'a.json'"));
  EXPECT_EQ(read_file(folder.file("a.json")), json_run.out);
  const Outcome csv_run = with("a.csv");
  EXPECT_EQ(csv_run.code, 0) << csv_run.err;
  const std::vector<std::string> table = table_of(read_file(folder.file("a.csv")));
  ASSERT_EQ(table.size(), 4U);
  EXPECT_THAT(table[0], StartsWith("method,step[s],steps,attitude_error[rad],momentum_error[kg m^2/s]"));
  EXPECT_THAT(table[1], StartsWith("taylor-4,0.2,40,"));
  EXPECT_EQ(folder.names().size(), 2U);
}

TEST(ConvergeCli, BadUsageIsAnsweredWithASentence) {
  const TestFolder folder;
  folder.write("x.toml", good);
  const std::vector<Refused> cases{
      {{"converge"}, 2, {"no problem is named", "--problem NAME", "polhode problems", "scenario file"}},
      {{"converge", "none.toml"}, 66, {"cannot read 'none.toml'"}},
      {{"converge", "--problem", "x.toml"}, 2, {"--problem: no problem named 'x.toml'"}},
      {{"converge", "x.toml", "--methods", "rkmk-4,tailor-4"}, 2, {"--methods: no method named 'tailor-4'"}},
      {{"converge", "fast-tpo"}, 2, {"no problem named 'fast-tpo'; nearest: fast-top"}},
      {{"converge", "--problem", "fast-tpo"}, 2, {"no problem named 'fast-tpo'; nearest: fast-top"}},
      {{"converge", "fast-top", "--problem", "slow-top,fast-top"}, 2, {"'fast-top' is named twice"}},
      {{"converge", "x.toml", "x.toml"}, 2, {"'x.toml' is named twice"}},
      {{"converge", "fast-top", "--step-size", "1"}, 2, {"no flag named '--step-size'; nearest: --step-sizes"}},
      {converge({"--methods", "tailor-4"}), 2, {"--methods: no method named 'tailor-4'; nearest: taylor-4"}},
      {converge({"--methods", "taylor-4,taylor-4@suzukki"}), 2, {"--methods: ", "@suzuki"}},
      {converge({"--methods", ","}), 2, {"--methods: is empty"}},
      {converge({"--step-sizes", "0.1,-0.1"}), 2, {"--step-sizes: -0.1 is not positive"}},
      {converge({"--step-sizes", "0.1,"}), 2, {"--step-sizes: a step is missing", "0.1:0.0125"}},
      {converge({"--step-sizes", "0.1:0.4"}), 2, {"--step-sizes: 0.1:0.4", "which is larger"}},
      {converge({"--step-sizes", "0.1, 0.05 : 0.0 25"}), 2, {"--step-sizes: '0.0 25' is not a number"}},
      {converge({"--step-sizes", "nan"}), 2, {"--step-sizes: nan is not finite"}},
      {converge({"--methods", "abm4", "--step-sizes", "0.3"}),
       2,
       {"abm4 cannot shorten its last step", "or a step of"}},
      {converge({"--scalar", "flaot"}), 2, {"--scalar: no scalar named 'flaot'; nearest: float"}},
      {{"converge", "fast-top", "--duration", "soon"}, 2, {"--duration: 'soon' is not a number"}},
      {converge({"--output", "a.h5"}), 2, {"--output: 'a.h5'", ".csv or .json"}},
      {converge({"--output", "none/a.json"}), 74, {"none/a.json"}},
      {converge({"--plot", "a.gif"}), 2, {"--plot: 'a.gif'", ".pdf"}},
      {converge({"--progress=sometimes"}), 2, {"--progress: 'sometimes'"}}};
  for (const Refused& call : cases) expect_refused(folder, call);
  EXPECT_EQ(folder.names().size(), 1U) << "something was left behind";
}

TEST(ConvergeCli, AStepThatDoesNotDivideIsSaid) {
  const TestFolder folder;
  const std::vector<std::string> uneven = converge({"--methods", "taylor-4", "--step-sizes", "0.3,0.15,0.075"});
  const Outcome run = polhode(folder, uneven);
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.err, HasSubstr("0.3 s does not divide 8 s; the last step of such runs is shorter"));
  std::vector<std::string> quiet = uneven;
  quiet.emplace_back("--quiet");
  EXPECT_EQ(polhode(folder, quiet).err, "");
}

TEST(ConvergeCli, PlotHandsTheStudyToTheScript) {
  if (!std::filesystem::exists("/usr/bin/python3")) GTEST_SKIP() << "python3 is not installed";
  const TestFolder folder, scripts;
  const std::string script = scripts.write("plot.py", R"(import json, sys
command, study, _, figure = sys.argv[1:]
print("talk")
open(figure, "w").write(command + " " + json.load(open(study))["problem"])
)");
  setenv("POLHODE_PLOT", script.c_str(), 1);
  const auto plot = [&](const std::vector<std::string>& more) {
    std::vector<std::string> words = converge({"--methods", "taylor-2", "--step-sizes", "0.1", "--json", "--plot"});
    words.insert(words.end(), more.begin(), more.end());
    return polhode(folder, words);
  };
  const Outcome alone = plot({"a.svg"}), kept = plot({"b.svg", "-o", "b.json"}), csv = plot({"c.svg", "-o", "c.csv"});
  unsetenv("POLHODE_PLOT");
  for (const Outcome& run : {alone, kept, csv}) {
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_TRUE(json::accept(run.out)) << "the script's talk is on stdout";
  }
  for (const char* figure : {"a.svg", "b.svg", "c.svg"}) {
    EXPECT_EQ(read_file(folder.file(figure)), "converge free-mclachlan-zanna");
  }
  EXPECT_EQ(folder.names().size(), 5U);
}

TEST(ConvergeCli, AnInterruptedStudyGivesWhatItHas) {
  const TestFolder folder;
  // The second step takes for ever.
  const Program program(folder, {"converge", "free-mclachlan-zanna", "--methods", "taylor-4", "--step-sizes",
                                 "0.1,1e-10", "--json", "--progress=never", "-o", "a.json"});
  // It listens by the time its file, still under a temporary name, is made.
  ASSERT_TRUE(program.gives([&] { return !folder.names().empty(); })) << program.wait().err;
  program.send(SIGINT);
  const Outcome run = program.wait();
  EXPECT_EQ(run.code, 130) << run.err;
  EXPECT_THAT(run.err, AllOf(HasSubstr("interrupted after "), HasSubstr("'a.partial.json'")));
  const json study = json::parse(run.out);
  EXPECT_EQ(study["interrupted"], true);
  EXPECT_LE(study["rows"].size(), 1U);
  EXPECT_EQ(json::parse(read_file(folder.file("a.partial.json"))), study);
}

TEST(ConvergeCli, ReportsProgress) {
  const TestFolder folder;
  const Outcome run =
      polhode(folder, converge({"--methods", "taylor-4", "--step-sizes", "0.1:1e-5", "--progress", "--json"}));
  EXPECT_EQ(run.code, 0) << run.err;
  const std::vector<std::string> lines = lines_of(run.err);
  ASSERT_FALSE(lines.empty());
  EXPECT_LE(lines.size(), 10U);
  for (const std::string& line : lines) {
    EXPECT_THAT(line, AllOf(HasSubstr(" % "), HasSubstr("taylor-4, steps of "), HasSubstr("left")));
  }
}

TEST(ConvergeCli, HelpTeaches) {
  const TestFolder folder;
  const Outcome help = polhode(folder, {"converge", "--help"});
  EXPECT_EQ(help.code, 0);
  EXPECT_THAT(help.out, AllOf(HasSubstr("Usage: polhode converge"), HasSubstr("Examples:"), HasSubstr("halvings")));
  EXPECT_THAT(polhode(folder, {"--help"}).out, HasSubstr("converge"));
}

}  // namespace
}  // namespace polhode::converge_cli_test
