// Forces on the two point masses of a dumbbell, whose centre of mass is fixed.
#pragma once

#include "polhode/core/dual.hpp"
#include "polhode/model/fields/key.hpp"

namespace polhode {

// Masses m1 and m2 at the ends of a bar of length b [R08, Sec. 5]. With d = R axis, which points from the centre of mass
// to m1, they are at x_i = a_i d, a_1 = b m2/(m1 + m2), a_2 = -b m1/(m1 + m2), and the moment about axes across the bar is
// m1 m2 b^2/(m1 + m2). The paper lets the potential of the forces be any function of d, and takes V = -d . g. Here each
// mass has a constant force f_i, and both are attracted by a point c of gravitational parameter mu:
//   V(d) = -sum a_i d . f_i - sum mu m_i/|x_i - c|.
// The forces alone are the paper's g = b (m2 f_1 - m1 f_2)/(m1 + m2). A force field that is the same per mass, as gravity,
// turns nothing.
template <class T>
struct TwoMasses {
  static constexpr std::string_view kind = "two-masses";
  static constexpr std::string_view about =
      "forces on two point masses at the ends of a bar, or a point that attracts them";

  T mass_1{1}, mass_2{1};               // [kg]
  T length{1};                          // b [m]
  Vec3<T> axis_body{T(0), T(0), T(1)};  // unit vector from the centre of mass to mass 1
  Vec3<T> force_1{}, force_2{};         // spatial axes [N]
  T attraction{0};                      // mu [m^3/s^2]
  Vec3<T> centre{};                     // c, from the centre of mass, spatial axes [m]

  static constexpr auto keys() {
    return std::tuple{
        Key{"mass_1", &TwoMasses::mass_1, Quantity::mass, true, "[kg]"},
        Key{"mass_2", &TwoMasses::mass_2, Quantity::mass, true, "[kg]"},
        Key{"length", &TwoMasses::length, Quantity::length, true,
            "distance b of the masses [m]; across the bar the body's moment is mass_1 mass_2 b^2/(mass_1 + mass_2)"},
        Key{"axis_body", &TwoMasses::axis_body, Quantity::direction_body, false,
            "from the centre of mass to mass 1, body axes"},
        Key{"force_1", &TwoMasses::force_1, Quantity::torque_spatial, false, "on mass 1, spatial axes [N]"},
        Key{"force_2", &TwoMasses::force_2, Quantity::torque_spatial, false, "on mass 2, spatial axes [N]"},
        Key{"attraction", &TwoMasses::attraction, Quantity::gravity, false,
            "gravitational parameter of a point that attracts both masses [m^3/s^2]"},
        Key{"centre", &TwoMasses::centre, Quantity::position_spatial, false,
            "where that point is, from the centre of mass, spatial axes [m]"}};
  }

  template <class Report>
  void check(const Report& report) const {
    if (!(mass_1 > T(0))) return report("mass_1", mass_1, " must be positive");
    if (!(mass_2 > T(0))) return report("mass_2", mass_2, " must be positive");
    if (!(length > T(0))) return report("length", length, " must be positive; axis_body sets which way mass 1 is");
    if (!(attraction >= T(0)))
      return report("attraction", attraction, " must not be negative: a point of gravity attracts");
    if (attraction > T(0) && centre == Vec3<T>{})
      report("centre", "is the centre of mass itself, about which attraction turns nothing; give another point");
  }

  // About axes across the bar: what the body's moments there must be, if it is this dumbbell and nothing else.
  constexpr T moment() const { return mass_1 * mass_2 / (mass_1 + mass_2) * length * length; }

  // With d_B + e x d_B in place of d_B, -dV/de = d_B x sum a_i F_i. The part of gravity along d does no work, and what is
  // left of F_i is f_i + mu m_i c/|x_i - c|^3.
  template <class S>
  constexpr Vec3<S> torque(const Rotation<S>& R_SB, const S&) const {
    const Vec3<T> pull = arm(0) * force_1 + arm(1) * force_2;
    Vec3<S> sum_S{S(pull.x), S(pull.y), S(pull.z)};
    if (attraction != T(0)) {
      const Vec3<S> d_S = R_SB * axis_body;
      for (std::size_t i = 0; i < 2; ++i) {
        const S u = inverse_distance(d_S, i), share = T(arm(i) * attraction * mass(i)) * (u * u * u);
        sum_S += Vec3<S>{share * centre.x, share * centre.y, share * centre.z};
      }
    }
    return cross(axis_body, inverse(R_SB) * sum_S);
  }
  template <class S>
  constexpr S potential(const Rotation<S>& R_SB) const {
    const Vec3<S> d_S = R_SB * axis_body;
    S sum = -dot(d_S, Vec3<T>(arm(0) * force_1 + arm(1) * force_2));
    if (attraction != T(0))
      for (std::size_t i = 0; i < 2; ++i) sum = sum - T(attraction * mass(i)) * inverse_distance(d_S, i);
    return sum;
  }

 private:
  constexpr T mass(std::size_t i) const { return i == 0 ? mass_1 : mass_2; }
  // a_i
  constexpr T arm(std::size_t i) const { return (i == 0 ? mass_2 : -mass_1) / (mass_1 + mass_2) * length; }

  template <class S>
  constexpr S inverse_distance(const Vec3<S>& d_S, std::size_t i) const {
    const T a = arm(i);
    const Vec3<S> away{a * d_S.x - centre.x, a * d_S.y - centre.y, a * d_S.z - centre.z};
    return T(1) / S(sqrt(S(squared_norm(away))));
  }
};

// Any potential V(d) of the direction d = R e3, as a callable: the torque is its gradient's, by dual numbers.
template <class Potential>
struct DirectionPotential {
  Potential V;

  template <class S>
  constexpr Vec3<S> torque(const Rotation<S>& R_SB, const S&) const {
    using D = Dual<S, 3>;
    Vec3<D> d = cast<D>(Vec3<S>(R_SB * third<S>()));
    for (std::size_t k = 0; k < 3; ++k) d[k].d[k] = S(1);
    const D value = V(d);
    return cross(third<S>(), inverse(R_SB) * Vec3<S>{-value.d[0], -value.d[1], -value.d[2]});
  }
  template <class S>
  constexpr S potential(const Rotation<S>& R_SB) const {
    return V(Vec3<S>(R_SB * third<S>()));
  }

 private:
  template <class S>
  static constexpr Vec3<value_of<S>> third() {
    return {0, 0, 1};
  }
};
template <class Potential>
DirectionPotential(Potential) -> DirectionPotential<Potential>;

}  // namespace polhode
