// prepare() for one scalar. Included by one translation unit per scalar.
#pragma once

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "polhode/core/sphere.hpp"
#include "polhode/model/setup.hpp"

namespace polhode {

namespace detail {

Units choose_units(const Setup& setup);

void check_start(const Setup& setup, bool torque_is_finite);

template <class T>
T scaled(double value, int exponent) {
  using std::ldexp;
  return ldexp(T(value), exponent);
}
template <class T>
Vec3<T> scaled(const Vec3<double>& v, int exponent) {
  return {scaled<T>(v.x, exponent), scaled<T>(v.y, exponent), scaled<T>(v.z, exponent)};
}

// How the numbers of a Setup become scalars: as they are. Who differentiates a run (run/seeds.hpp) takes some of them for
// independent variables, and knows them by their place in the Setup.
template <class T>
struct PlainNumbers {
  using Scalar = T;
  T operator()(const double& number) const { return T(number); }
  T mean(const double& a, const double& b) const { return T((a + b) / 2); }
  Rotation<T> turned(const Rotation<T>& R_SU) const { return R_SU; }
  Body<T> diagonalised(const Mat3<T>& tensor) const;
};

template <class Numbers>
typename Numbers::Scalar scaled(const Numbers& in, const double& value, int exponent) {
  using std::ldexp;
  return ldexp(in(value), exponent);
}
template <class Numbers>
Vec3<typename Numbers::Scalar> scaled(const Numbers& in, const Vec3<double>& v, int exponent) {
  return {scaled(in, v.x, exponent), scaled(in, v.y, exponent), scaled(in, v.z, exponent)};
}

// Of length one, whatever its length was: the square of that may overflow.
template <class Numbers>
Vec3<typename Numbers::Scalar> unit_vector(const Numbers& in, const Vec3<double>& v) {
  const double size = std::max({std::abs(v.x), std::abs(v.y), std::abs(v.z)});
  using T = typename Numbers::Scalar;
  const int exponent = -std::ilogb(size);
  Vec3<T> direction;
  if constexpr (std::is_same_v<Numbers, PlainNumbers<T>>) {
    direction = cast<T>(scaled<double>(v, exponent));  // a narrow scalar may not hold v itself
  } else {
    direction = scaled(in, v, exponent);
  }
  return direction / norm(direction);
}

template <class T>
Rotation<T> attitude(const AttitudeData& data) {
  const auto v = [&](std::size_t i) { return T(data.values[i]); };
  switch (data.kind) {
    case AttitudeData::Kind::wxyz: return normalised(Rotation<T>{v(0), {v(1), v(2), v(3)}});
    case AttitudeData::Kind::xyzw: return normalised(Rotation<T>{v(3), {v(0), v(1), v(2)}});
    case AttitudeData::Kind::matrix:
      return from_matrix(Mat3<T>{{{v(0), v(1), v(2)}, {v(3), v(4), v(5)}, {v(6), v(7), v(8)}}});
    case AttitudeData::Kind::rotation_vector: return normalised(exp(Vec3<T>{v(0), v(1), v(2)}));
    case AttitudeData::Kind::direction:
      return drill_free(unit_vector(PlainNumbers<T>{}, {data.values[0], data.values[1], data.values[2]}));
    case AttitudeData::Kind::mrp: break;
  }
  return from_mrp(Vec3<T>{v(0), v(1), v(2)});
}

template <class Numbers>
auto tensor_of(const Numbers& in, const std::variant<Vec3<double>, Mat3<double>>& inertia, int exponent) {
  using std::ldexp;
  Mat3<typename Numbers::Scalar> m{};
  if (const auto* moments = std::get_if<Vec3<double>>(&inertia)) {
    for (std::size_t i = 0; i < 3; ++i) m[i][i] = scaled(in, (*moments)[i], exponent);
    return m;
  }
  const auto& tensor = std::get<Mat3<double>>(inertia);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) m[i][j] = ldexp(in.mean(tensor[i][j], tensor[j][i]), exponent);
  return m;
}

// J a a^T, times the sign.
template <class T>
void add_wheel(Mat3<T>& m, const T& J, const Vec3<T>& a, int sign) {
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) m[i][j] += T(sign) * (J * a[i] * a[j]);
}

// m x = b for a symmetric matrix, by Cramer's rule.
template <class T>
Vec3<T> solved(const Mat3<T>& m, const Vec3<T>& b) {
  const Vec3<T> x{m[0][0], m[0][1], m[0][2]}, y{m[1][0], m[1][1], m[1][2]}, z{m[2][0], m[2][1], m[2][2]};
  const Vec3<T> y_z = cross(y, z), z_x = cross(z, x), x_y = cross(x, y);
  return Vec3<T>{dot(b, y_z), dot(b, z_x), dot(b, x_y)} / dot(x, y_z);
}

