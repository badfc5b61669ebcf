// A diagnosis for people.
#pragma once

#include <string>

#include "polhode/studies/diagnose.hpp"

namespace polhode {

std::string table(const Diagnosis& study);

}  // namespace polhode
