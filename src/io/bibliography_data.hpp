// docs/bibliography.bib, built in by cmake/embed.cmake.
#pragma once

#include <string>
#include <string_view>

namespace polhode {

std::string bibliography_text();

}  // namespace polhode
