// Errors at the end of a run, in a scalar wider than the run's, or in quad.
#pragma once

#include <limits>
#include <type_traits>

#include "polhode/core/quad.hpp"
#include "polhode/measure/error.hpp"
#include "polhode/run/result.hpp"

namespace polhode {

template <class T>
using ErrorScalar = std::conditional_t<(std::numeric_limits<T>::digits < 64), long double, quad>;

// `end` in SI units and the user's axes; `seconds`: that the reference took.
template <class T>
void set_errors(Result& result, const State<ErrorScalar<T>>& end, const Reference<ErrorScalar<T>>& reference,
                double seconds) {
  const bool on_sphere = result.about.space == Space::sphere;
  const ErrorScalar<T> error = on_sphere ? direction_error(end, reference.state) : attitude_error(end, reference.state);
  result.attitude_error = to_number(error, scalar_kind_of<T>);
  result.momentum_error = to_number(momentum_error(end, reference.state), scalar_kind_of<T>);
  result.reference = {reference.source, reference.attitude_uncertainty, reference.momentum_uncertainty, seconds};
}

}  // namespace polhode
