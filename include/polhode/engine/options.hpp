// What engines do to a rotating body besides stepping it. Damping, a largest speed and locked axes are not mechanics: they
// take momentum and energy away, on purpose, and nothing is promised of a body under them but that it stays finite.
#pragma once

#include "polhode/engine/step.hpp"

namespace polhode {

template <class T>
struct StepOptions {
  int substeps = 1;  // the step in as many equal parts, each with the torque
  T damping{0};      // [1/s]: the momentum is divided by 1 + h damping, whatever the step
  T largest_speed = std::numeric_limits<T>::infinity();  // [rad/s]: the momentum is scaled down to it
  bool lock_x = false, lock_y = false, lock_z = false;   // of the world: momentum along these is removed

  constexpr bool valid() const {
    return substeps >= 1 && damping >= T(0) && isfinite(damping) && largest_speed >= T(0);
  }
};

// The new state, or the old one and the reason if any part of the step is refused.
template <class T>
constexpr StepStatus step(Spin<T>& state, const Inertia<T>& body, const Same<Vec3<T>>& torque_S, const Same<T>& h,
                          const Same<StepOptions<T>>& options) noexcept {
  if (!options.valid()) return StepStatus::bad_options;
  Spin<T> s = state;
  const auto unlock = [&options](Vec3<T>& v) {
    if (options.lock_x) v.x = T(0);
    if (options.lock_y) v.y = T(0);
    if (options.lock_z) v.z = T(0);
  };
  const T part = h / T(options.substeps), kept = T(1) / (T(1) + abs(part) * options.damping);
  Vec3<T> torque = torque_S;
  unlock(torque);
  unlock(s.L);
  for (int i = 0; i < options.substeps; ++i) {
    const StepStatus status = step(s, body, torque, part);
    if (status != StepStatus::ok) return status;
    if (options.damping > T(0)) s.L = kept * s.L;
    if (options.largest_speed < std::numeric_limits<T>::infinity()) {
      const T speed = norm(angular_velocity_body(s, body));
      if (speed > options.largest_speed) s.L = T(options.largest_speed / speed) * s.L;
    }
  }
  state = s;
  return StepStatus::ok;
}

// A body whose inertia changes (fuel is spent, a limb is drawn in) keeps its attitude and its momentum: nothing is to be done
// but to step it with the new inertia from then on. Where the speed is to be kept instead:
template <class T>
constexpr StepStatus change_inertia_at_fixed_velocity(Spin<T>& state, const Inertia<T>& before,
                                                      const Inertia<T>& after) {
  if (!before.valid() || !after.valid()) return StepStatus::bad_inertia;
  state.L = momentum_of(after, state.R_SB, angular_velocity_spatial(state, before));
  return StepStatus::ok;
}

}  // namespace polhode
