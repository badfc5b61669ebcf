// The situations that diagnose looks at, and what it measures in double there: long runs and cost.
#pragma once

#include <optional>
#include <vector>

#include "polhode/measure/energy_record.hpp"
#include "polhode/studies/diagnose.hpp"
#include "studies/probe.hpp"

namespace polhode {

// The free body and, where the method takes it, the situation as it is given. Throws MethodError where there is none.
std::vector<Situation> situations_of(const Setup& setup, const MethodSpec& method);

// What is left of the claims where the torque depends on the angular velocity, is not smooth or has no potential.
Claims claims_in(const Situation& situation, const Claims& claims);

// In units of the largest kinetic energy and of the stepper's time; the curve in seconds.
struct LongRunEnergy {
  EnergyRecord record;
  double scale;    // the largest kinetic energy
  double seconds;  // in the unit of the stepper's time
};
LongRunEnergy long_run(const Situation& situation, const MethodSpec& method, EnergyCurve& curve);

struct StepCost {
  double torque_evaluations = 0, solver_iterations = 0;  // per step
  double seconds = 0, of_yardstick = 0;                  // per step: the least of several timings, and that of rkmk-4
};
StepCost cost_of(const Situation& situation, const MethodSpec& method);

}  // namespace polhode
