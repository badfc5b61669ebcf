#pragma once

#include <string>

#include "polhode/run/number.hpp"

namespace polhode {

// Compiled apart, because multiprecision headers are slow to compile.
std::string decimal_of_quad(const Number& number, int digits);

}  // namespace polhode
