// Gravity's gradient across a satellite.
#pragma once

#include "polhode/core/angle_series.hpp"
#include "polhode/model/fields/key.hpp"

namespace polhode {

// The gradient of a planet's gravity across a satellite on a circular orbit with mean motion n [H86]. With r the unit
// vector from the planet to the satellite,
//   tau_B = 3 n^2 r_B x I r_B,   V = 3/2 n^2 r_B . I r_B
// up to a part of V that is the same in every attitude. V depends on time. The energy E is not conserved, but with N
// the normal of the orbit E - n N . l_S is: the energy in the frame that turns with the orbit.
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

  template <class Report>
  void check(const Report& report) const {
    if (!(mean_motion > T(0)))
      return report("mean_motion", mean_motion,
                    " must be positive; orbit_normal_spatial sets which way the satellite goes around");
    // Scaled first, so that no square overflows.
    const auto scaled = [](const Vec3<T>& v) { return v / T(max(abs(v.x), max(abs(v.y), abs(v.z)))); };
    const Vec3<T> a = scaled(orbit_normal_spatial), b = scaled(radius_spatial);
    const T cosine = dot(a, b) / (norm(a) * norm(b));
    const T tolerance(1e-6);
    if (!(abs(cosine) <= tolerance))
      report("radius_spatial", radius_spatial,
             " is not in the plane of the orbit: the cosine of its angle with orbit_normal_spatial ",
             orbit_normal_spatial, " is ", cosine, ", and must be 0 to within ", tolerance,
             "; give the two at right angles");
  }

  // A scenario states the moments once, for the body. The radius is freed of what rounding left along the normal.
  constexpr void acts_on(const Body<T>& body) {
    inertia = body.inertia;
    const Vec3<T> in_plane = radius_spatial - dot(radius_spatial, orbit_normal_spatial) * orbit_normal_spatial;
    radius_spatial = in_plane / norm(in_plane);
  }

  template <class S>
  constexpr Vec3<S> radius_body(const Rotation<S>& R_SB, const S& t) const {
    const Vec3<T> along_spatial = cross(orbit_normal_spatial, radius_spatial);
    const auto [c, s] = cos_and_sin(S(mean_motion * t));
    return inverse(R_SB) * Vec3<S>{c * radius_spatial.x + s * along_spatial.x,
                                   c * radius_spatial.y + s * along_spatial.y,
                                   c * radius_spatial.z + s * along_spatial.z};
  }

  // V(R exp(d)) has r_B - d x r_B in place of r_B, so that -dV/dd = 3 n^2 r_B x I r_B; its first component is
  // 3 n^2 (I_3 - I_2) r_2 r_3, and so on around.
  template <class S>
  constexpr Vec3<S> torque(const Rotation<S>& R_SB, const S& t) const {
    const Vec3<S> r_B = radius_body(R_SB, t);
    const T strength = T(3) * mean_motion * mean_motion;
    return {T(strength * (inertia.z - inertia.y)) * (r_B.y * r_B.z),
            T(strength * (inertia.x - inertia.z)) * (r_B.z * r_B.x),
            T(strength * (inertia.y - inertia.x)) * (r_B.x * r_B.y)};
  }
  template <class S>
  constexpr S potential(const Rotation<S>& R_SB, const S& t) const {
    const Vec3<S> r_B = radius_body(R_SB, t);
    return T(T(1.5) * mean_motion * mean_motion) * dot(times(inertia, r_B), r_B);
  }
};

}  // namespace polhode
