// The equations of a body that moves in space on plain coordinates, nine of a matrix and nine more, by Boost's Fehlberg
// method in long double: a reference that shares nothing with the library but the statement of the problem.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <boost/numeric/odeint/stepper/runge_kutta_fehlberg78.hpp>
#include <cmath>
#include <vector>

#include "polhode/measure/order.hpp"
#include "polhode/methods/moving_methods.hpp"
#include "square_matrix.hpp"

namespace polhode::moving {

using Real = long double;
using Three = std::array<Real, 3>;

inline constexpr double eps = std::numeric_limits<Real>::epsilon();

inline Three cross3(const Three& a, const Three& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline Three three(const Vec3<Real>& v) { return {v.x, v.y, v.z}; }

// J, D, M in one symmetric matrix, and its inverse by Gauss and Jordan.
using Matrix6 = SquareMatrix<Real, 6>;
inline Matrix6 inertia_matrix(const Mat3<Real>& J, const Mat3<Real>& D, const Mat3<Real>& M) {
  Matrix6 K;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      K(i, j) = J[i][j];
      K(i, j + 3) = K(j + 3, i) = D[i][j];
      K(i + 3, j + 3) = M[i][j];
    }
  }
  return K;
}
inline Matrix6 inverted(Matrix6 a) {
  Matrix6 b = Matrix6::identity();
  for (std::size_t k = 0; k < 6; ++k) {
    const Real pivot = a(k, k);
    for (std::size_t j = 0; j < 6; ++j) {
      a(k, j) /= pivot;
      b(k, j) /= pivot;
    }
    for (std::size_t i = 0; i < 6; ++i) {
      const Real factor = a(i, k);
      if (i == k) continue;
      for (std::size_t j = 0; j < 6; ++j) {
        a(i, j) -= factor * a(k, j);
        b(i, j) -= factor * b(k, j);
      }
    }
  }
  return b;
}

// Rows of R, then r, l, p.
using Coordinates = std::array<Real, 18>;
inline Coordinates coordinates(const MovingState<Real>& s) {
  const Mat3<Real> R = matrix(s.y_SB.rotation);
  Coordinates x;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) x[3 * i + j] = R[i][j];
    x[9 + i] = s.y_SB.shift[i];
    x[12 + i] = s.mu_B.angular[i];
    x[15 + i] = s.mu_B.linear[i];
  }
  return x;
}

// forces(at, apply): calls apply(point_B, force_S) for every force; at(point_B) is where a point is in space.
template <class Forces>
Coordinates by_fehlberg(const Matrix6& inverse_inertia, const Forces& forces, Coordinates x, Real end, int steps) {
  const auto equation = [&](const Coordinates& in, Coordinates& out, Real) {
    std::array<Real, 6> velocity{};
    for (std::size_t i = 0; i < 6; ++i)
      for (std::size_t j = 0; j < 6; ++j) velocity[i] += inverse_inertia(i, j) * in[12 + j];
    const Three w{velocity[0], velocity[1], velocity[2]}, v{velocity[3], velocity[4], velocity[5]};
    const Three l{in[12], in[13], in[14]}, p{in[15], in[16], in[17]};
    Three torque{}, force{};
    const auto at = [&in](const Three& a) {
      Three place;
      for (std::size_t i = 0; i < 3; ++i)
        place[i] = in[3 * i] * a[0] + in[3 * i + 1] * a[1] + in[3 * i + 2] * a[2] + in[9 + i];
      return place;
    };
    forces(at, [&](const Three& a, const Three& f_S) {
      Three f_B{};
      for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) f_B[j] += in[3 * i + j] * f_S[i];
      const Three n = cross3(a, f_B);
      for (std::size_t i = 0; i < 3; ++i) {
        torque[i] += n[i];
        force[i] += f_B[i];
      }
    });
    const Three lw = cross3(l, w), pv = cross3(p, v), pw = cross3(p, w);
    for (std::size_t i = 0; i < 3; ++i) {
      const Three row{in[3 * i], in[3 * i + 1], in[3 * i + 2]}, turned = cross3(row, w);  // R' = R hat(w)
      for (std::size_t j = 0; j < 3; ++j) out[3 * i + j] = turned[j];
      out[9 + i] = row[0] * v[0] + row[1] * v[1] + row[2] * v[2];
      out[12 + i] = lw[i] + pv[i] + torque[i];
      out[15 + i] = pw[i] + force[i];
    }
  };
  boost::numeric::odeint::runge_kutta_fehlberg78<Coordinates, Real> fehlberg;
  const Real h = end / Real(steps);
  for (int n = 0; n < steps; ++n) fehlberg.do_step(equation, x, Real(n) * h, h);
  return x;
}

