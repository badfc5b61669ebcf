// Methods chosen at run time: by_name [METHOD...]. A body is pulled back to its attitude by a torsion spring, whose
// torque is known by its values only; energy tells the methods apart.
#include <polhode/measure/energy.hpp>
#include <polhode/methods/registry.hpp>

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

using namespace polhode;

// V = k/2 (trace(1 - R)) = 2 k |v|^2 with v the vector part of the quaternion, so that tau_B = -2 k w v.
FieldSum<double> torsion_spring(double k) {
  Callback<double> spring;
  spring.torque_B = [k](const Rotation<double>& R_SB, double) { return -2 * k * R_SB.w * R_SB.v; };
  spring.potential_V = [k](const Rotation<double>& R_SB) { return 2 * k * squared_norm(R_SB.v); };
  return FieldSum<double>({spring});
}

int main(int argc, char** argv) {
  std::vector<std::string> names(argv + 1, argv + argc);
  if (names.empty()) names = {"taylor-1", "taylor-2-augmented", "taylor-2-augmented+energy", "mclachlan-reich@suzuki"};
  const Body<double> body({1, 2, 2.5});
  const FieldSum<double> field = torsion_spring(3);
  const State<double> start{exp(Vec3<double>{0.4, 0.2, 0}), {0.3, 0, 1}, 0};
  const double h = 0.02;
  try {
    for (const std::string& name : names) {
      const auto stepper = make_stepper<double>(parse_method(name), body, field);
      stepper->start(start, h);
      for (int n = 0; n < 5000; ++n) stepper->step(h);
      std::printf("%-28s energy drift after 100 s: %+.2e J, %lld torques\n", name.c_str(),
                  energy(body, field, stepper->state) - energy(body, field, start), stepper->work.torque_evaluations);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
