// A comparison of methods as tables for people.
#pragma once

#include <string>

#include "polhode/studies/compare.hpp"

namespace polhode {

// What was chosen, a block of errors and times for each method, then who is the fastest at a few errors.
std::string table(const Comparison& study);

}  // namespace polhode
