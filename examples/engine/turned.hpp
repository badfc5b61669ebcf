#include <polhode/engine.hpp>

struct Turned {                     // one beside each body of your engine
  polhode::Inertia<float> inertia;  // box_inertia(mass, edges), principal moments, a tensor
  polhode::Spin<float> spin{};      // attitude and angular momentum
  polhode::Vec3<float> shown{};     // the velocity that the engine was given last

  // After a tick of length h that the engine has ended with velocity w: what it did to that is a change of momentum.
  bool tick(const polhode::Vec3<float>& w, float h) {
    spin.L += polhode::momentum_of(inertia, spin.R_SB, w - shown);
    const polhode::StepStatus status = polhode::step(spin, inertia, {}, h);
    shown = polhode::angular_velocity_spatial(spin, inertia);
    return status == polhode::StepStatus::ok;  // now give the engine the attitude spin.R_SB, and the velocity `shown`
  }
};
