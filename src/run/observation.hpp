// What can be seen of a state: the columns of a result, in SI units and in the user's body axes.
#pragma once

#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "polhode/core/sphere.hpp"
#include "polhode/measure/energy.hpp"
#include "polhode/model/setup.hpp"
#include "polhode/run/result.hpp"
#include "run/decimal.hpp"

namespace polhode {

// Yaw, pitch and roll [rad] with R = R_z(yaw) R_y(pitch) R_x(roll). The quaternion of that product has
//   w - y, z + x = (cos pitch/2 - sin pitch/2) cos, sin (yaw + roll)/2
//   w + y, z - x = (cos pitch/2 + sin pitch/2) cos, sin (yaw - roll)/2.
// Next to straight up or down the elements of the matrix that hold yaw and roll are differences with few digits left; of
// these two angles one always has all of them, and the other hardly turns the body. Straight up or down, where only one
// of them is defined, the roll is zero.
template <class T>
Vec3<T> euler_321(const Rotation<T>& q) {
  const T half_turn = T(4) * T(atan2(T(1), T(1)));
  const auto within_half_a_turn = [&](const T& angle) {
    return angle > half_turn ? T(angle - T(2) * half_turn) : angle < -half_turn ? T(angle + T(2) * half_turn) : angle;
  };
  const T up_cos = q.w - q.v.y, up_sin = q.v.z + q.v.x, down_cos = q.w + q.v.y, down_sin = q.v.z - q.v.x;
  const T up = sqrt(T(up_cos * up_cos + up_sin * up_sin)), down = sqrt(T(down_cos * down_cos + down_sin * down_sin));
  const T pitch = atan2(T(T(2) * (q.w * q.v.y - q.v.z * q.v.x)), T(up * down));
  const T sum = T(2) * T(atan2(up_sin, up_cos)), difference = T(2) * T(atan2(down_sin, down_cos));
  const T nothing = T(8) * T(epsilon<T>());
  if (up < nothing) return {within_half_a_turn(difference), pitch, T(0)};
  if (down < nothing) return {within_half_a_turn(sum), pitch, T(0)};
  return {within_half_a_turn(T(T(0.5) * (sum + difference))), pitch,
          within_half_a_turn(T(T(0.5) * (sum - difference)))};
}

// The first direction of this sort among the parameters of the torques, if any names one. A field that does not vanish
// is a direction too.
template <class T, class Torque>
std::optional<Vec3<T>> direction_of(const std::vector<Torque>& torques, Quantity quantity) {
  std::optional<Vec3<T>> direction;
  const auto look_at = [&](const auto& field, const auto& key) {
    if constexpr (std::is_same_v<std::decay_t<decltype(field.*(key.member))>, Vec3<T>>) {
      const Vec3<T>& value = field.*(key.member);
      const bool is_field = key.quantity == Quantity::field_spatial && quantity == Quantity::direction_spatial;
      if (direction || value == Vec3<T>{}) return;
      if (key.quantity == quantity) direction = value;
      if (is_field) direction = value / norm(value);
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
class Observer {
 public:
  Observer(const Prepared<T>& prepared, int digits)
      : prepared_(prepared),
        digits_(digits),
        axis_B_(direction_of<T>(prepared.field.terms(), Quantity::direction_body).value_or(Vec3<T>{})),
        up_S_(direction_of<T>(prepared.field.terms(), Quantity::direction_spatial).value_or(Vec3<T>{})) {}

  T energy(const State<T>& s) const { return scaled(internal_energy(s), prepared_.units.energy_exponent()); }
  Vec3<T> spatial_momentum(const Reached<T>& at) const { return scaled(at.l_S, prepared_.units.momentum_exponent()); }

  Snapshot snapshot(const Reached<T>& at) const {
    const State<T> s = prepared_.in_user_units(at.state);
    const T kinetic = prepared_.body.kinetic_energy(at.state.pi_B);
    Snapshot seen;
    seen.time = number(s.t);
    seen.attitude_wxyz = {number(s.R_SB.w), number(s.R_SB.v.x), number(s.R_SB.v.y), number(s.R_SB.v.z)};
    const Mat3<T> m = matrix(s.R_SB);
    for (std::size_t i = 0; i < 3; ++i) seen.rotation_matrix[i] = numbers({m[i][0], m[i][1], m[i][2]});
    seen.direction = numbers(third_axis(s.R_SB));
    seen.angular_velocity_body = numbers(velocity(at.state));
    seen.angular_momentum_body = numbers(s.pi_B);
    seen.angular_momentum_spatial = numbers(spatial_momentum(at));
    seen.energy = number(energy(at.state));
    seen.kinetic_energy = number(scaled(kinetic, prepared_.units.energy_exponent()));
    return seen;
  }

  // One row: the time, then the columns of every group.
  void row(const Reached<T>& at, const Columns& columns, std::vector<Number>& cells) const {
    const State<T> s = prepared_.in_user_units(at.state);
    std::size_t used = 0;
    const auto put = [&](const T& x) {
      if (used == cells.size()) cells.emplace_back();
      to_number(x, digits_, cells[used++]);
    };
    const auto put_all = [&](const Vec3<T>& v) { put(v.x), put(v.y), put(v.z); };
    const int momentum = prepared_.units.momentum_exponent();
    put(s.t);
    for (const Column column : columns) {
      switch (column) {
        case Column::attitude_wxyz: put(s.R_SB.w), put_all(s.R_SB.v); break;
        case Column::angular_velocity_body: put_all(velocity(at.state)); break;
        case Column::angular_momentum_spatial: put_all(spatial_momentum(at)); break;
        case Column::energy: put(energy(at.state)); break;
        case Column::direction: put_all(third_axis(s.R_SB)); break;
        case Column::rotation_increment: put(angle_between(at.R_before, at.state.R_SB)); break;
        case Column::momentum_along_axis: put(scaled(dot(at.state.pi_B, axis_B_), momentum)); break;
        case Column::momentum_along_field: put(scaled(dot(at.l_S, up_S_), momentum)); break;
        case Column::euler_321_deg: put_all(T(T(45) / T(atan2(T(1), T(1)))) * euler_321(s.R_SB)); break;
        case Column::mrp: put_all(mrp(s.R_SB)); break;
      }
    }
  }

 private:
  T internal_energy(const State<T>& s) const { return polhode::energy(prepared_.body, prepared_.field, s); }

  Vec3<T> velocity(const State<T>& s) const {
    return scaled(prepared_.body.principal_axes * prepared_.body.velocity(s.pi_B), -prepared_.units.time_exponent);
  }

  static T scaled(const T& x, int exponent) {
    using std::ldexp;
    return ldexp(x, exponent);
  }
  static Vec3<T> scaled(const Vec3<T>& v, int e) { return {scaled(v.x, e), scaled(v.y, e), scaled(v.z, e)}; }

  Number number(const T& x) const { return to_number(x, digits_); }
  std::array<Number, 3> numbers(const Vec3<T>& v) const { return {number(v.x), number(v.y), number(v.z)}; }

  const Prepared<T>& prepared_;
  int digits_;
  Vec3<T> axis_B_, up_S_;
};

}  // namespace polhode
