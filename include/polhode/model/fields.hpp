// The fields that come with the library. Each is generic in the scalar it is evaluated on, and describes its own keys:
// the scenario reader, the documentation and the rescaling of units read them from here.
#pragma once

#include <string_view>
#include <tuple>

#include "polhode/model/field.hpp"

namespace polhode {

// What a parameter is: decides how it is checked, turned into principal axes and rescaled with the units.
enum class Quantity { torque, torque_body, torque_spatial, direction_body, direction_spatial };

template <class Field, class Member>
struct Key {
  std::string_view name;
  Member Field::*member;
  Quantity quantity;
  bool required;
  std::string_view meaning;
};
template <class Field, class Member>
Key(std::string_view, Member Field::*, Quantity, bool, std::string_view) -> Key<Field, Member>;

// A body with a fixed point in uniform gravity: V = m g l (R axis) . up.
template <class T>
struct HeavyTop {
  static constexpr std::string_view kind = "heavy-top";
  static constexpr std::string_view about = "gravity on a body with a fixed point";

  T weight_times_arm{1};                 // m g l [N m]
  Vec3<T> axis_body{T(0), T(0), T(1)};   // unit vector from the fixed point to the centre of mass
  Vec3<T> up_spatial{T(0), T(0), T(1)};  // unit vector

  static constexpr auto keys() {
    return std::tuple{
        Key{"weight_times_arm", &HeavyTop::weight_times_arm, Quantity::torque, true,
            "weight times the distance of the centre of mass from the fixed point [N m]"},
        Key{"axis_body", &HeavyTop::axis_body, Quantity::direction_body, false,
            "from the fixed point to the centre of mass, body axes"},
        Key{"up_spatial", &HeavyTop::up_spatial, Quantity::direction_spatial, false, "against gravity, spatial axes"}};
  }

  // V(R exp(d)) = m g l (R^T up) . (axis + d x axis), so that -dV/dd = m g l (R^T up) x axis.
  template <class S>
  Vec3<S> torque(const Rotation<S>& R_SB, const S&) const {
    const Vec3<S> up_B = inverse(R_SB) * up_spatial;
    const Vec3<S> direction = cross(up_B, axis_body);
    return {weight_times_arm * direction.x, weight_times_arm * direction.y, weight_times_arm * direction.z};
  }
  template <class S>
  S potential(const Rotation<S>& R_SB) const {
    return weight_times_arm * dot(R_SB * axis_body, up_spatial);
  }
};

// A torque fixed in space. It has no potential: a full turn about its axis does work.
template <class T>
struct ConstantSpatial {
  static constexpr std::string_view kind = "constant-spatial";
  static constexpr std::string_view about = "a torque fixed in space";

  Vec3<T> torque_S{};

  static constexpr auto keys() {
    return std::tuple{
        Key{"torque", &ConstantSpatial::torque_S, Quantity::torque_spatial, true, "the torque in spatial axes [N m]"}};
  }

  template <class S>
  Vec3<S> torque(const Rotation<S>& R_SB, const S&) const {
    return inverse(R_SB) * torque_S;
  }
};

// A torque fixed in the body: a thruster.
template <class T>
struct ConstantBody {
  static constexpr std::string_view kind = "constant-body";
  static constexpr std::string_view about = "a torque fixed in the body";

  Vec3<T> torque_B{};

  static constexpr auto keys() {
    return std::tuple{
        Key{"torque", &ConstantBody::torque_B, Quantity::torque_body, true, "the torque in body axes [N m]"}};
  }

  template <class S>
  Vec3<S> torque(const Rotation<S>&, const S&) const {
    return {S(torque_B.x), S(torque_B.y), S(torque_B.z)};
  }
};

}  // namespace polhode
