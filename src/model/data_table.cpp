#include "polhode/model/data_table.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/list_text.hpp"

namespace polhode {

std::string why_no_table(const DataTable& table) {
  const auto& columns = table.columns;
  const DataTable::Column* time = table.find("t");
  if (time == nullptr) return "has no column t; give the time [s] in a column of that name";
  if (!time->unit.empty() && time->unit != "s")
    return fmt::format("has the time in '{}'; give it in seconds, as t or t[s]", time->unit);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const DataTable::Column& column = columns[i];
    if (column.name.empty()) return fmt::format("has no name for column {}; name every column", i + 1);
    if (table.find(column.name) != &column)
      return fmt::format("has two columns '{}'; name one differently", column.name);
    if (column.values.size() != time->values.size())
      return fmt::format("has {} values of {} and {} of t; give as many of each", column.values.size(), column.name,
                         time->values.size());
    for (std::size_t row = 0; row < column.values.size(); ++row)
      if (!std::isfinite(column.values[row]))
        return fmt::format("has {} = {} in row {}, which is not finite", column.name, column.values[row], row + 1);
  }
  if (table.rows() < 2) return fmt::format("has {} of the 2 rows that a function of time takes at least", table.rows());
  if (columns.size() * table.rows() > DataTable::most_cells)
    return fmt::format("has {} numbers, more than {}; leave out rows", columns.size() * table.rows(),
                       DataTable::most_cells);
  for (std::size_t row = 1; row < table.rows(); ++row)
    if (!(time->values[row - 1] < time->values[row]))
      return fmt::format("has t = {} after t = {} in row {}; let the time increase from row to row", time->values[row],
                         time->values[row - 1], row + 1);
  return {};
}

DataTable::Column column_named(std::string_view header) {
  std::string_view name = trimmed(header), unit;
  if (const std::size_t bracket = name.find('['); bracket != name.npos && name.ends_with(']')) {
    unit = trimmed(name.substr(bracket + 1, name.size() - bracket - 2));
    name = trimmed(name.substr(0, bracket));
  }
  return {std::string(name), {}, std::string(unit)};
}

std::string header_of(const DataTable::Column& column) {
  return column.unit.empty() ? column.name : fmt::format("{}[{}]", column.name, column.unit);
}

}  // namespace polhode
