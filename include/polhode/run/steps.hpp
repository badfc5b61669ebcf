// The steps of a run: so many of one size, the last perhaps shorter, or a list of sizes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "polhode/io/scenario.hpp"
#include "polhode/methods/registry.hpp"

namespace polhode {

struct Steps {
  long long count = 0;
  double size = 0;               // [s], positive; unused when sizes are listed
  std::vector<double> listed;    // [s], positive; empty: all of one size
  std::optional<double> length;  // [s], set when the last step is shortened so that the run ends there
  bool backwards = false;
};

// [s], negative backwards: what is asked for, or 10 s. For settings without a number of steps and a step file.
double duration_of(const RunSettings& run);

// A duration is a whole number of steps when it is one to 1e-9 relative. Otherwise the last step is shortened, and a
// method whose steps must not differ refuses. Throws SetupError.
Steps plan_steps(const RunSettings& run, const MethodSpec& method);

// One positive number of seconds per line; '#' starts a comment. Throws Error with file, line and value.
std::vector<double> read_step_file(const std::string& path);

}  // namespace polhode
