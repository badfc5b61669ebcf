// The table of docs/findings.md, run again: the stress test to T = 15000 with every method that takes a torque.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <regex>
#include <sstream>
#include <string>

#include "polhode/io/scenario.hpp"
#include "polhode/methods/registry.hpp"
#include "polhode/problems/problem.hpp"
#include "polhode/run/simulation.hpp"

namespace polhode::test::findings_test {
namespace {

constexpr double energy_at_start = 0.670;  // [J]; an error of that size says that the motion is lost
constexpr double rounding = 1e-11;         // [J] after 120000 steps: its slope depends on the processor

struct Row {
  bool symplectic, fails;
  double rate, uncertainty, largest;  // at h = 0.125
};

std::map<std::string, Row> documented() {
  std::ifstream page(POLHODE_SOURCE_DIR "/docs/findings.md");
  std::stringstream text;
  text << page.rdbuf();
  const std::string all = text.str();
  std::map<std::string, Row> rows;
  const std::regex row(
      R"(\| `([^`]+)` \| (yes|no) \| [^|]* \| [^|]* \| (?:\*\*)?([-+.e0-9]+) ± ([-+.e0-9]+)(?:\*\*)? \| ([-+.e0-9]+) \|)");
  const std::regex failed(R"(\| `([^`]+)` \| (yes|no) \| [^|]* \| [^|]* \| fails at t = [0-9]+ s \| - \|)");
  for (std::sregex_iterator i(all.begin(), all.end(), row), end; i != end; ++i) {
    const std::smatch& m = *i;
    rows[m[1]] = {m[2] == "yes", false, std::stod(m[3]), std::stod(m[4]), std::stod(m[5])};
  }
  for (std::sregex_iterator i(all.begin(), all.end(), failed), end; i != end; ++i)
    rows[(*i)[1]] = {(*i)[2] == "yes", true, 0, 0, 0};
  return rows;
}

const Result& stress_test(std::string_view method) {
  static std::map<std::string, Result, std::less<>> done;
  if (const auto found = done.find(method); found != done.end()) return found->second;
  Scenario scenario = problem_scenario(*find_problem("stress-test"));
  scenario.run.method = method;
  scenario.run.step = 0.125;
  scenario.run.duration = 15000;
  return done[std::string(method)] = run(plan(scenario));
}

TEST(StressTest, DriftsAreThoseOfTheTable) {
  const auto rows = documented();
  std::size_t compared = 0;
  for (const MethodInfo& method : methods()) {
    if (method.space != Space::rotations || !takes_any_torque(method.claims)) continue;
    SCOPED_TRACE(method.name);
    const auto row = rows.find(std::string(method.name));
    ASSERT_NE(row, rows.end()) << "tools/update-findings brings the table up to date";
    ++compared;
    const auto& [symplectic, fails, rate, uncertainty, largest] = row->second;
    EXPECT_EQ(symplectic, method.claims.symplectic);
    const Result& result = stress_test(method.name);
    ASSERT_EQ(result.failure.has_value(), fails);
    if (fails) continue;
    ASSERT_TRUE(result.energy_drift && result.energy_error_max);
    if (largest > energy_at_start / 2) {
      EXPECT_GT(*result.energy_error_max, energy_at_start / 4) << "lost here, too";
      continue;
    }
    if (largest < rounding) {
      EXPECT_LT(*result.energy_error_max, rounding);
      continue;
    }
    EXPECT_NEAR(*result.energy_error_max, largest, 0.5 * largest);
    const double printed = 0.005 * std::abs(rate);  // half a unit of the last digit
    EXPECT_NEAR(result.energy_drift->rate, rate, printed + 3 * (uncertainty + result.energy_drift->uncertainty));
  }
  EXPECT_EQ(rows.size(), compared);
}

TEST(StressTest, TheSentenceOnSymplecticMethodsCountsThem) {
  std::ifstream page(POLHODE_SOURCE_DIR "/docs/findings.md");
  std::stringstream text;
  text << page.rdbuf();
  const std::string all = text.str();
  std::smatch said;
  ASSERT_TRUE(std::regex_search(all, said, std::regex(R"((\d+) slopes of the (\d+) are[^;]*; the other (\d+) )")));
  int symplectic = 0;
  for (const MethodInfo& method : methods())
    symplectic += method.space == Space::rotations && takes_any_torque(method.claims) && method.claims.symplectic ? 1 : 0;
  EXPECT_EQ(std::stoi(said[2]), symplectic);
  EXPECT_EQ(std::stoi(said[1]) + std::stoi(said[3]), 2 * symplectic) << "two steps each";
}

// What the paper says and what follows from symplecticity.
TEST(StressTest, SymmetricMethodsDriftAndSymplecticOnesDoNot) {
  for (const char* name : {"newmark", "newmark-cayley", "lie-midpoint-ea"}) {
    const Drift drift = *stress_test(name).energy_drift;
    EXPECT_GT(std::abs(drift.rate), 10 * drift.uncertainty) << name;
  }
  for (const MethodInfo& method : methods()) {
    if (method.space != Space::rotations || !method.claims.symplectic || !takes_any_torque(method.claims)) continue;
    const Result& result = stress_test(method.name);
    const Drift drift = *result.energy_drift;
    if (std::abs(drift.rate) * result.end.time.value > rounding) {
      EXPECT_LT(std::abs(drift.rate), 3 * drift.uncertainty) << method.name;
    }
    EXPECT_LT(std::abs(drift.rate), 1e-8) << method.name << ": newmark has 5e-7";
  }
}

}  // namespace
}  // namespace polhode::test::findings_test
