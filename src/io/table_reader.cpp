#include "io/table_reader.hpp"

#include <fmt/format.h>

#include <cmath>
#include <sstream>

#include "core/number_text.hpp"
#include "polhode/core/names.hpp"

namespace polhode {
namespace {

int line_of(const toml::node& node) { return static_cast<int>(node.source().begin.line); }

}  // namespace

std::optional<double> number_in(const toml::node& node) {
  if (const auto* integer = node.as_integer()) return static_cast<double>(integer->get());
  if (const auto* number = node.as_floating_point()) return number->get();
  return {};
}

std::string_view type_name(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table: return "a table";
    case toml::node_type::array: return "an array";
    case toml::node_type::string: return "a string";
    case toml::node_type::integer: return "an integer";
    case toml::node_type::floating_point: return "a number";
    case toml::node_type::boolean: return "a truth value";
    default: return "a date or time";
  }
}

std::string quoted(const toml::node& node) {
  constexpr std::size_t longest = 60;
  std::string text;
  if (const auto* number = node.as_floating_point()) {
    text = shortest(number->get());
  } else {
    std::ostringstream stream;
    node.visit([&](const auto& value) { stream << value; });
    for (const char c : stream.str()) {
      const bool blank = c == ' ' || static_cast<unsigned char>(c) < 0x20;
      if (!blank || !text.ends_with(' ')) text += blank ? ' ' : c;
    }
  }
  if (text.size() > longest) {
    text.resize(longest);
    while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0x80U) != 0) text.pop_back();
    text += "...";
  }
  return text;
}

TableReader::TableReader(const toml::table& table, std::string name, Origins& origins)
    : table_(table), name_(std::move(name)) {
  if (!name_.empty()) origins[name_].line = line_of(table);
  for (const auto& [key, node] : table_) origins[dotted(key.str())].line = line_of(node);
}

std::string TableReader::dotted(std::string_view key) const {
  if (name_.empty()) return std::string(key);
  std::string both;
  both.reserve(name_.size() + 1 + key.size());
  return both.append(name_).append(1, '.').append(key);
}

void TableReader::refuse(std::string_view key, const std::string& sentence) const {
  throw SetupError(dotted(key), sentence);
}

void TableReader::refuse_type(std::string_view key, const toml::node& node, std::string_view wanted) const {
  if (node.is_table()) refuse(key, fmt::format("is a table; give {}", wanted));
  refuse(key, fmt::format("{} is {}; give {}", quoted(node), type_name(node), wanted));
}

void TableReader::refuse_type(std::string_view key, std::string_view wanted) const {
  refuse_type(key, *table_.get(key), wanted);
}

void TableReader::allow_only(const std::vector<std::string>& keys, const KeysByTable& elsewhere) const {
  // The table is sorted by name; the reader of the message goes by lines.
  const toml::key* stranger = nullptr;
  for (const auto& [key, node] : table_) {
    const bool known = std::find(keys.begin(), keys.end(), key.str()) != keys.end();
    if (!known && (stranger == nullptr || key.source().begin.line < stranger->source().begin.line)) stranger = &key;
  }
  if (stranger == nullptr) return;
  const std::string_view key = stranger->str();
  const std::string nearest = nearest_name(key, keys);
  if (!nearest.empty()) refuse(key, fmt::format("no such key; nearest: {}", nearest));
  for (const auto& [table, table_keys] : elsewhere) {
    if (std::find(table_keys.begin(), table_keys.end(), key) != table_keys.end()) {
      refuse(key, fmt::format("no such key here; it belongs in [{}]", table));
    }
  }
  refuse(key,
         fmt::format("no such key; {} takes {}", name_.empty() ? "a scenario" : "this table", fmt::join(keys, ", ")));
}

std::optional<double> TableReader::number(std::string_view key, std::string_view wanted) const {
  const toml::node* node = table_.get(key);
  if (node == nullptr) return {};
  const std::optional<double> value = number_in(*node);
  if (!value) refuse_type(key, *node, wanted);
  if (!std::isfinite(*value)) refuse(key, fmt::format("{} is not finite; give {}", quoted(*node), wanted));
  return value;
}

std::optional<long long> TableReader::count(std::string_view key, std::string_view wanted) const {
  const std::optional<double> value = number(key, wanted);
  if (value && !is_count(*value)) {
    refuse(key, fmt::format("{} {}; give {}", quoted(*table_.get(key)), why_no_count(*value), wanted));
  }
  return value ? std::optional(static_cast<long long>(*value)) : std::nullopt;
}

