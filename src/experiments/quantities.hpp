// The quantities a measure may ask for.
#pragma once

#include "experiments/parameters.hpp"
#include "experiments/runs.hpp"

namespace polhode::experiments {

// The number that the parameters describe; NaN where the run failed or nothing was found. Throws Error for parameters
// that do not fit, and Interrupted.
double measure(const Parameters& parameters, Runs& runs);

// Timings are taken with nothing else going on.
bool is_timing(const Parameters& parameters);

// The steps of one method and convergence of another are one study: `step_sizes` stays a list.
bool takes_step_list(const Parameters& parameters);

// The command line whose output has the number.
std::string command_of(const Parameters& parameters, const std::string& experiment);

}  // namespace polhode::experiments