// Principal moments, and the rotation from principal axes to the axes of the tensor.
template <class T>
Body<T> PlainNumbers<T>::diagonalised(const Mat3<T>& m) const {
  const bool diagonal = m[0][1] == T(0) && m[0][2] == T(0) && m[1][2] == T(0);
  if (diagonal) return Body<T>(Vec3<T>{m[0][0], m[1][1], m[2][2]});
  using Matrix = Eigen::Matrix<T, 3, 3>;
  Matrix given;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) given(i, j) = m[i][j];
  const Eigen::SelfAdjointEigenSolver<Matrix> solver(given);
  Matrix axes = solver.eigenvectors();
  if (axes.determinant() < T(0)) axes.col(0) = -axes.col(0);
  Mat3<T> rows;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) rows[i][j] = axes(i, j);
  const auto& moments = solver.eigenvalues();
  return Body<T>(Vec3<T>{moments(0), moments(1), moments(2)}, from_matrix(rows));
}

// What wheels have along their axes, in internal units and principal axes.
template <class T>
struct Wheel {
  Vec3<T> axis_B;
  T inertia, speed;
  std::optional<T> torque;
};

template <class Numbers, class T>
std::vector<Wheel<T>> wheels_of(const Numbers& in, const Setup& setup, const Units& units, const Rotation<T>& R_UB) {
  std::vector<Wheel<T>> wheels;
  for (const WheelData& data : setup.wheels) {
    wheels.push_back({inverse(R_UB) * unit_vector(in, data.axis),
                      scaled(in, data.inertia, -units.inertia_exponent),
                      scaled(in, data.speed, units.time_exponent),
                      {}});
    if (data.torque) wheels.back().torque = scaled(in, *data.torque, -units.energy_exponent());
  }
  return wheels;
}

// Moments in which wheels with motors, whose momentum is a variable of its own, do not turn about their axes with the body.
template <class Numbers>
auto body_of(const Numbers& in, const Setup& setup, const Units& units) {
  using T = typename Numbers::Scalar;
  const int e = -units.inertia_exponent;
  const auto* moments = std::get_if<Vec3<double>>(&setup.inertia);
  const bool motors =
      std::any_of(setup.wheels.begin(), setup.wheels.end(), [](const WheelData& w) { return w.torque.has_value(); });
  if (moments != nullptr && !motors) return Body<T>(scaled(in, *moments, e));
  Mat3<T> m = tensor_of(in, setup.inertia, e);
  for (const Wheel<T>& wheel : wheels_of(in, setup, units, Rotation<T>{}))
    if (wheel.torque) add_wheel<T>(m, wheel.inertia, wheel.axis_B, -1);
  return in.diagonalised(m);
}

// The wheels' momentum where the body's velocity w_B is known, or its whole momentum pi_B: the other is found, too.
template <class T>
void set_wheels(Body<T>& body, const std::vector<Wheel<T>>& wheels, bool knows_velocity, State<T>& start) {
  Vec3<T> relative{};  // sum of J Omega a
  for (const Wheel<T>& wheel : wheels) relative += T(wheel.inertia * wheel.speed) * wheel.axis_B;
  Vec3<T> w_B = body.velocity(start.pi_B);
  if (!knows_velocity) {
    Mat3<T> locked{};
    for (std::size_t i = 0; i < 3; ++i) locked[i][i] = body.inertia[i];
    for (const Wheel<T>& wheel : wheels)
      if (wheel.torque) add_wheel<T>(locked, wheel.inertia, wheel.axis_B, 1);
    w_B = solved<T>(locked, start.pi_B - relative);
  }
  WheelMomentum<T> momentum{relative, {}, start.t};
  for (const Wheel<T>& wheel : wheels) {
    if (!wheel.torque) continue;
    momentum.at_epoch += T(wheel.inertia * dot(wheel.axis_B, w_B)) * wheel.axis_B;
    momentum.rate += *wheel.torque * wheel.axis_B;
  }
  body.carries_wheels = momentum.at_epoch != Vec3<T>{} || momentum.rate != Vec3<T>{};
  if (!body.carries_wheels) return;
  body.wheels = momentum;
  if (knows_velocity) start.pi_B += momentum.at_epoch;
}

// The matrix of the same map in principal axes, R_UB^T m R_UB.
template <class T>
Mat3<T> in_principal_axes(const Mat3<T>& m, const Rotation<T>& R_UB) {
  if (R_UB == Rotation<T>{}) return m;
  Mat3<T> turned;
  for (std::size_t k = 0; k < 3; ++k) {
    Vec3<T> axis{};
    axis[k] = T(1);
    const Vec3<T> column = inverse(R_UB) * (m * (R_UB * axis));
    for (std::size_t i = 0; i < 3; ++i) turned[i][k] = column[i];
  }
  return turned;
}

