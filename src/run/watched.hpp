// What is watched for in a run, parsed once: quantities, events, and a condition that ends it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "polhode/core/expression.hpp"
#include "polhode/run/options.hpp"

namespace polhode {

// Something whose sign is watched: a program, or a function of a user of C++.
struct WatchedFunction {
  ExpressionProgram program;
  EventFunction function;
  bool smooth = true;
  bool negated = false;  // its negative is watched
};

struct WatchedEvent {
  std::string name;
  WatchedFunction watched;
  Crossing direction = Crossing::both;
  bool terminal = false;
};

// A condition is looked at where one of its comparisons changes: where a side reaches the other, and where it leaves it.
struct WatchedCondition {
  ExpressionProgram condition;
  std::vector<WatchedFunction> comparisons;  // both as they are and negated: zero counts as positive
};

struct Watched {
  ExpressionProgram quantities;  // an output for each that is a column
  std::vector<WatchedEvent> events;
  std::optional<WatchedCondition> stop_when;

  bool looks_at_steps() const { return !events.empty() || stop_when; }
};

// Throws SetupError for an expression that cannot be read, and for names that are taken.
std::shared_ptr<const Watched> parse_watched(const RunRequest& request);

// The scale of the steps, for a method that chooses them; null where none is given. Throws SetupError.
std::shared_ptr<const ExpressionProgram> parse_step_scale(const RunRequest& request);

}  // namespace polhode
