// The time that an expensive torque takes: set, and measured where it is spent.
#pragma once

#include <string>
#include <vector>

#include "integrator.hpp"

namespace polhode::bench {

// Lets expensive torques idle for so many seconds from now on; 0: not at all.
void let_idle(double seconds);

// What they do now.
const Idling& idling();

// The torque calls of one integrator, in a short run of it.
struct TorqueCall {
  std::string name;
  double seconds;       // that a call idles, the median
  long long unwatched;  // calls that are counted and do not idle
};

// Of all integrators in turn, and again and again.
std::vector<TorqueCall> torque_calls(const Case& subject, const AnyEquations& equations, double seconds);

inline constexpr double torque_time_tolerance = 0.2;  // relative

}  // namespace polhode::bench
