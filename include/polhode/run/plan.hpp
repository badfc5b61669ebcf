// What is known of a run before its first step.
#pragma once

#include <atomic>
#include <memory>
#include <optional>

#include "polhode/run/choose.hpp"
#include "polhode/run/options.hpp"
#include "polhode/run/steps.hpp"

namespace polhode {

class Course;
struct TangentRequest;
struct Watched;

struct Plan {
  RunRequest request;
  MethodSpec method;
  Steps steps;
  long long every = 1;  // steps from row to row
  // [s] of rows between the first and the last, in the direction of the run
  std::optional<std::vector<double>> times{};
  std::optional<double> tolerance{};                // [rad], for a method that takes one
  std::optional<Selection> selection{};             // where the request asks for auto
  std::shared_ptr<const Watched> watched{};         // quantities, events and the condition, parsed
  std::shared_ptr<const TangentRequest> tangent{};  // what the run is differentiated by; none: nothing
  std::shared_ptr<Course> course{};                 // the method in the situation, built
};

// Checks a request and builds what will be run. Throws SetupError for whatever would keep it from running: a method that
// does not exist or does not take this field, steps that do not fit it, columns this situation does not have.
//
// Where the method takes a tolerance, or auto chooses it, the step says where rows are. Without one they are a hundredth
// of the duration apart; where auto chooses and no rows are kept, there are none to consider.
// `stop` ends the trials of auto: Error (interrupted).
Plan plan(RunRequest request, const std::atomic<bool>* stop = nullptr);

}  // namespace polhode
