// A satellite swings about the direction of the Earth for a day, by a method that is named at run time.
#include <polhode/run/simulation.hpp>

#include <cstdio>

int main() {
  polhode::Setup setup;
  setup.inertia = polhode::Vec3<double>{20, 95, 100};  // principal moments [kg m^2]
  setup.motion.value = {0.0001, 0, 0.0012};            // angular velocity in body axes [rad/s]
  setup.torques = {polhode::GravityGradient<double>{.mean_motion = 0.0011}};
  polhode::Simulation satellite(setup, "rotor-srkn14a", {.step = 60});
  for (int hour = 6; hour <= 24; hour += 6) {
    satellite.advance_to(hour * 3600);
    const auto q = satellite.state().R_SB;
    std::printf("%2d h: attitude (%+.4f, %+.4f, %+.4f, %+.4f)\n", hour, q.w, q.v.x, q.v.y, q.v.z);
  }
}
