// Attitude errors that say nothing about the method: as small as rounding, or as large as angles get.
#pragma once

#include <cmath>

#include "polhode/run/scalar_kind.hpp"

namespace polhode {

// An attitude error as large as this [rad] says nothing about the step.
inline constexpr double saturated_angle = 0.5;

// What rounding may contribute to an attitude error [rad] while the body turns by `rotation` radians; the rule is
// explained in polhode/studies/converge.hpp.
inline double attitude_floor(ScalarKind scalar, double rotation, long long steps) {
  return 4 * rounding_unit(scalar) * (1 + rotation) * std::sqrt(static_cast<double>(steps));
}

}  // namespace polhode
