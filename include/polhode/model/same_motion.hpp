// Whether two situations, as data, are the same motion.
#pragma once

#include "polhode/model/setup.hpp"

namespace polhode {

// Numbers are compared, not how they were written. What is given in the same form must be equal number by number (0 and
// -0 are, and so are the two quaternions of an attitude): one unit in the last place of a start is another motion. What is
// given in different forms, a velocity and a momentum say, must be equal to a few rounding units of a long double.
bool same_motion(const Setup& a, const Setup& b);

}  // namespace polhode
