#include "polhode/run/columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>

#include "polhode/core/names.hpp"
#include "run/column_list.hpp"

namespace polhode {
namespace {

constexpr std::string_view all_standard = "standard";

std::optional<Column> find_column(std::string_view name) {
  for (std::size_t place = 0; place < column_groups().size(); ++place)
    if (column_groups()[place].name == name) return Column{place};
  return std::nullopt;
}

std::vector<std::string> valid_columns(const std::vector<std::string>& quantities) {
  std::vector<std::string> valid{std::string(all_standard)};
  for (const ColumnInfo& group : column_groups()) valid.emplace_back(group.name);
  valid.insert(valid.end(), quantities.begin(), quantities.end());
  return valid;
}

[[noreturn]] void refuse_column(std::string_view name, const std::vector<std::string>& quantities) {
  const std::vector<std::string> valid = valid_columns(quantities);
  const std::string nearest = nearest_name(name, valid);
  throw std::invalid_argument(nearest.empty()
                                  ? fmt::format("no column named '{}'; choose among {}", name, fmt::join(valid, ", "))
                                  : fmt::format("no column named '{}'; nearest: {}", name, nearest));
}

}  // namespace

const std::vector<ColumnInfo>& column_groups() {
  static const std::vector<ColumnInfo> groups = [] {
    std::vector<ColumnInfo> list;
    for_each_column([&](auto kind, Column) {
      list.push_back({kind.name, {kind.headers.begin(), kind.headers.end()}, kind.about, kind.standard});
    });
    return list;
  }();
  return groups;
}

Column column(std::string_view name) {
  if (const std::optional<Column> found = find_column(name)) return *found;
  refuse_column(name, {});
}

const Columns& standard_columns() {
  static const Columns columns = [] {
    Columns list;
    for_each_column([&](auto kind, Column here) {
      if (kind.standard) list.insert(here);
    });
    return list;
  }();
  return columns;
}

Columns parse_columns(const std::vector<std::string>& names) { return parse_columns(names, {}).groups; }

ChosenColumns parse_columns(const std::vector<std::string>& names, const std::vector<std::string>& quantities) {
  ChosenColumns chosen;
  for (const std::string& name : names) {
    if (std::find(quantities.begin(), quantities.end(), name) != quantities.end()) continue;
    if (name == all_standard) {
      chosen.groups.insert(standard_columns());
    } else if (const std::optional<Column> found = find_column(name)) {
      chosen.groups.insert(*found);
    } else {
      refuse_column(name, quantities);
    }
  }
  for (const std::string& quantity : quantities)
    if (std::find(names.begin(), names.end(), quantity) != names.end()) chosen.quantities.push_back(quantity);
  if (!chosen.groups.empty() || !chosen.quantities.empty()) return chosen;
  throw std::invalid_argument(
      fmt::format("no columns are named; choose among {}", fmt::join(valid_columns(quantities), ", ")));
}

std::vector<std::string> column_names(const Columns& columns) {
  std::vector<std::string> names;
  for (const Column one : columns) names.emplace_back(column_groups()[one.place].name);
  return names;
}

std::vector<std::string> column_headers(const Columns& columns) {
  std::vector<std::string> headers{"t[s]"};
  for (const Column one : columns) {
    const ColumnInfo& group = column_groups()[one.place];
    headers.insert(headers.end(), group.headers.begin(), group.headers.end());
  }
  return headers;
}

}  // namespace polhode
