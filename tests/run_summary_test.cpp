// What `polhode run` says to people, against what it says to scripts and to the rows it writes: the same numbers, rounded.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <regex>

#include "printed_table.hpp"

namespace polhode::run_summary_test {
namespace {

using nlohmann::json;
using ::testing::HasSubstr;
using ::testing::Not;

// The words behind the name of a line; none if there is no such line.
std::vector<std::string> line_of(const std::string& summary, const std::string& name) {
  for (const std::string& line : lines_of(summary)) {
    if (line.starts_with("  " + name + " ")) return words_of(line.substr(name.size() + 2));
  }
  return {};
}

struct Said {
  std::string summary, headline;
  json result;
  CsvTable rows;

  std::vector<std::string> line(const std::string& name) const { return line_of(summary, name); }
};

Said said_of(const TestFolder& folder, const std::vector<std::string>& arguments) {
  Said said;
  said.summary = printed(folder, arguments);
  said.result = printed_json(folder, and_also(arguments, {"--quiet"}));
  const Outcome written = polhode(folder, and_also(arguments, {"-o", "rows.csv"}));
  EXPECT_EQ(written.code, 0) << written.err;
  EXPECT_EQ(written.out, "") << "rows take the place of the summary";
  said.headline = written.err;
  said.rows = csv_table(read_file(folder.file("rows.csv")));
  return said;
}

// Numbers are told apart by their form: how far apart they stand is not the matter here.
void expect_list(const std::vector<std::string>& words, const json& numbers) {
  const std::string text = fmt::format("{}", fmt::join(words, " "));
  const std::regex number("[-+]?[0-9.]+(e[-+][0-9]+)?");
  std::vector<std::string> found, wanted;
  for (std::sregex_iterator at(text.begin(), text.end(), number), end; at != end; ++at) found.push_back(at->str());
  for (const json& value : numbers) wanted.push_back(fmt::format("{:.9g}", value.get<double>()));
  EXPECT_EQ(found, wanted);
}

// The numbers of every run.
void expect_summary(const Said& said) {
  SCOPED_TRACE(said.summary);
  const json& result = said.result;
  const std::size_t last = said.rows.rows.size() - 1;
  const auto number = [&](const char* key) { return result[key].get<double>(); };
  EXPECT_EQ(lines_of(said.summary).at(0),
            fmt::format("{}: {}, {} steps of {} s, {}", result["problem"].get<std::string>(),
                        result["method"].get<std::string>(), result["steps"].dump(), number("step"),
                        result["scalar"].get<std::string>()));
  expect_list(said.line("final time [s]"), json::array({result["time"]}));
  expect_list(said.line("attitude (w, x, y, z)"), result["attitude_wxyz"]);
  expect_list(said.line("angular velocity, body axes [rad/s]"), result["angular_velocity_body"]);
  expect_list(said.line("momentum, spatial axes [kg m^2/s]"), result["angular_momentum_spatial"]);
  expect_list(said.line("energy [J]"), json::array({result["energy"]}));
  EXPECT_EQ(said.line("torque evaluations"), std::vector<std::string>{result["torque_evaluations"].dump()});

  const double first_energy = said.rows.number(0, "E[J]"),
               energy_change = said.rows.number(last, "E[J]") - first_energy;
  const std::string change = fmt::format("{:.2e}", energy_change / std::abs(first_energy));
  EXPECT_EQ(said.line("energy change E - E0"), (std::vector<std::string>{change, "relative"}));
  double squares = 0, size = 0;
  for (const char* header : {"Lx_S[kg m^2/s]", "Ly_S[kg m^2/s]", "Lz_S[kg m^2/s]"}) {
    const double first = said.rows.number(0, header);
    squares += std::pow(said.rows.number(last, header) - first, 2);
    size += first * first;
  }
  const std::vector<std::string> momentum = said.line("momentum change |L - L0|");
  ASSERT_EQ(momentum.size(), 2U);
  EXPECT_THAT(momentum[0], testing::MatchesRegex("[0-9]\\.[0-9][0-9]e.[0-9][0-9]"));
  expect_rounded(momentum[0], std::sqrt(squares / size), 1e-15);
  EXPECT_EQ(momentum[1], "relative");

  const auto optional = [&](const char* name, const char* key, const char* format) {
    const std::vector<std::string> words = said.line(name);
    if (!result.contains(key) || result[key].is_null()) {
      EXPECT_TRUE(words.empty()) << name;
    } else {
      ASSERT_FALSE(words.empty()) << name;
      EXPECT_EQ(words[0], fmt::format(fmt::runtime(format), number(key)));
    }
  };
  optional("largest |E - E0| [J]", "energy_error_max", "{:.2e}");
  optional("energy drift rate [J/s]", "energy_drift_rate", "{:.2e}");
  optional("attitude error [rad]", "attitude_error", "{:.3e}");
  optional("momentum error [kg m^2/s]", "momentum_error", "{:.3e}");
  if (result["energy_drift_rate"].is_number()) {
    EXPECT_EQ(said.line("energy drift rate [J/s]").at(1), "+-");
    EXPECT_EQ(said.line("energy drift rate [J/s]").at(2),
              fmt::format("{:.1e}", number("energy_drift_rate_uncertainty")));
  }

  EXPECT_THAT(said.headline, HasSubstr(fmt::format(
                                 "{} rows in 'rows.csv': {}, {} steps of {} s, t = {:.9g} s, energy change {} relative",
                                 said.rows.rows.size(), result["method"].get<std::string>(), result["steps"].dump(),
                                 number("step"), number("time"), change)));
  if (result.contains("attitude_error")) {
    EXPECT_THAT(said.headline, HasSubstr(fmt::format(", attitude error {:.2e} rad\n", number("attitude_error"))));
  } else {
    EXPECT_THAT(said.headline, Not(HasSubstr("attitude error")));
  }
}

TEST(RunSummary, IsWhatJsonAndRowsSay) {
  const TestFolder folder;
  const std::vector<std::vector<std::string>> runs{
      {"run", "--problem", "asymmetric-top-tilted", "-m", "rkmk-4", "--step", "0.25", "--duration", "10"},
      {"run", "--problem", "slow-top", "-m", "taylor-2", "--duration", "-1.234"},
      {"run", "--problem", "slow-top", "-m", "taylor-1", "--step", "0.1"},  // loses a good part of its energy
      {"run", "--problem", "nesc-brick", "-m", "newmark", "--step", "0.2", "--steps", "99", "--every", "10"},
      {"run", "--problem", "fast-top", "-m", "taylor-3", "--steps", "5", "--scalar", "float"},
      {"run", "--problem", "coulomb-printed", "-m", "mclachlan-reich-4-231+energy", "--steps", "30"},
      {"run", "--problem", "fast-top", "-m", "rkmk-4", "--step", "0.02", "--duration", "30"}};  // beyond the reference
  for (const std::vector<std::string>& run : runs) expect_summary(said_of(folder, run));
}

TEST(RunSummary, CountsTheWorkOfSolvers) {
  const TestFolder folder;
  const Said said =
      said_of(folder, {"run", "--problem", "asymmetric-top-tilted", "-m", "implicit-midpoint", "--steps", "40"});
  expect_summary(said);
  const auto iterations = said.result["solver_iterations"].get<long long>();
  EXPECT_GE(iterations, 40);
  EXPECT_EQ(fmt::format("{}", fmt::join(said.line("solver iterations"), " ")),
            fmt::format("{}, {:.3g} per step", iterations, static_cast<double>(iterations) / 40));
  const Said explicit_one = said_of(folder, {"run", "--problem", "asymmetric-top", "-m", "rkmk-4", "--steps", "40"});
  EXPECT_EQ(explicit_one.result["solver_iterations"], 0);
  EXPECT_TRUE(explicit_one.line("solver iterations").empty());
}

TEST(RunSummary, CountsStepsOfTheMethodsOwn) {
  const TestFolder folder;
  const Said said = said_of(folder, {"run", "--problem", "asymmetric-top-tilted", "-m", "taylor-adaptive",
                                     "--tolerance", "1e-9", "--step", "2", "--duration", "10"});
  expect_summary(said);
  EXPECT_EQ(said.result["steps"], 5);
  EXPECT_EQ(said.result["tolerance"], 1e-9);
  EXPECT_GT(said.result["own_steps"], 5);
  EXPECT_EQ(said.line("steps of its own"), std::vector<std::string>{said.result["own_steps"].dump()});
}

TEST(RunSummary, CountsStepsTakenInHalves) {
  const TestFolder folder;
  folder.write("x.toml", "[body]\ninertia = [1, 2, 2.5]\n[start]\nangular_velocity_body = [1, 0, 0]\n");
  const std::vector<std::string> run{"run",    "x.toml", "--scalar", "float", "--method",     "taylor-2",
                                     "--step", "3e19",   "--steps",  "4",     "--on-failure", "halve"};
  EXPECT_EQ(line_of(printed(folder, run), "steps taken in halves"), std::vector<std::string>{"4"});
  EXPECT_EQ(printed_json(folder, and_also(run, {"--quiet"}))["steps_halved"], 4);
}

// Where the first value is zero there is nothing to be relative to.
TEST(RunSummary, ChangesFromZeroAreAbsolute) {
  const TestFolder folder;
  const Said said = said_of(folder, {"run", "--problem", "book-toss", "-m", "taylor-4", "--duration", "1"});
  const std::size_t last = said.rows.rows.size() - 1;
  ASSERT_EQ(said.rows.number(0, "E[J]"), 0);
  EXPECT_EQ(said.line("energy change E - E0"),
            std::vector<std::string>{fmt::format("{:.2e}", said.rows.number(last, "E[J]"))});
  // A torque of 20 N m along x for one second.
  EXPECT_EQ(said.line("momentum change |L - L0|"), std::vector<std::string>{"2.00e+01"});
}

TEST(RunSummary, OnTheSphereHasTheDirection) {
  const TestFolder folder;
  const Said said = said_of(folder, {"run", "--problem", "dumbbell", "-m", "dumbbell-variational", "--duration", "2"});
  expect_summary(said);
  expect_list(said.line("direction"), said.result["direction"]);
  const std::size_t last = said.rows.rows.size() - 1;
  EXPECT_EQ(said.result["direction"],
            json::array({said.rows.number(last, "dx"), said.rows.number(last, "dy"), said.rows.number(last, "dz")}));
}

// Nothing that is chosen for its cost is beaten by the next best, in whatever scalar trials were made.
TEST(RunSummary, OfAutoIsWhatJsonSays) {
  const TestFolder folder;
  const std::vector<std::vector<std::string>> runs{
      {"slow-top", "--scalar", "quad", "--goal", "time"},
      {"slow-top", "--scalar", "long-double", "--goal", "time"},
      {"asymmetric-top-tilted", "--scalar", "double", "--goal", "energy"},
      {"coulomb-printed", "--scalar", "double", "--goal", "torque-evaluations"}};
  for (const std::vector<std::string>& words : runs) {
    const std::vector<std::string> run =
        and_also({"run", "-m", "auto", "--tolerance", "1e-8", "--duration", "1", "--problem"}, words);
    SCOPED_TRACE(fmt::format("{}", fmt::join(run, " ")));
    const Outcome outcome = polhode(folder, and_also(run, {"--json"}));
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const json result = json::parse(outcome.out), &chosen = result["auto"];
    EXPECT_EQ(chosen["method"], result["method"]);
    EXPECT_EQ(chosen["step"], result["step"]);
    EXPECT_EQ(chosen["tolerance"], 1e-8);
    EXPECT_EQ(chosen["goal"], words.back());
    EXPECT_EQ(chosen["reaches_tolerance"], chosen["predicted_error"] <= 1e-8);
    EXPECT_GE(chosen["next_best_ratio"], 1);
    EXPECT_THAT(outcome.err,
                HasSubstr(fmt::format("auto chose {} at steps of {:.6g} s for 1e-08 rad: of {} methods tried, ",
                                      chosen["method"].get<std::string>(), chosen["step"].get<double>(),
                                      chosen["methods_tried"].dump())));
    EXPECT_THAT(outcome.err,
                HasSubstr(fmt::format(", next {} at {:.2f} times the cost; expected error {:.1e} rad",
                                      chosen["next_best"].get<std::string>(), chosen["next_best_ratio"].get<double>(),
                                      chosen["predicted_error"].get<double>())));
  }
  // The choice by counting is the same every time, and so is what is said of it.
  const std::vector<std::string> counted =
      and_also({"run", "-m", "auto", "--tolerance", "1e-8", "--duration", "1", "--quiet", "--problem"}, runs.back());
  const Said said = said_of(folder, counted);
  EXPECT_EQ(said.line("chosen for [rad], goal"), (std::vector<std::string>{"1e-08,", "torque-evaluations"}));
  EXPECT_EQ(said.line("expected attitude error [rad]"),
            std::vector<std::string>{fmt::format("{:.3e}", said.result["auto"]["predicted_error"].get<double>())});
  // Rows at equal distances are one more thing to choose by: their head is compared with JSON of the same run.
  const json written = printed_json(folder, and_also(counted, {"-o", "a.csv"}));
  const CsvTable rows = csv_table(read_file(folder.file("a.csv")));
  EXPECT_EQ(rows.remark("requested"), "auto");
  EXPECT_EQ(rows.remark("method"), written["method"].get<std::string>());
  EXPECT_EQ(rows.remark("tolerance"), "1e-08 rad");
  EXPECT_EQ(rows.remark("goal"), "torque-evaluations");
  EXPECT_EQ(rows.remark("predicted_error"),
            fmt::format("{:.2e} rad", written["auto"]["predicted_error"].get<double>()));
}

// A row every k-th time that a step was asked for, whatever steps auto takes between them.
TEST(RunSummary, RowsOfAutoAreWhereTheyAreAskedFor) {
  const TestFolder folder;
  const Said said =
      said_of(folder, {"run", "--problem", "slow-top", "-m", "auto", "--goal", "torque-evaluations", "--tolerance",
                       "1e-6", "--step", "0.25", "--duration", "3", "--every", "4", "--quiet"});
  ASSERT_EQ(said.rows.rows.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(said.rows.number(i, "t[s]"), static_cast<double>(i), 1e-14);
}

TEST(RunSummary, ValidateForetellsTheRun) {
  const TestFolder folder;
  const std::string start = "[body]\ninertia = [1, 2, 2.5]\n[start]\nangular_velocity_body = [1, 0.1, 0]\n[run]\n";
  for (const char* run : {"method = \"taylor-4\"\nstep = 0.03\nduration = 1\n",
                          "method = \"rkmk-4\"\nstep = 0.25\nsteps = 7\nscalar = \"float\"\n",
                          "method = \"lie-verlet\"\nstep = 0.5\nduration = -4\nscalar = \"quad\"\n"}) {
    folder.write("a.toml", start + run);
    const json result = printed_json(folder, {"run", "a.toml", "--quiet"});
    EXPECT_EQ(polhode(folder, {"validate", "a.toml"}).err,
              fmt::format("polhode: 'a.toml' is valid: {}, {} steps of {} s{}, {}\n",
                          result["method"].get<std::string>(), result["steps"].dump(), result["step"].get<double>(),
                          result["time"] < 0 ? " backwards" : "", result["scalar"].get<std::string>()));
  }
}

// The run is long enough for a line or two on any machine.
TEST(RunSummary, ProgressIsThatOfTheTime) {
  const TestFolder folder;
  const std::vector<std::string> run{"run", "--problem", "asymmetric-top", "-m", "taylor-8", "--steps", "400000"};
  const std::vector<std::string> lines = lines_of(polhode(folder, and_also(run, {"--progress", "--json"})).err);
  ASSERT_FALSE(lines.empty());
  double before = 0;
  for (const std::string& line : lines) {
    const std::vector<std::string> words = words_of(line);  // polhode: 20 % t = 6000 s 1e+06 steps/s energy drift ...
    ASSERT_GE(words.size(), 12U) << line;
    const double percent = number_in(words[1]), time = number_in(words[5]);
    EXPECT_NEAR(percent, 100 * time / (400000 * 0.05), 0.51) << line;
    EXPECT_GT(percent, before);
    before = percent;
  }
}

}  // namespace
}  // namespace polhode::run_summary_test
