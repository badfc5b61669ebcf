// Gravity on a body with a fixed point.
#pragma once

#include "polhode/core/inlined.hpp"
#include "polhode/model/fields/key.hpp"

namespace polhode {

// A body with a fixed point in uniform gravity: V = m g l (R axis) . up.
template <class T>
struct HeavyTop {
  static constexpr std::string_view kind = "heavy-top";
  static constexpr std::string_view about = "gravity on a body with a fixed point";
  static constexpr bool weighs_on_axis = true;

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

  template <class Report>
  void check(const Report&) const {}

  // V(R exp(d)) = m g l (R^T up) . (axis + d x axis), so that -dV/dd = m g l (R^T up) x axis.
  template <class S>
  POLHODE_INLINED constexpr Vec3<S> torque(const Rotation<S>& R_SB, const S&) const {
    const Vec3<S> up_B = inverse(R_SB) * up_spatial;
    const Vec3<S> direction = cross(up_B, axis_body);
    return {weight_times_arm * direction.x, weight_times_arm * direction.y, weight_times_arm * direction.z};
  }
  template <class S>
  constexpr S potential(const Rotation<S>& R_SB) const {
    return weight_times_arm * dot(R_SB * axis_body, up_spatial);
  }
};

}  // namespace polhode
