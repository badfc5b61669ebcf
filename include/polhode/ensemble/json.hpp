// Results of ensembles as JSON.
#pragma once

#include <string>

#include "polhode/ensemble/result.hpp"

namespace polhode {

// One object, as `polhode ensemble --json` prints it; what is not finite is null.
std::string to_json(const EnsembleResult& result);

}  // namespace polhode
