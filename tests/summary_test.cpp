// The summary of a run: the numbers of its JSON, for people.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "program.hpp"

namespace polhode::summary_test {
namespace {

using nlohmann::json;

// What follows a label, split at white space.
std::vector<std::string> cells(const std::string& summary, const std::string& label) {
  for (const std::string& line : lines_of(summary)) {
    if (!line.starts_with("  " + label)) continue;
    std::istringstream rest(line.substr(2 + label.size()));
    std::vector<std::string> words;
    for (std::string word; rest >> word;) words.push_back(word);
    return words;
  }
  ADD_FAILURE() << "no line '" << label << "' in\n" << summary;
  return {};
}

// The numbers of the JSON to the nine digits of the summary.
std::vector<std::string> rounded(const json& numbers) {
  std::vector<std::string> words;
  for (const json& x : numbers) words.push_back(fmt::format("{:.9g}", x.get<double>()));
  return words;
}

// Velocities with every sign, and of sizes whose exponents have one, two and three digits.
TEST(Summary, SplitsAtWhiteSpaceIntoTheNumbersOfTheJson) {
  for (const char* velocity :
       {"[-1.23456789012345, -2.17026064e-06, 3.3]", "[-1.23456789e-150, -7.6543210987e-123, -2.3456789e-101]",
        "[-1.2345678901e+104, -9.8765432109e+110, 3.4567890123e+102]",
        "[-123456.789012345, 99999.99994, -0.000123456789]"}) {
    for (const char* scalar : {"double", "long-double", "quad"}) {
      SCOPED_TRACE(fmt::format("{} in {}", velocity, scalar));
      const TestFolder folder;
      folder.write("x.toml", replaced(replaced(good, "[1, 0, 0]", velocity), "taylor-4", "free-exact"));
      const std::vector<std::string> run{"run", "x.toml", "--steps", "3", "--step", "1e-9", "--scalar", scalar};
      std::vector<std::string> with_json = run;
      with_json.emplace_back("--json");
      const std::string text = polhode(folder, run).out;
      const json result = json::parse(polhode(folder, with_json).out);
      EXPECT_EQ(cells(text, "attitude (w, x, y, z)"), rounded(result["attitude_wxyz"]));
      EXPECT_EQ(cells(text, "angular velocity, body axes [rad/s]"), rounded(result["angular_velocity_body"]));
      EXPECT_EQ(cells(text, "momentum, spatial axes [kg m^2/s]"), rounded(result["angular_momentum_spatial"]));
      EXPECT_EQ(cells(text, "energy [J]"), rounded(json::array({result["energy"]})));
      EXPECT_EQ(cells(text, "final time [s]"), rounded(json::array({result["time"]})));
    }
  }
}

}  // namespace
}  // namespace polhode::summary_test
