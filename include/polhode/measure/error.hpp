// Errors against a reference state.
#pragma once

#include "polhode/core/sphere.hpp"
#include "polhode/model/state.hpp"

namespace polhode {

// The angle [rad] of the rotation between the two attitudes.
template <class T>
T attitude_error(const State<T>& s, const State<T>& reference) {
  return angle_between(s.R_SB, reference.R_SB);
}

// The angle [rad] between the directions of the two third axes.
template <class T>
T direction_error(const State<T>& s, const State<T>& reference) {
  return angle_between(third_axis(s.R_SB), third_axis(reference.R_SB));
}

// |pi - pi_ref| in body axes.
template <class T>
T momentum_error(const State<T>& s, const State<T>& reference) {
  return norm(s.pi_B - reference.pi_B);
}

}  // namespace polhode
