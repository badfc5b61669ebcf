// A field that is the same everywhere in space and pulls one axis of the body its way: the dumbbell's.
#pragma once

#include "polhode/model/fields/key.hpp"

namespace polhode {

// V = -d . g with d = R axis [R08, Sec. 5]. V(R exp(e)) has d_B + e x d_B in place of d_B, so that -dV/de = d_B x
// g_B.
namespace detail {
template <class S, class A, class G>
constexpr Vec3<S> torque_in_field(const Rotation<S>& R_SB, const Vec3<A>& axis_B, const Vec3<G>& g_S) {
  return cross(axis_B, inverse(R_SB) * g_S);
}
template <class S, class A, class G>
constexpr S potential_in_field(const Rotation<S>& R_SB, const Vec3<A>& axis_B, const Vec3<G>& g_S) {
  return -dot(R_SB * axis_B, g_S);
}
}  // namespace detail

// g(t) = field + oscillation cos(angular_frequency t). Energy is conserved when nothing oscillates.
template <class T>
struct UniformField {
  static constexpr std::string_view kind = "uniform-field";
  static constexpr std::string_view about = "a uniform field that pulls an axis of the body its way";

  Vec3<T> field{};                      // [N m]
  Vec3<T> axis_body{T(0), T(0), T(1)};  // unit vector
  Vec3<T> oscillation{};                // [N m]
  T angular_frequency{0};               // [rad/s]

  static constexpr auto keys() {
    return std::tuple{Key{"field", &UniformField::field, Quantity::field_spatial, true, "spatial axes [N m]"},
                      Key{"axis_body", &UniformField::axis_body, Quantity::direction_body, false,
                          "the axis that is pulled, body axes"},
                      Key{"oscillation", &UniformField::oscillation, Quantity::torque_spatial, false,
                          "adds oscillation cos(angular_frequency t) to the field [N m]"},
                      Key{"angular_frequency", &UniformField::angular_frequency, Quantity::rate, false, "[rad/s]"}};
  }

  template <class Report>
  void check(const Report& report) const {
    if (!conserves_energy() && angular_frequency == T(0))
      report("angular_frequency", "is 0, and oscillation is ", oscillation,
             "; give its angular frequency, or add what is constant to the field");
  }

  constexpr bool conserves_energy() const { return oscillation == Vec3<T>{}; }

  // g(t), spatial axes.
  template <class S>
  constexpr Vec3<S> field_at(const S& t) const {
    if (conserves_energy()) return {S(field.x), S(field.y), S(field.z)};
    const S c = cos(S(angular_frequency * t));
    return {field.x + oscillation.x * c, field.y + oscillation.y * c, field.z + oscillation.z * c};
  }

  template <class S>
  constexpr Vec3<S> torque(const Rotation<S>& R_SB, const S& t) const {
    return detail::torque_in_field(R_SB, axis_body, field_at(t));
  }
  template <class S>
  constexpr S potential(const Rotation<S>& R_SB, const S& t) const {
    return detail::potential_in_field(R_SB, axis_body, field_at(t));
  }
};

// The same with g(t) from a callable, on the third axis of the body.
template <class Function>
struct UniformFieldFrom {
  Function function;

  template <class S>
  constexpr Vec3<S> field_at(const S& t) const {
    return function(t);
  }
  template <class S>
  constexpr Vec3<S> torque(const Rotation<S>& R_SB, const S& t) const {
    return detail::torque_in_field(R_SB, Vec3<value_of<S>>{0, 0, 1}, field_at(t));
  }
  template <class S>
  constexpr S potential(const Rotation<S>& R_SB, const S& t) const {
    return detail::potential_in_field(R_SB, Vec3<value_of<S>>{0, 0, 1}, field_at(t));
  }
};
template <class Function>
UniformFieldFrom(Function) -> UniformFieldFrom<Function>;

// A field on the third axis of the body that gives its g(t), or none at all.
template <class F, class T>
concept UniformVectorField = is_free<F> || requires(const F field, const T& t) {
  { field.field_at(t) } -> std::same_as<Vec3<T>>;
};

}  // namespace polhode
