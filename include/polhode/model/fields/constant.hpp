// Torques that do not change: fixed in space, fixed in the body.
#pragma once

#include "polhode/model/fields/key.hpp"

namespace polhode {

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

  template <class Report>
  void check(const Report&) const {}

  template <class S>
  constexpr Vec3<S> torque(const Rotation<S>& R_SB, const S&) const {
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

  template <class Report>
  void check(const Report&) const {}

  template <class S>
  constexpr Vec3<S> torque(const Rotation<S>&, const S&) const {
    return {S(torque_B.x), S(torque_B.y), S(torque_B.z)};
  }
};

}  // namespace polhode
