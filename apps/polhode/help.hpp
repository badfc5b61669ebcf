// What the help texts of the commands end with.
#pragma once

#include <string>
#include <vector>

#include "exit_codes.hpp"

namespace polhode {

// "Examples:", one to a line.
std::string examples(const std::vector<std::string>& lines);

// "Exit codes: 0 done, 2 usage, ...", in lines of at most 110 columns.
std::string exit_codes(const std::vector<ExitCode>& codes);

// Every code there is.
std::string exit_codes();

// "Read on: ...".
std::string read_on(const std::vector<std::string>& places);

}  // namespace polhode
