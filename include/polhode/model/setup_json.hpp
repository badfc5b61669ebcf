// Situations as JSON.
#pragma once

#include <string>
#include <string_view>

#include "polhode/model/setup.hpp"

namespace polhode {

// {"inertia", "start", "torque"}, with the keys and values a scenario file would have; "unphysical" where it is set.
std::string to_json(const Setup& setup);

// Undoes to_json. Throws Error for what that would not have written; `origin` is the name for the message.
Setup setup_from_json(std::string_view text, std::string_view origin);

}  // namespace polhode