inline double distance(const Coordinates& a, const Coordinates& b) {
  Real sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return static_cast<double>(std::sqrt(sum));
}

template <class Method, class System>
MovingState<Real> run(const System& sys, MovingState<Real> s, Real end, int steps) {
  for (int n = 0; n < steps; ++n) s = Method::step(sys, s, end / Real(steps));
  return s;
}

template <class Method, class System>
void expect_order(const System& sys, const MovingState<Real>& start, Real end, const Coordinates& exact) {
  std::vector<ErrorAtStep> errors;
  for (const int steps : {16, 24, 32, 48, 64, 96, 128, 192})
    errors.push_back({1.0 / steps, distance(coordinates(run<Method>(sys, start, end, steps)), exact)});
  const auto fit = observed_order(errors, 2e-16, Method::order == 1 ? 0.5 : Method::order < 5 ? 1e-2 : 1e-7);
  ASSERT_TRUE(fit.has_value()) << "order " << Method::order;
  EXPECT_NEAR(fit->order, Method::order, 0.2) << "from step " << fit->from_step << " to " << fit->to_step;
}

// There and back in ten steps each.
template <class Method, class System>
double not_returned(const System& sys, const MovingState<Real>& start, Real end) {
  return distance(coordinates(run<Method>(sys, run<Method>(sys, start, end, 10), -end, 10)), coordinates(start));
}

// The largest error of the energy in each half of a long run: the same where it is bounded, and where it drifts about twice
// as large in the second.
template <class Method, class System>
std::array<double, 2> energy_errors(const System& sys, const MovingState<Real>& start, Real h, std::size_t steps) {
  std::array<double, 2> largest{};
  const Real begin = energy(sys, start);
  MovingState<Real> s = start;
  for (std::size_t n = 0; n < steps; ++n) {
    s = Method::step(sys, s, h);
    const double error = std::abs(static_cast<double>(energy(sys, s) - begin));
    largest[2 * n / steps] = std::fmax(largest[2 * n / steps], error);
  }
  return largest;
}

// How far one step is from symplectic. The two-form of T*SE(3) in body axes, from theta = <mu, a>, is of (a, b) and
// (a', b') <b', a> - <b, a'> + <mu, [a, a']>; the Jacobian of the step is a central difference, good to 1e-11.
template <class Method, class System>
double symplectic_defect(const System& sys, const MovingState<Real>& start, Real h) {
  const Real width = 2e-6L;
  using Tangent = std::array<Real, 12>;
  const auto form = [](const Cotwist<Real>& mu, const Tangent& u, const Tangent& v) {
    Twist<Real> a, c;
    for (std::size_t i = 0; i < 6; ++i) {
      a[i] = u[i];
      c[i] = v[i];
    }
    Real sum = pairing(mu, bracket(a, c));
    for (std::size_t i = 0; i < 6; ++i) sum += v[6 + i] * u[i] - u[6 + i] * v[i];
    return sum;
  };
  std::array<Tangent, 12> before{}, after{};
  for (std::size_t k = 0; k < 12; ++k) {
    before[k][k] = 1;
    const auto end = [&](Real move) {
      MovingState<Real> s = start;
      Twist<Real> a{};
      if (k < 6) a[k] = move;
      if (k >= 6) s.mu_B[k - 6] += move;
      s.y_SB = s.y_SB * exp(a);
      return Method::step(sys, s, h);
    };
    const MovingState<Real> minus = end(-width / 2), plus = end(width / 2);
    const RigidMotion<Real> change = inverse(minus.y_SB) * plus.y_SB;
    const Vec3<Real> angular = log(change.rotation);
    const Vec3<Real> linear = dexpinv(angular, change.shift);
    for (std::size_t i = 0; i < 3; ++i) {
      after[k][i] = angular[i] / width;
      after[k][3 + i] = linear[i] / width;
    }
    for (std::size_t i = 0; i < 6; ++i) after[k][6 + i] = (plus.mu_B[i] - minus.mu_B[i]) / width;
  }
  const MovingState<Real> next = Method::step(sys, start, h);
  // A difference of poses belongs to the pose half-way; to this order that is the end of the step itself.
  double defect = 0;
  for (std::size_t j = 0; j < 12; ++j) {
    for (std::size_t k = 0; k < 12; ++k) {
      const Real changed = form(next.mu_B, after[j], after[k]) - form(start.mu_B, before[j], before[k]);
      defect = std::fmax(defect, std::abs(static_cast<double>(changed)));
    }
  }
  return defect;
}

}  // namespace polhode::moving
