// A convergence study as a table for people.
#pragma once

#include <string>

#include "polhode/studies/converge.hpp"

namespace polhode {

// A block of errors with local slopes for each method, then the orders beside what is claimed.
std::string table(const Convergence& study);

}  // namespace polhode
