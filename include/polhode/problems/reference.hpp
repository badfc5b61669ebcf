// Reference solutions of the problems, to compare runs with.
//
// The templates are instantiated for long double and quad.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <string_view>
#include <type_traits>

#include "polhode/problems/problem.hpp"

namespace polhode {

// Where a reference comes from: the closed form of a free body, a file of data/references that was built in, two
// integrations (motion_reference.hpp), or such integrations that were kept.
enum class ReferenceSource { closed_form, built_in, computed, cache };

std::string_view source_name(ReferenceSource source);  // "closed-form", "built-in", "computed", "cache"

template <class T>
struct Reference {
  State<T> state;  // SI units, the user's body axes
  // How far the two integrators behind it may be apart, or what rounding in T does if that is more.
  double attitude_uncertainty;  // [rad]
  double momentum_uncertainty;  // [kg m^2/s]
  ReferenceSource source = ReferenceSource::built_in;
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

// The closed form of a body without torque and wheels, at any finite time; empty for any other.
template <class T>
std::optional<Reference<T>> closed_form_at(const Setup& setup, const std::type_identity_t<T>& t);

// The motion of any situation to time t [s], from its own start or from another state, by Lie-Taylor steps whose
// truncation is below the rounding of T; where a torque switches by the motion, the place is found on the series. Throws
// SetupError when a torque cannot be run on power series, and Error (run_failed) where the motion runs into a singularity
// or cannot leave a switch.
template <class T>
State<T> propagated(const Setup& setup, const std::type_identity_t<T>& t);
template <class T>
State<T> propagated(const Setup& setup, const State<T>& from, const std::type_identity_t<T>& t);

// The order of those steps; the cost of a radian depends little on it around these.
template <class T>
inline constexpr std::size_t reference_order = std::numeric_limits<T>::digits > 64 ? 24 : 16;

}  // namespace polhode
