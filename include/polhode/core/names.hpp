// Hints for misspelt names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace polhode {

// The candidate nearest to `name` in edits, or empty when none is near.
std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace polhode
