// Rows on stdout and as lines of JSON, as users and their pipes see them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "program.hpp"

namespace polhode::rows_cli_test {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;
using ::testing::UnorderedElementsAre;

const std::string top = "polhode run --problem fast-top -m rkmk-4 ";

// One row of a file of comma-separated values, as numbers.
std::vector<double> cells_of(const std::string& line) {
  std::vector<double> cells;
  std::istringstream stream(line);
  for (std::string cell; std::getline(stream, cell, ',');) cells.push_back(std::stod(cell));
  return cells;
}

// The numbers of an object in their order, whatever their keys.
std::vector<double> numbers_of(const nlohmann::ordered_json& object) {
  std::vector<double> numbers;
  for (const auto& value : object.flatten()) numbers.push_back(value.get<double>());
  return numbers;
}

TEST(RowsCli, ADashIsCsvOnStdout) {
  const TestFolder folder;
  folder.write("x.toml", good);
  const Outcome to_stdout = polhode(folder, {"run", "x.toml", "-o", "-"});
  EXPECT_EQ(to_stdout.code, 0) << to_stdout.err;
  EXPECT_THAT(to_stdout.err, StartsWith("polhode: 11 rows on standard output: taylor-4"));
  EXPECT_THAT(folder.names(), ElementsAre("x.toml"));
  ASSERT_EQ(polhode(folder, {"run", "x.toml", "-o", "a.csv"}).code, 0);
  const std::string file = read_file(folder.file("a.csv"));
  EXPECT_EQ(table_of(to_stdout.out), table_of(file));
  EXPECT_EQ(table_of(shell(folder, "polhode run x.toml --output=- | cat").out), table_of(file));
  EXPECT_EQ(table_of(polhode(folder, {"run", "x.toml", "-o", "-.csv"}).out), table_of(file));
  EXPECT_EQ(shell(folder, "{ echo before; polhode run x.toml -o - -q; } >all; head -2 all").out.substr(0, 18),
            "before\n# program: ")
      << "what was there is not written over";
}

TEST(RowsCli, AFileMayAskForStdout) {
  const TestFolder folder;
  folder.write("x.toml", good + "[output]\nfile = \"-.ndjson\"\n");
  const Outcome run = polhode(folder, {"run", "x.toml"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_EQ(lines_of(run.out).size(), 11U);
  expect_refused(folder, {{"run", "x.toml", "--json"}, 65, {"x.toml:10: output.file: '-.ndjson' is standard output"}});
}

TEST(RowsCli, LinesOfJsonHaveTheNumbersOfTheCsv) {
  const TestFolder folder;
  for (const std::string flags : {"--steps 5", "--steps 5 --scalar float", "--steps 5 --columns energy,mrp"}) {
    ASSERT_EQ(shell(folder, top + flags + " -o a.csv; " + top + flags + " -o a.ndjson").code, 0);
    const std::vector<std::string> rows = table_of(read_file(folder.file("a.csv")));
    const std::vector<std::string> objects = lines_of(read_file(folder.file("a.ndjson")));
    EXPECT_EQ(lines_of(shell(folder, top + flags + " -o -.ndjson").out), objects);
    ASSERT_EQ(rows.size(), 7U);
    ASSERT_EQ(objects.size(), 6U);
    for (std::size_t i = 0; i < objects.size(); ++i) {
      EXPECT_EQ(numbers_of(nlohmann::ordered_json::parse(objects[i])), cells_of(rows[i + 1])) << objects[i];
    }
  }
}

TEST(RowsCli, KeysAreTheNamesOfTheColumns) {
  const TestFolder folder;
  const json row =
      json::parse(lines_of(shell(folder, top + "--steps 1 -o -.ndjson --columns standard,direction").out)[1]);
  std::vector<std::string> keys;
  for (const auto& [key, value] : row.items()) keys.push_back(key);
  EXPECT_THAT(keys, UnorderedElementsAre("t", "attitude_wxyz", "angular_velocity_body", "angular_momentum_spatial",
                                         "energy", "direction"));
  EXPECT_EQ(row["t"], 0.002);
  EXPECT_EQ(row["attitude_wxyz"].size(), 4U);
  EXPECT_TRUE(row["energy"].is_number());
  const json end = json::parse(shell(folder, top + "--steps 1 --json").out);
  for (const char* key : {"attitude_wxyz", "angular_velocity_body", "angular_momentum_spatial", "energy"}) {
    EXPECT_EQ(row[key], end[key]) << key;
  }
}

TEST(RowsCli, WideScalarsKeepTheirDigits) {
  const TestFolder folder;
  const std::string flags = "--steps 1 --scalar quad -o ";
  const std::string row = table_of(shell(folder, top + flags + "-").out)[2];
  const std::string object = lines_of(shell(folder, top + flags + "-.ndjson").out)[1];
  std::istringstream cells(row);
  for (std::string cell; std::getline(cells, cell, ',');) EXPECT_THAT(object, HasSubstr(cell));
}

// The square of the velocity overflows in float: the energy is infinite from the start.
TEST(RowsCli, WhatIsNotFiniteIsAString) {
  const TestFolder folder;
  folder.write("x.toml", replaced(good, "[1, 0, 0]", "[1e25, 0, 0]"));
  const Outcome run = polhode(
      folder, {"run", "x.toml", "--scalar", "float", "--step", "1e-26", "--duration", "2e-26", "-o", "-.ndjson"});
  ASSERT_FALSE(lines_of(run.out).empty()) << run.err;
  for (const std::string& line : lines_of(run.out)) {
    ASSERT_TRUE(json::accept(line)) << line;
  }
  EXPECT_EQ(json::parse(lines_of(run.out)[0])["energy"], "inf");
}

TEST(RowsCli, ARunThatFailsSaysSoInALastObject) {
  const TestFolder folder;
  const Outcome run = shell(folder, "polhode run --problem fast-top -m lie-midpoint --step 5 --steps 50 -o a.ndjson");
  EXPECT_EQ(run.code, 1);
  ASSERT_THAT(folder.names(), ElementsAre("a.partial.ndjson"));
  const std::vector<std::string> lines = lines_of(read_file(folder.file("a.partial.ndjson")));
  const json last = json::parse(lines.back());
  EXPECT_EQ(last["rows"], lines.size() - 1);
  EXPECT_NE(last["incomplete"], "");
}

TEST(RowsCli, StdoutTakesOneThing) {
  const TestFolder folder;
  folder.write("x.toml", good);
  for (const std::string name : {"-", "-.csv", "-.ndjson"}) {
    expect_refused(folder, {{"run", "x.toml", "-o", name, "--json"},
                            2,
                            {"--output: '" + name + "' is standard output, where the result is printed"}});
  }
  for (const std::string name : {"-.h5", "-.hdf5"}) {
    expect_refused(folder, {{"run", "x.toml", "-o", name}, 2, {"--output: HDF5 cannot be written to '" + name + "'"}});
  }
  expect_refused(folder, {{"run", "x.toml", "-o", "-.txt"}, 2, {"--output: '-.txt' does not say its format"}});
}

TEST(RowsCli, AReaderThatGoesEndsTheRunQuietly) {
  const TestFolder folder;
  for (const std::string name : {"-", "-.ndjson"}) {
    const Outcome run = shell(folder, top + "--steps 1e12 -o " + name + " | head -1 >first; echo ${PIPESTATUS[0]}");
    EXPECT_EQ(run.out, "141\n") << name;
    EXPECT_EQ(run.err, "") << name;
  }
  EXPECT_EQ(shell(folder, top + "-o - >&-; echo $?").out, "74\n") << "closed";
}

TEST(RowsCli, AFullStdoutIsAnError) {
  const TestFolder folder;
  const Outcome run = shell(folder, top + "-o - >/dev/full");
  EXPECT_EQ(run.code, 74);
  EXPECT_THAT(run.err, HasSubstr("cannot write '-': No space left on device"));
}

}  // namespace
}  // namespace polhode::rows_cli_test
