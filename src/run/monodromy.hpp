// What there is to say of the derivative of a flow.
#pragma once

#include "polhode/run/sensitivities.hpp"

namespace polhode {

// `scaled`: turns and momenta in parts of `momentum_scale` [kg m^2/s]; states in SI units and the user's axes.
Monodromy monodromy_of(const Monodromy::Matrix& scaled, const State<double>& start, const State<double>& end,
                       double momentum_scale);

}  // namespace polhode
