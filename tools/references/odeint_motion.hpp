// The motion of a body by an integrator that nobody here wrote, in 50 digits: the second opinion on every reference.
#pragma once

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <memory>

#include "polhode/model/setup.hpp"

namespace polhode {

using Digits50 = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<50>, boost::multiprecision::et_off>;

// Integrates the unit quaternion and the angular velocity in the axes the inertia was given in,
//   dq/dt = q (0, w) / 2,   I dw/dt = tau - dk/dt - w x (I w + k)   with k the momentum of wheels,
// by Boost.odeint's extrapolation of the modified midpoint rule. Of the library it uses the situation as data and the
// torque of its fields as values; no unit is rescaled, no tensor diagonalised, no rotation composed.
class OdeintMotion {
 public:
  static constexpr int order = 24;
  static constexpr double tolerance = 1e-36;  // of a step, absolute and relative

  explicit OdeintMotion(const Setup& setup);
  OdeintMotion(const Setup& setup, const State<Digits50>& from);  // SI units, the user's body axes
  ~OdeintMotion();

  const State<Digits50>& advance_to(const Digits50& t);
  const State<Digits50>& state() const { return state_; }

 private:
  struct Equations;

  void advance_smoothly(const Digits50& t);  // where no torque begins or ends

  std::unique_ptr<Equations> equations_;
  State<Digits50> state_;
  Digits50 step_;  // the integrator's last choice
};

}  // namespace polhode
