#include "polhode/model/setup.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/drawable_keys.hpp"
#include "model/prepare.hpp"

namespace polhode {

namespace {

std::string text(const Vec3<double>& v) { return fmt::format("[{}, {}, {}]", v.x, v.y, v.z); }

double largest(double x) { return std::abs(x); }
double largest(const Vec3<double>& v) { return std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)}); }
double largest(const Mat3<double>& m) {
  double size = 0;
  for (const auto& row : m)
    for (const double x : row) size = std::max(size, std::abs(x));
  return size;
}
// What is no number has no size.
template <class Value>
double largest(const Value& value) {
  if constexpr (is_optional<Value>) {
    return value ? largest(*value) : 0;
  } else {
    return 0;
  }
}

enum class MomentFlaw { none, not_finite, negative, vanishing, triangle };

std::array<double, 3> sorted(const Vec3<double>& moments) {
  std::array<double, 3> m{moments.x, moments.y, moments.z};
  std::sort(m.begin(), m.end());
  return m;
}

MomentFlaw flaw_of(const Vec3<double>& moments, bool unphysical) {
  if (!all_finite(moments)) return MomentFlaw::not_finite;
  const std::array<double, 3> m = sorted(moments);
  if (m[0] < 0) return MomentFlaw::negative;
  // A tensor with an exactly vanishing moment comes out of the eigenvalue solver with a rounding error in its place.
  if (m[0] <= 1e-14 * m[2]) return MomentFlaw::vanishing;
  return m[2] - (m[0] + m[1]) > 1e-12 * m[2] && !unphysical ? MomentFlaw::triangle : MomentFlaw::none;
}

void check_moments(const Vec3<double>& moments, bool unphysical, std::string_view what) {
  const auto refuse_moments = [&](const std::string& sentence) {
    throw SetupError(std::string(inertia_key), fmt::format("{} {}{}", what, text(moments), sentence));
  };
  switch (flaw_of(moments, unphysical)) {
    case MomentFlaw::none: return;
    case MomentFlaw::not_finite: return refuse_moments(" must be finite numbers");
    case MomentFlaw::negative: return refuse_moments(" must be positive; check the signs");
    case MomentFlaw::vanishing:
      return refuse_moments(
          ": a body without inertia about an axis (a rod, a point mass) has no attitude about it; its motion is on the "
          "sphere, where the dumbbell's methods belong: give it any third moment, and no spin about that axis");
    case MomentFlaw::triangle: break;
  }
  const std::array<double, 3> m = sorted(moments);
  refuse_moments(fmt::format(
      " violate the triangle inequality: {} > {} + {}, which no mass distribution has; set unphysical = true "
      "to integrate it all the same",
      m[2], m[0], m[1]));
}

// Of a tensor that is finite, symmetric and not zero.
Vec3<double> principal_moments(const Mat3<double>& tensor) {
  int exponent = 0;
  std::frexp(largest(tensor), &exponent);
  const Vec3<double> moments = detail::PlainNumbers<double>{}
                                   .diagonalised(detail::tensor_of(detail::PlainNumbers<double>{}, tensor, -exponent))
                                   .inertia;
  return detail::scaled<double>(moments, exponent);
}

void check_inertia(const Setup& setup) {
  if (const auto* moments = std::get_if<Vec3<double>>(&setup.inertia))
    return check_moments(*moments, setup.unphysical, "principal moments");
  const auto& tensor = std::get<Mat3<double>>(setup.inertia);
  for (const auto& row : tensor)
    for (const double x : row)
      if (!std::isfinite(x))
        throw SetupError("body.inertia", fmt::format("the inertia tensor holds {}, which is not finite", x));
  const double size = largest(tensor);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (std::abs(tensor[i][j] - tensor[j][i]) > 1e-12 * size)
        throw SetupError("body.inertia", fmt::format("the inertia tensor must be symmetric: element [{}][{}] is {} and "
                                                     "[{}][{}] is {}; make them equal",
                                                     i, j, tensor[i][j], j, i, tensor[j][i]));
  if (size == 0) throw SetupError("body.inertia", "the inertia tensor is zero; moments must be positive");
  check_moments(principal_moments(tensor), setup.unphysical, "the tensor's principal moments");
}

std::string_view attitude_key(AttitudeData::Kind kind) {
  switch (kind) {
    case AttitudeData::Kind::wxyz: return "start.attitude_wxyz";
    case AttitudeData::Kind::xyzw: return "start.attitude_xyzw";
    case AttitudeData::Kind::matrix: return "start.rotation_matrix";
    case AttitudeData::Kind::rotation_vector: return "start.rotation_vector";
    case AttitudeData::Kind::direction: return "start.direction";
    case AttitudeData::Kind::mrp: break;
  }
  return "start.mrp";
}

