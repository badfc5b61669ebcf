// Reference solutions of the problems, to compare runs with.
#pragma once

#include <optional>

#include "polhode/problems/problem.hpp"

namespace polhode {

struct Reference {
  State<long double> state;          // SI units, the user's body axes
  long double attitude_uncertainty;  // from a second integration with half the step [rad]
};

// The state at time t [s], integrated by taylor-12 in long double with small steps. Empty for times beyond the
// problem's customary duration, where small causes have grown, or non-finite ones.
std::optional<Reference> reference_at(const Problem& problem, double t);

}  // namespace polhode
