#include "polhode/run/columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "polhode/core/names.hpp"

namespace polhode {

const std::vector<ColumnInfo>& column_groups() {
  static const std::vector<ColumnInfo> groups{
      {Column::attitude_wxyz,
       "attitude_wxyz",
       {"qw", "qx", "qy", "qz"},
       "unit quaternion, scalar first, from body to spatial axes"},
      {Column::angular_velocity_body,
       "angular_velocity_body",
       {"wx_B[rad/s]", "wy_B[rad/s]", "wz_B[rad/s]"},
       "angular velocity in body axes"},
      {Column::angular_momentum_spatial,
       "angular_momentum_spatial",
       {"Lx_S[kg m^2/s]", "Ly_S[kg m^2/s]", "Lz_S[kg m^2/s]"},
       "angular momentum in spatial axes"},
      {Column::energy, "energy", {"E[J]"}, "kinetic plus potential energy"},
      {Column::direction, "direction", {"dx", "dy", "dz"}, "direction of the body's third axis in space"},
      {Column::rotation_increment,
       "rotation_increment",
       {"rotation_increment[rad/step]"},
       "angle of the rotation made in the step before this row"},
      {Column::momentum_along_axis,
       "momentum_along_axis",
       {"momentum_along_axis[kg m^2/s]"},
       "component of the momentum along the body's axis named by the torque"},
      {Column::momentum_along_field,
       "momentum_along_field",
       {"momentum_along_field[kg m^2/s]"},
       "component of the momentum along the spatial direction named by the torque"},
      {Column::euler_321_deg,
       "euler_321_deg",
       {"yaw[deg]", "pitch[deg]", "roll[deg]"},
       "yaw, pitch and roll: turns about z, then the new y, then the new x"},
      {Column::mrp, "mrp", {"mrp_x", "mrp_y", "mrp_z"}, "modified Rodrigues parameters, tan(angle/4) times the axis"}};
  return groups;
}

const Columns& standard_columns() {
  static const Columns columns{Column::attitude_wxyz, Column::angular_velocity_body, Column::angular_momentum_spatial,
                               Column::energy};
  return columns;
}

Columns parse_columns(const std::vector<std::string>& names) {
  std::vector<std::string> valid{"standard"};
  for (const ColumnInfo& group : column_groups()) valid.emplace_back(group.name);
  Columns columns;
  for (const std::string& name : names) {
    if (name == "standard") {
      columns.insert(standard_columns().begin(), standard_columns().end());
      continue;
    }
    const auto& groups = column_groups();
    const auto group = std::find_if(groups.begin(), groups.end(), [&](const ColumnInfo& g) { return g.name == name; });
    if (group != groups.end()) {
      columns.insert(group->column);
      continue;
    }
    const std::string nearest = nearest_name(name, valid);
    throw std::invalid_argument(nearest.empty()
                                    ? fmt::format("no column named '{}'; choose among {}", name, fmt::join(valid, ", "))
                                    : fmt::format("no column named '{}'; nearest: {}", name, nearest));
  }
  if (columns.empty()) {
    throw std::invalid_argument(fmt::format("no columns are named; choose among {}", fmt::join(valid, ", ")));
  }
  return columns;
}

std::vector<std::string> column_names(const Columns& columns) {
  std::vector<std::string> names;
  for (const ColumnInfo& group : column_groups()) {
    if (columns.contains(group.column)) names.emplace_back(group.name);
  }
  return names;
}

std::vector<std::string> column_headers(const Columns& columns) {
  std::vector<std::string> headers{"t[s]"};
  for (const ColumnInfo& group : column_groups()) {
    if (columns.contains(group.column)) headers.insert(headers.end(), group.headers.begin(), group.headers.end());
  }
  return headers;
}

}  // namespace polhode
