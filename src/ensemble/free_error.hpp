// The error of the attitude of a free body in double, for a million of them.
#pragma once

#include "polhode/model/setup.hpp"

namespace polhode {

// The angle [rad] between the attitude R_SU at time t [s] and that of the closed form from the body's start. The closed
// form is in long double, wrong by less than 4e-18 (1 + |w| t), a hundredth of what the best double is off by. A body
// within a hundredth of the separatrix, where long doubles lose digits, has it in quad, at thirty times the cost. Not for
// bodies with wheels.
double free_attitude_error(const Setup& setup, const Rotation<double>& R_SU, double t);

}  // namespace polhode
