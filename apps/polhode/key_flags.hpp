// Flags that take the place of one key of the scenario each.
#pragma once

#include <string_view>

namespace polhode {

struct KeyFlag {
  const char* flag;
  const char* key;
  const char* value;
  const char* help;
};

// "--method" of "-m,--method".
inline std::string_view long_name(const KeyFlag& flag) {
  const std::string_view names = flag.flag;
  return names.substr(names.find("--"));
}

}  // namespace polhode
