// A body that an engine moves and Polhode turns: all that the two have to tell each other in a tick.
#pragma once

#include <polhode/engine.hpp>

namespace tumble {

// The engine reports by the angular velocity. Whatever it did to that since it was shown the last one (contacts, joints,
// impulses, torques) is a change of momentum; without any, the momentum stays as it is to the bit. For this the engine's own
// gyroscopic term and damping of the body must be off. Then the body is turned for the tick, from where it was before it: the
// engine's own rotation is replaced, nothing is added to it.
template <class T>
struct Turned {
  polhode::Inertia<T> inertia;
  polhode::Spin<T> spin;
  polhode::Vec3<T> shown;  // the angular velocity that the engine has

  Turned(const polhode::Inertia<T>& of, const polhode::Rotation<T>& R_SB, const polhode::Vec3<T>& w_S)
      : inertia(of), spin(polhode::spin_from_velocity(of, R_SB, w_S)), shown(w_S) {}

  // After a tick of length h, which the engine has ended with w_S. It is then to be given the attitude of `spin`, and `shown`.
  polhode::StepStatus tick(const polhode::Vec3<T>& w_S, T h) {
    spin.L += polhode::momentum_of(inertia, spin.R_SB, w_S - shown);
    const polhode::Vec3<T> no_more{};
    const polhode::StepStatus status = polhode::step(spin, inertia, no_more, h);
    shown = polhode::angular_velocity_spatial(spin, inertia);
    return status;
  }
};

}  // namespace tumble
