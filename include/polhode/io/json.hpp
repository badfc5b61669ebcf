// Results and situations as JSON.
#pragma once

#include <string>
#include <string_view>

#include "polhode/run/result.hpp"

namespace polhode {

// One object, as `polhode run --json` prints it. Numbers carry all digits of the run's scalar; what is not finite is a
// string.
std::string to_json(const Result& result);

// {"inertia", "start", "torque"}, with the keys and values a scenario file would have; "unphysical" where it is set.
std::string to_json(const Setup& setup);

// Undoes to_json. Throws Error for what that would not have written; `origin` is the name for the message.
Setup setup_from_json(std::string_view text, std::string_view origin);

}  // namespace polhode
