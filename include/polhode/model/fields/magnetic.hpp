// A magnet on board, in the field of the planet below.
#pragma once

#include "polhode/model/fields/key.hpp"

namespace polhode {

// A dipole moment m fixed in the body, in a magnetic field B(t) that is the same all over it:
//   tau_B = m_B x B_B,   V = -m_B . B_B,   B_B = R^T B_S(t).
// The field is one of
//   field_spatial                   constant
//   field_spatial, mean_motion      field_spatial at t = 0, turning about orbit_normal_spatial at that rate
//   equatorial_field, mean_motion   that of a planet's dipole along a circular orbit,
//                                   B_S = B_0 (3 (p . r) r - p),
//     r the unit vector to the satellite, which goes from radius_spatial around orbit_normal_spatial at the mean motion; p
//     the direction of the planet's own moment, which goes from pole_spatial around planet_axis_spatial at planet_rate; and
//     B_0 = mu_0 M/(4 pi r^3) the field over the magnetic equator at the radius of the orbit.
// A field that is not constant makes V depend on time.
template <class T>
struct Magnetic {
  static constexpr std::string_view kind = "magnetic";
  static constexpr bool is_large = true;
  static constexpr std::string_view about =
      "a magnetic dipole in a field: constant, turning, or a planet's along an orbit";

  Vec3<T> dipole_body{};                          // m [A m^2]
  std::optional<Vec3<T>> field_spatial{};         // [T]
  std::optional<T> equatorial_field{};            // B_0 [T]
  std::optional<T> mean_motion{};                 // [rad/s]
  std::optional<Vec3<T>> orbit_normal_spatial{};  // unit vector; e3 where it is not given
  std::optional<Vec3<T>> radius_spatial{};        // r at t = 0, unit vector; e1
  std::optional<Vec3<T>> pole_spatial{};          // p at t = 0, unit vector; -e3, as the Earth's moment points south
  std::optional<T> planet_rate{};                 // [rad/s]; 0
  std::optional<Vec3<T>> planet_axis_spatial{};   // unit vector; e3

  static constexpr auto keys() {
    return std::tuple{
        Key{"dipole_body", &Magnetic::dipole_body, Quantity::dipole_body, true, "dipole moment, body axes [A m^2]"},
        Key{"field_spatial", &Magnetic::field_spatial, Quantity::magnetic_field, false,
            "magnetic field, spatial axes; with mean_motion that at time 0 [T]"},
        Key{"equatorial_field", &Magnetic::equatorial_field, Quantity::number, false,
            "of a planet's dipole, on its magnetic equator at the radius of the orbit [T]"},
        Key{"mean_motion", &Magnetic::mean_motion, Quantity::rate, false,
            "angular velocity of the satellite on its orbit, or of field_spatial [rad/s]"},
        Key{"orbit_normal_spatial", &Magnetic::orbit_normal_spatial, Quantity::direction_spatial, false,
            "the axis about which satellite or field goes around, spatial axes; [0, 0, 1] where it is not given"},
        Key{"radius_spatial", &Magnetic::radius_spatial, Quantity::direction_spatial, false,
            "from the planet to the satellite at time 0, spatial axes; [1, 0, 0] where it is not given"},
        Key{"pole_spatial", &Magnetic::pole_spatial, Quantity::direction_spatial, false,
            "direction of the planet's dipole moment at time 0, spatial axes; [0, 0, -1] where it is not given"},
        Key{"planet_rate", &Magnetic::planet_rate, Quantity::rate, false,
            "at which the planet turns its dipole about planet_axis_spatial [rad/s]; 0 where it is not given"},
        Key{"planet_axis_spatial", &Magnetic::planet_axis_spatial, Quantity::direction_spatial, false,
            "axis of the planet's rotation, spatial axes; [0, 0, 1] where it is not given"}};
  }

  template <class Report>
  void check(const Report& report) const {
    if (field_spatial && equatorial_field)
      return report("equatorial_field", "excludes field_spatial; keep one of them");
    if (!field_spatial && !equatorial_field)
      return report("field_spatial", "is missing; give it [T], or equatorial_field for a planet's along an orbit");
    if (mean_motion && !(*mean_motion > T(0)))
      return report("mean_motion", *mean_motion,
                    " must be positive; orbit_normal_spatial sets which way it goes around");
    if (orbit_normal_spatial && !mean_motion)
      return report("orbit_normal_spatial", "is of no use without mean_motion; give that [rad/s], or leave it out");
    if (equatorial_field) {
      check_orbit(report);
    } else {
      constexpr std::string_view without = "is of no use without equatorial_field; leave it out";
      if (radius_spatial) return report("radius_spatial", without);
      if (pole_spatial) return report("pole_spatial", without);
      if (planet_rate) return report("planet_rate", without);
      if (planet_axis_spatial) return report("planet_axis_spatial", without);
    }
  }

