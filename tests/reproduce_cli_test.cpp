// `polhode reproduce` as a user meets it: folders found by being there, files left behind, exit codes and sentences.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "program.hpp"

namespace polhode::reproduce_cli_test {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* experiment = R"(title = "A spin"
about = "Its energy is 1/2."
[[measure]]
name = "energy"
quantity = "energy"
scenario = "spin.toml"
[[claim]]
id = "kept"
claim = "The energy stays, \"exactly\""
measured = ["off = energy_now - 0.5"]
holds = "off == 0"
criterion = "a principal axis"
[[measure]]
name = "energy_now"
quantity = "energy"
scenario = "spin.toml"
[[panel]]
kind = "time-series"
scenario = "spin.toml"
methods = ["taylor-4"]
step_sizes = [0.1]
columns = ["E"]
)";

// A folder `experiments` with two of them.
struct Laboratory {
  Laboratory() {
    for (const std::string name : {"spin", "spin-again"}) {
      std::filesystem::create_directories(folder.file("experiments/" + name));
      folder.write("experiments/" + name + "/experiment.toml", experiment);
      folder.write("experiments/" + name + "/published.csv", "item,published,measure\nE,0.50,energy\n");
      folder.write("experiments/" + name + "/spin.toml", good);
    }
  }
  Outcome reproduce(std::vector<std::string> words) const {
    words.insert(words.begin(), "reproduce");
    words.insert(words.end(), {"-o", "out", "--no-report"});
    return polhode(folder, words);
  }
  json verdicts() const { return json::parse(read_file(folder.file("out/verdicts.json"))); }

  TestFolder folder;
};

TEST(ReproduceCli, WritesVerdictsClaimsAndCurves) {
  const Laboratory lab;
  const Outcome run = lab.reproduce({});
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(run.out, "");
  EXPECT_THAT(run.err, HasSubstr("spin-again: 1 reproduced, 1 holds"));
  const json verdicts = lab.verdicts();
  ASSERT_EQ(verdicts.size(), 4U);
  EXPECT_EQ(verdicts[0]["experiment"], "spin");
  EXPECT_EQ(verdicts[0]["item"], "E");
  EXPECT_EQ(verdicts[0]["published"], "0.50");
  EXPECT_EQ(verdicts[0]["verdict"], "reproduced");
  EXPECT_EQ(verdicts[1]["measured"], "off = 0");
  for (const char* key : {"tolerance", "reason"}) EXPECT_TRUE(verdicts[0].contains(key));
  EXPECT_THAT(
      read_file(lab.folder.file("out/claims.csv")),
      HasSubstr("spin,kept,\"The energy stays, \"\"exactly\"\"\",,polhode run experiments/spin/spin.toml --json,"
                "off = 0,holds"));
  const json result = json::parse(read_file(lab.folder.file("out/spin/result.json")));
  EXPECT_EQ(result["command"], "polhode reproduce spin");
  EXPECT_EQ(table_of(read_file(lab.folder.file("out/spin/panel-1-curve-1.csv"))).front(), "t,E");
}

TEST(ReproduceCli, KeepsWhatIsDoneUnlessTheFolderChanged) {
  const Laboratory lab;
  ASSERT_EQ(lab.reproduce({}).code, 0);
  EXPECT_THAT(lab.reproduce({}).err, AllOf(HasSubstr("spin: 1 reproduced, 1 holds (kept)"),
                                           HasSubstr("spin-again: 1 reproduced, 1 holds (kept)")));
  lab.folder.write("experiments/spin/published.csv", "item,published,measure\nE,0.70,energy\n");
  EXPECT_THAT(lab.reproduce({}).err,
              AllOf(HasSubstr("spin: 1 not reproduced, 1 holds (0"), HasSubstr("again: 1 reproduced, 1 holds (kept)")));
  EXPECT_THAT(lab.reproduce({"--again"}).err, Not(HasSubstr("(kept)")));
}

