// Derivatives of a run by what it starts from, by the body and by the torques (docs/sensitivities.md).
#pragma once

#include <array>
#include <complex>
#include <optional>
#include <string>
#include <vector>

#include "polhode/model/setup.hpp"

namespace polhode {

// A number that a run can be differentiated by, as the situation gives it.
struct DifferentiableNumber {
  std::string name;  // "start.attitude.x", "inertia.xy", "torque.weight_times_arm"; "torque[1]. ..." of several
  std::string unit;  // "1" where it has none
  double value = 0;
};

// Every one of a situation, in the order of its scenario: the start, the inertia, the torques.
std::vector<DifferentiableNumber> differentiable_numbers(const Setup& setup);

// How the state changes with one of them, per unit. The attitude R changes to R exp(d theta).
struct Sensitivity {
  DifferentiableNumber by;
  std::array<double, 3> theta_B{};  // rotation vector, body axes [rad]
  std::array<double, 3> w_B{};      // angular velocity, body axes [rad/s]
  std::array<double, 3> L_S{};      // angular momentum, spatial axes [kg m^2/s]
};

// The derivative of the flow from the start to the end: of (theta_B, pi_B) there by the same at the start, pi_B being the
// angular momentum in body axes [kg m^2/s].
struct Monodromy {
  using Matrix = std::array<std::array<double, 6>, 6>;

  Matrix matrix{};
  std::array<std::complex<double>, 6> multipliers{};  // its eigenvalues, the largest first
  // By how much it misses M^T J(pi_1) M = J(pi_0), relative to the terms of that. A flow without friction is symplectic.
  double symplectic_defect = 0;
  // From the start to the end. Where both are nothing the motion is periodic, and the eigenvalues are its multipliers.
  double return_angle = 0;     // [rad]
  double return_momentum = 0;  // of pi_B [kg m^2/s]
};

// The largest Lyapunov exponent, by how much all changes of the start together have grown.
struct Lyapunov {
  double exponent = 0;                // over the whole run [1/s]
  std::optional<double> second_half;  // over the second half of its steps, without what the beginning adds [1/s]
};

struct Sensitivities {
  std::vector<Sensitivity> numbers;
  std::optional<Monodromy> monodromy;
  std::optional<Lyapunov> lyapunov;
};

}  // namespace polhode
