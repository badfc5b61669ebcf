// What is known of an ensemble, for people.
#pragma once

#include <string>

#include "polhode/ensemble/result.hpp"

namespace polhode {

std::string table(const EnsembleResult& result);

}  // namespace polhode
