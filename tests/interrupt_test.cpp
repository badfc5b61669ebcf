// Runs and studies that a signal or a failure ends before their time: the older file stays, and what there is goes beside
// it, marked as incomplete.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "program.hpp"

namespace polhode::interrupt_test {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::AnyOf;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;
using ::testing::UnorderedElementsAre;

// A run that never ends by itself, with an older result where its rows shall go.
struct EndlessRun {
  TestFolder folder;
  Program program;

  EndlessRun()
      : program((folder.write("a.csv", "older\n"), folder), {"run", "--problem", "fast-top", "-m", "taylor-4",
                                                             "--steps", "1e12", "--every", "1000", "-o", "a.csv"}) {}

  // Rows on disk mean that the run is under way, however busy the machine.
  bool is_under_way() const {
    return program.gives([&] {
      const std::vector<std::string> names = folder.names();
      return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
        std::error_code gone;
        return name != "a.csv" && std::filesystem::file_size(folder.file(name), gone) > 2000 && !gone;
      });
    });
  }
};

class EndedBySignal : public testing::TestWithParam<std::pair<int, std::string>> {};
INSTANTIATE_TEST_SUITE_P(Signals, EndedBySignal,
                         testing::Values(std::pair(SIGINT, "SIGINT"), std::pair(SIGTERM, "SIGTERM"),
                                         std::pair(SIGHUP, "SIGHUP")),
                         [](const auto& tested) { return tested.param.second; });

TEST_P(EndedBySignal, ARunLeavesTheOlderFileAndItsRowsBesideIt) {
  const auto& [signal, name] = GetParam();
  const EndlessRun endless;
  ASSERT_TRUE(endless.is_under_way());
  endless.program.send(signal);
  const Outcome run = endless.program.wait();
  EXPECT_EQ(run.code, 128 + signal);
  EXPECT_THAT(run.err,
              AllOf(HasSubstr("interrupted by " + name), HasSubstr("rows up to there are in 'a.partial.csv'")));
  EXPECT_EQ(read_file(endless.folder.file("a.csv")), "older\n");
  EXPECT_THAT(endless.folder.names(), UnorderedElementsAre("a.csv", "a.partial.csv"));

  const std::string csv = read_file(endless.folder.file("a.partial.csv"));
  const std::vector<std::string> rows = table_of(csv);
  ASSERT_FALSE(rows.empty());
  const std::string mark = lines_of(csv).back();
  long long steps = 0, told_rows = 0;
  double time = 0;
  const std::string form =
      "# incomplete: interrupted by " + name + " after %lld of 1000000000000 steps, at t = %lf s; %lld rows";
  ASSERT_EQ(std::sscanf(mark.c_str(), form.c_str(), &steps, &time, &told_rows), 3) << mark;
  EXPECT_EQ(told_rows + 1, static_cast<long long>(rows.size())) << "and a header";
  EXPECT_EQ(told_rows, 1 + (steps + 999) / 1000) << "the start, every 1000th step and the last";
  EXPECT_NEAR(time, 0.002 * static_cast<double>(steps), 1e-8 * time) << "the problem's own step";
  EXPECT_NEAR(std::stod(rows.back()), time, 1e-8 * time);
}

TEST(Interrupt, ASecondSignalEndsTheProgramAndStillLeavesNothingBehind) {
  const EndlessRun endless;
  ASSERT_TRUE(endless.is_under_way());
  endless.program.hold();
  endless.program.send(SIGINT);
  endless.program.send(SIGTERM);
  endless.program.go_on();
  EXPECT_THAT(endless.program.wait().code, AnyOf(128 + SIGINT, 128 + SIGTERM));
  EXPECT_THAT(endless.folder.names(), ElementsAre("a.csv"));
  EXPECT_EQ(read_file(endless.folder.file("a.csv")), "older\n");
}

TEST(Interrupt, NohupIsRespected) {
  const TestFolder folder;
  const Outcome run =
      shell(folder,
            "trap '' HUP; polhode run --problem fast-top -m taylor-4 --steps 1e12 --every 1000 -o a.csv & child=$!\n"
            "until [ -n \"$(find . -type f -size +2)\" ]; do sleep 0.01; done\n"
            "kill -HUP $(pgrep -P $child || echo $child); kill -TERM $(pgrep -P $child || echo $child); wait $child");
  EXPECT_EQ(run.code, 128 + SIGTERM) << run.err;
  EXPECT_THAT(folder.names(), ElementsAre("a.partial.csv"));
}

