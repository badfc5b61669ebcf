// What a step answers.
#pragma once

namespace polhode {

// Whatever is not ok has left the state as it was.
enum class StepStatus {
  ok,
  bad_inertia,   // a moment is negative or not a finite number
  bad_attitude,  // the quaternion is zero or not finite
  bad_momentum,  // not finite, or too large to be squared
  bad_torque,    // not finite, or its impulse too large
  bad_options,   // fewer than one sub-step, or damping or speed negative or not a number
  bad_step,      // not finite, or the body would turn by more radians than numbers of this kind can count
};

constexpr bool operator!(StepStatus status) { return status != StepStatus::ok; }

// A sentence for each.
constexpr const char* text_of(StepStatus status) {
  switch (status) {
    case StepStatus::ok: return "no error";
    case StepStatus::bad_inertia: return "the moments of inertia must be positive and finite";
    case StepStatus::bad_attitude: return "the attitude quaternion must be finite and not zero";
    case StepStatus::bad_momentum: return "the angular momentum must be finite, and its square as well";
    case StepStatus::bad_torque: return "the torque must be finite, and so must its impulse over the step";
    case StepStatus::bad_options: return "sub-steps must be one or more, damping and the largest speed not negative";
    case StepStatus::bad_step: return "the step must be finite, and so must the angle by which the body turns in it";
  }
  return "no such status";
}

}  // namespace polhode
