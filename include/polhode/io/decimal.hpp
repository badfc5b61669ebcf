// Numbers of results in decimal.
#pragma once

#include <string>

#include "polhode/run/number.hpp"

namespace polhode {

// With all digits that distinguish the numbers of its scalar: 9, 17, 21 or 36 for float, double, long double and quad.
// Not finite: "nan", "inf", "-inf".
std::string decimal(const Number& number);
void append_decimal(std::string& text, const Number& number);

// With the fewest digits that read back to the same float or double; those of a wider scalar as above.
void append_shortest(std::string& text, const Number& number);

}  // namespace polhode
