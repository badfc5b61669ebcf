// Reference solutions of the problems, to compare runs with.
//
// The templates are instantiated for long double and quad.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <type_traits>

#include "polhode/problems/problem.hpp"

namespace polhode {

template <class T>
struct Reference {
  State<T> state;  // SI units, the user's body axes
  // How far the two integrators behind it may be apart, or what rounding in T does if that is more.
  double attitude_uncertainty;  // [rad]
  double momentum_uncertainty;  // [kg m^2/s]
};

// The state at time t [s], from the best source there is: the closed form without torque, at any finite time, and the
// cache with one. Empty for times further from the start than the problem's reference_duration, where small causes have
// grown, and for a problem that has no reference.
template <class T = long double>
std::optional<Reference<T>> reference_at(const Problem& problem, const std::type_identity_t<T>& t);

// The same from the cache: data/references, which is built into the library. A file made for other data than the
// problem's is not used.
template <class T>
std::optional<Reference<T>> cached_reference_at(const Problem& problem, const T& t);

// The motion of any situation to time t [s], from its own start or from another state, by Lie-Taylor steps whose
// truncation is below the rounding of T. Throws SetupError when a torque cannot be run on power series.
template <class T>
State<T> propagated(const Setup& setup, const std::type_identity_t<T>& t);
template <class T>
State<T> propagated(const Setup& setup, const State<T>& from, const std::type_identity_t<T>& t);

// The order of those steps; the cost of a radian depends little on it around these.
template <class T>
inline constexpr std::size_t reference_order = std::numeric_limits<T>::digits > 64 ? 24 : 16;

}  // namespace polhode