  // The largest that can be: over a pole the field is twice that over the equator.
  T largest_torque() const {
    return norm(dipole_body) * (field_spatial ? norm(*field_spatial) : T(2) * T(abs(equatorial_field.value_or(T(0)))));
  }

  // The radius is freed of what rounding left along the normal.
  constexpr void acts_on(const Body<T>&) {
    if (!radius_spatial) return;
    const Vec3<T> normal = orbit_normal(), in_plane = *radius_spatial - dot(*radius_spatial, normal) * normal;
    radius_spatial = in_plane / norm(in_plane);
  }

  constexpr bool conserves_energy() const { return !mean_motion; }

  // B(t), spatial axes.
  template <class S>
  constexpr Vec3<S> field_at(const S& t) const {
    if (equatorial_field) {
      const Vec3<S> r = turned(radius_spatial.value_or(Vec3<T>{T(1), T(0), T(0)}), orbit_normal(), mean_motion, t);
      const Vec3<S> p = turned(pole_spatial.value_or(Vec3<T>{T(0), T(0), T(-1)}),
                               planet_axis_spatial.value_or(third_axis_S()), planet_rate, t);
      const S along = T(3) * dot(p, r);
      const T& B_0 = *equatorial_field;
      return {B_0 * (along * r.x - p.x), B_0 * (along * r.y - p.y), B_0 * (along * r.z - p.z)};
    }
    return turned(field_spatial.value_or(Vec3<T>{}), orbit_normal(), mean_motion, t);
  }

  template <class S>
  constexpr Vec3<S> torque(const Rotation<S>& R_SB, const S& t) const {
    return cross(dipole_body, inverse(R_SB) * field_at(t));
  }
  template <class S>
  constexpr S potential(const Rotation<S>& R_SB, const S& t) const {
    return -dot(R_SB * dipole_body, field_at(t));
  }

 private:
  static constexpr Vec3<T> third_axis_S() { return {T(0), T(0), T(1)}; }
  constexpr Vec3<T> orbit_normal() const { return orbit_normal_spatial.value_or(third_axis_S()); }

  // v after a turn about the unit vector `axis` by rate t: Rodrigues' formula.
  template <class S>
  static constexpr Vec3<S> turned(const Vec3<T>& v, const Vec3<T>& axis, const std::optional<T>& rate, const S& t) {
    if (!rate) return {S(v.x), S(v.y), S(v.z)};
    const Vec3<T> along = dot(axis, v) * axis, across = v - along, ahead = cross(axis, v);
    const S phase = *rate * t, c = cos(phase), s = sin(phase);
    return {along.x + (c * across.x + s * ahead.x), along.y + (c * across.y + s * ahead.y),
            along.z + (c * across.z + s * ahead.z)};
  }

  template <class Report>
  void check_orbit(const Report& report) const {
    if (!(*equatorial_field > T(0)))
      return report("equatorial_field", *equatorial_field, " must be positive; pole_spatial sets which way it points");
    if (!mean_motion) return report("mean_motion", "is missing; a field along an orbit needs it [rad/s]");
    if (planet_axis_spatial && !planet_rate)
      return report("planet_axis_spatial", "is of no use without planet_rate; give that [rad/s], or leave it out");
    const auto scaled = [](const Vec3<T>& v) { return v / T(max(abs(v.x), max(abs(v.y), abs(v.z)))); };
    const Vec3<T> a = scaled(orbit_normal()), b = scaled(radius_spatial.value_or(Vec3<T>{T(1), T(0), T(0)}));
    const T cosine = dot(a, b) / (norm(a) * norm(b)), tolerance(1e-6);
    if (!(abs(cosine) <= tolerance))
      report("radius_spatial", b,
             " is not in the plane of the orbit: the cosine of its angle with orbit_normal_spatial ", a, " is ", cosine,
             ", and must be 0 to within ", tolerance, "; give the two at right angles");
  }
};

}  // namespace polhode
