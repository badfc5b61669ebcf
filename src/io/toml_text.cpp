#include "io/toml_text.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cctype>
#include <sstream>

#include "core/number_text.hpp"

namespace polhode {

std::string toml_quoted(const std::string& text) {
  const toml::value<std::string> value(text);
  std::ostringstream stream;
  stream << toml::toml_formatter(value, toml::format_flags::none);  // double quotes
  return stream.str();
}

std::string toml_key(const std::string& name) {
  const auto plain = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-'; };
  return !name.empty() && std::all_of(name.begin(), name.end(), plain) ? name : toml_quoted(name);
}

std::string toml_matrix(const std::vector<double>& m) {
  return fmt::format("[{}, {}, {}]", shortest({m[0], m[1], m[2]}), shortest({m[3], m[4], m[5]}),
                     shortest({m[6], m[7], m[8]}));
}

}  // namespace polhode
