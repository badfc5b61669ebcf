// How long the steps of a first trial may be.
#pragma once

#include "polhode/model/setup.hpp"

namespace polhode {

// How fast things happen at the start: the body turns, or wheels or a torque begin to turn it [1/s].
double rate_at_start(const Prepared<double>& prepared);

}  // namespace polhode
