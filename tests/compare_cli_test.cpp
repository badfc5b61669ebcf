// `polhode compare` as a contract: keys, streams, exit codes and sentences, asked of the built program.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "polhode/methods/registry.hpp"
#include "program.hpp"

namespace polhode::compare_cli_test {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

std::vector<std::string> compare(const std::vector<std::string>& more) {
  std::vector<std::string> words{"compare", "--problem", "asymmetric-top", "--duration", "4"};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

const std::vector<std::string> small =
    compare({"--methods", "mclachlan-reich-231, simo-wong", "--step-sizes", "0.2:0.0125", "--repeats", "2"});

std::vector<std::string> with(std::vector<std::string> words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

TEST(CompareCli, PrintsTheContractsJson) {
  const TestFolder folder;
  const Outcome run = polhode(folder, with(small, {"--json"}));
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.err, AnyOf("", AllOf(StartsWith("polhode: the spread of "), HasSubstr("busy"))));
  const json study = json::parse(run.out);
  EXPECT_EQ(study["schema_version"], 1);
  EXPECT_EQ(study["problem"], "asymmetric-top");
  EXPECT_EQ(study["scalar"], "double");
  EXPECT_EQ(study["unit_of_cost"], "s");
  EXPECT_EQ(study["duration"], 4);
  EXPECT_EQ(study["repeats"], 2);
  EXPECT_TRUE(study["reference"].is_string());
  ASSERT_EQ(study["rows"].size(), 10U);
  for (const json& row : study["rows"]) {
    for (const char* key : {"step", "steps", "attitude_error", "cost", "cost_spread", "torque_evaluations"}) {
      EXPECT_TRUE(row.at(key).is_number()) << key;
    }
    EXPECT_GT(row["cost"], 0);
    EXPECT_GE(row["cost_spread"], 0);
    EXPECT_LE(row["cost_quartiles"][0], row["cost"]);
    EXPECT_LE(row["cost"], row["cost_quartiles"][1]);
  }
  EXPECT_EQ(study["rows"][0]["method"], "mclachlan-reich-231");
  EXPECT_EQ(study["rows"][9]["method"], "simo-wong");
  ASSERT_EQ(study["at_error"].size(), 1U);
  EXPECT_EQ(study["at_error"][0]["costs"].size(), 2U);
}

TEST(CompareCli, ErrorsAreThoseOfRun) {
  const TestFolder folder;
  const json study = json::parse(polhode(folder, with(small, {"--json"})).out);
  for (const std::size_t i : {1U, 6U}) {
    const json row = study["rows"][i];
    const json one = json::parse(polhode(folder, {"run", "--problem", "asymmetric-top", "--duration", "4", "--method",
                                                  row["method"], "--step", "0.1", "--json"})
                                     .out);
    for (const char* key : {"step", "steps", "attitude_error", "torque_evaluations"}) {
      EXPECT_EQ(row[key], one[key]) << key;
    }
  }
}

TEST(CompareCli, WithoutFlagsItChoosesMethodsAndSteps) {
  const TestFolder folder;
  // Single precision is at rounding soon.
  const std::vector<std::string> words{"compare", "asymmetric-top", "--scalar", "float", "--repeats", "1"};
  const Outcome run = polhode(folder, words);
  EXPECT_EQ(run.code, 0) << run.err;
  const auto splittings = std::ranges::count(methods(), "mclachlan-reich", &MethodInfo::family);
  for (const std::string& part :
       {std::string("asymmetric-top: attitude error after 50 s"), std::string("in float"),
        std::string("Of each family the method with"), std::string("the least time at an error of"),
        fmt::format("of {}\n", splittings), std::string("lie-verlet\n"), std::string("attitude [rad]"),
        std::string("time [s]"), std::string("torque calls"), std::string("per step [ns]"),
        std::string("Time to reach an error"), std::string("ratio")}) {
    EXPECT_THAT(run.out, HasSubstr(part));
  }
  EXPECT_THAT(run.out, Not(HasSubstr("free-exact")));
  for (const std::string& line : lines_of(run.out)) {
    EXPECT_LE(line.size(), 120U) << line;
    EXPECT_FALSE(line.ends_with(' ')) << line;
  }
  EXPECT_EQ(run.out.find('\033'), std::string::npos);
}

TEST(CompareCli, WritesCsvOrJson) {
  const TestFolder folder;
  const Outcome as_json = polhode(folder, with(small, {"--json", "-o", "a.json"}));
  EXPECT_EQ(as_json.code, 0) << as_json.err;
  EXPECT_THAT(as_json.err, HasSubstr("10 rows in 'a.json'"));
  EXPECT_EQ(read_file(folder.file("a.json")), as_json.out);
  EXPECT_EQ(polhode(folder, with(small, {"-o", "a.csv"})).code, 0);
  const std::vector<std::string> table = table_of(read_file(folder.file("a.csv")));
  ASSERT_EQ(table.size(), 11U);
  EXPECT_THAT(table[0], StartsWith("method,step[s],steps,attitude_error[rad],cost[s],cost_spread[s]"));
  EXPECT_THAT(table[1], StartsWith("mclachlan-reich-231,0.2,20,"));
  EXPECT_EQ(folder.names().size(), 2U);
}

TEST(CompareCli, BadUsageIsAnsweredWithASentence) {
  const TestFolder folder;
  folder.write("x.toml", good);
  const std::vector<Refused> cases{
      {{"compare"}, 2, {"no problem is named", "--problem NAME"}},
      {{"compare", "none.toml"}, 66, {"cannot read 'none.toml'"}},
      {{"compare", "fast-tpo"}, 2, {"no problem named 'fast-tpo'; nearest: fast-top"}},
      {compare({"--methods", "tailor-4"}), 2, {"--methods: no method named 'tailor-4'; nearest: taylor-4"}},
      {compare({"--methods", "rkmk-4,free-exact"}), 2, {"--methods: free-exact", "polhode methods"}},
      {compare({"--methods", "dumbbell-midpoint"}), 2, {"--methods: dumbbell-midpoint"}},
      {compare({"--step-sizes", "0.1:0.4"}), 2, {"--step-sizes: 0.1:0.4", "which is larger"}},
      {compare({"--repeats", "0"}), 2, {"--repeats: '0' is not a whole number from 1 to 1000"}},
      {compare({"--repeats", "3.5"}), 2, {"--repeats: '3.5'", "e.g. 5"}},
      {compare({"--repeats", "1001"}), 2, {"--repeats: '1001'"}},
      {compare({"--repeats", "five"}), 2, {"--repeats: 'five'"}},
      {compare({"--repeat", "3"}), 2, {"no flag named '--repeat'; nearest: --repeats"}},
      {compare({"--scalar", "flaot"}), 2, {"--scalar: no scalar named 'flaot'; nearest: float"}},
      {compare({"--output", "a.h5"}), 2, {"--output: 'a.h5'", ".csv or .json"}},
      {compare({"--output", "none/a.json"}), 74, {"none/a.json"}},
      {compare({"--plot", "a.gif"}), 2, {"--plot: 'a.gif'", ".pdf"}},
      {compare({"--progress=sometimes"}), 2, {"--progress: 'sometimes'"}}};
  for (const Refused& call : cases) expect_refused(folder, call);
  EXPECT_EQ(folder.names().size(), 1U) << "something was left behind";
}

TEST(CompareCli, RunsThatFailAreSaid) {
  const TestFolder folder;
  // No step of more than about a second has a solution there.
  const auto at = [&](const char* steps) {
    return polhode(folder, {"compare", "free-mclachlan-zanna", "--duration", "10", "--methods", "moser-veselov",
                            "--step-sizes", steps, "--repeats", "1"});
  };
  const Outcome some = at("10,0.5"), all = at("10,5");
  EXPECT_EQ(some.code, 0) << some.err;
  EXPECT_THAT(some.out, HasSubstr("failed\n"));
  EXPECT_THAT(some.err, HasSubstr("1 of 2 runs failed; the first: moser-veselov did not converge"));
  EXPECT_EQ(all.code, 1);
  EXPECT_THAT(all.err, HasSubstr("every run failed"));
}

TEST(CompareCli, PlotHandsTheStudyToTheScript) {
  if (!std::filesystem::exists("/usr/bin/python3")) GTEST_SKIP() << "python3 is not installed";
  const TestFolder folder, scripts;
  const std::string script = scripts.write("plot.py", R"(import json, sys
command, study, _, figure = sys.argv[1:]
open(figure, "w").write(command + " " + json.load(open(study))["unit_of_cost"])
)");
  setenv("POLHODE_PLOT", script.c_str(), 1);
  const Outcome run = polhode(folder, with(small, {"--plot", "a.svg"}));
  unsetenv("POLHODE_PLOT");
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(read_file(folder.file("a.svg")), "work-precision s");
  EXPECT_THAT(run.err, HasSubstr("figure in 'a.svg'"));
}

TEST(CompareCli, AnInterruptedStudyGivesWhatItHas) {
  const TestFolder folder;
  // The second step takes for ever.
  const Program program(folder, compare({"--methods", "taylor-4", "--step-sizes", "0.1,1e-9", "--json",
                                         "--progress=never", "-o", "a.json"}));
  // It listens by the time its file, still under a temporary name, is made.
  ASSERT_TRUE(program.gives([&] { return !folder.names().empty(); })) << program.wait().err;
  program.send(SIGINT);
  const Outcome run = program.wait();
  EXPECT_EQ(run.code, 130) << run.err;
  EXPECT_THAT(run.err, HasSubstr("interrupted"));
  const json study = json::parse(run.out);
  EXPECT_EQ(study["interrupted"], true);
  EXPECT_LE(study["rows"].size(), 1U);
  EXPECT_EQ(json::parse(read_file(folder.file("a.partial.json"))), study);
}

TEST(CompareCli, ReportsProgress) {
  const TestFolder folder;
  const Outcome run = polhode(
      folder, compare({"--methods", "taylor-4", "--step-sizes", "0.1", "--repeats", "3", "--progress", "--json"}));
  EXPECT_EQ(run.code, 0) << run.err;
  std::vector<std::string> lines = lines_of(run.err);
  std::erase_if(lines, [](const std::string& line) { return line.find("the machine is busy") != std::string::npos; });
  EXPECT_LE(lines.size(), 10U);
  for (const std::string& line : lines) EXPECT_THAT(line, AllOf(HasSubstr(" % "), HasSubstr("taylor-4, steps of ")));
  for (const char* stage : {"timing, 1 of 3", "timing, 2 of 3", "timing, 3 of 3"}) {
    EXPECT_THAT(run.err, HasSubstr(stage)) << "every stage is told of, however fast it passes";
  }
}

TEST(CompareCli, HelpTeaches) {
  const TestFolder folder;
  const Outcome help = polhode(folder, {"compare", "--help"});
  EXPECT_EQ(help.code, 0);
  for (const char* part : {"Usage: polhode compare", "Examples:", "quartiles", "best of each family", "--repeats"}) {
    EXPECT_THAT(help.out, HasSubstr(part));
  }
  for (const std::string& line : lines_of(help.out)) EXPECT_LE(line.size(), 120U) << line;
  EXPECT_THAT(polhode(folder, {"--help"}).out, HasSubstr("compare"));
}

}  // namespace
}  // namespace polhode::compare_cli_test
