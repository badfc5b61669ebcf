// polhode ensemble in parts, and polhode merge, asked of the built program.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "ensemble_bodies.hpp"
#include "hdf5_contents.hpp"
#include "program.hpp"

#if defined(POLHODE_HDF5) && defined(POLHODE_PROGRAM)

namespace polhode::ensemble_cli_test {
namespace {

using ensemble_bodies::scenario;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// What is known of the whole, without how it was found.
nlohmann::json known(const std::string& json) {
  nlohmann::json all = nlohmann::json::parse(json);
  for (const char* key : {"seconds", "body_steps_per_second", "threads", "instruction_set", "why_no_packs"})
    all.erase(key);
  return all;
}

TEST(EnsembleProgram, NamesTheSnapshotThatAFlagLeavesOut) {
  const TestFolder folder;
  folder.write("x.toml", scenario + "snapshots = [2, 8]\n");
  const Outcome shorter = polhode(folder, {"ensemble", "x.toml", "--steps", "10"});
  EXPECT_EQ(shorter.code, 2);
  EXPECT_EQ(shorter.err,
            "polhode: --steps: the snapshot at 8 s is outside the run, which goes from 0 s to 5 s; leave the time out, "
            "or change the duration\n");
}

TEST(MergeProgram, JoinsParts) {
  const TestFolder folder;
  folder.write("x.toml", scenario);
  const std::string whole = polhode(folder, {"ensemble", "x.toml", "--output", "whole.h5", "--json"}).out;
  for (const char* part : {"1", "2", "3"})
    ASSERT_EQ(
        polhode(folder, {"ensemble", "x.toml", "--shard", std::string(part) + "/3", "-o", std::string(part) + ".h5"})
            .code,
        0);
  const Outcome merged = polhode(folder, {"merge", "3.h5", "1.h5", "2.h5", "-o", "merged.h5", "--json"});
  EXPECT_EQ(merged.code, 0);
  EXPECT_EQ(merged.err, "polhode: 90 bodies of 3 files in 'merged.h5'\n");
  EXPECT_EQ(known(merged.out), known(whole));
  EXPECT_THAT(different_in(folder.file("whole.h5"), folder.file("merged.h5")), IsEmpty());
  const Outcome table = polhode(folder, {"merge", "1.h5", "2.h5", "3.h5", "-o", "merged.csv", "--quiet"});
  EXPECT_THAT(table.out, HasSubstr("angular_speed        the end"));
  EXPECT_EQ(table.err, "");
  ASSERT_EQ(polhode(folder, {"ensemble", "x.toml", "--output", "whole.csv"}).code, 0);
  EXPECT_EQ(read_file(folder.file("merged.csv")), read_file(folder.file("whole.csv")));
}

TEST(MergeProgram, RefusesInASentence) {
  const TestFolder folder;
  folder.write("x.toml", scenario);
  polhode(folder, {"ensemble", "x.toml", "--shard", "1/2", "-o", "1.h5"});
  const std::string before = read_file(folder.file("1.h5"));
  const std::vector<Refused> calls{
      {{"merge", "-o", "whole.h5"}, 2, {"PART is required"}},
      {{"merge", "1.h5"}, 2, {"--output is required"}},
      {{"merge", "1.h5", "-o", ""}, 2, {"is empty; name a file"}},
      {{"merge", "1.h5", "-o", "1.h5"},
       2,
       {"--output: '1.h5' is a part, which would be overwritten; name another file"}},
      {{"merge", "1.h5", "-o", "whole.txt"},
       2,
       {"--output: 'whole.txt' is no name for a file of bodies", "'whole.csv'"}},
      {{"merge", "1.h5", "-o", "-", "--json"}, 2, {"--output: '-' is standard output"}},
      {{"merge", "1.h5", "-o", "none/whole.h5"}, 74, {"cannot open 'none/whole.h5'", "make its folder first"}},
      {{"merge", "1.h5", "2.h5", "-o", "whole.h5"},
       66,
       {"cannot read '2.h5': No such file or directory; check the name"}},
      {{"merge", "1.h5", "x.toml", "-o", "whole.h5"}, 65, {"x.toml: is not an HDF5 file, or not a whole one"}},
      {{"merge", "1.h5", "-o", "whole.h5"},
       65,
       {"45 of 90 bodies are missing: bodies 45 to 89, part 2 of 2; 'polhode ensemble SCENARIO --shard 2/2 "
        "--only-missing' "
        "follows those of part 2"}},
      {{"ensemble", "x.toml", "--have", "1.h5"}, 2, {"--have: names files with bodies that are not followed again"}},
      {{"ensemble", "x.toml", "--only-missing"},
       2,
       {"--only-missing: there is no file; name the file to complete (--output FILE.h5)"}},
      {{"ensemble", "x.toml", "--only-missing", "-o", "a.csv"}, 2, {"--only-missing: 'a.csv' is not HDF5"}},
      {{"ensemble", "x.toml", "--only-missing", "--shard", "2/2", "-o", "1.h5"},
       2,
       {"--only-missing: '1.h5' has bodies 0 to 44, and here numbers 45 to 89 are followed; name another file, or give "
        "the "
        "part that it has (--shard)"}},
      {{"ensemble", "x.toml", "--only-missing", "--seed", "3", "--shard", "1/2", "-o", "1.h5"},
       65,
       {"'1.h5' is of another ensemble than this one: its seed is 1 and not 3"}},
      {{"ensemble", "x.toml", "--only-missing", "--have", "x.toml", "-o", "a.h5"},
       65,
       {"x.toml: is not an HDF5 file"}}};
  for (const Refused& call : calls) expect_refused(folder, call);
  EXPECT_EQ(read_file(folder.file("1.h5")), before);
  EXPECT_THAT(folder.names(), ::testing::UnorderedElementsAre("x.toml", "1.h5"));
}

TEST(OnlyMissing, CompletesWhatIsThere) {
  const TestFolder folder;
  folder.write("x.toml", scenario);
  ASSERT_EQ(polhode(folder, {"ensemble", "x.toml", "-o", "whole.h5"}).code, 0);
  for (const char* part : {"1", "2", "3"})
    ASSERT_EQ(
        polhode(folder, {"ensemble", "x.toml", "--shard", std::string(part) + "/3", "-o", std::string(part) + ".h5"})
            .code,
        0);
  const auto complete = [&](std::vector<std::string> more) {
    std::vector<std::string> words{"ensemble", "x.toml", "--only-missing", "-o", "a.h5"};
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = polhode(folder, words);
    EXPECT_EQ(outcome.code, 0);
    EXPECT_THAT(different_in(folder.file("whole.h5"), folder.file("a.h5")), IsEmpty());
    return outcome.err;
  };
  EXPECT_EQ(complete({}), "polhode: 90 bodies in 'a.h5', 0 of which were there\n");
  EXPECT_EQ(complete({}), "polhode: nothing is missing in 'a.h5'\n");
  std::filesystem::remove(folder.file("a.h5"));
  EXPECT_EQ(complete({"--have", "3.h5", "1.h5"}), "polhode: 90 bodies in 'a.h5', 60 of which were there\n");
  // As an interrupt leaves it.
  std::filesystem::remove(folder.file("a.h5"));
  std::filesystem::rename(folder.file("2.h5"), folder.file("a.partial.h5"));
  EXPECT_EQ(complete({}), "polhode: 90 bodies in 'a.h5', 30 of which were there\n");
  EXPECT_FALSE(std::filesystem::exists(folder.file("a.partial.h5")));
}

TEST(OnlyMissing, IsAskedForWhereAnInterruptLeftSome) {
  const TestFolder folder;
  folder.write("x.toml", scenario);
  const Program program(folder, {"ensemble", "x.toml", "--bodies", "4096", "--steps", "200000", "-o", "a.h5",
                                 "--threads", "1", "--progress=always"});
  ASSERT_TRUE(program.gives([&] { return program.said().find(" of 4096 bodies") != std::string::npos; }));
  program.send(SIGTERM);
  const Outcome ended = program.wait();
  ASSERT_EQ(ended.code, 143) << ended.err;
  ASSERT_THAT(ended.err, HasSubstr("bodies in 'a.partial.h5'"));
  const Outcome merged = polhode(folder, {"merge", "a.partial.h5", "-o", "whole.h5"});
  EXPECT_EQ(merged.code, 65);
  EXPECT_THAT(merged.err, HasSubstr("of 'a.partial.h5' (ended by SIGTERM after "));
  EXPECT_THAT(merged.err, HasSubstr("; 'polhode ensemble SCENARIO --only-missing' follows them"));
  EXPECT_FALSE(std::filesystem::exists(folder.file("whole.h5")));
}

}  // namespace
}  // namespace polhode::ensemble_cli_test

#endif
