// Events, quantities, stops and guards as a user of the program has them: files, flags, JSON, exit codes, mistakes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "program.hpp"

namespace polhode::events_cli_test {
namespace {

using nlohmann::json;
using std::numbers::pi;
using ::testing::HasSubstr;
using ::testing::Not;

// Spins about the third axis: Rxx = cos t, Ryx = sin t.
const std::string spinning = R"([body]
inertia = [1, 2, 2.5]
[start]
angular_velocity_body = [0, 0, 1]
[run]
method = "rkmk-4"
step = 0.1
duration = 5
)";

TEST(EventsOnTheCommandLine, AreInTheResult) {
  const TestFolder folder;
  folder.write("x.toml", spinning + R"(
[quantities]
turned_deg = "atan2(Ryx, Rxx)*180/pi"
half = "turned_deg/2"

[[event]]
name = "quarter"
when = "Rxx"

[[event]]
name = "half"
when = "Ryx"
direction = "falling"
)");
  const Outcome run = polhode(folder, {"run", "x.toml", "--json"});
  ASSERT_EQ(run.code, 0) << run.err;
  const json result = json::parse(run.out);
  EXPECT_EQ(result["status"], "finished");
  ASSERT_EQ(result["events"].size(), 3U);
  const std::vector<std::string> names{"quarter", "half", "quarter"};
  for (std::size_t i = 0; i < 3; ++i) {
    const json& event = result["events"][i];
    const double t = static_cast<double>(i + 1) * pi / 2;
    EXPECT_EQ(event["name"].get<std::string>(), names[i]);
    EXPECT_NEAR(event["t"].get<double>(), t, 1e-14);
    EXPECT_EQ(event["direction"].get<std::string>(), i == 2 ? "rising" : "falling");
    EXPECT_NEAR(event["attitude_wxyz"][0].get<double>(), std::cos(t / 2), 1e-14);
    EXPECT_NEAR(event["angular_velocity_body"][2].get<double>(), 1, 1e-14);
    EXPECT_FALSE(event["terminal"].get<bool>());
  }
  EXPECT_NEAR(result["quantities"]["turned_deg"].get<double>(), 5 * 180 / pi - 360, 1e-11);
  EXPECT_NEAR(result["quantities"]["half"].get<double>(), 2.5 * 180 / pi - 180, 1e-11);
}

TEST(EventsOnTheCommandLine, QuantitiesAreColumnsAsTheFileListsThem) {
  const TestFolder folder;
  folder.write("x.toml", spinning + "[quantities]\nzenith = \"Rzz\"\nangle = \"t\"\n[output]\nfile = \"x.csv\"\n");
  ASSERT_EQ(polhode(folder, {"run", "x.toml"}).code, 0);
  EXPECT_THAT(read_file(folder.file("x.csv")), HasSubstr("E[J],zenith,angle\n"));
  ASSERT_EQ(polhode(folder, {"run", "x.toml", "--columns", "energy,angle"}).code, 0);
  EXPECT_THAT(read_file(folder.file("x.csv")), HasSubstr("\nt[s],E[J],angle\n"));
  ASSERT_EQ(polhode(folder, {"run", "x.toml", "--columns", "zenith"}).code, 0);
  EXPECT_THAT(read_file(folder.file("x.csv")), HasSubstr("\nt[s],zenith\n"));
}

// What a result says of its own scenario makes the same run.
TEST(EventsOnTheCommandLine, AreRepeatedFromTheScenarioOfTheResult) {
  const TestFolder folder;
  folder.write("x.toml", spinning + R"([quantities]
"cosine" = "Rxx"
[[event]]
name = "a \"quoted\" name"
when = "cosine - 0.25"
direction = "falling"
terminal = true
)");
  ASSERT_EQ(polhode(folder, {"run", "x.toml", "--max-steps", "100", "--stop-when", "t > 20", "-o", "x.csv"}).code, 0);
  std::string scenario;
  for (const std::string& line : lines_of(read_file(folder.file("x.csv"))))
    if (line.starts_with("#|")) scenario += line.substr(std::min<std::size_t>(3, line.size())) + "\n";
  folder.write("again.toml", scenario);
  const Outcome again = polhode(folder, {"run", "again.toml", "--json"});
  ASSERT_EQ(again.code, 0) << again.err << scenario;
  const json result = json::parse(again.out);
  EXPECT_EQ(result["status"], "event");
  ASSERT_EQ(result["events"].size(), 1U);
  EXPECT_EQ(result["events"][0]["name"], "a \"quoted\" name");
  EXPECT_NEAR(result["time"].get<double>(), std::acos(0.25), 1e-14);
}

TEST(EventsOnTheCommandLine, ATerminalEventLeavesAWholeFile) {
  const TestFolder folder;
  folder.write("x.toml", spinning);
  const Outcome run = polhode(folder, {"run", "x.toml", "--stop-when", "Rxx < 0", "-o", "x.csv"});
  EXPECT_EQ(run.code, 0) << run.err;
  EXPECT_THAT(run.err, HasSubstr("stop_when"));
  const std::string file = read_file(folder.file("x.csv"));
  EXPECT_THAT(file, Not(HasSubstr("incomplete")));
  const std::vector<std::string> lines = lines_of(file);
  EXPECT_NEAR(std::stod(lines.back()), pi / 2, 1e-14);
}

TEST(EventsOnTheCommandLine, AGuardEndsWith75AndLeavesAPartialFile) {
  const TestFolder folder;
  folder.write("x.toml", spinning);
  for (const std::vector<std::string>& guard :
       {std::vector<std::string>{"--max-steps", "7"}, std::vector<std::string>{"--max-time", "1e-9"}}) {
    std::vector<std::string> call{"run", "x.toml", "-o", "x.csv"};
    call.insert(call.end(), guard.begin(), guard.end());
    const Outcome run = polhode(folder, call);
    EXPECT_EQ(run.code, 75) << run.err;
    EXPECT_THAT(run.err, HasSubstr("guard"));
    EXPECT_EQ(folder.names().size(), 2U);
    EXPECT_THAT(read_file(folder.file("x.partial.csv")), HasSubstr("# incomplete: ended by the guard"));
  }
  const Outcome run = polhode(folder, {"run", "x.toml", "--json", "--max-steps", "7"});
  EXPECT_EQ(run.code, 75);
  EXPECT_EQ(json::parse(run.out)["status"], "max-steps");
  EXPECT_EQ(json::parse(run.out)["steps"], 7);
}

TEST(EventsOnTheCommandLine, MistakesAreNamedWithTheirPlace) {
  const TestFolder folder;
  struct Case {
    std::string added;
    std::vector<std::string> said;
  };
  for (const Case& one : std::vector<Case>{
           {"[[event]]\nwhen = \"t\"\n", {"x.toml:9: event.name: is missing"}},
           {"[[event]]\nname = \"a\"\n", {"x.toml:9: event.when: is missing"}},
           {"[[event]]\nname = \"a\"\nwhen = 3\n", {"x.toml:11: event.when: 3 is an integer"}},
           {"[[event]]\nname = \"a\"\nwhen = \"\"\n", {"x.toml:11: event.when: is empty"}},
           {"[[event]]\nname = \"a\"\nwhen = \"Rzx + wq\"\n", {"x.toml:11: event.when: ", "column 7", "wq"}},
           {"[[event]]\nname = \"a\"\nwhen = \"t\"\ndirection = \"up\"\n",
            {"x.toml:12: event.direction: 'up' is not a direction; give rising, falling or both"}},
           {"[[event]]\nname = \"a\"\nwhen = \"t\"\nterminal = 1\n", {"x.toml:12: event.terminal: 1 is an integer"}},
           {"[[event]]\nname = \"a\"\nwhne = \"t\"\n", {"x.toml:11: event.whne: no such key; nearest: when"}},
           {"event = 3\n", {"no such key"}},
           {"[quantities]\na = 3\n", {"x.toml:10: quantities.a: 3 is an integer"}},
           {"[quantities]\na = \"sine(t)\"\n", {"x.toml:10: quantities.a: ", "sine"}},
           {"[quantities]\na = \"b\"\nb = \"a + 1\"\n", {"quantities.", "a"}},
           {"[quantities]\nenergy = \"t\"\n", {"x.toml:10: quantities.energy: ", "another name"}},
           {"[quantities]\na = \"t\"\n[output]\ncolumns = [\"b\"]\n",
            {"x.toml:12: output.columns: no column named 'b'"}}}) {
    folder.write("x.toml", spinning + one.added);
    expect_refused(folder, {{"run", "x.toml", "-o", "x.csv"}, 65, one.said});
    expect_refused(folder, {{"validate", "x.toml"}, 65, one.said});
    EXPECT_EQ(folder.names().size(), 1U);
  }
  folder.write("x.toml", spinning);
  for (const Refused& call :
       std::vector<Refused>{{{"run", "x.toml", "--stop-when", "wz >"}, 2, {"--stop-when: ", "column"}},
                            {{"run", "x.toml", "--stop-when", "wz"}, 2, {"--stop-when: "}},
                            {{"run", "x.toml", "--stop-when", ""}, 2, {"--stop-when: is empty"}},
                            {{"run", "x.toml", "--max-steps", "0"}, 2, {"--max-steps: 0 is below 1"}},
                            {{"run", "x.toml", "--max-steps", "2.5"}, 2, {"--max-steps: 2.5 "}},
                            {{"run", "x.toml", "--max-time", "-1"}, 2, {"--max-time: -1 is not positive"}},
                            {{"run", "x.toml", "--max-time", "soon"}, 2, {"--max-time: 'soon' is not a number"}}})
    expect_refused(folder, call);
}

}  // namespace
}  // namespace polhode::events_cli_test
