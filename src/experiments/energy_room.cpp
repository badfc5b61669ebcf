#include "experiments/energy_room.hpp"

#include <algorithm>

namespace polhode::experiments {

double energy_room(const Scenario& scenario, const Result& result) {
  if (!moves_freely(scenario.setup) || !result.energy_error_max) return 1;
  const Prepared<double> prepared = prepare<double>(scenario.setup);
  const Vec3<double> moments = prepared.body_in_user_units().inertia;
  const State<double> start = prepared.in_user_units(prepared.start);
  const double squared = dot(start.pi_B, start.pi_B), energy = result.start.kinetic_energy.value;
  const auto [smallest, largest] = std::minmax({moments.x, moments.y, moments.z});
  if (smallest == largest) return 1;
  const double up = squared / (2 * smallest) - energy, down = energy - squared / (2 * largest);
  const double near = std::min(up, down), far = std::max(up, down);
  constexpr double rounding = 1.001;
  const double way = *result.energy_error_max <= rounding * near ? near : far;
  return std::max(0.0, 1 - *result.energy_error_max / way);
}

}  // namespace polhode::experiments
