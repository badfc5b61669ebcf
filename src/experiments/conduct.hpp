// One experiment from its folder to its outcome.
#pragma once

#include <atomic>
#include <functional>

#include "experiments/outcome.hpp"

namespace polhode::experiments {

struct Conduct {
  Set set = Set::standard;
  unsigned threads = 1;
  std::string folder;                       // where the curves go
  std::string tests;                        // where the test programs are that claims name
  const std::atomic<bool>* stop = nullptr;  // ends the work under way
  std::function<void(double fraction)> progress;
};

// Throws Error for what the folder asks and cannot be done, and Interrupted.
Outcome conduct(const Experiment& experiment, const Conduct& how);

}  // namespace polhode::experiments
