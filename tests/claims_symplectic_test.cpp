// Symplecticity, decided to rounding: a step run on dual numbers returns its exact Jacobian A, and the map is
// symplectic if and only if A^T J(pi_1) A = J(pi_0), J the canonical two-form of T*SO(3) in body coordinates.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>

#include "polhode/core/dual.hpp"
#include "polhode/methods/catalogue.hpp"
#include "polhode/model/fields.hpp"

namespace polhode::test {
namespace {

using Number = Dual<double, 6>;
using Matrix6 = std::array<std::array<double, 6>, 6>;

// A tangent vector is (a, b): the attitude turns by exp(a) in body axes, the body momentum changes by b. From
// theta = pi . a one has -d theta((a, b), (a', b')) = b' . a - b . a' + pi . (a x a').
Matrix6 canonical_form(const Vec3<double>& pi) {
  Matrix6 J{};
  const Mat3<double> hat{{{0, -pi.z, pi.y}, {pi.z, 0, -pi.x}, {-pi.y, pi.x, 0}}};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 3; ++k) J[i][k] = -hat[i][k];  // a^T (-hat(pi)) a' = pi . (a x a')
    J[i][3 + i] = 1;
    J[3 + i][i] = -1;
  }
  return J;
}

struct Tangent {
  Matrix6 jacobian;
  Vec3<double> pi_0, pi_1;
};

// Gravity, or nothing for a method that takes no torque.
template <class M>
auto field_for() {
  if constexpr (M::claims.needs == Needs::no_torque) {
    return Free{};
  } else {
    HeavyTop<Number> field;
    field.weight_times_arm = Number(0.5);
    field.axis_body = {Number(1.0 / 3), Number(2.0 / 3), Number(2.0 / 3)};
    return field;
  }
}

// Several steps of the method from a generic state, differentiated with respect to that state.
template <class M>
Tangent differentiate(double h, int steps) {
  const System system{Body<Number>({Number(0.9144), Number(1.098), Number(1.66)}), field_for<M>()};

  State<Number> s;
  const Rotation<double> R_0 = exp(Vec3<double>{0.3, -0.5, 0.8});
  Vec3<Number> turn;
  for (std::size_t i = 0; i < 3; ++i) turn[i] = Number::variable(0.0, i);
  s.R_SB = cast<Number>(R_0) * exp(turn);
  const Vec3<double> pi_0{1.7, 2.9, 0.6};
  for (std::size_t i = 0; i < 3; ++i) s.pi_B[i] = Number::variable(pi_0[i], 3 + i);

  Work work;
  auto memory = start<M>(system, s, Number(h), work);
  for (int n = 0; n < steps; ++n) s = advance<M>(system, s, memory, Number(h), work);

  // dR = R hat(a): the vector part of q^-1 dq is a / 2.
  Tangent result{{}, pi_0, {s.pi_B.x.value, s.pi_B.y.value, s.pi_B.z.value}};
  const Rotation<double> back =
      inverse(Rotation<double>{s.R_SB.w.value, {s.R_SB.v.x.value, s.R_SB.v.y.value, s.R_SB.v.z.value}});
  for (std::size_t k = 0; k < 6; ++k) {
    const Rotation<double> dq{s.R_SB.w.d[k], {s.R_SB.v.x.d[k], s.R_SB.v.y.d[k], s.R_SB.v.z.d[k]}};
    const Vec3<double> a = 2.0 * (back * dq).v;
    for (std::size_t i = 0; i < 3; ++i) {
      result.jacobian[i][k] = a[i];
      result.jacobian[3 + i][k] = s.pi_B[i].d[k];
    }
  }
  return result;
}

// |A^T J(pi_1) A - J(pi_0)| over the size of the terms that cancel.
double symplectic_defect(const Tangent& map) {
  const Matrix6 J0 = canonical_form(map.pi_0), J1 = canonical_form(map.pi_1);
  double defect = 0, largest = 1;
  for (const auto& row : map.jacobian)
    for (const double x : row) largest = std::max(largest, std::abs(x));
  for (std::size_t i = 0; i < 6; ++i) {
    for (std::size_t k = 0; k < 6; ++k) {
      double sum = 0;
      for (std::size_t m = 0; m < 6; ++m)
        for (std::size_t n = 0; n < 6; ++n) sum += map.jacobian[m][i] * J1[m][n] * map.jacobian[n][k];
      const double difference = std::abs(sum - J0[i][k]);
      defect = std::isfinite(difference) ? std::max(defect, difference) : HUGE_VAL;
    }
  }
  return defect / (largest * largest);
}

TEST(Symplectic, TheExactFlowIs) {
  // Order 12 at a small step stands for the exact flow: the two-form, its sign and the frame are right.
  EXPECT_LT(symplectic_defect(differentiate<Taylor<12>>(0.01, 6)), 1e-13);
}

TEST(Symplectic, EveryMethodAsClaimed) {
  Catalogue::for_each([](auto entry) {
    using Entry = decltype(entry);
    using M = typename Entry::Method;
    // Steps of more than a radian: the defect of order 12 stands clear of rounding.
    const double defect = symplectic_defect(differentiate<M>(0.6, 6));
    if (M::claims.symplectic) {
      EXPECT_LT(defect, 1e-13) << Entry::name;
    } else {
      EXPECT_GT(defect, 1e-9) << Entry::name;
    }
  });
}

}  // namespace
}  // namespace polhode::test