void check_direction(const std::string& key, const Vec3<double>& given) {
  if (largest(given) == 0)
    throw SetupError(key, "a direction cannot be the zero vector; it is normalised, so any length is accepted");
  const Vec3<double> d = detail::unit_vector(detail::PlainNumbers<double>{}, given);
  if (d.z < 0 && std::hypot(d.x, d.y) <= 1e-12)
    throw SetupError(key,
                     fmt::format("{} is opposite to the third axis, where half turns about all axes across it lead "
                                 "and none of them is the twist-free one; choose one of them, for instance "
                                 "attitude_wxyz = [0, 1, 0, 0]",
                                 text(given)));
}

void check_attitude(const AttitudeData& attitude) {
  const std::string key(attitude_key(attitude.kind));
  const bool is_quaternion = attitude.kind == AttitudeData::Kind::wxyz || attitude.kind == AttitudeData::Kind::xyzw;
  const bool is_matrix = attitude.kind == AttitudeData::Kind::matrix;
  const std::size_t length = is_quaternion ? 4 : is_matrix ? 9 : 3;
  if (attitude.values.size() != length)
    throw SetupError(key, fmt::format("needs {} numbers, and {} are given", length, attitude.values.size()));
  for (const double x : attitude.values)
    if (!std::isfinite(x)) throw SetupError(key, fmt::format("holds {}, which is not finite", x));
  if (attitude.kind == AttitudeData::Kind::direction)
    check_direction(key, {attitude.values[0], attitude.values[1], attitude.values[2]});
  constexpr double tolerance = 1e-6;
  if (is_quaternion) {
    double square = 0;
    for (const double x : attitude.values) square += x * x;
    const double length_of_q = std::sqrt(square);
    if (!(std::abs(length_of_q - 1) <= tolerance))
      throw SetupError(key,
                       fmt::format("the quaternion has length {}; it must be 1 to within {}: divide it by its length",
                                   length_of_q, tolerance));
  }
  if (is_matrix) {
    const auto& m = attitude.values;
    double defect = 0;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) {
        const double product = m[i] * m[j] + m[3 + i] * m[3 + j] + m[6 + i] * m[6 + j];
        defect = std::max(defect, std::abs(product - (i == j ? 1 : 0)));
      }
    const double determinant =
        m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) + m[2] * (m[3] * m[7] - m[4] * m[6]);
    if (!(defect <= tolerance))
      throw SetupError(key,
                       fmt::format("the matrix is not a rotation: its transpose times itself is off the identity by "
                                   "{}, more than {}; give more digits, or another form of attitude",
                                   defect, tolerance));
    if (determinant < 0)
      throw SetupError(key, "the matrix is a reflection (determinant -1); a rotation has determinant +1");
  }
}

void check_motion(const MotionData& motion) {
  constexpr std::string_view names[] = {"start.angular_velocity_body", "start.angular_velocity_spatial",
                                        "start.angular_momentum_body", "start.angular_momentum_spatial"};
  if (!all_finite(motion.value))
    throw SetupError(std::string(names[static_cast<std::size_t>(motion.kind)]),
                     fmt::format("{} must be finite", text(motion.value)));
}

std::string torque_key(std::size_t index) { return fmt::format("torque[{}]", index); }

// A parameter of a torque: text when somebody is to read it.
struct ParameterKey {
  std::size_t torque;
  std::string_view name;

  operator std::string() const { return fmt::format("{}.{}", torque_key(torque), name); }
};

void check_parameter(const ParameterKey& key, double value, Quantity) {
  if (!std::isfinite(value)) throw SetupError(key, fmt::format("{} must be finite", value));
}
void check_parameter(const ParameterKey& key, const Vec3<double>& value, Quantity quantity) {
  if (!all_finite(value)) throw SetupError(key, fmt::format("{} must be finite", text(value)));
  if (is_direction(quantity) && largest(value) == 0)
    throw SetupError(key, "a direction cannot be the zero vector; it is normalised, so any length is accepted");
}
void check_parameter(const ParameterKey& key, const Mat3<double>& value, Quantity) {
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k)
      if (!std::isfinite(value[i][k]))
        throw SetupError(key, fmt::format("element [{}][{}] is {}, and must be finite", i, k, value[i][k]));
}
[[maybe_unused]] void check_parameter(const ParameterKey& key, const NamedNumbers& values, Quantity) {
  for (const auto& [name, value] : values)
    if (!std::isfinite(value)) throw SetupError(key, fmt::format("{} = {} must be finite", name, value));
}
void check_parameter(const ParameterKey& key, const DataFile& file, Quantity) {
  if (!file.table) return;
  if (const std::string why = why_no_table(*file.table); !why.empty())
    throw SetupError(key, fmt::format("{} {}", file.name.empty() ? "the table" : "'" + file.name + "'", why));
}
template <class Value>
void check_parameter(const ParameterKey& key, const Value& value, Quantity quantity) {
  if constexpr (is_optional<Value>)
    if (value) check_parameter(key, *value, quantity);
}

