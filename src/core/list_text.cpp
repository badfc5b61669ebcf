#include "core/list_text.hpp"

namespace polhode {

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

std::vector<std::string_view> comma_separated(std::string_view text) {
  std::vector<std::string_view> items;
  for (std::size_t comma = text.find(','); comma != std::string_view::npos; comma = text.find(',')) {
    items.push_back(trimmed(text.substr(0, comma)));
    text.remove_prefix(comma + 1);
  }
  items.push_back(trimmed(text));
  return items;
}

}  // namespace polhode
