// A box tumbles in free fall, is hit at a corner after two seconds, and falls on. Frames are of unequal length, as they
// are on a busy machine. Energy changes with the blow and at no other time; momentum changes by the blow exactly.
#include <polhode/engine.hpp>

#include <cstdio>

using Vec = polhode::Vec3<float>;

int main() {
  // A box of 3 kg, 0.2 x 0.3 x 0.6 m.
  const float mass = 3, x = 0.2f, y = 0.3f, z = 0.6f;
  const polhode::Body<float> box(mass / 12 * Vec{y * y + z * z, z * z + x * x, x * x + y * y});

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
      const Vec corner = state.R_SB * (0.5f * Vec{x, y, z}), blow{0, 0, -0.4f};
      state.L += polhode::cross(corner, blow);
      hit = true;
    }
    const Vec no_torque{};
    const float h = frame % 3 == 0 ? 1.0f / 50 : 1.0f / 60;
    polhode::step_keeping_energy<polhode::engine::Recommended>(state, box, no_torque, h);
    time += h;
  }
}
