// Results as JSON.
#pragma once

#include <string>

#include "polhode/run/result.hpp"

namespace polhode {

// One object, as `polhode run --json` prints it. Numbers carry all digits of the run's scalar; what is not finite is a
// string.
std::string to_json(const Result& result);

}  // namespace polhode
