// The fields that come with the library. Each is generic in the scalar it is evaluated on, and describes its own keys:
// the scenario reader, the documentation and the rescaling of units read them from here.
#pragma once

#include <string_view>
#include <tuple>

#include "polhode/model/field.hpp"

namespace polhode {

// What a parameter is: decides how it is checked, turned into principal axes and rescaled with the units.
enum class Quantity { torque, torque_body, torque_spatial, direction_body, direction_spatial, rate };

constexpr bool is_direction(Quantity quantity) {
  return quantity == Quantity::direction_body || quantity == Quantity::direction_spatial;
}

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

// The gradient of a planet's gravity across a satellite on a circular orbit with mean motion n [H86]. With r the unit
// vector from the planet to the satellite,
//   tau_B = 3 n^2 r_B x I r_B,   V = 3/2 n^2 r_B . I r_B
// up to a part of V that is the same in every attitude. V depends on time. The energy E is not conserved, but with N the
// normal of the orbit E - n N . l_S is: the energy in the frame that turns with the orbit.
template <class T>
struct GravityGradient {
  static constexpr std::string_view kind = "gravity-gradient";
  static constexpr std::string_view about = "gravity's gradient across a satellite on a circular orbit";

  T mean_motion{1};                                // n [rad/s]
  Vec3<T> orbit_normal_spatial{T(0), T(0), T(1)};  // N, unit vector: the satellite goes around it by the right hand
  Vec3<T> radius_spatial{T(1), T(0), T(0)};        // r at t = 0, unit vector in the plane of the orbit
  Vec3<T> inertia{T(1), T(1), T(1)};               // the body's moments, by acts_on()

  static constexpr auto keys() {
    return std::tuple{Key{"mean_motion", &GravityGradient::mean_motion, Quantity::rate, true,
                          "angular velocity of the satellite on its orbit [rad/s]"},
                      Key{"orbit_normal_spatial", &GravityGradient::orbit_normal_spatial, Quantity::direction_spatial,
                          false, "the axis about which the satellite goes around, spatial axes"},
                      Key{"radius_spatial", &GravityGradient::radius_spatial, Quantity::direction_spatial, false,
                          "from the planet to the satellite at time 0, spatial axes"}};
  }

  // A scenario states the moments once, for the body. The radius is freed of what rounding left along the normal.
  void acts_on(const Body<T>& body) {
    inertia = body.inertia;
    const Vec3<T> in_plane = radius_spatial - dot(radius_spatial, orbit_normal_spatial) * orbit_normal_spatial;
    radius_spatial = in_plane / norm(in_plane);
  }

  template <class S>
  Vec3<S> radius_body(const Rotation<S>& R_SB, const S& t) const {
    const Vec3<T> along_spatial = cross(orbit_normal_spatial, radius_spatial);
    const S phase = mean_motion * t, c = cos(phase), s = sin(phase);
    return inverse(R_SB) * Vec3<S>{c * radius_spatial.x + s * along_spatial.x,
                                   c * radius_spatial.y + s * along_spatial.y,
                                   c * radius_spatial.z + s * along_spatial.z};
  }

  // V(R exp(d)) has r_B - d x r_B in the place of r_B, so that -dV/dd = 3 n^2 r_B x I r_B; its first component is
  // 3 n^2 (I_3 - I_2) r_2 r_3, and so on around.
  template <class S>
  Vec3<S> torque(const Rotation<S>& R_SB, const S& t) const {
    const Vec3<S> r_B = radius_body(R_SB, t);
    const T strength = T(3) * mean_motion * mean_motion;
    return {T(strength * (inertia.z - inertia.y)) * (r_B.y * r_B.z),
            T(strength * (inertia.x - inertia.z)) * (r_B.z * r_B.x),
            T(strength * (inertia.y - inertia.x)) * (r_B.x * r_B.y)};
  }
  template <class S>
  S potential(const Rotation<S>& R_SB, const S& t) const {
    const Vec3<S> r_B = radius_body(R_SB, t);
    return T(T(1.5) * mean_motion * mean_motion) * dot(times(inertia, r_B), r_B);
  }
};

}  // namespace polhode
