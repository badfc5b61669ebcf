// The torque of speed.py as a function of C++ in a run of the library: what a compiled function costs without Python.
//
//   called_torque STEPS      prints seconds of processor time and the end of the motion
#include <fmt/format.h>

#include <cstdlib>
#include <ctime>

#include "polhode/run/simulation.hpp"

using namespace polhode;

int main(int, char** arguments) {
  const long long steps = std::strtoll(arguments[1], nullptr, 10);
  RunRequest request;
  request.setup.inertia = Vec3<double>{0.9144, 1.098, 1.66};
  request.setup.motion.value = {0.45549, 0.82623, 0.03476};
  CalledTorque drag{"drag"};
  drag.torques = [](std::span<const CalledTorque::Motion> at, std::span<Vec3<double>> torques_U) {
    for (std::size_t i = 0; i < at.size(); ++i) {
      const auto& [w, v] = at[i].R_SU;
      torques_U[i] = -0.1 * at[i].w_U + Vec3<double>{0.2 * (v.x * v.z - w * v.y), 0, 0};
    }
  };
  request.setup.called_torques.push_back(std::move(drag));
  request.run.method = "rkmk-4";
  request.run.step = 0.01;
  request.run.steps = steps;
  const Simulation simulation(plan(std::move(request)));
  const std::clock_t begin = std::clock();
  const Result result = simulation.run();
  const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
  const auto& w = result.end.angular_velocity_body;
  fmt::print("{} {} {} {}\n", seconds, w[0].value, w[1].value, w[2].value);
}
