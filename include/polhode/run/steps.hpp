// The steps of a run: so many of one size, the last perhaps shorter, a list of sizes, or such as the method chooses.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "polhode/methods/registry.hpp"
#include "polhode/run/options.hpp"

namespace polhode {

struct Steps {
  long long count = 0;           // about so many, where the method chooses them and `length` ends the run
  double size = 0;               // [s], positive; unused when sizes are listed
  std::vector<double> listed;    // [s], positive; empty: all of one size
  std::optional<double> length;  // [s], set when the last step is shortened so that the run ends there
  bool chosen = false;           // by the method, beginning with `size`
  bool backwards = false;
};

// [s], negative backwards: what is asked for, or 10 s. For settings without a number of steps and a step file.
double duration_of(const RunOptions& run);

// A duration is a whole number of steps when it is one to 1e-9 relative. Otherwise the last step is shortened, and a
// method whose steps must not differ refuses. Throws SetupError.
Steps plan_steps(const RunOptions& run, const MethodSpec& method);

}  // namespace polhode