// One parameter of a field, in internal units and principal axes.
template <class Numbers, class T>
void convert(const Numbers& in, const double& from, T& to, Quantity quantity, const Units& units, const Rotation<T>&) {
  to = scaled(in, from, exponent_of(quantity, units));
}
template <class Numbers, class T>
void convert(const Numbers& in, const Vec3<double>& from, Vec3<T>& to, Quantity quantity, const Units& units,
             const Rotation<T>& R_UB) {
  to = is_direction(quantity) ? unit_vector(in, from) : scaled(in, from, exponent_of(quantity, units));
  if (is_of_body(quantity)) to = inverse(R_UB) * to;
}
template <class Numbers, class T>
void convert(const Numbers& in, const Mat3<double>& from, Mat3<T>& to, Quantity quantity, const Units& units,
             const Rotation<T>& R_UB) {
  const int exponent = exponent_of(quantity, units);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k) to[i][k] = scaled(in, from[i][k], exponent);
  if (is_of_body(quantity)) to = in_principal_axes(to, R_UB);
}
template <class Numbers, class A, class B, class T>
void convert(const Numbers& in, const std::optional<A>& from, std::optional<B>& to, Quantity quantity,
             const Units& units, const Rotation<T>& R_UB) {
  if (from) convert(in, *from, to.emplace(), quantity, units, R_UB);
}
// What the field reads itself.
template <class Same>
concept ReadByTheField = std::same_as<Same, bool> || OneOfWords<Same> || std::same_as<Same, std::string> ||
    std::same_as<Same, NamedNumbers> || std::same_as<Same, DataFile>;
template <class Numbers, ReadByTheField Same, class T>
void convert(const Numbers&, const Same& from, Same& to, Quantity, const Units&, const Rotation<T>&) {
  to = from;
}

template <class Numbers, class T, std::size_t... I>
typename FieldSum<T>::Term field_of(const Numbers& in, const FieldData<double>& data, const Units& units,
                                    const Body<T>& body, std::index_sequence<I...>) {
  typename FieldSum<T>::Term term;
  const auto build = [&]<std::size_t K>(std::integral_constant<std::size_t, K>) {
    if (data.index() != K) return;
    const auto& from = std::get<K>(data);
    std::tuple_element_t<K, FieldKinds<T>> to;
    const auto from_keys = from.keys();
    const auto to_keys = to.keys();
    [&]<std::size_t... P>(std::index_sequence<P...>) {
      (convert(in, from.*(std::get<P>(from_keys).member), to.*(std::get<P>(to_keys).member),
               std::get<P>(to_keys).quantity, units, body.principal_axes),
       ...);
    }
    (std::make_index_sequence<std::tuple_size_v<decltype(to_keys)>>{});
    if constexpr (requires { to.acts_on(body); }) to.acts_on(body);
    if constexpr (requires { to.acts_on(body, units); }) to.acts_on(body, units);
    term = to;
  };
  (build(std::integral_constant<std::size_t, I>{}), ...);
  return term;
}

// In internal units and principal axes.
template <class T>
Callback<T> callback_of(const CalledTorque& called, const Units& units, const Rotation<T>& R_UB) {
  if constexpr (std::is_constructible_v<double, T>) {
    // The user's axes are mostly the principal ones, and products with powers of two are exact.
    const bool same_axes = R_UB == Rotation<T>{};
    const double second = std::ldexp(1.0, units.time_exponent), rate = std::ldexp(1.0, -units.time_exponent);
    const auto motion = [R_UB, same_axes, second, rate](const Rotation<T>& R_SB, const Vec3<T>& w_B, const T& t) {
      const auto seen = [](const T& x) { return static_cast<double>(x); };
      const Rotation<T> R_SU = same_axes ? R_SB : R_SB * inverse(R_UB);
      const Vec3<T> w_U = same_axes ? w_B : R_UB * w_B;
      return CalledTorque::Motion{second * seen(t),
                                  {seen(R_SU.w), {seen(R_SU.v.x), seen(R_SU.v.y), seen(R_SU.v.z)}},
                                  rate * Vec3<double>{seen(w_U.x), seen(w_U.y), seen(w_U.z)}};
    };
    const auto torque = [R_BU = inverse(R_UB), same_axes,
                         unit = scaled<T>(1, -units.energy_exponent())](const Vec3<double>& torque_U) {
      const Vec3<T> in_units = unit * cast<T>(torque_U);
      return same_axes ? in_units : R_BU * in_units;
    };
    Callback<T> made;
    made.torque_B = [motion, torque, call = called.torques](const Rotation<T>& R_SB, const Vec3<T>& w_B, const T& t) {
      const CalledTorque::Motion at = motion(R_SB, w_B, t);
      Vec3<double> torque_U{};
      call({&at, 1}, {&torque_U, 1});
      return torque(torque_U);
    };
    made.velocity_dependent = called.depends_on_velocity;
    if (called.takes_many) {
      made.torques_B = [motion, torque, call = called.torques](std::span<const TorqueNode<T>> nodes,
                                                               std::span<Vec3<T>> torques) {
        std::vector<CalledTorque::Motion> at;
        for (const TorqueNode<T>& node : nodes) at.push_back(motion(node.R_SB, node.w_B, node.t));
        std::vector<Vec3<double>> torques_U(at.size());
        call(at, torques_U);
        for (std::size_t i = 0; i < at.size(); ++i) torques[i] = torque(torques_U[i]);
      };
    }
    return made;
  } else {
    throw SetupError("torque", "a torque that a program computes has no derivatives");
  }
}

