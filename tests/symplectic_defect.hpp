// Symplecticity, decided to rounding: steps run on dual numbers return their exact Jacobian A_n from the start, and
// they are symplectic if and only if A_n^T J(pi_n) A_n stays what it is, J the canonical two-form of T*SO(3) in body
// coordinates. It is taken from the first step on: the start-up of a method with a memory of its own is no step.
#pragma once

#include <array>
#include <cmath>

#include "method_names.hpp"
#include "polhode/core/dual.hpp"
#include "polhode/measure/extremes.hpp"
#include "polhode/methods/method.hpp"
#include "polhode/model/fields.hpp"

namespace polhode::test {

using SixDerivatives = Dual<double, 6>;
using Matrix6 = std::array<std::array<double, 6>, 6>;

// A tangent vector is (a, b): the attitude turns by exp(a) in body axes, the body momentum changes by b. From
// theta = pi . a one has -d theta((a, b), (a', b')) = b' . a - b . a' + pi . (a x a').
inline Matrix6 canonical_form(const Vec3<double>& pi) {
  Matrix6 J{};
  const Mat3<double> hat{{{0, -pi.z, pi.y}, {pi.z, 0, -pi.x}, {-pi.y, pi.x, 0}}};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 3; ++k) J[i][k] = -hat[i][k];  // a^T (-hat(pi)) a' = pi . (a x a')
    J[i][3 + i] = 1;
    J[3 + i][i] = -1;
  }
  return J;
}

// Gravity, or nothing for a method that takes no torque.
template <class M>
auto field_for() {
  if constexpr (M::claims.needs == Needs::no_torque) {
    return Free{};
  } else {
    HeavyTop<SixDerivatives> field;
    field.weight_times_arm = SixDerivatives(0.5);
    field.axis_body = {SixDerivatives(1.0 / 3), SixDerivatives(2.0 / 3), SixDerivatives(2.0 / 3)};
    return field;
  }
}

// A^T J A for the Jacobian A of the state s with respect to that at the start.
inline Matrix6 pulled_back(const State<SixDerivatives>& s) {
  // dR = R hat(a): the vector part of q^-1 dq is a / 2.
  Matrix6 A{};
  const Rotation<double> back =
      inverse(Rotation<double>{s.R_SB.w.value, {s.R_SB.v.x.value, s.R_SB.v.y.value, s.R_SB.v.z.value}});
  for (std::size_t k = 0; k < 6; ++k) {
    const Rotation<double> dq{s.R_SB.w.d[k], {s.R_SB.v.x.d[k], s.R_SB.v.y.d[k], s.R_SB.v.z.d[k]}};
    const Vec3<double> a = 2.0 * (back * dq).v;
    for (std::size_t i = 0; i < 3; ++i) {
      A[i][k] = a[i];
      A[3 + i][k] = s.pi_B[i].d[k];
    }
  }
  const Matrix6 J = canonical_form({s.pi_B.x.value, s.pi_B.y.value, s.pi_B.z.value});
  Matrix6 form{};
  for (std::size_t i = 0; i < 6; ++i)
    for (std::size_t k = 0; k < 6; ++k)
      for (std::size_t m = 0; m < 6; ++m)
        for (std::size_t n = 0; n < 6; ++n) form[i][k] += A[m][i] * J[m][n] * A[n][k];
  return form;
}

inline double largest_derivative(const State<SixDerivatives>& s) {
  double size = 1;
  for (std::size_t i = 0; i < 3; ++i)
    for (const double d : s.pi_B[i].d) size = larger(size, std::abs(d));
  return size;
}

// How far the two-form changes from the first step to the last, over the size of the terms that cancel; infinite where
// a step could not be solved.
template <class M>
double symplectic_defect(double h, int steps, const ParametersOf<M>& parameters = {}) {
  const System system{Body<SixDerivatives>({SixDerivatives(0.9144), SixDerivatives(1.098), SixDerivatives(1.66)}),
                      field_for<M>()};
  State<SixDerivatives> s;
  Vec3<SixDerivatives> turn;
  for (std::size_t i = 0; i < 3; ++i) turn[i] = SixDerivatives::variable(0.0, i);
  s.R_SB = cast<SixDerivatives>(exp(Vec3<double>{0.3, -0.5, 0.8})) * exp(turn);
  const Vec3<double> pi_0{1.7, 2.9, 0.6};
  for (std::size_t i = 0; i < 3; ++i) s.pi_B[i] = SixDerivatives::variable(pi_0[i], 3 + i);

  Work work;
  auto memory = start<M>(system, s, SixDerivatives(h), work);
  if constexpr (coarse_tolerance(M::claims) > 0) memory.tolerance = SixDerivatives(coarse_tolerance(M::claims));
  Matrix6 first{}, last{};
  for (int n = 0; n < steps; ++n) {
    s = advance<M>(system, s, memory, SixDerivatives(h), work, parameters);
    last = pulled_back(s);
    if (n == 0) first = last;
  }
  double defect = work.converged ? 0 : HUGE_VAL;
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t k = 0; k < 6; ++k) {
      const double difference = std::abs(last[i][k] - first[i][k]);
      defect = std::isfinite(difference) ? std::max(defect, difference) : HUGE_VAL;
    }
  }
  return defect / std::pow(largest_derivative(s), 2);
}

}  // namespace polhode::test
