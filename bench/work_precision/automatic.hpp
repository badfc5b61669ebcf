// What `--method auto` costs beside the best listed method.
#pragma once

#include <vector>

#include "measure.hpp"

namespace polhode::bench {

// For 1e-3, 1e-6 and 1e-9 rad and the least time, from the problem's own start.
std::vector<Automatic> choices(const Case& subject, const std::vector<Front>& fronts);

}  // namespace polhode::bench