std::string text(double x) { return fmt::format("{}", x); }
std::string_view text(std::string_view words) { return words; }

// Throws what a field objects to in its own data.
struct Refuse {
  std::size_t torque;

  template <class... Parts>
  void operator()(std::string_view key, const Parts&... parts) const {
    std::string why;
    (why.append(text(parts)), ...);
    throw SetupError(ParameterKey{torque, key}, why);
  }
};

void check_wheel(const std::string& key, const WheelData& wheel) {
  if (!all_finite(wheel.axis)) throw SetupError(key + ".axis", fmt::format("{} must be finite", text(wheel.axis)));
  if (largest(wheel.axis) == 0)
    throw SetupError(key + ".axis",
                     "a direction cannot be the zero vector; it is normalised, so any length is accepted");
  if (!(std::isfinite(wheel.inertia) && wheel.inertia > 0))
    throw SetupError(key + ".inertia", fmt::format("{} must be a positive number of kg m^2", wheel.inertia));
  if (!std::isfinite(wheel.speed)) throw SetupError(key + ".speed", fmt::format("{} must be finite", wheel.speed));
  if (wheel.torque && !std::isfinite(*wheel.torque))
    throw SetupError(key + ".torque", fmt::format("{} must be finite", *wheel.torque));
}

// What is left of the body when its wheels may turn about their axes must have inertia about every axis: with M what is
// left by the wheels before, M - J a a^T is positive definite for J < 1/(a . M^-1 a) and no other.
void check_wheels(const Setup& setup) {
  if (setup.wheels.empty()) return;
  if (setup.wheels.size() > most_wheels)
    throw SetupError("body.wheels", fmt::format("{} wheels are given, and {} are allowed; wheels about one axis may be "
                                                "given as one, with their inertias and momenta added up",
                                                setup.wheels.size(), most_wheels));
  if (space_of(setup) == Space::sphere)
    throw SetupError("body.wheels",
                     "a body whose start is a direction moves on the sphere and has no wheels; leave them out, or give "
                     "an attitude, such as attitude_wxyz",
                     {"start.direction"});
  const auto key_of = [](std::size_t i) { return fmt::format("body.wheels[{}]", i); };
  for (std::size_t i = 0; i < setup.wheels.size(); ++i) check_wheel(key_of(i), setup.wheels[i]);
  const int exponent = detail::choose_units(setup).inertia_exponent;
  Mat3<double> left = detail::tensor_of(detail::PlainNumbers<double>{}, setup.inertia, -exponent);
  for (std::size_t i = 0; i < setup.wheels.size(); ++i) {
    const WheelData& wheel = setup.wheels[i];
    const Vec3<double> a = detail::unit_vector(detail::PlainNumbers<double>{}, wheel.axis);
    const double J = detail::scaled<double>(wheel.inertia, -exponent),
                 most = 1 / dot(a, detail::solved<double>(left, a));
    if (!(J < most * (1 - 1e-12)))
      throw SetupError(
          key_of(i) + ".inertia",
          fmt::format("{} is not less than {}, which {} leaves about this axis; the body's inertia includes "
                      "its wheels",
                      wheel.inertia, detail::scaled<double>(most, exponent),
                      i == 0 ? "the body" : "the body without the wheels before"),
          {"body.inertia"});
    detail::add_wheel<double>(left, J, a, -1);
  }
  const bool motors = std::any_of(setup.wheels.begin(), setup.wheels.end(), [](const auto& w) { return w.torque; });
  for (std::size_t i = 0; motors && i < setup.torques.size(); ++i) {
    if (!std::holds_alternative<GravityGradient<double>>(setup.torques[i])) continue;
    throw SetupError(fmt::format("torque[{}].kind", i),
                     "a gravity-gradient acts on all of the inertia, and the equations of wheels with a torque are in "
                     "the principal axes of what their axes leave of it; give the wheels a constant speed",
                     {"body.wheels"});
  }
}

// Visits every parameter of every torque: function(key, value, quantity).
template <class Function>
void for_each_parameter(const Setup& setup, Function&& function) {
  for (std::size_t i = 0; i < setup.torques.size(); ++i) {
    std::visit(
        [&](const auto& field) {
          std::apply(
              [&](const auto&... key) {
                (function(ParameterKey{i, key.name}, field.*(key.member), key.quantity), ...);
              },
              field.keys());
        },
        setup.torques[i]);
  }
}

}  // namespace

