// Motions as rows of seven numbers: attitude, and angular velocity in body axes.
#pragma once

#include <algorithm>
#include <array>

#include "polhode/core/rotation.hpp"

namespace polhode::python {

inline void write_motion(const Rotation<double>& q, const Vec3<double>& w_B, bool scalar_first, double* to) {
  const std::array<double, 7> values = scalar_first ? std::array{q.w, q.v.x, q.v.y, q.v.z, w_B.x, w_B.y, w_B.z}
                                                    : std::array{q.v.x, q.v.y, q.v.z, q.w, w_B.x, w_B.y, w_B.z};
  std::copy(values.begin(), values.end(), to);
}

}  // namespace polhode::python
