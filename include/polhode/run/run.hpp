// From a scenario to a result: the method by its name, the time loop, rows on the way.
#pragma once

#include <atomic>
#include <functional>

#include "polhode/run/result.hpp"
#include "polhode/run/steps.hpp"

namespace polhode {

// What is known of a run before its first step.
struct Plan {
  MethodSpec method;
  Steps steps;
  long long every = 1;                   // steps from row to row
  std::optional<double> tolerance{};     // [rad], for a method that takes one
  std::optional<Selection> selection{};  // where the scenario asks for auto
};

// Throws Error for whatever would keep the scenario from running: a method that is not there or does not take this
// field, steps that do not fit it, columns this situation does not have.
//
// Where the method takes a tolerance, or auto chooses it, the step says where rows are. Without one they are a hundredth
// of the duration apart; where auto chooses and no rows are wanted, there are none to mind. `rows`: rows will be kept
// although the scenario names no file for them.
Plan plan(const Scenario& scenario, bool rows = false);

struct Progress {
  long long step = 0, steps = 0;
  double time = 0;           // [s] reached
  double seconds = 0;        // of wall clock so far
  double energy_change = 0;  // relative to the first energy, where that is not zero
};

struct RunControl {
  std::function<void(const Progress&)> progress;  // called about ten times a second
  const std::atomic<bool>* stop = nullptr;        // ends the run after the step under way
  // Called with a sentence, once each: a step turns the body by more than a radian, times are rounded to a part of a
  // step, a step is halved.
  std::function<void(const std::string&)> warn;
  // Takes the same rows, thinned to no more than figure_rows: enough for a figure. Rows left out hide no peak of the
  // energy.
  RowSink* sketch = nullptr;
};

inline constexpr long long figure_rows = 20000;

// Integrates. Rows are the start, every K-th step and the last one. A step that does not converge or leaves the finite
// numbers is taken again in halves where the scenario says on_failure = "halve". Where it does not, or that fails too,
// the run ends: the result then says so, and the rows up to there have been written.
Result run(const Scenario& scenario, const Plan& plan, RowSink* rows = nullptr, const RunControl& control = {});

}  // namespace polhode
