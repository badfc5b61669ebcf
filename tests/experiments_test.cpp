// The quick set of the experiments as they are committed: verdicts, and what a folder owes its readers.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "experiments/record.hpp"
#include "experiments/test_run.hpp"
#include "program.hpp"

namespace polhode::experiments_test {
namespace {

using nlohmann::json;

const std::string root = POLHODE_SOURCE_DIR "/experiments";

std::vector<experiments::Experiment> all_experiments() {
  std::vector<experiments::Experiment> all;
  for (const std::string& name : experiments::experiment_names(root)) {
    all.push_back(experiments::read_experiment(root + '/' + name));
  }
  return all;
}

// One run for all tests: what it said, and every verdict it came to.
struct QuickSet {
  QuickSet() {
    outcome = polhode(folder, {"reproduce", "--quick", "--no-report", "--experiments", root, "-o", "out"});
    verdicts = json::parse(read_file(folder.file("out/verdicts.json")));
  }
  TestFolder folder;
  Outcome outcome;
  json verdicts;
};

const QuickSet& quick_set() {
  static const QuickSet set;
  return set;
}

std::string outcome_in_quick_set(const std::string& experiment, const std::string& claim) {
  const json result = json::parse(read_file(quick_set().folder.file("out/" + experiment + "/result.json")));
  for (const json& entry : result["claims"]) {
    if (entry["id"] == claim) return entry["test_outcome"];
  }
  return "not there";
}

TEST(Experiments, TheQuickSetHasTheNumbersAndVerdictsThatAreRecorded) {
  EXPECT_EQ(quick_set().outcome.code, 0) << quick_set().outcome.err;
  EXPECT_GT(quick_set().verdicts.size(), 300U);
}

TEST(Experiments, EveryFigureAndTableOfThePapersIsThere) {
  std::set<std::string> names;
  for (const auto& experiment : all_experiments()) names.insert(experiment.name);
  for (const char* name : {"buss-figure-1", "buss-figure-2", "buss-figure-3", "buss-figure-4", "buss-figure-5",
                           "buss-figure-6", "buss-figure-7", "buss-run-of-200-million-steps", "extra-buss-asymmetric",
                           "extra-newmark-map", "extra-coulomb-sign", "extra-axis-orders"}) {
    EXPECT_TRUE(names.contains(name)) << name;
  }
  for (const auto& [paper, figures] : std::map<std::string, int>{{"romero-figure-", 6}, {"bou-rabee-figure-", 5}}) {
    for (int i = 1; i <= figures; ++i) EXPECT_TRUE(names.contains(paper + std::to_string(i))) << paper << i;
  }
  for (int i = 1; i <= 13; ++i) {
    EXPECT_TRUE(names.contains(fmt::format("krysl-endres-figure-{:02}", i))) << i;
  }
}

TEST(Experiments, EveryFolderSaysWhatItFoundAndRecordsIt) {
  for (const auto& experiment : all_experiments()) {
    SCOPED_TRACE(experiment.name);
    EXPECT_TRUE(std::filesystem::exists(experiment.folder + "/README.md"));
    EXPECT_TRUE(std::filesystem::exists(experiment.folder + "/verdicts.csv")) << "polhode reproduce --accept makes it";
    EXPECT_TRUE(experiment.panels.empty() || !experiment.caption.empty());
    std::set<std::string> ids;
    for (const auto& claim : experiment.claims) EXPECT_TRUE(ids.insert(claim.id).second) << claim.id;
    if (!experiment.published) continue;
    for (std::size_t row = 0; row < experiment.published->rows.size(); ++row) {
      EXPECT_TRUE(ids.insert(experiment.published->cell(row, "item")).second)
          << experiment.published->cell(row, "item");
      const bool printed = !experiment.published->cell(row, "published").empty();
      EXPECT_TRUE(!printed || !experiment.published->cell(row, "place").empty());
    }
  }
}

// A claim that a test decides: `reproduce` runs the test that is named. Those of larger sets, which take no longer, are
// run here.
TEST(Experiments, AVerdictLeftToATestIsThatOfATestThatPasses) {
  const TestFolder folder;
  int seen = 0;
  for (const auto& experiment : all_experiments()) {
    for (const auto& claim : experiment.claims) {
      if (claim.test.empty()) continue;
      ++seen;
      EXPECT_EQ(
          claim.set == experiments::Set::quick
              ? outcome_in_quick_set(experiment.name, claim.id)
              : experiments::outcome_of_test(POLHODE_BINARY_DIR "/tests", claim.test, claim.filter, folder.path()),
          "passed")
          << experiment.name << ": " << claim.id << ": " << claim.test << " --gtest_filter=" << claim.filter;
    }
  }
  EXPECT_GT(seen, 10);
}

// What an explanation says of a printed number must give that number: these nine came near it and did not.
TEST(Experiments, WhatIsNotReproducedIsCalledSo) {
  int count = 0;
  for (const auto& experiment : all_experiments()) {
    const auto recorded = experiments::read_csv(experiment.folder + "/verdicts.csv");
    for (std::size_t row = 0; row < recorded.rows.size(); ++row) {
      if (recorded.cell(row, "verdict") != "not reproduced") continue;
      ++count;
      EXPECT_EQ(experiment.name, "buss-figure-6") << recorded.cell(row, "item");
      EXPECT_TRUE(recorded.cell(row, "item").starts_with("theta-")) << recorded.cell(row, "item");
    }
  }
  EXPECT_EQ(count, 9);
}

struct Count {
  int exact = 0, all = 0;
};

// Of the items of some experiments whose measure's name begins so.
Count exactly(const std::vector<std::string>& names, std::string_view measure) {
  Count count;
  for (const auto& experiment : all_experiments()) {
    if (std::ranges::find(names, experiment.name) == names.end()) continue;
    std::map<std::string, std::string> verdicts;
    const auto recorded = experiments::read_csv(experiment.folder + "/verdicts.csv");
    for (std::size_t row = 0; row < recorded.rows.size(); ++row) {
      verdicts[recorded.cell(row, "item")] = recorded.cell(row, "verdict");
    }
    for (std::size_t row = 0; row < experiment.published->rows.size(); ++row) {
      const bool counts = experiment.published->cell(row, "measure").starts_with(measure);
      if (!counts || experiment.published->cell(row, "published").empty()) continue;
      ++count.all;
      if (verdicts[experiment.published->cell(row, "item")] == "reproduced") ++count.exact;
    }
  }
  return count;
}

TEST(Experiments, BussEnergiesAgreeInAllButTwoMisprints) {
  const Count energies = exactly({"buss-figure-4", "buss-figure-5"}, "energy");
  EXPECT_EQ(energies.all, 83);
  EXPECT_EQ(energies.exact, 81);
}

TEST(Experiments, BussStepCountsAgreeInThreeQuartersOfTheCells) {
  const Count steps = exactly({"buss-figure-6", "buss-figure-7"}, "steps_");
  EXPECT_EQ(steps.all, 96);
  EXPECT_GE(steps.exact, 74);
}

}  // namespace
}  // namespace polhode::experiments_test
