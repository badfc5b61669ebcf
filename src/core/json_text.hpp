// JSON with numbers of any length: 21 or 36 digits must not pass through a double on their way out.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/number_text.hpp"
#include "polhode/run/result.hpp"

namespace polhode {

inline std::string json_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      fmt::format_to(std::back_inserter(out), "\\u{:04x}", static_cast<unsigned>(c));
    } else {
      out += c;
    }
  }
  return out + '"';
}

inline std::string json_value(const Number& number) {
  return std::isfinite(number.value) ? number.digits : json_string(number.digits);
}
inline std::string json_value(std::string_view text) { return json_string(text); }
inline std::string json_value(const std::string& text) { return json_string(text); }
inline std::string json_value(const char* text) { return json_string(text); }
inline std::string json_value(bool truth) { return truth ? "true" : "false"; }
inline std::string json_value(long long count) { return std::to_string(count); }

template <class Range>
std::string json_value(const Range& range) {
  std::string out = "[";
  for (const auto& element : range) {
    if (out.size() > 1) out += ", ";
    out += json_value(element);
  }
  return out + ']';
}

// A number, or null for what is not there or not finite.
inline std::string json_number(double value) { return std::isfinite(value) ? shortest(value) : "null"; }
inline std::string json_number(const std::optional<Number>& number) {
  return number && std::isfinite(number->value) ? number->digits : "null";
}

// Objects one below the other.
inline std::string json_list(const std::vector<std::string>& items) {
  return items.empty() ? "[]" : fmt::format("[\n    {}\n  ]", fmt::join(items, ",\n    "));
}

// An object with its members in the order they are added: one per line, or all in one.
class JsonObject {
 public:
  enum class Layout { lines, one_line };
  explicit JsonObject(Layout layout = Layout::lines)
      : lead_(layout == Layout::lines ? "\n  " : " "), tail_(layout == Layout::lines ? "\n}" : " }") {}

  template <class Value>
  void add(std::string_view key, const Value& value) {
    add_raw(key, json_value(value));
  }
  void add_raw(std::string_view key, std::string_view value) {
    fmt::format_to(std::back_inserter(members_), "{}{}{}: {}", members_.empty() ? "" : ",", lead_, json_string(key),
                   value);
  }
  std::string text() const { return "{" + members_ + tail_; }

 private:
  const char *lead_, *tail_;
  std::string members_;
};

}  // namespace polhode