template <class Numbers>
auto prepare_with(const Numbers& in, const Setup& setup) {
  using T = typename Numbers::Scalar;
  check(setup);
  const Units units = choose_units(setup);
  Body<T> body = body_of(in, setup, units);
  body.second = scaled<T>(1, -units.time_exponent);
  const Rotation<T>& R_UB = body.principal_axes;

  State<T> start;
  const Rotation<T> R_SU = in.turned(attitude<T>(setup.attitude));
  start.R_SB = normalised(R_SU * R_UB);
  start.t = scaled<T>(setup.time, -units.time_exponent);
  const bool is_velocity = setup.motion.kind == MotionData::Kind::angular_velocity_body ||
                           setup.motion.kind == MotionData::Kind::angular_velocity_spatial;
  const bool is_spatial = setup.motion.kind == MotionData::Kind::angular_velocity_spatial ||
                          setup.motion.kind == MotionData::Kind::angular_momentum_spatial;
  const Vec3<T> given = scaled(in, setup.motion.value, is_velocity ? units.time_exponent : -units.momentum_exponent());
  const Vec3<T> in_B = is_spatial ? inverse(start.R_SB) * given : inverse(R_UB) * given;
  start.pi_B = is_velocity ? body.momentum(in_B) : in_B;
  if (!setup.wheels.empty()) set_wheels(body, wheels_of(in, setup, units, R_UB), is_velocity, start);

  std::vector<typename FieldSum<T>::Term> terms;
  for (const FieldData<double>& data : setup.torques)
    terms.push_back(field_of(in, data, units, body, std::make_index_sequence<std::tuple_size_v<FieldKinds<T>>>{}));
  for (const CalledTorque& called : setup.called_torques) terms.emplace_back(callback_of(called, units, R_UB));
  const FieldSum<T> field(std::move(terms));
  check_start(setup, all_finite(field.torque(start.R_SB, body.velocity(start.pi_B, start.t), start.t)));
  return Prepared<T>{body, field, start, units};
}

}  // namespace detail

template <class T>
Prepared<T> prepare(const Setup& setup) {
  return detail::prepare_with(detail::PlainNumbers<T>{}, setup);
}

template <class T>
T Prepared<T>::time_in(double seconds) const {
  return detail::scaled<T>(seconds, -units.time_exponent);
}

template <class T>
State<T> Prepared<T>::in_user_units(State<T> s) const {
  using std::ldexp;
  const Rotation<T>& R_UB = body.principal_axes;
  const int e = units.momentum_exponent();
  s.R_SB = s.R_SB * inverse(R_UB);
  s.pi_B = R_UB * s.pi_B;
  s.pi_B = {ldexp(s.pi_B.x, e), ldexp(s.pi_B.y, e), ldexp(s.pi_B.z, e)};
  s.t = ldexp(s.t, units.time_exponent);
  return s;
}

template <class T>
Body<T> Prepared<T>::body_in_user_units() const {
  using std::ldexp;
  const auto scaled = [](const Vec3<T>& v, int e) { return Vec3<T>{ldexp(v.x, e), ldexp(v.y, e), ldexp(v.z, e)}; };
  Body<T> seen(scaled(body.inertia, units.inertia_exponent), body.principal_axes);
  seen.carries_wheels = body.carries_wheels;
  seen.wheels = {scaled(body.wheels.at_epoch, units.momentum_exponent()),
                 scaled(body.wheels.rate, units.energy_exponent()), ldexp(body.wheels.epoch, units.time_exponent)};
  return seen;
}

}  // namespace polhode
