// The columns a result can have. They come in groups (a quaternion is one group of four columns), and always in the
// order of the list below, whatever order they were asked for in; time is always the first column.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace polhode {

enum class Column {
  attitude_wxyz,
  angular_velocity_body,
  angular_momentum_spatial,
  energy,
  direction,
  rotation_increment,
  momentum_along_axis,
  momentum_along_field,
  euler_321_deg,
  mrp
};

using Columns = std::set<Column>;

struct ColumnInfo {
  Column column;
  std::string_view name;
  std::vector<std::string_view> headers;  // with units
  std::string_view about;
};

// Every group, in the order of the enumeration.
const std::vector<ColumnInfo>& column_groups();

// Attitude, velocity, momentum and energy: what a result has unless asked otherwise. On the sphere the direction comes
// with them.
const Columns& standard_columns();

// From the names of groups; "standard" stands for the standard ones. Throws std::invalid_argument with a sentence that
// names what would do.
Columns parse_columns(const std::vector<std::string>& names);
std::vector<std::string> column_names(const Columns& columns);

// "t[s]" and the headers of the groups, one per column of the file.
std::vector<std::string> column_headers(const Columns& columns);

}  // namespace polhode
