// The larger and the smaller of two numbers, for diagnostics: std::max(x, NaN) is x, and what failed would pass for the
// rest. Here a NaN stays, whatever comes after it.
#pragma once

#include <cmath>

namespace polhode {

inline double larger(double a, double b) { return std::isnan(a) || a > b ? a : b; }
inline double smaller(double a, double b) { return std::isnan(a) || a < b ? a : b; }

}  // namespace polhode
