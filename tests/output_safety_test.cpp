// What was there before survives: outputs that are refused, files that cannot be written, and nothing left behind.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "polhode/io/output_file.hpp"
#include "program.hpp"

namespace polhode::output_safety_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

// The files of a folder by name, with what is in them; links are followed.
std::map<std::string, std::string> contents(const TestFolder& folder) {
  std::map<std::string, std::string> all;
  for (const std::string& name : folder.names()) all[name] = read_file(folder.file(name));
  return all;
}

TEST(OutputSafety, AnOutputNeverTakesThePlaceOfAnInputOrOfAnotherOutput) {
  const TestFolder folder;
  folder.write("x.toml", good);
  folder.write("x.csv", good + "[output]\nfile = \"./x.csv\"\n");
  folder.write("steps.csv", "0.1\n0.2\n");
  folder.write("a.partial.csv", "0.1\n0.2\n");
  folder.write("old.csv", "old\n");
  folder.write("old.json", "{}\n");
  shell(folder,
        "ln -s x.toml link.csv; ln x.toml hard.csv; ln x.toml hard.svg; ln steps.csv steps.svg; ln old.csv old.svg\n"
        "ln -s $PWD/new.csv new.svg; ln old.json study.pdf");
  const auto before = contents(folder);
  const std::vector<std::string> converge{"converge", "free-mclachlan-zanna", "-m", "taylor-4"};
  const auto study = [&](std::vector<std::string> more) {
    more.insert(more.begin(), converge.begin(), converge.end());
    return more;
  };
  const std::vector<Refused> cases{
      {{"run", "x.csv"}, 65, {"x.csv:10: output.file: './x.csv' is the scenario", "name another file"}},
      {{"validate", "x.csv"}, 65, {"x.csv:10: output.file: './x.csv' is the scenario"}},
      {{"run", "x.csv", "-o", "x.csv"}, 2, {"--output: 'x.csv' is the scenario", "name another file"}},
      {{"run", "x.toml", "-o", "link.csv"}, 2, {"--output: 'link.csv' is the scenario"}},
      {{"run", "x.toml", "-o", "hard.csv"}, 2, {"--output: 'hard.csv' is the scenario"}},
      {{"run", "x.toml", "--step-file", "steps.csv", "-o", "./steps.csv"},
       2,
       {"--output: './steps.csv' is the file of"}},
      {{"run", "x.toml", "--step-file", "a.partial.csv", "-o", "a.csv"}, 2, {"'a.partial.csv' is the file of steps"}},
      {{"run", "x.toml", "--plot", "hard.svg"}, 2, {"--plot: 'hard.svg' is the scenario"}},
      {{"run", "x.toml", "--step-file", "steps.csv", "--plot", "steps.svg"}, 2, {"--plot: 'steps.svg' is the file of"}},
      {{"run", "x.toml", "-o", "old.csv", "--plot", "old.svg"}, 2, {"--plot: 'old.svg' is the file of the rows"}},
      {{"run", "x.toml", "-o", "new.csv", "--plot", "new.svg"}, 2, {"--plot: 'new.svg' is the file of the rows"}},
      {study({"-o", "old.json", "--plot", "study.pdf"}), 2, {"--plot: 'study.pdf' is the file of --output"}}};
  for (const Refused& call : cases) expect_refused(folder, call);
  EXPECT_EQ(contents(folder), before);
}

TEST(OutputSafety, OneFileByManyNames) {
  const TestFolder folder, other;
  const std::string file = folder.write("a", "text");
  folder.write("b", "text");
  std::filesystem::create_hard_link(file, folder.file("hard"));
  std::filesystem::create_symlink(file, other.file("soft"));
  std::filesystem::create_symlink(folder.file("later"), other.file("dangling"));
  EXPECT_TRUE(same_file(file, folder.path() + "/./a"));
  EXPECT_TRUE(same_file(file, folder.file("hard")));
  EXPECT_TRUE(same_file(file, other.file("soft")));
  EXPECT_FALSE(same_file(file, folder.file("b"))) << "equal, but two files";
  EXPECT_FALSE(same_file(file, folder.file("later")));
  EXPECT_TRUE(same_file(folder.file("later"), other.file("dangling"))) << "neither is there yet";
  EXPECT_TRUE(same_file("later", "./later"));
  EXPECT_FALSE(same_file("later", "sooner"));
  EXPECT_FALSE(same_file("/dev/null", "/dev/null")) << "a device takes it all";
}

