// Fields of forces on bodies that move in space (moving_body.hpp), each by the forces on points a_B of the body. A force
// f_S at such a point is the force R^T f_S and the torque a_B x R^T f_S in body axes.
#pragma once

#include <array>
#include <cstddef>

#include "polhode/model/moving_body.hpp"

namespace polhode {

// A spring from a point of the body to one in space: V = k (|d| - length)^2 / 2 with d = y_SB a_B - anchor_S. Without a
// length of its own it is smooth everywhere.
template <class T>
struct Spring {
  T stiffness{};
  Vec3<T> point_B{}, anchor_S{};
  T length{};

  template <class S>
  constexpr Cotwist<S> wrench(const RigidMotion<S>& y_SB, const S&) const {
    const Vec3<S> d_S = stretch(y_SB);
    const S pull = length == T(0) ? S(stiffness) : S(stiffness) - S(stiffness * length) / norm(d_S);
    const Vec3<S> f_B = inverse(y_SB.rotation) * (-pull * d_S);
    return {cross(cast<S>(point_B), f_B), f_B};
  }
  template <class S>
  constexpr S potential(const RigidMotion<S>& y_SB) const {
    const Vec3<S> d_S = stretch(y_SB);
    if (length == T(0)) return S(T(0.5) * stiffness) * squared_norm(d_S);
    const S longer = norm(d_S) - S(length);
    return S(T(0.5) * stiffness) * longer * longer;
  }

 private:
  template <class S>
  constexpr Vec3<S> stretch(const RigidMotion<S>& y_SB) const {
    return y_SB * cast<S>(point_B) - cast<S>(anchor_S);
  }
};

// A body of N point masses in the gravity of one at the origin of space: V = -sum_i gm m_i / |y_SB a_i|.
template <class T, std::size_t N>
struct CentralGravity {
  struct PointMass {
    T mass{};
    Vec3<T> place_B{};
  };
  T gm{};  // gravitational parameter of the centre [m^3/s^2]
  std::array<PointMass, N> masses{};

  template <class S>
  constexpr Cotwist<S> wrench(const RigidMotion<S>& y_SB, const S&) const {
    const Rotation<S> R_BS = inverse(y_SB.rotation);
    Cotwist<S> sum{};
    for (const PointMass& m : masses) {
      const Vec3<S> a_B = cast<S>(m.place_B), x_S = y_SB * a_B;
      const S square = squared_norm(x_S);
      const Vec3<S> f_B = R_BS * (S(-gm * m.mass) / (square * sqrt(square)) * x_S);
      sum = sum + Cotwist<S>{cross(a_B, f_B), f_B};
    }
    return sum;
  }
  template <class S>
  constexpr S potential(const RigidMotion<S>& y_SB) const {
    S sum(0);
    for (const PointMass& m : masses) sum = sum - S(gm * m.mass) / norm(y_SB * cast<S>(m.place_B));
    return sum;
  }
};

// Weight and buoyancy of a body in a fluid, along up_S: V = weight (up . y_SB centre_of_mass) - buoyancy (up . y_SB
// centre_of_volume).
template <class T>
struct WeightAndBuoyancy {
  T weight{}, buoyancy{};  // [N]
  Vec3<T> centre_of_mass_B{}, centre_of_volume_B{};
  Vec3<T> up_S{T(0), T(0), T(1)};

  template <class S>
  constexpr Cotwist<S> wrench(const RigidMotion<S>& y_SB, const S&) const {
    const Vec3<S> up_B = inverse(y_SB.rotation) * cast<S>(up_S);
    return {cross(cast<S>(buoyancy * centre_of_volume_B - weight * centre_of_mass_B), up_B),
            S(buoyancy - weight) * up_B};
  }
  template <class S>
  constexpr S potential(const RigidMotion<S>& y_SB) const {
    const Vec3<S> up = cast<S>(up_S);
    return S(weight) * dot(up, y_SB * cast<S>(centre_of_mass_B)) -
           S(buoyancy) * dot(up, y_SB * cast<S>(centre_of_volume_B));
  }
};

}  // namespace polhode
