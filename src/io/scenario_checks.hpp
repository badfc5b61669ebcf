// Checks that hold for a scenario's settings wherever they were given, in the file or by a flag.
#pragma once

#include "polhode/io/scenario.hpp"

namespace polhode {

// Throws SetupError.
void check_settings(const Scenario& scenario);

}  // namespace polhode