bool is_of_a_body(const Setup& setup) {
  const auto* tensor = std::get_if<Mat3<double>>(&setup.inertia);
  if (tensor != nullptr && largest(*tensor) == 0) return false;
  const Vec3<double> moments = tensor != nullptr ? principal_moments(*tensor) : std::get<Vec3<double>>(setup.inertia);
  return flaw_of(moments, setup.unphysical) == MomentFlaw::none;
}

void check(const Setup& setup) {
  check_inertia(setup);
  check_attitude(setup.attitude);
  check_motion(setup.motion);
  check_wheels(setup);
  if (!std::isfinite(setup.time)) throw SetupError("start.time", fmt::format("{} must be finite", setup.time));
  for_each_parameter(setup, [](const ParameterKey& key, const auto& value, Quantity quantity) {
    check_parameter(key, value, quantity);
  });
  for (std::size_t i = 0; i < setup.torques.size(); ++i)
    std::visit([&](const auto& field) { field.check(Refuse{i}); }, setup.torques[i]);
}

namespace detail {

void check_start(const Setup& setup, bool torque_is_finite) {
  if (torque_is_finite) return;
  const bool called = !setup.called_torques.empty();
  throw SetupError(std::string(attitude_key(setup.attitude.kind)),
                   called ? "the torque is not finite in this attitude; start in another one, or see what its function "
                            "returns there"
                          : "the torque is not finite in this attitude; start in another one (a stress-test has no "
                            "torque in the attitude 1 and in its well)");
}

// The largest moment is brought into [1, 2), and so is the fastest rate: of the spin, of what the torques and impulses
// can do, of what turns in the torque itself, or of the decay of what is damped.
Units choose_units(const Setup& setup) {
  double moment = 0;
  if (const auto* moments = std::get_if<Vec3<double>>(&setup.inertia)) {
    moment = largest(*moments);
  } else {
    moment = largest(std::get<Mat3<double>>(setup.inertia));
  }
  double torque = 0, turning = 0, impulse = 0, gravity = 0;
  for_each_parameter(setup, [&](const ParameterKey&, const auto& value, Quantity quantity) {
    if (is_torque(quantity)) torque = std::max(torque, largest(value));
    if (quantity == Quantity::rate) turning = std::max(turning, largest(value));
    if (quantity == Quantity::impulse_spatial || quantity == Quantity::damping_body)
      impulse = std::max(impulse, largest(value));
    if (quantity == Quantity::gravity) gravity = std::max(gravity, largest(value));
  });
  for (const WheelData& wheel : setup.wheels) torque = std::max(torque, largest(wheel.torque.value_or(0)));
  for (const FieldData<double>& data : setup.torques)
    std::visit(
        [&](const auto& field) {
          if constexpr (requires { field.largest_torque(); }) torque = std::max(torque, field.largest_torque());
        },
        data);
  const bool is_velocity = setup.motion.kind == MotionData::Kind::angular_velocity_body ||
                           setup.motion.kind == MotionData::Kind::angular_velocity_spatial;
  Units units;
  units.inertia_exponent = std::ilogb(moment);
  // Exponents instead of quotients: nothing overflows, whatever the units.
  int rate = std::numeric_limits<int>::min();
  if (const double motion = largest(setup.motion.value); motion > 0)
    rate = std::ilogb(motion) - (is_velocity ? 0 : units.inertia_exponent);
  const auto root_of = [](int squared) { return squared >= 0 ? squared / 2 : (squared - 1) / 2; };
  if (torque > 0) rate = std::max(rate, root_of(std::ilogb(torque) - units.inertia_exponent));
  if (gravity > 0) rate = std::max(rate, root_of(std::ilogb(gravity)));
  if (turning > 0) rate = std::max(rate, std::ilogb(turning));
  if (impulse > 0) rate = std::max(rate, std::ilogb(impulse) - units.inertia_exponent);
  // The body turns as fast as it would be if it took over what a wheel has.
  for (const WheelData& wheel : setup.wheels)
    if (wheel.inertia > 0 && wheel.speed != 0)
      rate = std::max(rate, std::ilogb(wheel.inertia) + std::ilogb(wheel.speed) - units.inertia_exponent);
  if (rate != std::numeric_limits<int>::min()) units.time_exponent = -rate;
  return units;
}

}  // namespace detail

template Prepared<float> prepare(const Setup&);
template Prepared<double> prepare(const Setup&);
template Prepared<long double> prepare(const Setup&);
template struct Prepared<float>;
template struct Prepared<double>;
template struct Prepared<long double>;

}  // namespace polhode
