// What a figure is drawn from: no more rows than it can show, and no peak of the energy lost.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "polhode/run/run.hpp"
#include "program.hpp"

namespace polhode {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// A splitting, whose energy error goes up and down.
Scenario oscillating(long long steps, long long every) {
  Scenario scenario = problem_scenario(*find_problem("asymmetric-top-tilted"));
  scenario.problem = nullptr;
  scenario.run.method = "mclachlan-reich-231";
  scenario.run.duration.reset();
  scenario.run.steps = steps;
  scenario.output.every = every;
  scenario.output.columns = {Column::energy};
  return scenario;
}

using TimeAndEnergy = std::pair<double, double>;

std::vector<TimeAndEnergy> numbers(const Table& table) {
  std::vector<TimeAndEnergy> all;
  for (const std::vector<Number>& row : table.rows) all.emplace_back(row.at(0).value, row.at(1).value);
  return all;
}

bool by_energy(const TimeAndEnergy& a, const TimeAndEnergy& b) { return a.second < b.second; }

TEST(RowSketch, IsShortAndShowsTheExtremes) {
  for (const auto& [steps, every] :
       std::vector<std::pair<long long, long long>>{{60001, 1}, {150000, 3}, {100007, 2}}) {
    const Scenario scenario = oscillating(steps, every);
    Table all_rows, few_rows;
    RunControl control;
    control.sketch = &few_rows;
    run(scenario, plan(scenario), &all_rows, control);
    const std::vector<TimeAndEnergy> all = numbers(all_rows), few = numbers(few_rows);
    EXPECT_LE(few.size(), 20000U);
    EXPECT_GT(few.size(), 10000U) << "and no shorter than it must be";
    EXPECT_EQ(few.front(), all.front());
    EXPECT_EQ(few.back(), all.back());
    EXPECT_TRUE(std::includes(all.begin(), all.end(), few.begin(), few.end())) << "rows of the run, in their order";
    EXPECT_EQ(std::adjacent_find(few.begin(), few.end()), few.end()) << "none of them twice";
    EXPECT_EQ(*std::min_element(few.begin(), few.end(), by_energy),
              *std::min_element(all.begin(), all.end(), by_energy));
    EXPECT_EQ(*std::max_element(few.begin(), few.end(), by_energy),
              *std::max_element(all.begin(), all.end(), by_energy));
  }
}

TEST(RowSketch, OfAShortRunIsTheWhole) {
  for (const long long steps : {1LL, 2LL, 100LL, 19990LL}) {
    const Scenario scenario = oscillating(steps, 1);
    Table all_rows, few_rows;
    RunControl control;
    control.sketch = &few_rows;
    run(scenario, plan(scenario), &all_rows, control);
    EXPECT_EQ(numbers(few_rows), numbers(all_rows));
  }
}

TEST(RowSketch, IsWhatAFigureIsDrawnFrom) {
  const TestFolder folder, scripts, temporary;
  const std::string script = scripts.write("plot.py", R"(import sys
_, result, _, figure = sys.argv[1:]
rows = [line for line in open(result) if not line.startswith("#")]
open(figure, "w").write(str(len(rows) - 1))
)");
  setenv("POLHODE_PLOT", script.c_str(), 1);
  setenv("TMPDIR", temporary.path().c_str(), 1);
  const std::vector<std::string> draw{"run",     "--problem", "fast-top", "-m",      "taylor-1",
                                      "--steps", "50000",     "--plot",   "rows.svg"};
  std::vector<std::string> write = draw;
  write.insert(write.end(), {"--output", "a.csv"});
  for (const auto& words : {draw, write}) {
    const Outcome run = polhode(folder, words);
    EXPECT_EQ(run.code, 0) << run.err;
    const int rows = std::stoi(read_file(folder.file("rows.svg")));
    EXPECT_LE(rows, 20000);
    EXPECT_GT(rows, 5000);
    EXPECT_THAT(temporary.names(), IsEmpty());
  }
  unsetenv("TMPDIR");
  unsetenv("POLHODE_PLOT");
  EXPECT_EQ(table_of(read_file(folder.file("a.csv"))).size(), 50002U) << "what was asked for is not thinned";
}

// matplotlib, hidden as if it were not installed.
TEST(Figure, WhatItNeedsIsLookedForBeforeTheRun) {
  const TestFolder folder, hidden;
  folder.write("x.toml", good);
  hidden.write("sitecustomize.py", "import sys\nsys.modules['matplotlib'] = None\n");
  setenv("PYTHONPATH", hidden.path().c_str(), 1);
  expect_refused(folder, {{"run", "x.toml", "--steps", "1e15", "--plot", "a.svg"},
                          69,
                          {"--plot: matplotlib is not installed", "python3-matplotlib"}});
  unsetenv("PYTHONPATH");
  EXPECT_THAT(folder.names(), ElementsAre("x.toml"));
}

}  // namespace
}  // namespace polhode
