#include "odeint_motion.hpp"

#include <array>
#include <boost/numeric/odeint/algebra/detail/extract_value_type.hpp>

// In Boost 1.74 the adaptive steppers look for a value type inside a number that has one, and find nothing. Only a full
// specialisation comes before the two that are there.
template <>
struct boost::numeric::odeint::detail::extract_value_type<polhode::Digits50, void> {
  using type = polhode::Digits50;
};

#include <boost/numeric/odeint/algebra/array_algebra.hpp>
#include <boost/numeric/odeint/stepper/controlled_runge_kutta.hpp>
#include <boost/numeric/odeint/stepper/extrapolation_stepper.hpp>

#include "model/cuts.hpp"
#include "model/prepare.hpp"

namespace polhode {
namespace {

namespace odeint = boost::numeric::odeint;

using Real = Digits50;
using Vector = std::array<Real, 7>;  // q_w, q_x, q_y, q_z, w_x, w_y, w_z
using Extrapolation = odeint::extrapolation_stepper<OdeintMotion::order, Vector, Real>;
using Controlled = odeint::controlled_runge_kutta<Extrapolation>;
using ErrorChecker = odeint::default_error_checker<Real, odeint::array_algebra, odeint::default_operations>;

Mat3<Real> tensor_of(const Setup& setup) {
  if (const auto* moments = std::get_if<Vec3<double>>(&setup.inertia)) {
    return {{{Real(moments->x), Real(0), Real(0)},
             {Real(0), Real(moments->y), Real(0)},
             {Real(0), Real(0), Real(moments->z)}}};
  }
  const auto& tensor = std::get<Mat3<double>>(setup.inertia);
  Mat3<Real> symmetric;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) symmetric[i][j] = (Real(tensor[i][j]) + Real(tensor[j][i])) / 2;
  return symmetric;
}

// By cofactors.
Mat3<Real> inverted(const Mat3<Real>& m) {
  Mat3<Real> cofactors;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      const std::size_t a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
      cofactors[i][j] = m[a][c] * m[b][d] - m[a][d] * m[b][c];
    }
  }
  const Real determinant = m[0][0] * cofactors[0][0] + m[0][1] * cofactors[0][1] + m[0][2] * cofactors[0][2];
  Mat3<Real> inverse;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) inverse[i][j] = cofactors[j][i] / determinant;
  return inverse;
}

Rotation<Real> attitude_of(const AttitudeData& data) {
  std::vector<Real> v(data.values.begin(), data.values.end());
  switch (data.kind) {
    case AttitudeData::Kind::wxyz: return normalised(Rotation<Real>{v[0], {v[1], v[2], v[3]}});
    case AttitudeData::Kind::xyzw: return normalised(Rotation<Real>{v[3], {v[0], v[1], v[2]}});
    case AttitudeData::Kind::matrix:
      return from_matrix(Mat3<Real>{{{v[0], v[1], v[2]}, {v[3], v[4], v[5]}, {v[6], v[7], v[8]}}});
    case AttitudeData::Kind::rotation_vector: {
      const Real angle = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
      if (angle == 0) return {};
      const Real s = sin(Real(angle / 2)) / angle;
      return {cos(Real(angle / 2)), {s * v[0], s * v[1], s * v[2]}};
    }
    case AttitudeData::Kind::direction: {
      // Half the turn of e3 to d leads half-way: the quaternion is along the sum of 1 and (d . e3, e3 x d).
      const Real length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
      return normalised(Rotation<Real>{length + v[2], {-v[1], v[0], Real(0)}});
    }
    case AttitudeData::Kind::mrp: break;
  }
  return normalised(Rotation<Real>{1 - v[0] * v[0] - v[1] * v[1] - v[2] * v[2], {2 * v[0], 2 * v[1], 2 * v[2]}});
}

// Wheels by their axial momenta in the user's axes: k(t) = at_start + (t - t_0) rate, and the inertia without that which
// those with a motor have about their axes.
struct Wheels {
  Mat3<Real> carried;
  Vec3<Real> at_start{}, rate{};
  Real t_0;

  Vec3<Real> momentum(const Real& t) const { return at_start + Real(t - t_0) * rate; }
};

Vec3<Real> axis_of(const WheelData& wheel) {
  const Vec3<Real> axis = cast<Real>(wheel.axis);
  return axis / sqrt(dot(axis, axis));
}

Vec3<Real> relative_momentum(const Setup& setup) {
  Vec3<Real> sum{};
  for (const WheelData& wheel : setup.wheels) sum += Real(Real(wheel.inertia) * Real(wheel.speed)) * axis_of(wheel);
  return sum;
}

Wheels wheels_of(const Setup& setup, const State<Real>& start) {
  const Mat3<Real> locked = tensor_of(setup);
  Wheels wheels{locked, relative_momentum(setup), {}, start.t};
  const Vec3<Real> w = inverted(locked) * (start.pi_B - wheels.at_start);
  for (const WheelData& wheel : setup.wheels) {
    if (!wheel.torque) continue;
    const Vec3<Real> a = axis_of(wheel);
    wheels.at_start += Real(Real(wheel.inertia) * dot(a, w)) * a;
    wheels.rate += Real(*wheel.torque) * a;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) wheels.carried[i][j] -= Real(wheel.inertia) * a[i] * a[j];
  }
  return wheels;
}

