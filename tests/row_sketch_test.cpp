// What a figure is drawn from: no more rows than it can show, and no peak of the energy lost.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "polhode/io/run.hpp"

namespace polhode {
namespace {

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

}  // namespace
}  // namespace polhode
