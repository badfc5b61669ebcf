#include "polhode/model/same_motion.hpp"

#include <algorithm>
#include <functional>
#include <limits>

namespace polhode {
namespace {

using Real = long double;

constexpr Real few_units = 8 * std::numeric_limits<Real>::epsilon();

bool close(const Vec3<Real>& a, const Vec3<Real>& b) { return norm(a - b) <= few_units * norm(a); }

bool is_quaternion(AttitudeData::Kind kind) {
  return kind == AttitudeData::Kind::wxyz || kind == AttitudeData::Kind::xyzw;
}

// In the axes in which it was given.
Mat3<Real> tensor(const Prepared<Real>& prepared) {
  const Body<Real> body = prepared.body_in_user_units();
  const Rotation<Real>& R_UB = body.principal_axes;
  Mat3<Real> columns{};
  for (std::size_t k = 0; k < 3; ++k) {
    Vec3<Real> axis{};
    axis[k] = 1;
    const Vec3<Real> column = R_UB * body.momentum(inverse(R_UB) * axis);
    for (std::size_t i = 0; i < 3; ++i) columns[i][k] = column[i];
  }
  return columns;
}

bool same_inertia(const Setup& a, const Setup& b, const Prepared<Real>& in_a, const Prepared<Real>& in_b) {
  if (a.inertia.index() == b.inertia.index()) return a.inertia == b.inertia;
  const Mat3<Real> one = tensor(in_a), other = tensor(in_b);
  Real difference = 0, size = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      difference += abs(one[i][k] - other[i][k]);
      size += abs(one[i][k]);
    }
  }
  return difference <= few_units * size;
}

bool same_attitude(const AttitudeData& a, const AttitudeData& b, const State<Real>& in_a, const State<Real>& in_b) {
  // Of a direction only the third axis moves.
  if ((a.kind == AttitudeData::Kind::direction) != (b.kind == AttitudeData::Kind::direction)) return false;
  if (a.kind != b.kind) return angle_between(in_a.R_SB, in_b.R_SB) <= few_units;
  const auto opposite = [](double x, double y) { return x == -y; };
  return a.values == b.values || (is_quaternion(a.kind) && std::equal(a.values.begin(), a.values.end(),
                                                                      b.values.begin(), b.values.end(), opposite));
}

bool same_value(const Vec3<double>& a, const Vec3<double>& b, Quantity quantity) {
  if (a == b || !is_direction(quantity)) return a == b;
  // Directions of other lengths are in another form.
  const Vec3<Real> one = cast<Real>(a), other = cast<Real>(b);
  const Real length = norm(one), other_length = norm(other);
  return abs(length - other_length) > few_units * length && close(one / length, other / other_length);
}

template <class Value>
bool same_value(const Value& a, const Value& b, Quantity quantity) {
  if constexpr (is_optional<Value>) {
    return a && b ? same_value(*a, *b, quantity) : !a && !b;
  } else {
    return a == b;
  }
}

template <class Field>
bool same_field(const Field& a, const Field& b) {
  return std::apply(
      [&](const auto&... key) { return (same_value(a.*(key.member), b.*(key.member), key.quantity) && ...); },
      Field::keys());
}

bool same_torque(const FieldData<double>& a, const FieldData<double>& b) {
  if (a.index() != b.index()) return false;
  return std::visit([&](const auto& field) { return same_field(field, std::get<std::decay_t<decltype(field)>>(b)); },
                    a);
}

bool same_wheel(const WheelData& a, const WheelData& b) {
  return a.inertia == b.inertia && a.speed == b.speed && a.torque == b.torque &&
         same_value(a.axis, b.axis, Quantity::direction_body);
}

}  // namespace

bool same_motion(const Setup& a, const Setup& b) {
  if (a.time != b.time) return false;
  if (!a.called_torques.empty() || !b.called_torques.empty()) return false;  // of functions nothing is known
  if (!std::is_permutation(a.torques.begin(), a.torques.end(), b.torques.begin(), b.torques.end(), same_torque))
    return false;
  if (!std::is_permutation(a.wheels.begin(), a.wheels.end(), b.wheels.begin(), b.wheels.end(), same_wheel))
    return false;
  const Prepared<Real> in_a = prepare<Real>(a), in_b = prepare<Real>(b);
  const State<Real> start_a = in_a.in_user_units(in_a.start), start_b = in_b.in_user_units(in_b.start);
  const bool same_start =
      a.motion.kind == b.motion.kind ? a.motion.value == b.motion.value : close(start_a.pi_B, start_b.pi_B);
  return same_start && same_inertia(a, b, in_a, in_b) && same_attitude(a.attitude, b.attitude, start_a, start_b);
}

}  // namespace polhode
