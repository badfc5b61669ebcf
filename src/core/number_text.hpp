// Numbers from text and to text, the same in every locale.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace polhode {

// The whole text as one number; false for anything else. "1e999" reads as infinity.
bool read_number(std::string_view text, double& value);

// The fewest digits that read back to the same double.
std::string shortest(double value);
std::string shortest(const std::vector<double>& values);  // "[1, 0.5, 3]"

// A number that counts something: whole, and exact as a double. What is wrong with one that does not, in words.
bool is_count(double value);
std::string_view why_no_count(double value);

}  // namespace polhode
