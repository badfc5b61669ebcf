// Whether the other libraries are given the problem that ours solve.
#pragma once

#include "equations.hpp"

namespace polhode::bench {

// How far the rates of (q, w_B) are from those of the situation as the library prepares it: the largest relative
// difference at random states, at which the torque changes w_B about as fast as the gyroscopic term does.
double difference_of_equations(const Setup& setup, const AnyEquations& equations);

inline constexpr double most_by_rounding = 1e-12;

}  // namespace polhode::bench
