// The keys of a scenario file, shared by its reader and its writer.
#pragma once

#include <array>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "polhode/model/setup.hpp"

namespace polhode {

struct AttitudeKey {
  AttitudeData::Kind kind;
  std::string_view name;
  std::size_t size;
  std::string_view wanted;
};
inline constexpr std::array<AttitudeKey, 6> attitude_keys{
    {{AttitudeData::Kind::wxyz, "attitude_wxyz", 4, "a unit quaternion of four numbers, [w, x, y, z]"},
     {AttitudeData::Kind::xyzw, "attitude_xyzw", 4, "a unit quaternion of four numbers, [x, y, z, w]"},
     {AttitudeData::Kind::matrix, "rotation_matrix", 9, "a 3x3 rotation matrix, three rows of three numbers"},
     {AttitudeData::Kind::rotation_vector, "rotation_vector", 3, "three numbers, the axis times the angle in radians"},
     {AttitudeData::Kind::mrp, "mrp", 3, "three numbers, the axis times tan(angle/4)"},
     {AttitudeData::Kind::direction, "direction", 3, "three numbers, the direction of the third axis in space"}}};

struct MotionKey {
  MotionData::Kind kind;
  std::string_view name;
  std::string_view wanted;
};
inline constexpr std::array<MotionKey, 4> motion_keys{
    {{MotionData::Kind::angular_velocity_body, "angular_velocity_body", "three numbers in rad/s, body axes"},
     {MotionData::Kind::angular_velocity_spatial, "angular_velocity_spatial", "three numbers in rad/s, spatial axes"},
     {MotionData::Kind::angular_momentum_body, "angular_momentum_body", "three numbers in kg m^2/s, body axes"},
     {MotionData::Kind::angular_momentum_spatial, "angular_momentum_spatial",
      "three numbers in kg m^2/s, spatial axes"}}};

// The keys of each table, except [torque], whose keys depend on its kind.
const std::map<std::string, std::vector<std::string>>& keys_by_table();

// The unit in which a parameter of a torque is given, "1" where it has none: what stands in brackets at the end of the
// sentence about it, "when it begins [s]".
std::string unit_in(std::string_view meaning);
template <class Key>
std::string unit_of(const Key& key) {
  return is_direction(key.quantity) ? "1" : unit_in(key.meaning);
}

// Calls `visit` with a default-made field of every listed kind.
template <class Visit>
void for_each_field_kind(Visit&& visit) {
  std::apply([&](const auto&... field) { (visit(field), ...); }, FieldKinds<double>{});
}

}  // namespace polhode