TEST(OutputSafety, WhatCannotBeWrittenIsNoticedBeforeTheRun) {
  const TestFolder folder;
  folder.write("x.toml", good);
  folder.write("kept.csv", "kept\n");
  folder.write("kept.svg", "kept\n");
  shell(folder, "mkdir folder.csv folder.svg; chmod a-w kept.csv kept.svg");
  // These runs would never end.
  const auto run = [](const std::string& flag, const std::string& file) {
    return std::vector<std::string>{"run", "x.toml", "--steps", "1e15", flag, file};
  };
  const std::vector<Refused> cases{
      {run("-o", "none/a.csv"), 74, {"'none/a.csv': No such file", "make its folder"}},
      {run("-o", "x.toml/a.csv"), 74, {"'x.toml/a.csv': Not a directory"}},
      {run("-o", "folder.csv"), 74, {"'folder.csv': Is a directory", "name a file in it"}},
      {run("-o", "kept.csv"), 74, {"'kept.csv'", "read-only", "name another file"}},
      {run("-o", "/proc/a.csv"), 74, {"'/proc/a.csv'"}},
      {run("-o", ""), 2, {"--output: is empty", "name"}},
      {run("--plot", "none/a.svg"), 74, {"'none/a.svg': No such file"}},
      {run("--plot", "folder.svg"), 74, {"'folder.svg': Is a directory"}},
      {run("--plot", "kept.svg"), 74, {"'kept.svg'", "read-only"}},
      {run("--plot", ""), 2, {"--plot", "is empty; name a file"}},
      {{"init", ""}, 2, {"FILE", "is empty; name a file"}},
      {{"reproduce", "--quick", "-o", "x.toml"}, 74, {"cannot make the folder 'x.toml/"}},
      {{"reproduce", "--quick", "-o", ""}, 2, {"--output", "is empty"}},
      {{"reproduce", "--quick", "--markdown", "folder.csv"}, 74, {"'folder.csv': Is a dir"}},
      {{"converge", "fast-top", "-o", ""}, 2, {"--output", "is empty; name a file"}},
      {{"compare", "fast-top", "--plot", "none/a.svg"}, 74, {"'none/a.svg': No such"}}};
  for (const Refused& call : cases) expect_refused(folder, call);
  EXPECT_THAT(folder.names(), UnorderedElementsAre("x.toml", "kept.csv", "kept.svg", "folder.csv", "folder.svg"));
  EXPECT_EQ(read_file(folder.file("kept.csv")), "kept\n");
  folder.write("empty.toml", good + "[output]\nfile = \"\"\n");
  expect_refused(folder, {{"run", "empty.toml"}, 65, {"empty.toml:10: output.file: is empty"}});
}

// Root may write anywhere; the program is then run as nobody, from a copy, since the place where it was built may be
// closed to others.
TEST(OutputSafety, AFolderThatMayNotBeWrittenIsNoticedBeforeTheRun) {
  const TestFolder folder;
  folder.write("x.toml", good);
  const std::string nobody = geteuid() == 0 ? "setpriv --reuid=65534 --clear-groups " : "";
  const std::string program = nobody + "env POLHODE_PLOT=" + folder.file("plot.py") + " ./polhode ";
  ASSERT_EQ(shell(folder, "chmod a+rx . && mkdir shut && chmod a-w shut && cp '" POLHODE_PROGRAM
                          "' '" POLHODE_SOURCE_DIR "/python/polhode/plot.py' . && chmod a+rx polhode plot.py && " +
                              program + "--version")
                .code,
            0);
  for (const char* output : {"--output shut/a.csv", "--plot shut/a.svg"}) {
    const Outcome run = shell(folder, program + "run x.toml --steps 1e15 " + output);
    EXPECT_EQ(run.code, 74) << run.err;
    EXPECT_THAT(run.err, HasSubstr("Permission denied; check the folder and its permissions"));
  }
}

// A full disk, as a limit on the size of files: the system sends a signal there that ends a program by default.
TEST(OutputSafety, AFileThatMayNotGrowLeavesTheOlderOneAndNothingElse) {
  const TestFolder folder;
  folder.write("x.toml", good);
  folder.write("a.csv", "older\n");
  const Outcome run = shell(folder, "ulimit -f 64; polhode run x.toml --steps 100000 --output a.csv");
  EXPECT_EQ(run.code, 74);
  EXPECT_THAT(run.err, HasSubstr("cannot write 'a.csv': File too large"));
  EXPECT_EQ(read_file(folder.file("a.csv")), "older\n");
  EXPECT_THAT(folder.names(), UnorderedElementsAre("a.csv", "x.toml"));
}

TEST(OutputSafety, PipesAndStdoutTakeRowsAsTheyCome) {
  const TestFolder folder;
  folder.write("x.toml", good);
  ASSERT_EQ(polhode(folder, {"run", "x.toml", "--output", "a.csv"}).code, 0);
  const std::string rows = read_file(folder.file("a.csv"));
  EXPECT_EQ(shell(folder, "polhode run x.toml -o /dev/stdout").out, rows);
  EXPECT_EQ(shell(folder, "polhode run x.toml -o /dev/stdout | cat").out, rows);
  EXPECT_EQ(shell(folder, "mkfifo pipe; cat pipe & polhode run x.toml -o pipe; wait").out, rows);
  EXPECT_EQ(shell(folder, "{ echo before; polhode run x.toml -o /dev/stdout; echo after; } >all; cat all").out,
            "before\n" + rows + "after\n");
  expect_refused(folder,
                 {{"run", "x.toml", "-o", "/dev/stdout", "--json"}, 2, {"--output: '/dev/stdout' is standard"}});
}

