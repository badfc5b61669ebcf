// Lists in one text, as flags take them.
#pragma once

#include <string_view>
#include <vector>

namespace polhode {

// Without the spaces around it.
std::string_view trimmed(std::string_view text);

// What stands between the commas, trimmed: "a, b" is two, "a," is two of which the last is empty.
std::vector<std::string_view> comma_separated(std::string_view text);

}  // namespace polhode
