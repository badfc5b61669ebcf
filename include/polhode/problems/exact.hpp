// The exact solution of problems that have one in closed form: those without torque.
//
// The template is instantiated for long double and quad.
#pragma once

#include <optional>

#include "polhode/problems/problem.hpp"

namespace polhode {

// The state at any finite time t [s], in SI units and the user's body axes; empty for a problem with a torque.
template <class T>
std::optional<State<T>> exact_at(const Problem& problem, const T& t);

}  // namespace polhode
