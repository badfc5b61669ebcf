// A body in a Coulomb potential with a soft wall.
#pragma once

#include "polhode/model/fields/key.hpp"

namespace polhode {

// Third axis d = R e3, at the distance r = 1.1 + d_3 from a charge [KE05, Sec. 3.6]:
//   V = k s (-1/r + 0.001 r^-10),   tau_S = k s (r^-2 - 0.01 r^-11) e3 x d.
// s = 1 is what the paper describes: the charge attracts, and a wall repels near r = 0.1, the closest there is. s = -1
// is what it prints. The paper has no units; its strength k is 1.
template <class T>
struct Coulomb {
  static constexpr std::string_view kind = "coulomb";
  static constexpr std::string_view about = "a Coulomb potential with a soft wall";

  T sign{1};
  T strength{1};                        // k [J]
  Vec3<T> axis_body{T(0), T(0), T(1)};  // the third axis of the scenario in principal axes, by acts_on()

  static constexpr auto keys() {
    return std::tuple{
        Key{"sign", &Coulomb::sign, Quantity::number, true, "1: attraction and a repulsive wall; -1: the reverse"},
        Key{"strength", &Coulomb::strength, Quantity::torque, false, "1/r at distance 1 [J]"}};
  }

  template <class Report>
  void check(const Report& report) const {
    if (abs(sign) != T(1))
      return report("sign", sign,
                    " must be 1 (attraction and a repulsive wall, as the paper describes) or -1 (the reverse, as it "
                    "prints); the key strength sets how strong the field is");
    if (!(strength > T(0))) report("strength", strength, " must be positive; the papers have 1");
  }

  constexpr void acts_on(const Body<T>& body) { axis_body = inverse(body.principal_axes) * Vec3<T>{T(0), T(0), T(1)}; }

  // V(R exp(d)) has the third component up_B . (axis + d x axis), up_B = R^T e3, so that -dV/dd = V'(r) up_B x axis.
  template <class S>
  constexpr Vec3<S> torque(const Rotation<S>& R_SB, const S&) const {
    const Vec3<S> up_B = inverse(R_SB) * Vec3<T>{T(0), T(0), T(1)};
    const S u = T(1) / S(distance(dot(up_B, axis_body)));
    const S u2 = u * u, u4 = u2 * u2;
    const S slope = T(sign * strength) * (u2 * (T(1) - T(T(1) / T(100)) * (u4 * u4 * u)));
    const Vec3<S> direction = cross(up_B, axis_body);
    return {slope * direction.x, slope * direction.y, slope * direction.z};
  }
  template <class S>
  constexpr S potential(const Rotation<S>& R_SB) const {
    const S u = T(1) / S(distance(S((R_SB * axis_body).z)));
    const S u2 = u * u, u4 = u2 * u2;
    return T(sign * strength) * (T(T(1) / T(1000)) * (u4 * u4 * u2) - u);
  }

 private:
  template <class S>
  static constexpr S distance(const S& height) {
    return T(T(11) / T(10)) + height;
  }
};

}  // namespace polhode
