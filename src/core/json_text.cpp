#include "core/json_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/number_text.hpp"

namespace polhode {
namespace {

bool is_table(const Json& value) {
  return value.is_array() && std::ranges::any_of(value, [](const Json& row) { return row.is_object(); });
}
bool holds_table(const Json& value) { return value.is_object() && std::ranges::any_of(value, is_table); }

// The lists of bytes that JSON has no word for hold what is verbatim.
std::string plain(const Json& value) {
  if (value.is_binary()) return {value.get_binary().begin(), value.get_binary().end()};
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);  // names of files need not be UTF-8
}

struct Breaks {
  std::string before, between, after;
};

class JsonWriter {
 public:
  explicit JsonWriter(JsonLayout layout) : layout_(layout) {}

  std::string text(const Json& value, std::size_t indent, bool in_list = false) const {
    if (!value.is_structured() || value.empty()) return plain(value);
    const bool opened = !in_list && has_lines(value, indent);
    const std::size_t deeper = opened ? indent + 2 : indent;
    std::vector<std::string> parts;
    if (value.is_array()) {
      for (const Json& element : value) parts.push_back(text(element, deeper, true));
    } else {
      for (const auto& [key, member] : value.items())
        parts.push_back(fmt::format("{}: {}", plain(key), text(member, deeper, in_list)));
    }
    const Breaks breaks = opened ? lines(indent) : one_line(value);
    return fmt::format("{}{}{}{}{}", value.is_array() ? '[' : '{', breaks.before, fmt::join(parts, breaks.between),
                       breaks.after, value.is_array() ? ']' : '}');
  }

 private:
  bool has_lines(const Json& value, std::size_t indent) const {
    return indent == 0 || is_table(value) || (layout_ == JsonLayout::record && holds_table(value));
  }
  static Breaks lines(std::size_t indent) {
    const std::string line = '\n' + std::string(indent, ' ');
    return {line + "  ", ',' + line + "  ", line};
  }
  Breaks one_line(const Json& value) const {
    const char* space = value.is_object() && layout_ == JsonLayout::result ? " " : "";
    return {space, ", ", space};
  }

  JsonLayout layout_;
};

}  // namespace

Json verbatim(std::string_view text) { return Json::binary({text.begin(), text.end()}); }

Json json_number(double value) { return std::isfinite(value) ? verbatim(shortest(value)) : Json(); }

std::string json_text(const Json& object, JsonLayout layout) { return JsonWriter(layout).text(object, 0); }

}  // namespace polhode
