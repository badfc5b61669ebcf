// A result in a few lines for people.
#pragma once

#include <string>

#include "polhode/run/result.hpp"

namespace polhode {

std::string summary(const Result& result);

// The same in one line, to go with a file's name.
std::string headline(const Result& result);

}  // namespace polhode
