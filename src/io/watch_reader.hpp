// The tables of a scenario that say what is watched for: [quantities] and [[event]].
#pragma once

#include <toml++/toml.h>

#include "polhode/io/scenario.hpp"

namespace polhode {

// Both throw SetupError. What the expressions say is checked when the run is planned.
void read_quantities(const toml::node& node, Scenario& scenario);
void read_events(const toml::node& node, Scenario& scenario);

}  // namespace polhode