State<Real> start_of(const Setup& setup) {
  using Kind = MotionData::Kind;
  State<Real> start{attitude_of(setup.attitude), cast<Real>(setup.motion.value), Real(setup.time)};
  const Kind kind = setup.motion.kind;
  if (kind == Kind::angular_velocity_spatial || kind == Kind::angular_momentum_spatial) {
    start.pi_B = inverse(start.R_SB) * start.pi_B;
  }
  if (kind == Kind::angular_velocity_body || kind == Kind::angular_velocity_spatial) {
    start.pi_B = tensor_of(setup) * start.pi_B + relative_momentum(setup);
  }
  return start;
}

// The fields in SI units and the user's axes. One that needs the moments is given those of the axes, which must be
// principal ones then.
std::vector<FieldSum<Real>::Term> fields_of(const Setup& setup) {
  constexpr auto kinds = std::make_index_sequence<std::tuple_size_v<FieldKinds<Real>>>{};
  const Mat3<Real> tensor = tensor_of(setup);
  const Body<Real> body({tensor[0][0], tensor[1][1], tensor[2][2]});
  std::vector<FieldSum<Real>::Term> terms;
  for (const FieldData<double>& data : setup.torques) {
    terms.push_back(detail::field_of(detail::PlainNumbers<Real>{}, data, Units{}, body, kinds));
  }
  return terms;
}

}  // namespace

struct OdeintMotion::Equations {
  explicit Equations(const Setup& setup)
      : wheels(wheels_of(setup, start_of(setup))),
        inertia(wheels.carried),
        inverse_inertia(inverted(inertia)),
        pieces(FieldSum<Real>(fields_of(setup))),
        field(pieces.field(0)) {}

  void operator()(const Vector& x, Vector& rate, const Real& t) const {
    const auto& [qw, qx, qy, qz, wx, wy, wz] = x;
    const Vec3<Real> w{wx, wy, wz};
    const Vec3<Real> torque = field.torque(Rotation<Real>{qw, {qx, qy, qz}}, w, t);
    const Vec3<Real> acceleration =
        inverse_inertia * (torque - wheels.rate - cross(w, inertia * w + wheels.momentum(t)));
    rate = {-(qx * wx + qy * wy + qz * wz) / 2,
            (qw * wx + qy * wz - qz * wy) / 2,
            (qw * wy + qz * wx - qx * wz) / 2,
            (qw * wz + qx * wy - qy * wx) / 2,
            acceleration.x,
            acceleration.y,
            acceleration.z};
  }

  Vec3<Real> velocity(const State<Real>& s) const { return inverse_inertia * (s.pi_B - wheels.momentum(s.t)); }

  Wheels wheels;
  Mat3<Real> inertia, inverse_inertia;
  Pieces<Real> pieces;
  FieldSum<Real> field;  // of the piece
};

OdeintMotion::OdeintMotion(const Setup& setup) : OdeintMotion(setup, start_of(setup)) {}

OdeintMotion::OdeintMotion(const Setup& setup, const State<Digits50>& from)
    : equations_(std::make_unique<Equations>(setup)), state_(from) {
  const Vec3<Real> w = equations_->velocity(from);
  step_ = Real(0.01) / (1 + norm(w));
}

OdeintMotion::~OdeintMotion() = default;

const State<Digits50>& OdeintMotion::advance_to(const Digits50& end) {
  const auto advance = [&](const FieldSum<Real>& field, const State<Real>& s, const Real& to) {
    state_ = s;
    equations_->field = field;
    advance_smoothly(to);
    return state_;
  };
  return state_ = across_cuts(equations_->pieces, state_, end, advance);
}

void OdeintMotion::advance_smoothly(const Digits50& end) {
  const Vec3<Real> w_0 = equations_->velocity(state_);
  if (equations_->field.empty() && equations_->wheels.rate == Vec3<Real>{} && w_0 == Vec3<Real>{}) {
    state_.t = end;  // at rest for good, of which a controller of steps makes 0/0
    return;
  }
  Vector x{state_.R_SB.w, state_.R_SB.v.x, state_.R_SB.v.y, state_.R_SB.v.z, w_0.x, w_0.y, w_0.z};
  Controlled stepper{ErrorChecker(tolerance, tolerance)};
  Real t = state_.t;
  const Real sign = end < t ? -1 : 1;
  step_ = sign * abs(step_);
  while (t != end) {
    const Real rest = end - t;
    const bool last = abs(rest) <= abs(step_);
    Real h = last ? rest : step_;
    const bool taken = stepper.try_step(std::cref(*equations_), x, t, h) == odeint::success;
    if (taken && last) {
      t = end;
    } else {
      step_ = h;  // longer after a success, shorter after a failure
    }
    if (!taken && abs(h) < Real(1e-12) * abs(rest))
      throw std::runtime_error("odeint finds no step that is small enough");
  }
  state_ = {normalised(Rotation<Real>{x[0], {x[1], x[2], x[3]}}),
            equations_->inertia * Vec3<Real>{x[4], x[5], x[6]} + equations_->wheels.momentum(end), end};
}

}  // namespace polhode
