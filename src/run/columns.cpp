#include "polhode/run/columns.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "polhode/core/names.hpp"
#include "run/column_list.hpp"

namespace polhode {
namespace {

constexpr std::string_view all_standard = "standard";

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
  std::vector<std::string> valid{std::string(all_standard)};
  for (std::size_t place = 0; place < column_groups().size(); ++place) {
    if (column_groups()[place].name == name) return {place};
    valid.emplace_back(column_groups()[place].name);
  }
  const std::string nearest = nearest_name(name, valid);
  throw std::invalid_argument(nearest.empty()
                                  ? fmt::format("no column named '{}'; choose among {}", name, fmt::join(valid, ", "))
                                  : fmt::format("no column named '{}'; nearest: {}", name, nearest));
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

Columns parse_columns(const std::vector<std::string>& names) {
  Columns columns;
  for (const std::string& name : names) {
    if (name == all_standard) {
      columns.insert(standard_columns().begin(), standard_columns().end());
    } else {
      columns.insert(column(name));
    }
  }
  if (!columns.empty()) return columns;
  std::vector<std::string_view> valid{all_standard};
  for (const ColumnInfo& group : column_groups()) valid.push_back(group.name);
  throw std::invalid_argument(fmt::format("no columns are named; choose among {}", fmt::join(valid, ", ")));
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
