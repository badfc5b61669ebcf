// Processor time of a step on this machine.
#pragma once

#include "experiments/parameters.hpp"
#include "experiments/runs.hpp"

namespace polhode::experiments {

// [ns], the median of several timed runs, without rows and without a look at the energy on the way.
double time_per_step(const Parameters& parameters, const Runs& runs);

// The same over that of the method `against`, timed in turns: what slows the machine down slows both.
double relative_cost(const Parameters& parameters, const Runs& runs);

}  // namespace polhode::experiments
