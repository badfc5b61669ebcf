// A scenario from tables that were not read from a file.
#pragma once

#include <toml++/toml.h>

#include "polhode/io/scenario.hpp"

namespace polhode {

// `given` and `names`: what the one who made the tables calls their keys. Throws Error in these words. There is no text:
// to_toml() writes one for whoever asks.
Scenario scenario_from(const toml::table& tables, Origins given, CallersNames names);

}  // namespace polhode
