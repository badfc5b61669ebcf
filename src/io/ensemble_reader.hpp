// The ensemble of a scenario file.
#pragma once

#include <toml++/toml.h>

#include "polhode/io/scenario.hpp"

namespace polhode {

// From the table [ensemble]; the body and the torques have been read. Tables are looked for in the folder of the scenario.
// Throws SetupError, or Error for what is wrong in a table. What distributions say is checked by check_drawn().
void read_ensemble(const toml::node& node, Scenario& scenario);

}  // namespace polhode
