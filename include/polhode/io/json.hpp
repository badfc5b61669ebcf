// Results and situations as JSON.
#pragma once

#include <string>

#include "polhode/io/result.hpp"

namespace polhode {

// One object, as `polhode run --json` prints it. Numbers carry all digits of the run's scalar; what is not finite is a
// string.
std::string to_json(const Result& result);

// {"inertia", "start", "torque"}, with the keys and values a scenario file would have; "unphysical" where it is set.
std::string to_json(const Setup& setup);

}  // namespace polhode
