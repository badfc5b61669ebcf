// Values as TOML has them.
#pragma once

#include <string>
#include <vector>

namespace polhode {

// In double quotes.
std::string toml_quoted(const std::string& text);
// Bare where TOML allows it.
std::string toml_key(const std::string& name);
// Three rows of three numbers.
std::string toml_matrix(const std::vector<double>& m);

}  // namespace polhode
