// Which methods a build makes kernels of: names between spaces, or "all".
#pragma once

#include <string_view>

namespace polhode {

class WantedMethods {
 public:
  constexpr explicit WantedMethods(std::string_view names) : names_(names) {}

  constexpr bool all() const { return names_ == "all"; }
  constexpr bool has(std::string_view method) const {
    if (all()) return true;
    for (std::size_t at = names_.find(method); at != names_.npos; at = names_.find(method, at + 1)) {
      const std::size_t end = at + method.size();
      if ((at == 0 || names_[at - 1] == ' ') && (end == names_.size() || names_[end] == ' ')) return true;
    }
    return false;
  }

 private:
  std::string_view names_;
};

}  // namespace polhode
