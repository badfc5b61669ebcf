// What is said of a step that failed.
#pragma once

#include <string>

#include "polhode/methods/registry.hpp"
#include "polhode/run/result.hpp"

namespace polhode {

struct FailedStep {
  const MethodSpec& method;
  long long number;  // counted from 1
  double begin;      // [s]
  double size;       // [s]
  long pieces;       // the attempt that failed was size/pieces long
  Work work;
};

// "taylor-2 left the finite numbers in step 7 of 0.1 s, which begins at t = 0.6 s".
std::string what_failed(const FailedStep& step);

RunFailure run_failure(const FailedStep& step);
// Of a step whose state is as it should be.
RunFailure failure_of_derivatives(const FailedStep& step);

}  // namespace polhode
