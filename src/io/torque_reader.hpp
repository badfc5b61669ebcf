// The torques of a scenario file.
#pragma once

#include <toml++/toml.h>

#include "polhode/io/scenario.hpp"

namespace polhode {

// From a [torque] table or several [[torque]] tables; data files are looked for in the folder of the scenario. Throws
// SetupError, or Error for what is wrong in a data file.
void read_torques(const toml::node& node, Scenario& scenario);

}  // namespace polhode