TEST(ReproduceCli, AVerdictThatChangedIsAnError) {
  const Laboratory lab;
  ASSERT_EQ(lab.reproduce({"--accept"}).code, 0);
  EXPECT_EQ(read_file(lab.folder.file("experiments/spin/verdicts.csv")),
            "item,number,published,measured,tolerance,verdict\nE,,0.50,0.5,rel 1e-06,reproduced\n"
            "kept,off,,0,rel 1e-06,holds\n");
  EXPECT_EQ(lab.reproduce({}).code, 0);
  lab.folder.write("experiments/spin/published.csv", "item,published,measure\nE,0.70,energy\n");
  const Outcome changed = lab.reproduce({"spin"});
  EXPECT_EQ(changed.code, 1);
  EXPECT_THAT(changed.err, HasSubstr("spin: E: 'not reproduced' was 'reproduced' (measured: 0.5)"));
  lab.folder.write("experiments/spin/published.csv", "item,published,measure\nE,0.50,energy\nF,0.50,energy\n");
  EXPECT_THAT(lab.reproduce({"spin"}).err, HasSubstr("spin: F: 'reproduced' was 'not recorded'"));
}

TEST(ReproduceCli, ANumberThatMovedIsAnErrorAlthoughTheVerdictIsTheSame) {
  const Laboratory lab;
  ASSERT_EQ(lab.reproduce({"--accept"}).code, 0);
  const std::string path = "experiments/spin/verdicts.csv", record = read_file(lab.folder.file(path));
  lab.folder.write(path, replaced(record, "0.5,rel", "0.500001,rel"));
  const Outcome moved = lab.reproduce({});
  EXPECT_EQ(moved.code, 1);
  EXPECT_THAT(moved.err, HasSubstr("spin: E: recorded 0.500001, measured 0.5, tolerance rel 1e-06\n"));
  EXPECT_THAT(moved.err, HasSubstr("1 numbers or verdicts are not those recorded"));
  lab.folder.write(path, replaced(record, "0.5,rel", "0.5000001,rel"));
  EXPECT_EQ(lab.reproduce({}).code, 0);
  ASSERT_EQ(lab.reproduce({"--accept"}).code, 0);
  EXPECT_THAT(read_file(lab.folder.file(path)), HasSubstr("E,,0.50,0.5000001,rel")) << "kept: it is within";
}

TEST(ReproduceCli, AToleranceIsStatedInTheExperimentAndShownInTheRecord) {
  const Laboratory lab;
  lab.folder.write("experiments/spin/experiment.toml",
                   std::string(experiment) + "[[tolerance]]\nrows = [\"ke*.off\"]\nabsolute = 1e-15\nreason = \"r\"\n");
  ASSERT_EQ(lab.reproduce({"--accept"}).code, 0);
  EXPECT_THAT(read_file(lab.folder.file("experiments/spin/verdicts.csv")),
              HasSubstr("kept,off,,0,rel 1e-06 abs 1e-15,holds\n"));
  lab.folder.write("experiments/spin/experiment.toml", experiment);
  EXPECT_THAT(lab.reproduce({}).err,
              HasSubstr("spin: kept, off: the tolerance is 'rel 1e-06', recorded is 'rel 1e-06 abs 1e-15'"));
}

// A test program that reports so many tests and failures, whatever it is asked for.
void write_test_program(const Laboratory& lab, int tests, int failures) {
  const std::string path =
      lab.folder.write("tests/spin_test",
                       fmt::format("#!/bin/sh\necho '{{\"tests\": {}, \"failures\": {}, \"disabled\": 0, "
                                   "\"errors\": 0}}' > \"${{2#--gtest_output=json:}}\"\necho \"$1\" > said\nexit {}\n",
                                   tests, failures, failures));
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
}