std::optional<bool> TableReader::truth(std::string_view key, std::string_view wanted) const {
  const toml::node* node = table_.get(key);
  if (node == nullptr) return {};
  if (!node->is_boolean()) refuse_type(key, *node, wanted);
  return node->as_boolean()->get();
}

std::optional<std::string> TableReader::string(std::string_view key, std::string_view wanted) const {
  const toml::node* node = table_.get(key);
  if (node == nullptr) return {};
  if (!node->is_string()) refuse_type(key, *node, wanted);
  return node->as_string()->get();
}

std::optional<std::vector<std::string>> TableReader::strings(std::string_view key, std::string_view wanted) const {
  const toml::node* node = table_.get(key);
  if (node == nullptr) return {};
  const toml::array* array = node->as_array();
  if (array == nullptr) refuse_type(key, *node, wanted);
  std::vector<std::string> values;
  for (const toml::node& element : *array) {
    if (!element.is_string()) refuse_type(key, element, wanted);
    values.push_back(element.as_string()->get());
  }
  return values;
}

double TableReader::element(std::string_view key, const toml::array& array, std::size_t i,
                            std::string_view wanted) const {
  const toml::node& node = array[i];
  const std::optional<double> value = number_in(node);
  if (!value) {
    refuse(key, fmt::format("element {} of {} is {}; give {}", i + 1, quoted(array), type_name(node), wanted));
  }
  if (!std::isfinite(*value)) {
    refuse(key, fmt::format("element {} of {} is not finite; give {}", i + 1, quoted(array), wanted));
  }
  return *value;
}

std::optional<std::vector<double>> TableReader::numbers(std::string_view key, std::size_t count,
                                                        std::string_view wanted) const {
  const toml::node* node = table_.get(key);
  if (node == nullptr) return {};
  const toml::array* array = node->as_array();
  if (array == nullptr) refuse_type(key, *node, wanted);
  if (array->size() != count) {
    refuse(key, fmt::format("{} has {} elements, not {}; give {}", quoted(*node), array->size(), count, wanted));
  }
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(element(key, *array, i, wanted));
  return values;
}

std::optional<std::vector<double>> TableReader::list(std::string_view key, std::string_view wanted) const {
  const toml::node* node = table_.get(key);
  if (node == nullptr) return {};
  const toml::array* array = node->as_array();
  if (array == nullptr) refuse_type(key, *node, wanted);
  std::vector<double> values;
  for (std::size_t i = 0; i < array->size(); ++i) values.push_back(element(key, *array, i, wanted));
  return values;
}

std::optional<std::vector<double>> TableReader::matrix(std::string_view key, std::string_view wanted) const {
  const toml::node* node = table_.get(key);
  if (node == nullptr) return {};
  const toml::array* rows = node->as_array();
  if (rows == nullptr) refuse_type(key, *node, wanted);
  std::vector<double> values;
  for (const toml::node& row : *rows) {
    const toml::array* array = row.as_array();
    if (array == nullptr || array->size() != 3 || rows->size() != 3) {
      refuse(key, fmt::format("{} is not 3x3; give {}", quoted(*node), wanted));
    }
    for (std::size_t i = 0; i < 3; ++i) values.push_back(element(key, *array, i, wanted));
  }
  if (values.empty()) refuse(key, fmt::format("{} is empty; give {}", quoted(*node), wanted));
  return values;
}

std::vector<std::vector<double>> TableReader::rows(std::string_view key, std::size_t width,
                                                   std::string_view wanted) const {
  const toml::node* node = table_.get(key);
  if (node == nullptr) return {};
  const toml::array* array = node->as_array();
  if (array == nullptr) refuse_type(key, *node, wanted);
  std::vector<std::vector<double>> rows;
  for (const toml::node& element_of_rows : *array) {
    const toml::array* row = element_of_rows.as_array();
    if (row == nullptr || row->size() != width)
      refuse(key, fmt::format("row {}, {}, is not an array of {} numbers; give {}", rows.size() + 1,
                              quoted(element_of_rows), width, wanted));
    rows.emplace_back();
    for (std::size_t i = 0; i < width; ++i) rows.back().push_back(element(key, *row, i, wanted));
  }
  return rows;
}

}  // namespace polhode