TEST(OutputSafety, ALinkIsFollowedAndStays) {
  const TestFolder folder;
  folder.write("x.toml", good);
  shell(folder, "mkdir data; touch data/here.csv; ln -s data/here.csv here.csv; ln -s data/later.csv later.csv");
  for (const char* name : {"here.csv", "later.csv"}) {
    ASSERT_EQ(polhode(folder, {"run", "x.toml", "--output", name}).code, 0);
    EXPECT_TRUE(std::filesystem::is_symlink(folder.file(name))) << name;
    EXPECT_GT(std::filesystem::file_size(folder.file(std::string("data/") + name)), 100U);
  }
}

TEST(OutputSafety, AFileThatIsNotFinishedGoes) {
  const TestFolder folder;
  const std::string path = folder.write("a.csv", "older\n");
  {
    OutputFile file(path);
    file.write("half a l");
    EXPECT_EQ(folder.names().size(), 2U);
  }
  EXPECT_THAT(folder.names(), ElementsAre("a.csv"));
  {
    OutputFile file(path);
    file.write("half a l");
    EXPECT_EQ(file.set_aside(), folder.file("a.partial.csv"));
  }
  EXPECT_EQ(read_file(path), "older\n");
  EXPECT_EQ(read_file(folder.file("a.partial.csv")), "half a l");
  {
    OutputFile file(path);
    remove_unfinished_files();
    EXPECT_EQ(folder.names().size(), 2U) << "as a second signal does";
  }
  OutputFile(path).commit();
  EXPECT_EQ(read_file(folder.file("a.partial.csv")), "half a l") << "not every file is one of two";
  OutputFile(path).commit_and_remove_partial();
  EXPECT_THAT(folder.names(), ElementsAre("a.csv"));
  EXPECT_EQ(partial_name("a.b/tumble.csv"), "a.b/tumble.partial.csv");
  EXPECT_EQ(partial_name("a.b/tumble"), "a.b/tumble.partial");
}

TEST(OutputSafety, OnlyACompleteRunRemovesThePartialFileOfItsName) {
  const TestFolder folder;
  folder.write("x.toml", good);
  const auto run = [&](const std::string& file) { return polhode(folder, {"run", "x.toml", "--output", file}).code; };
  folder.write("a.partial.csv", "some rows\n");
  folder.write("b.partial.csv", "some rows\n");
  ASSERT_EQ(polhode(folder, {"run", "x.toml", "--output", "a.csv", "--step", "0"}).code, 2);
  EXPECT_EQ(read_file(folder.file("a.partial.csv")), "some rows\n") << "a run that is refused";
  ASSERT_EQ(run("a.csv"), 0);
  EXPECT_FALSE(std::filesystem::exists(folder.file("a.partial.csv")));
  EXPECT_EQ(read_file(folder.file("b.partial.csv")), "some rows\n") << "of another name";

  shell(folder, "echo kept > kept; ln -s kept linked.partial.csv; mkdir folder.partial.csv");
  shell(folder, "echo kept > locked.partial.csv; chmod a-w locked.partial.csv");
  for (const std::string name : {"linked", "folder", "locked"}) {
    ASSERT_EQ(run(name + ".csv"), 0) << name;
    EXPECT_TRUE(std::filesystem::exists(folder.file(name + ".partial.csv"))) << name;
  }

  // Beside what a link leads to, where an interrupted run would have put it.
  shell(folder, "mkdir data; ln -s data/far.csv far.csv; echo old > data/far.partial.csv; echo mine > far.partial.csv");
  ASSERT_EQ(run("far.csv"), 0);
  EXPECT_FALSE(std::filesystem::exists(folder.file("data/far.partial.csv")));
  EXPECT_EQ(read_file(folder.file("far.partial.csv")), "mine\n");
}

TEST(OutputSafety, ACompleteStudyRemovesThePartialFileOfItsName) {
  const TestFolder folder;
  for (const std::string format : {"csv", "json"}) {
    folder.write("a.partial." + format, "some rows\n");
    ASSERT_EQ(polhode(folder, {"converge", "slow-top", "-m", "taylor-2", "--step-sizes", "0.1", "--duration", "1", "-o",
                               "a." + format})
                  .code,
              0);
  }
  EXPECT_THAT(folder.names(), UnorderedElementsAre("a.csv", "a.json"));
}

}  // namespace
}  // namespace polhode::output_safety_test
