// What runs leave behind: CSV, JSON, and the files they are written to.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "io_support.hpp"
#include "polhode/io/csv.hpp"
#include "polhode/io/json.hpp"
#include "polhode/io/scenario.hpp"
#include "polhode/model/setup_json.hpp"
#include "polhode/run/simulation.hpp"

namespace polhode::result_test {
namespace {

using ::testing::HasSubstr;

const char* const standard_header =
    "t[s],qw,qx,qy,qz,wx_B[rad/s],wy_B[rad/s],wz_B[rad/s],Lx_S[kg m^2/s],Ly_S[kg m^2/s],Lz_S[kg m^2/s],E[J]";

TEST(Csv, HasProvenanceTheScenarioAndTheContractsHeader) {
  const TestFolder folder;
  Scenario scenario = problem_scenario(*find_problem("asymmetric-top-tilted"));
  scenario.run.method = "mclachlan-reich";
  scenario.run.step = 0.5;
  scenario.run.duration = 1;
  scenario.text = "# method: not this one\n\n[run]\r\nlast = 1";
  {
    CsvFile csv(folder.file("a.csv"));
    run(plan(scenario), &csv);
    EXPECT_EQ(csv.rows(), 3);
    EXPECT_EQ(csv.place(), folder.file("a.csv"));
  }
  const std::vector<std::string> lines = lines_of(read_file(folder.file("a.csv")));
  ASSERT_EQ(lines.size(), 15U);
  EXPECT_THAT(lines[0], HasSubstr("# program: polhode "));
  EXPECT_EQ(lines[1], "# method: mclachlan-reich-123");
  EXPECT_EQ(lines[2], "# problem: asymmetric-top-tilted");
  EXPECT_EQ(lines[3], "# scalar: double");
  EXPECT_EQ(lines[4], "# step: 0.5");
  EXPECT_EQ(lines[5], "# energy_terms: kinetic + potential");
  EXPECT_EQ(lines[6], "# energy_conserved: yes");
  EXPECT_EQ(lines[7], "#| # method: not this one");
  EXPECT_EQ(lines[8], "#|");
  EXPECT_EQ(lines[9], "#| [run]");
  EXPECT_EQ(lines[10], "#| last = 1");
  EXPECT_EQ(lines[11], standard_header);
  EXPECT_EQ(std::count(lines[12].begin(), lines[12].end(), ','), 11);
}

TEST(Csv, ColumnsComeInTheirOwnOrder) {
  EXPECT_EQ(column_headers(parse_columns({"mrp", "energy", "mrp"})),
            (std::vector<std::string>{"t[s]", "E[J]", "mrp_x", "mrp_y", "mrp_z"}));
  EXPECT_EQ(parse_columns({"energy", "standard"}), standard_columns());
}

TEST(OutputFile, LeavesNothingWithoutCommit) {
  const TestFolder folder;
  {
    OutputFile file(folder.file("a.csv"));
    file.write("half");
    EXPECT_EQ(folder.names().size(), 1U);
    EXPECT_FALSE(std::filesystem::exists(folder.file("a.csv")));
  }
  EXPECT_TRUE(folder.names().empty());
}

TEST(OutputFile, ReplacesAFileOnlyOnCommitAndFollowsLinks) {
  const TestFolder folder;
  folder.write("real.csv", "old");
  std::filesystem::create_symlink("real.csv", folder.file("link.csv"));
  {
    OutputFile abandoned(folder.file("link.csv"));
    abandoned.write("never");
  }
  EXPECT_EQ(read_file(folder.file("real.csv")), "old");
  OutputFile file(folder.file("link.csv"));
  file.write("new");
  file.commit();
  EXPECT_EQ(read_file(folder.file("real.csv")), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder.file("link.csv")));
  EXPECT_EQ(folder.names().size(), 2U);
}

TEST(OutputFile, ReportsWhatTheSystemRefuses) {
  const TestFolder folder;
  const auto complaint = [](const std::string& path) -> std::string {
    try {
      OutputFile file(path);
      file.write("text");
      file.commit();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind, ErrorKind::input_output);
      return error.what();
    }
    return "";
  };
  EXPECT_THAT(complaint(folder.file("none/a.csv")), HasSubstr("No such file or directory; make its folder first"));
  EXPECT_THAT(complaint(folder.path()), HasSubstr("Is a directory"));
  EXPECT_THAT(complaint("/dev/full"), HasSubstr("No space left"));
  EXPECT_EQ(complaint("/dev/null"), "");
  struct stat status {};
  ASSERT_EQ(stat("/dev/null", &status), 0);
  EXPECT_TRUE(S_ISCHR(status.st_mode));
}

TEST(Json, WritesNumbersThatAreNotFiniteAsStrings) {
  Result result;
  result.about.problem = "a \"b\"\n";
  result.end.energy = to_number(std::numeric_limits<double>::infinity());
  result.end.time = to_number(std::numeric_limits<double>::quiet_NaN());
  const auto json = nlohmann::json::parse(to_json(result));
  EXPECT_EQ(json["energy"], "inf");
  EXPECT_EQ(json["time"], "nan");
  EXPECT_EQ(json["problem"], "a \"b\"\n");
  EXPECT_TRUE(json["step"].is_null());
}

TEST(Json, SituationsHaveTheKeysOfAScenario) {
  const auto json = nlohmann::json::parse(to_json(find_problem("fast-top")->setup));
  EXPECT_EQ(json["inertia"], nlohmann::json::parse("[5, 5, 1]"));
  EXPECT_EQ(json["start"]["rotation_vector"], nlohmann::json::parse("[0.3, 0, 0]"));
  EXPECT_EQ(json["torque"][0]["kind"], "heavy-top");
  EXPECT_EQ(json["torque"][0]["weight_times_arm"], 20);
  Scenario tensor = read_scenario(POLHODE_SOURCE_DIR "/scenarios/satellite.toml");
  EXPECT_EQ(nlohmann::json::parse(to_json(tensor.setup))["inertia"][1][0], -3.5);
}

}  // namespace
}  // namespace polhode::result_test
