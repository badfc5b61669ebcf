// `polhode run --at` as a contract: which rows there are, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "program.hpp"

namespace polhode::dense_cli_test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

// The first column of a result, and the last row.
std::vector<double> times_in(const std::string& path) {
  std::vector<double> times;
  for (const std::string& line : lines_of(read_file(path)))
    if (!line.empty() && (std::isdigit(static_cast<unsigned char>(line[0])) != 0 || line[0] == '-'))
      times.push_back(std::strtod(line.c_str(), nullptr));
  return times;
}
std::string last_row_in(const std::string& path) {
  std::string last;
  for (const std::string& line : lines_of(read_file(path)))
    if (!line.empty() && line[0] != '#') last = line;
  return last;
}

TEST(RunAt, WritesTheseRowsAndBothEnds) {
  const TestFolder folder;
  folder.write("x.toml", good);
  Outcome run = polhode(folder, {"run", "x.toml", "--at", "0.77,0.5, 0.5", "-o", "a.csv"});
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(times_in(folder.file("a.csv")), ElementsAre(0, 0.5, 0.77, 1));
  EXPECT_THAT(run.err, HasSubstr("4 rows in 'a.csv'"));
  ASSERT_EQ(polhode(folder, {"run", "x.toml", "-o", "b.csv"}).code, 0);
  EXPECT_EQ(last_row_in(folder.file("a.csv")), last_row_in(folder.file("b.csv"))) << "the steps are the same";
  ASSERT_EQ(polhode(folder, {"run", "x.toml", "--duration", "-1", "--at", "-0.25,-0.5", "-o", "c.csv"}).code, 0);
  EXPECT_THAT(times_in(folder.file("c.csv")), ElementsAre(0, -0.25, -0.5, -1));
}

TEST(RunAt, TakesTimesFromAFileOrAnotherResult) {
  const TestFolder folder;
  folder.write("x.toml", good);
  folder.write("times.txt", "# when the camera looked\n0.31\n0.62\n");
  ASSERT_EQ(polhode(folder, {"run", "x.toml", "--at-file", "times.txt", "-o", "a.csv"}).code, 0);
  EXPECT_THAT(times_in(folder.file("a.csv")), ElementsAre(0, 0.31, 0.62, 1));
  const Outcome run = polhode(folder, {"run", "x.toml", "--method", "abm4", "--at-file", "a.csv", "-o", "b.csv"});
  ASSERT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(times_in(folder.file("b.csv")), ElementsAre(0, 0.31, 0.62, 1));
}

TEST(RunAt, TakesThePlaceOfTheScenariosRows) {
  const TestFolder folder;
  folder.write("every.toml", good + "[output]\nevery = 5\n");
  folder.write("times.toml", good + "[output]\ntimes = [0.1, 0.15]\n");
  folder.write("t.txt", "0.9\n");
  const auto rows = [&](const std::vector<std::string>& words) {
    std::vector<std::string> all{"run", "-o", "r.csv"};
    all.insert(all.end(), words.begin(), words.end());
    const Outcome run = polhode(folder, all);
    EXPECT_EQ(run.code, 0) << run.err;
    return times_in(folder.file("r.csv"));
  };
  EXPECT_THAT(rows({"every.toml", "--at", "0.3"}), ElementsAre(0, 0.3, 1));
  EXPECT_THAT(rows({"times.toml"}), ElementsAre(0, 0.1, 0.15, 1));
  EXPECT_THAT(rows({"times.toml", "--every", "5"}), ElementsAre(0, 0.5, 1));
  EXPECT_THAT(rows({"times.toml", "--at", "0.3"}), ElementsAre(0, 0.3, 1));
  EXPECT_THAT(rows({"times.toml", "--at-file", "t.txt"}), ElementsAre(0, 0.9, 1));
}

TEST(RunAt, RefusesInASentence) {
  const TestFolder folder;
  folder.write("x.toml", good);
  folder.write("bad.txt", "0.5\n0,6x\nhalf\n");
  folder.write("late.txt", "0.5\n7\n");
  folder.write("empty.txt", "# nothing\n");
  folder.write("file.toml", good + "[output]\ntimes_file = \"gone.txt\"\n");
  const auto at = [](const std::string& flag, const std::string& value) {
    return std::vector<std::string>{"run", "x.toml", "-o", "out.csv", flag, value};
  };
  const std::vector<Refused> calls{
      {at("--at", "0.5,x"), 2, {"--at: 'x' is not a number", "0.5,1,2.5"}},
      {at("--at", ""), 2, {"--at"}},
      {at("--at", "0.5,,1"), 2, {"--at"}},
      {at("--at", "nan"), 2, {"--at", "not finite"}},
      {at("--at", "0.5,2"), 2, {"--at: 2 s is outside the run, which goes from 0 s to 1 s", "duration"}},
      {at("--at", "-0.1"), 2, {"-0.1 s is outside the run"}},
      {at("--at-file", ""), 2, {"--at-file: is empty"}},
      {at("--at-file", "gone.txt"), 66, {"--at-file: cannot read 'gone.txt'", "check the name"}},
      {at("--at-file", "bad.txt"), 65, {"bad.txt:3: 'half' is not a number of seconds"}},
      {at("--at-file", "late.txt"), 2, {"--at-file: 'late.txt': 7 s is outside the run"}},
      {at("--at-file", "empty.txt"), 65, {"empty.txt: lists no times"}},
      {{"run", "file.toml", "-o", "out.csv"}, 66, {"file.toml:10: output.times_file: cannot read"}},
      {{"run", "x.toml", "--at", "0.5", "--every", "2"}, 2, {"--every and --at exclude each other"}},
      {{"run", "x.toml", "--at-file", "late.txt", "--every", "2"}, 2, {"--every and --at-file exclude each other"}},
      {{"run", "x.toml", "--at", "0.5", "--at-file", "late.txt"}, 2, {"--at and --at-file exclude each other"}},
      {{"run", "x.toml", "--at-file", "late.csv", "-o", "late.csv"}, 2, {"the file of times"}}};
  folder.write("late.csv", "t\n0.5\n");
  for (const Refused& call : calls) expect_refused(folder, call);
  for (const std::string& name : folder.names()) EXPECT_THAT(name, Not(HasSubstr("out"))) << "half-written";
  EXPECT_EQ(read_file(folder.file("late.csv")), "t\n0.5\n");
}

TEST(RunAt, IsExplained) {
  const TestFolder folder;
  const Outcome help = polhode(folder, {"run", "--help"});
  EXPECT_THAT(help.out, HasSubstr("--at T1,T2,..."));
  EXPECT_THAT(help.out, HasSubstr("at the order of the method, and the steps are the same as without"));
}

}  // namespace
}  // namespace polhode::dense_cli_test
