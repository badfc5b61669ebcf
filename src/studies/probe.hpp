// What diagnose measures in one scalar: short runs of one method in one situation.
#pragma once

#include <atomic>
#include <optional>

#include "polhode/core/quad.hpp"
#include "polhode/measure/asymptotic_order.hpp"
#include "polhode/methods/registry.hpp"
#include "polhode/model/setup.hpp"

namespace polhode {

// A situation, and how fast things happen in it.
struct Situation {
  Setup setup;
  bool is_free;
  double rate;                                     // [rad/s]
  double kinetic_energy, momentum;                 // the largest, in internal units
  std::optional<Vec3<double>> torque_free_axis_S;  // along which no torque has a component; none: there is no such axis
  bool energy_is_kept;                             // by the exact motion
  bool depends_on_velocity;                        // the torque

  double time_for(double angle) const { return angle / rate; }  // [s]
};

// The state after a turn of `order_angle`, in SI units and the user's axes, and how far two integrators that share nothing
// are apart on it.
struct ReferenceEnd {
  State<quad> state;
  double attitude_uncertainty, momentum_uncertainty;
};
inline constexpr double order_angle = 6;
ReferenceEnd reference_end(const Situation& situation);

struct ProbedOrder {
  std::vector<BoundedError> points;  // steps in seconds
  AsymptoticOrder order;
  bool exact = false;  // nothing but rounding at any step
  double rounding = 0;
};

struct Probed {
  ProbedOrder attitude, momentum;
  double symmetry = 0, symplectic = 0;  // infinite where no step could be solved
  double momentum_change = 0;           // relative, of the vector or along the axis
  std::optional<double> energy_change;  // over the largest kinetic energy; none where the exact motion does not keep it
  double symmetry_zero = 0, symplectic_zero = 0, invariant_zero = 0;  // what rounding leaves of none
};

// When `stop` is set it ends soon, and what it returns says nothing.
template <class T>
Probed probe(const Situation& situation, const MethodSpec& method, const ReferenceEnd& reference,
             const std::atomic<bool>* stop);

// Whether the method can be had in quad.
bool runs_in_quad(const Situation& situation, const MethodSpec& method);

}  // namespace polhode
