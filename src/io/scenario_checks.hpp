// Checks that hold for a scenario's settings wherever they were given, in the file or by a flag.
#pragma once

#include "polhode/io/scenario.hpp"

namespace polhode {

// Throws SetupError.
void check_settings(const Scenario& scenario);

// Columns that were asked for. To name every quantity is to leave them out: all of them are columns.
void choose(OutputSettings& output, const std::vector<QuantityData>& quantities, ChosenColumns columns);

}  // namespace polhode
