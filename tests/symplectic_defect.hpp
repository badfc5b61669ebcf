// Symplecticity, decided far below any defect: the library's measure in quad, from one generic start.
#pragma once

#include <memory>
#include <string_view>

#include "method_names.hpp"
#include "polhode/core/quad.hpp"

namespace polhode::test {

// What differences in quad may leave of an exact symmetry.
inline constexpr double symplectic_rounding = 1e-18;

// A body with three moments.
inline Body<quad> body_in_quad() { return Body<quad>({0.9144, 1.098, 1.66}); }

// In gravity or, for a method that takes no torque, in nothing.
inline std::unique_ptr<Stepper<quad>> stepper_in_quad(const MethodSpec& method, const Body<quad>& body) {
  FieldSum<quad> field;
  if (takes_torque(method.claims)) {
    HeavyTop<quad> gravity;
    gravity.weight_times_arm = 0.5;
    gravity.axis_body = {quad(1) / 3, quad(2) / 3, quad(2) / 3};
    field = FieldSum<quad>({gravity});
  }
  auto stepper = make_stepper(method, body, field);
  stepper->set_tolerance(coarse_tolerance(method.claims));
  return stepper;
}

// Infinite where a step could not be solved.
inline double symplectic_defect(std::string_view method, double h, int steps, const Body<quad>& body = body_in_quad()) {
  const State<quad> start{exp(Vec3<quad>{0.3, -0.5, 0.8}), {1.7, 2.9, 0.6}, 0};
  return polhode::symplectic_defect<quad>(*stepper_in_quad(parse_method(method), body), start, h, steps);
}

}  // namespace polhode::test
