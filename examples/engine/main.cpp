// A box tumbles in free fall, is hit at a corner after two seconds, and falls on. Frames are of unequal length, as they
// are on a busy machine. Energy changes with the blow and at no other time; momentum changes by the blow exactly.
#include <polhode/engine.hpp>

#include <cstdio>

using Vec = polhode::Vec3<float>;

int main() {
  const Vec edges{0.2f, 0.3f, 0.6f};  // [m], of 3 kg
  const auto box = polhode::box_inertia(3.0f, edges);

  // Nearly about the middle axis, which is unstable: the box will turn over.
  polhode::Spin<float> state = polhode::spin_from_velocity(box, {}, Vec{0.01f, 6, 0.02f});

  std::printf("%8s %10s %32s\n", "time [s]", "energy [J]", "angular velocity, space [rad/s]");
  float time = 0;
  bool hit = false;
  for (int frame = 0; frame < 240; ++frame) {
    if (frame % 20 == 0) {
      const Vec w = polhode::angular_velocity_spatial(state, box);
      std::printf("%8.3f %10.5f %10.4f %10.4f %10.4f\n", time, polhode::kinetic_energy(state, box), w.x, w.y, w.z);
    }
    if (time >= 2 && !hit) {
      const Vec corner = state.R_SB * (0.5f * edges), blow{0, 0, -0.4f};
      state.L += polhode::cross(corner, blow);
      hit = true;
    }
    const Vec no_torque{};
    const float h = frame % 3 == 0 ? 1.0f / 50 : 1.0f / 60;
    if (const polhode::StepStatus status = polhode::step(state, box, no_torque, h); !status) {
      std::fprintf(stderr, "%s\n", polhode::text_of(status));
      return 1;
    }
    time += h;
  }
}
