// How long a run takes, without anything that looks at it.
#pragma once

#include <atomic>
#include <memory>

#include "polhode/run/run.hpp"

namespace polhode {

class RunTimer {
 public:
  virtual ~RunTimer() = default;
  // Wall-clock seconds of so many runs one after the other, from the start of the method to its last step. When `stop`
  // is set on the way, it ends early and the time says nothing.
  virtual double seconds(long long runs, const std::atomic<bool>* stop) = 0;
};

// Finds out how many runs a timing needs to last so many seconds, beginning with `runs`; returns how long it lasts.
double calibrate(RunTimer& timer, double least_seconds, long long& runs, const std::atomic<bool>* stop = nullptr);

// For a run that is known to come to its end: it does not look out for failures.
std::unique_ptr<RunTimer> make_run_timer(const Scenario& scenario, const Plan& plan);

// Compiled apart, because Boost's multiprecision headers are slow to compile.
std::unique_ptr<RunTimer> make_run_timer_in_quad(const Scenario& scenario, const Plan& plan);

}  // namespace polhode
