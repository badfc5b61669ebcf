// What can be seen of a state: in SI units and in the user's body axes.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "model/motion_inputs.hpp"
#include "polhode/core/sphere.hpp"
#include "polhode/measure/energy.hpp"
#include "polhode/model/setup.hpp"
#include "polhode/run/result.hpp"

namespace polhode {

// The first direction of this sort among the parameters of the torques, if any names one. A field that does not vanish
// is a direction too.
template <class T, class Torque>
std::optional<Vec3<T>> direction_of(const std::vector<Torque>& torques, Quantity quantity) {
  std::optional<Vec3<T>> direction;
  const auto look_at = [&](const auto& field, const auto& key) {
    const auto& member = field.*(key.member);
    using Member = std::decay_t<decltype(member)>;
    if constexpr (std::is_same_v<Member, Vec3<T>> || std::is_same_v<Member, std::optional<Vec3<T>>>) {
      const Vec3<T> value = std::optional<Vec3<T>>(member).value_or(Vec3<T>{});
      const bool is_field = key.quantity == Quantity::field_spatial || key.quantity == Quantity::magnetic_field;
      if (direction || value == Vec3<T>{}) return;
      if (key.quantity == quantity) direction = value;
      if (is_field && quantity == Quantity::direction_spatial) direction = value / norm(value);
    }
  };
  for (const Torque& torque : torques) {
    std::visit(
        [&](const auto& field) {
          if constexpr (requires { field.keys(); }) {
            std::apply([&](const auto&... key) { (look_at(field, key), ...); }, field.keys());
          }
        },
        torque);
  }
  return direction;
}

// A state as the time loop has it, in internal units.
template <class T>
struct Reached {
  State<T> state;
  Vec3<T> l_S;             // momentum in space as the method carries it
  Rotation<T> R_before{};  // attitude one step earlier
};

template <class T>
class View {
 public:
  explicit View(const Prepared<T>& prepared)
      : prepared_(prepared),
        axis_B_(direction_of<T>(prepared.field.terms(), Quantity::direction_body).value_or(Vec3<T>{})),
        up_S_(direction_of<T>(prepared.field.terms(), Quantity::direction_spatial).value_or(Vec3<T>{})) {}

  State<T> state(const Reached<T>& at) const { return state(at.state); }
  State<T> state(const State<T>& s) const { return prepared_.in_user_units(s); }
  T energy(const State<T>& s) const {
    return scaled(polhode::energy(prepared_.body, prepared_.field, s), prepared_.units.energy_exponent());
  }
  T kinetic_energy(const State<T>& s) const {
    return scaled(prepared_.body.kinetic_energy(s.pi_B, s.t), prepared_.units.energy_exponent());
  }
  Vec3<T> momentum_S(const Reached<T>& at) const { return scaled(at.l_S, prepared_.units.momentum_exponent()); }
  Vec3<T> velocity_B(const State<T>& s) const {
    return scaled(prepared_.body.principal_axes * prepared_.body.velocity(s.pi_B, s.t), -prepared_.units.time_exponent);
  }
  // Poinsot's construction: where the inertia ellipsoid rho . I rho = 1 touches the plane that it rolls on when no torque
  // acts, in body axes [1/(m kg^0.5)]. A body at rest has no such point.
  Vec3<T> contact_B(const State<T>& s) const {
    using std::sqrt;
    return velocity_B(s) / T(sqrt(T(2) * kinetic_energy(s)));
  }
  // The same point in space, from the foot of the perpendicular from the centre to that plane.
  Vec3<T> contact_on_plane_S(const Reached<T>& at) const {
    const Vec3<T> rho_S = state(at).R_SB * contact_B(at.state), normal_S = at.l_S / norm(at.l_S);
    return rho_S - dot(rho_S, normal_S) * normal_S;
  }
  MotionInputs<T> motion(const State<T>& s) const { return motion_inputs(prepared_.body, s); }
  // Along what the torques name.
  T momentum_along_axis(const Reached<T>& at) const { return momentum(dot(at.state.pi_B, axis_B_)); }
  T momentum_along_field(const Reached<T>& at) const { return momentum(dot(at.l_S, up_S_)); }

  Snapshot snapshot(const Reached<T>& at) const {
    const State<T> s = state(at);
    Snapshot seen;
    seen.time = to_number(s.t);
    seen.attitude_wxyz = {to_number(s.R_SB.w), to_number(s.R_SB.v.x), to_number(s.R_SB.v.y), to_number(s.R_SB.v.z)};
    const Mat3<T> m = matrix(s.R_SB);
    for (std::size_t i = 0; i < 3; ++i) seen.rotation_matrix[i] = numbers({m[i][0], m[i][1], m[i][2]});
    seen.direction = numbers(third_axis(s.R_SB));
    seen.angular_velocity_body = numbers(velocity_B(at.state));
    seen.angular_momentum_body = numbers(s.pi_B);
    seen.angular_momentum_spatial = numbers(momentum_S(at));
    seen.energy = to_number(energy(at.state));
    seen.kinetic_energy = to_number(kinetic_energy(at.state));
    return seen;
  }

 private:
  T momentum(const T& x) const { return scaled(x, prepared_.units.momentum_exponent()); }
  static T scaled(const T& x, int exponent) {
    using std::ldexp;
    return ldexp(x, exponent);
  }
  static Vec3<T> scaled(const Vec3<T>& v, int e) { return {scaled(v.x, e), scaled(v.y, e), scaled(v.z, e)}; }
  static std::array<Number, 3> numbers(const Vec3<T>& v) { return {to_number(v.x), to_number(v.y), to_number(v.z)}; }

  const Prepared<T>& prepared_;
  Vec3<T> axis_B_, up_S_;
};

}  // namespace polhode
