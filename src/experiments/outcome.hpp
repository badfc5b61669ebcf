// What an experiment came to.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "experiments/experiment.hpp"

namespace polhode::experiments {

struct ItemOutcome {
  std::string item, published, measured, unit, place, verdict, tolerance, reason, command, note;
  std::vector<std::pair<std::string, std::string>> fields;  // the other columns of published.csv
  double value = 0;                                         // what `measured` shows, in full
  std::string allowed;  // the tolerance of the record; "timed": depends on the clock, "used": nothing is measured
};

struct MeasuredNumber {
  std::string name, expression;
  double value = 0;
  std::string allowed = {};  // as of an item
};

struct ClaimOutcome {
  std::string id, claim, place, command, criterion, holds_if, verdict, note, missing;
  std::string test, filter, test_outcome;  // "passed", "failed" or "not run"
  std::vector<MeasuredNumber> measured;
  bool timed = false;  // the verdict depends on the clock: it may change from run to run
};

struct CurveOutcome {
  std::string label, method, file, failure;
  double step = 0;
  bool reference = false;
};

struct PanelOutcome {
  const Panel* panel = nullptr;
  std::vector<CurveOutcome> curves;
  std::string potential = {};  // the file with its values on a grid, where the panel shows surfaces of it
};

struct Outcome {
  std::vector<ItemOutcome> items;
  std::vector<ClaimOutcome> claims;
  std::vector<PanelOutcome> panels;
  int left_out = 0;  // items, claims and panels of larger sets
  double seconds = 0;
};

// All digits that distinguish the number from its neighbours would hide it; these are for reading.
std::string readable(double value);

// verdict, tolerance and reason of a measured number beside the published text.
void judge(ItemOutcome& item, double measured, const Experiment& experiment, const std::string& comparison);

}  // namespace polhode::experiments
