// Checks that hold for a scenario's settings wherever they were given, in the file or by a flag.
#pragma once

#include <string_view>

#include "polhode/io/scenario.hpp"

namespace polhode {

// What would be valid, in messages.
inline constexpr std::string_view step_wanted = "a positive number of seconds, e.g. 0.01";
inline constexpr std::string_view steps_wanted = "a whole number of steps, at least 1";
inline constexpr std::string_view duration_wanted = "a number of seconds other than zero (negative runs backwards)";
inline constexpr std::string_view on_failure_wanted = "stop, or halve to take a step that fails again in halves";
inline constexpr std::string_view tolerance_wanted = "a positive number of radians, e.g. 1e-8";
inline constexpr std::string_view goal_wanted = "time, torque-evaluations or energy";
inline constexpr std::string_view every_wanted = "a whole number of steps between rows, at least 1";

// Throws SetupError.
void check_settings(const Scenario& scenario);

}  // namespace polhode