// The signal goes to the program alone, and the script that draws for it must not outlive it.
TEST(Interrupt, AFigureUnderWayIsGivenUp) {
  const TestFolder folder, scripts, temporary;
  const std::string script = scripts.write("plot.py", R"(import os, sys, time
figure = sys.argv[4]
try:
    open(figure + ".part", "w").close()
    time.sleep(60)
    open(figure, "w").close()
except KeyboardInterrupt:
    pass
finally:
    os.remove(figure + ".part")
)");
  setenv("POLHODE_PLOT", script.c_str(), 1);
  setenv("TMPDIR", temporary.path().c_str(), 1);
  const Program program(folder, {"run", "--problem", "fast-top", "-m", "taylor-4", "--steps", "9", "--plot", "a.svg"});
  unsetenv("TMPDIR");
  unsetenv("POLHODE_PLOT");
  ASSERT_TRUE(program.gives([&] { return std::filesystem::exists(folder.file("a.svg.part")); }));
  program.send(SIGTERM);
  const Outcome run = program.wait();
  EXPECT_EQ(run.code, 128 + SIGTERM);
  EXPECT_THAT(run.err, HasSubstr("--plot: interrupted by SIGTERM"));
  EXPECT_THAT(folder.names(), IsEmpty());
  EXPECT_THAT(temporary.names(), Each(StartsWith("polhode-test-"))) << "the test's own";
}

TEST(Interrupt, AFailedRunLeavesTheOlderFileAndItsRowsBesideIt) {
  const TestFolder folder;
  folder.write("x.toml", replaced(good, "taylor-4", "taylor-2"));
  folder.write("steps.txt", "0.1\n0.1\n0.1\n1e200\n0.1\n");
  folder.write("a.csv", "older\n");
  const Outcome run = polhode(folder, {"run", "x.toml", "--step-file", "steps.txt", "-o", "a.csv", "--json"});
  EXPECT_EQ(run.code, 1);
  EXPECT_THAT(run.err, AllOf(HasSubstr("taylor-2 left the finite numbers in step 4"),
                             HasSubstr("4 rows up to there are in 'a.partial.csv'")));
  EXPECT_EQ(json::parse(run.out)["converged"], false);
  EXPECT_EQ(read_file(folder.file("a.csv")), "older\n");
  const std::string csv = read_file(folder.file("a.partial.csv"));
  ASSERT_EQ(table_of(csv).size(), 5U) << "the header, the start and three steps";
  EXPECT_THAT(lines_of(csv).back(), AllOf(StartsWith("# incomplete: taylor-2 left the finite numbers in step 4"),
                                          HasSubstr("t = 0.3 s"), HasSubstr("; 4 rows")));
  EXPECT_EQ(folder.names().size(), 4U) << "something else was left behind";
}

TEST(Interrupt, ACompleteRunHasNoMark) {
  const TestFolder folder;
  folder.write("x.toml", good);
  ASSERT_EQ(polhode(folder, {"run", "x.toml", "-o", "a.csv"}).code, 0);
  EXPECT_EQ(read_file(folder.file("a.csv")).find("incomplete"), std::string::npos);
  EXPECT_THAT(folder.names(), UnorderedElementsAre("a.csv", "x.toml"));
}

TEST(Interrupt, AStudyLeavesTheOlderFileToo) {
  for (const std::string command : {"converge", "compare"}) {
    for (const std::string format : {"json", "csv"}) {
      const TestFolder folder;
      folder.write("a." + format, "older\n");
      // The second step takes for ever.
      const Program program(folder, {command, "free-mclachlan-zanna", "--methods", "taylor-4", "--step-sizes",
                                     "0.1,1e-10", "--json", "--progress=never", "-o", "a." + format});
      // It listens from before it makes its file.
      ASSERT_TRUE(program.gives([&] { return folder.names().size() > 1; }));
      program.send(SIGTERM);
      const Outcome run = program.wait();
      EXPECT_EQ(run.code, 128 + SIGTERM) << run.err;
      EXPECT_THAT(run.err, AllOf(HasSubstr("interrupted"), HasSubstr("'a.partial." + format + "'")));
      EXPECT_EQ(json::parse(run.out)["interrupted"], true);
      EXPECT_EQ(read_file(folder.file("a." + format)), "older\n");
      EXPECT_THAT(folder.names(), UnorderedElementsAre("a." + format, "a.partial." + format));
      const std::string partial = read_file(folder.file("a.partial." + format));
      ASSERT_NE(partial, "");
      if (format == "json") {
        EXPECT_EQ(json::parse(partial), json::parse(run.out));
      } else {
        EXPECT_THAT(lines_of(partial).back(), StartsWith("# incomplete: interrupted"));
      }
    }
  }
}

}  // namespace
}  // namespace polhode::interrupt_test