TEST(ReproduceCli, ATestDecidesTheClaimThatNamesIt) {
  const Laboratory lab;
  std::filesystem::create_directories(lab.folder.file("tests"));
  lab.folder.write("experiments/spin/experiment.toml",
                   std::string(experiment) +
                       "[[claim]]\nid = \"proved\"\nclaim = \"c\"\ntest = \"spin_test\"\n"
                       "filter = \"Spin.Stays\"\nverdict = \"holds\"\n");
  const auto reproduce = [&](std::vector<std::string> more) {
    more.insert(more.end(), {"spin", "--tests", "tests"});
    return lab.reproduce(more);
  };
  EXPECT_THAT(reproduce({}).err, HasSubstr("spin: proved: the verdict is that of spin_test, which is not in 'tests'"));
  write_test_program(lab, 1, 0);
  ASSERT_EQ(reproduce({"--accept"}).code, 0);
  EXPECT_EQ(read_file(lab.folder.file("said")), "--gtest_filter=Spin.Stays\n");
  EXPECT_THAT(read_file(lab.folder.file("experiments/spin/verdicts.csv")),
              HasSubstr("proved,spin_test Spin.Stays,,passed,test,holds\n"));
  EXPECT_EQ(reproduce({}).code, 0);
  for (const auto& [tests, failures] : {std::pair{1, 1}, {0, 0}}) {
    write_test_program(lab, tests, failures);
    const Outcome failed = reproduce({"--again"});
    EXPECT_EQ(failed.code, 1);
    EXPECT_THAT(failed.err, HasSubstr("spin: proved: 'not proved' was 'holds' (measured: failed)"));
  }
  std::filesystem::remove(lab.folder.file("tests/spin_test"));
  EXPECT_EQ(reproduce({"--again"}).code, 0) << "what is not run is not judged";
}

TEST(ReproduceCli, ChoosesByNameOrItsBeginning) {
  const Laboratory lab;
  ASSERT_EQ(lab.reproduce({"spin-again"}).code, 0);
  EXPECT_EQ(lab.verdicts().size(), 2U);
  ASSERT_EQ(lab.reproduce({"spin", "spin-again"}).code, 0);
  EXPECT_EQ(lab.verdicts().size(), 4U);
  const Outcome list = lab.reproduce({"--list"});
  EXPECT_EQ(list.code, 0);
  EXPECT_EQ(lines_of(list.out).size(), 2U);
}

TEST(ReproduceCli, SaysWhatIsWrong) {
  const Laboratory lab;
  lab.folder.write("experiments/spin/experiment.toml", std::string(experiment) + "[[measure]]\nname = 3\n");
  for (const Refused& call :
       std::vector<Refused>{{{"reproduce", "spin-agan"}, 2, {"no experiment named 'spin-agan'; nearest: spin-again"}},
                            {{"reproduce", "--quick", "--long"}, 2, {"--quick"}},
                            {{"reproduce", "--experiments", "nowhere"}, 66, {"no experiments in 'nowhere'"}},
                            {{"reproduce", "spin"}, 65, {"experiments/spin/experiment.toml:24: measure[3].name"}}}) {
    expect_refused(lab.folder, call);
  }
}

TEST(ReproduceCli, InterruptedItGoesOnFromThere) {
  const Laboratory lab;
  std::string forever = good;
  lab.folder.write("experiments/spin-again/spin.toml", replaced(forever, "duration = 1", "duration = 1e8"));
  const Program program(lab.folder, {"reproduce", "-o", "out", "--no-report"});
  ASSERT_TRUE(program.gives([&] { return std::filesystem::exists(lab.folder.file("out/spin/result.json")); }))
      << program.wait().err;
  program.send(SIGINT);
  const Outcome stopped = program.wait();
  EXPECT_EQ(stopped.code, 130);
  EXPECT_THAT(stopped.err, HasSubstr("interrupted in spin-again; the same command continues from there (1 of 2"));
  EXPECT_FALSE(std::filesystem::exists(lab.folder.file("out/spin-again/result.json")));
  lab.folder.write("experiments/spin-again/spin.toml", good);
  EXPECT_THAT(lab.reproduce({}).err,
              AllOf(HasSubstr("spin: 1 reproduced, 1 holds (kept)"), HasSubstr("spin-again: 1 rep")));
}

}  // namespace
}  // namespace polhode::reproduce_cli_test
