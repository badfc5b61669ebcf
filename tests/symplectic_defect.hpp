// Symplecticity, decided far below any defect: steps are symplectic if and only if A_n^T J(pi_n) A_n stays what it is, A_n
// the Jacobian of n steps and J the canonical two-form of T*SO(3) in body coordinates. It is taken from the first step on:
// the start-up of a method with a memory of its own is no step. A_n is a central difference in quad, good to 20 digits.
#pragma once

#include <array>
#include <cmath>
#include <memory>
#include <string_view>

#include "method_names.hpp"
#include "polhode/core/quad.hpp"
#include "polhode/measure/extremes.hpp"

namespace polhode::test {

using Matrix6 = std::array<std::array<quad, 6>, 6>;

// Half the width of a difference, where its error and that of rounding meet, and what the two leave of an exact symmetry.
inline constexpr double symplectic_rounding = 1e-18;
inline constexpr double difference = 1e-11;

// A tangent vector is (a, b): the attitude turns by exp(a) in body axes, the body momentum changes by b. From
// theta = pi . a one has -d theta((a, b), (a', b')) = b' . a - b . a' + pi . (a x a').
inline Matrix6 canonical_form(const Vec3<quad>& pi) {
  Matrix6 J{};
  const Mat3<quad> hat{{{0, -pi.z, pi.y}, {pi.z, 0, -pi.x}, {-pi.y, pi.x, 0}}};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 3; ++k) J[i][k] = -hat[i][k];  // a^T (-hat(pi)) a' = pi . (a x a')
    J[i][3 + i] = 1;
    J[3 + i][i] = -1;
  }
  return J;
}

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

// After one step and after all of them, from a start that is moved along one of the six directions.
struct FirstAndLast {
  State<quad> first, last;
};
inline FirstAndLast ends(Stepper<quad>& stepper, double h, int steps, std::size_t direction, double move) {
  std::array<quad, 6> moves{};
  moves[direction] = move;
  State<quad> start;
  start.R_SB = exp(Vec3<quad>{0.3, -0.5, 0.8}) * exp(Vec3<quad>{moves[0], moves[1], moves[2]});
  start.pi_B = Vec3<quad>{1.7, 2.9, 0.6} + Vec3<quad>{moves[3], moves[4], moves[5]};
  stepper.start(start, h);
  stepper.step(h);
  const State<quad> first = stepper.state;
  for (int n = 1; n < steps; ++n) stepper.step(h);
  return {first, stepper.state};
}

// The column of a Jacobian between the two ends of a difference, in body axes: dR = R hat(a).
inline std::array<quad, 6> tangent(const State<quad>& before, const State<quad>& after) {
  const quad width = 2 * quad(difference);
  const Rotation<quad> turn = inverse(before.R_SB) * after.R_SB;
  const quad sign = turn.w < 0 ? -1 : 1;
  const Vec3<quad> a = 2 * sign / width * turn.v, b = quad(1) / width * (after.pi_B - before.pi_B);
  return {a.x, a.y, a.z, b.x, b.y, b.z};
}

// A^T J A; A by its columns.
inline Matrix6 pulled_back(const Vec3<quad>& pi, const Matrix6& A) {
  const Matrix6 J = canonical_form(pi);
  Matrix6 form{};
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t k = 0; k < 6; ++k)
      for (std::size_t m = 0; m < 6; ++m)
        for (std::size_t n = 0; n < 6; ++n) form[i][k] += A[i][m] * J[m][n] * A[k][n];
  return form;
}

// How far the two-form changes from the first step to the last, over the size of the terms that cancel; infinite where
// a step could not be solved.
inline double symplectic_defect(std::string_view method, double h, int steps, const Body<quad>& body = body_in_quad()) {
  const auto stepper = stepper_in_quad(parse_method(method), body);
  Matrix6 first{}, last{};  // Jacobians, by columns
  double largest = 1;
  bool converged = true;
  for (std::size_t k = 0; k < 6; ++k) {
    const FirstAndLast before = ends(*stepper, h, steps, k, -difference);
    converged = converged && stepper->work.converged;
    const FirstAndLast after = ends(*stepper, h, steps, k, difference);
    converged = converged && stepper->work.converged;
    first[k] = tangent(before.first, after.first);
    last[k] = tangent(before.last, after.last);
    for (std::size_t i = 3; i < 6; ++i) largest = larger(largest, std::abs(static_cast<double>(last[k][i])));
  }
  const FirstAndLast middle = ends(*stepper, h, steps, 0, 0);
  const Matrix6 begin = pulled_back(middle.first.pi_B, first), end = pulled_back(middle.last.pi_B, last);
  double defect = converged && stepper->work.converged ? 0 : HUGE_VAL;
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t k = 0; k < 6; ++k) {
      const double change = std::abs(static_cast<double>(end[i][k] - begin[i][k]));
      defect = std::isfinite(change) ? std::max(defect, change) : HUGE_VAL;
    }
  }
  return defect / std::pow(largest, 2);
}

}  // namespace polhode::test
