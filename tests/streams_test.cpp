// Standard streams that are closed, full or without a reader: data that cannot be written are an error, talk that cannot
// is dropped.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "program.hpp"

namespace polhode::streams_test {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string study = "free-mclachlan-zanna --methods taylor-4 --step-sizes 0.2,0.1 --duration 1 --progress=never";

// Every command that prints data.
const std::vector<std::string> printing{"--help",
                                        "--version",
                                        "run --help",
                                        "methods",
                                        "methods --json",
                                        "methods --markdown",
                                        "methods --guide",
                                        "methods --recommended",
                                        "problems",
                                        "problems --json",
                                        "init",
                                        "run x.toml",
                                        "run x.toml --json",
                                        "run x.toml --quiet --output /dev/stdout",
                                        "converge " + study,
                                        "converge --json " + study,
                                        "compare --repeats 1 " + study,
                                        "reproduce --list --experiments '" POLHODE_SOURCE_DIR "/experiments'"};

// Every way of talking, with the exit code that is not to change.
struct Talking {
  std::string command;
  int code;
};
const std::vector<Talking> talking{{"run x.toml --output a.csv", 0},
                                   {"run x.toml --output a.csv --progress", 0},
                                   {"run x.toml --step 2 --steps 3 --json", 0},
                                   {"run x.toml --method auto --json", 0},
                                   {"run x.toml --method taylor-2 --step 1e200 --steps 5 --output a.csv", 1},
                                   {"converge " + study + " --output a.json", 0},
                                   {"validate x.toml", 0},
                                   {"init --force b.toml", 0},
                                   {"", 2},
                                   {"rum", 2},
                                   {"run x.toml --step", 2},
                                   {"run x.toml --step=-1", 2},
                                   {"validate none.toml", 66},
                                   {"run x.toml --output none/a.csv", 74}};

TEST(Streams, DataThatCannotBeWrittenAreAnError) {
  const TestFolder folder;
  folder.write("x.toml", good);
  for (const std::string& command : printing) {
    for (const char* where : {">/dev/full", ">&-"}) {
      SCOPED_TRACE("polhode " + command + " " + where);
      const Outcome run = shell(folder, "polhode " + command + " " + where);
      EXPECT_EQ(run.code, 74);
      EXPECT_THAT(run.err, StartsWith("polhode: cannot write "));
      EXPECT_THAT(run.err, HasSubstr(where[1] == '/' ? "No space left" : "Bad file descriptor"));
      EXPECT_EQ(lines_of(run.err).size(), 1U) << run.err;
    }
  }
  EXPECT_EQ(folder.names(), std::vector<std::string>{"x.toml"});
}

// As in `polhode methods | head -1`, with a reader that is known to have gone.
TEST(Streams, AReaderWhoHasGoneEndsTheProgramQuietly) {
  const TestFolder folder;
  folder.write("x.toml", good);
  for (const std::string& command : printing) {
    const Outcome run = shell(folder, "exec 3> >(exit 0); wait $!; polhode " + command + " >&3");
    EXPECT_EQ(run.code, 141) << command;
    EXPECT_EQ(run.err, "") << command;
  }
}

TEST(Streams, TalkThatCannotBeWrittenChangesNothing) {
  const TestFolder folder;
  folder.write("x.toml", good);
  for (const auto& [command, code] : talking) {
    EXPECT_EQ(shell(folder, "polhode " + command).code, code) << command;
    for (const char* where : {"2>/dev/full", "2>&-", "2>&3"}) {
      const Outcome run = shell(folder, "exec 3> >(exit 0); wait $!; polhode " + command + " " + where);
      EXPECT_EQ(run.code, code) << command << " " << where;
    }
  }
}

// A file that is opened while stdout is closed must not take its number, and then its data.
TEST(Streams, AClosedStreamIsNotMistakenForAFile) {
  const TestFolder folder;
  folder.write("x.toml", good);
  ASSERT_EQ(polhode(folder, {"run", "x.toml", "--output", "a.csv"}).code, 0);
  EXPECT_EQ(shell(folder, "polhode run x.toml --output b.csv --json >&- 2>&- <&-").code, 74);
  EXPECT_EQ(read_file(folder.file("b.csv")), read_file(folder.file("a.csv")));
  EXPECT_EQ(shell(folder, "polhode run x.toml --output c.csv >&- 2>&- <&-").code, 0) << "nothing was to be printed";
  EXPECT_EQ(read_file(folder.file("c.csv")), read_file(folder.file("a.csv")));
}

// What went wrong first is what the exit code tells.
TEST(Streams, AFailedRunStaysAFailedRun) {
  const TestFolder folder;
  folder.write("x.toml", good);
  const Outcome run = shell(folder, "polhode run x.toml -m taylor-2 --step 1e200 --steps 5 --json >/dev/full");
  EXPECT_EQ(run.code, 1);
  EXPECT_THAT(run.err, HasSubstr("taylor-2 left the finite numbers"));
  EXPECT_THAT(run.err, HasSubstr("cannot write to standard output: No space left"));
}

}  // namespace
}  // namespace polhode::streams_test
