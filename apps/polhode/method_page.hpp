// One method on a page: what it does, keeps and costs, which suffixes it takes, and where it is from.
#pragma once

#include <string>

namespace polhode {

// Of a name with or without suffixes. Throw MethodError.
std::string method_page(const std::string& name);
std::string method_page_as_json(const std::string& name);

}  // namespace polhode
