// An Earth-pointing satellite on a circular orbit, for the tests of the gravity gradient.
#pragma once

#include <cmath>
#include <memory>
#include <numbers>

#include "polhode/measure/energy.hpp"
#include "polhode/methods/registry.hpp"
#include "polhode/model/setup.hpp"

namespace polhode::test {

using R = Rotation<double>;
using V = Vec3<double>;
using Situation = polhode::Setup;  // GoogleTest has a Setup of its own

constexpr double pi = std::numbers::pi;
constexpr double n = 0.00113;  // mean motion [rad/s]: once around the Earth in 93 minutes
constexpr double orbit = 2 * pi / n;

// In equilibrium the body axes are those of the orbit: x along the radius (yaw), y along the velocity (roll), z along
// the normal (pitch). Stable, with I_pitch > I_roll > I_yaw.
constexpr V moments{31, 84, 97};
constexpr V normal{0, 0, 1};

// The satellite turned by `turn` out of the axes of the orbit, with the angular velocity `rate` relative to them, both
// in body axes.
inline Situation satellite(const V& turn, const V& rate, const V& I = moments) {
  Situation s;
  s.inertia = I;
  s.attitude = {AttitudeData::Kind::rotation_vector, {turn.x, turn.y, turn.z}};
  s.motion = {MotionData::Kind::angular_velocity_body, rate + inverse(exp(turn)) * (n * normal)};
  GravityGradient<double> field;
  field.mean_motion = n;
  s.torques = {field};
  return s;
}

// The rotation vector from the axes of the orbit to those of the body: (yaw, roll, pitch) where it is small.
inline V deviation(const State<double>& s) { return log(exp(-s.t * n * normal) * s.R_SB); }

// A run by taylor-12, in SI units.
class Flight {
 public:
  Flight(const Situation& s, double step)
      : prepared_(prepare<double>(s)),
        stepper_(make_stepper(parse_method("taylor-12"), prepared_.body, prepared_.field)),
        h_(prepared_.time_in(step)) {
    stepper_->start(prepared_.start, h_);
  }
  void step() {
    stepper_->step(h_);
    stepper_->state.t = prepared_.start.t + ++steps_ * h_;
  }
  State<double> state() const { return prepared_.in_user_units(stepper_->state); }
  // A fraction of a step ahead.
  State<double> ahead(double fraction) const {
    const auto branch = stepper_->clone();
    branch->step(fraction * h_);
    return prepared_.in_user_units(branch->state);
  }
  // Kinetic and potential energy [J].
  double energy() const {
    return std::ldexp(polhode::energy(prepared_.body, prepared_.field, stepper_->state),
                      prepared_.units.energy_exponent());
  }

 private:
  Prepared<double> prepared_;
  std::unique_ptr<Stepper<double>> stepper_;
  double h_;
  int steps_ = 0;
};

}  // namespace polhode::test
