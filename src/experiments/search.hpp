// How many steps an accuracy takes.
#pragma once

#include "experiments/parameters.hpp"
#include "experiments/runs.hpp"

namespace polhode::experiments {

// The smallest N from which on N steps of duration/N end within `accuracy` [rad] of the reference: N is doubled from 10
// up to `limit`, the last interval at whose lower end the accuracy is missed is halved, and the N after that are looked
// at for a later miss, since the error is not always monotone. NaN where none is found up to the limit.
double steps_needed(const Parameters& parameters, Runs& runs);

}  // namespace polhode::experiments
