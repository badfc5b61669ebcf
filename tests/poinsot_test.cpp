// Poinsot's construction as the columns polhode and herpolhode tell it, beside closed forms written down here: circles for
// a body of revolution, Jacobi's functions and a quadrature for three different moments.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "rows.hpp"

namespace polhode::test::poinsot_test {
namespace {

V polhode_at(const Rows& rows, std::size_t i) {
  return rows.vector(i, "polhode_x_B[1/(m kg^0.5)]", "polhode_y_B[1/(m kg^0.5)]", "polhode_z_B[1/(m kg^0.5)]");
}
V herpolhode_at(const Rows& rows, std::size_t i) {
  return rows.vector(i, "herpolhode_x_S[1/(m kg^0.5)]", "herpolhode_y_S[1/(m kg^0.5)]", "herpolhode_z_S[1/(m kg^0.5)]");
}

Situation free_body(const V& moments, const V& velocity) {
  Situation s = body_under({});
  s.inertia = moments;
  s.motion.value = velocity;
  s.time = 0;
  return s;
}

Rows rows_of(const Situation& s, double step, double duration) {
  Scenario scenario = scenario_of(s, by("free-exact", step, duration));
  scenario.output.columns = parse_columns({"standard", "polhode", "herpolhode"});
  return Rows(scenario);
}

// v turned by an angle about a unit vector, by Rodrigues' formula.
V turned(const V& v, const V& axis, double angle) {
  return std::cos(angle) * v + std::sin(angle) * cross(axis, v) + ((1 - std::cos(angle)) * dot(axis, v)) * axis;
}

// What closed forms say at a time, in principal axes and in the space of body_under.
struct Contact {
  V polhode_B, herpolhode_S;
};

// I1 = I2: the contact goes round the body's third axis at (I3 - I1) w3 / I1 and round the momentum at |L| / I1.
Contact of_revolution(const V& moments, const V& w, const R& attitude, double t) {
  const V pi_B = times(moments, w), l_S = attitude * pi_B, normal_S = l_S / norm(l_S);
  const V rho = w / std::sqrt(dot(w, pi_B));
  const V first_S = attitude * rho - dot(attitude * rho, normal_S) * normal_S;
  return {turned(rho, V{0, 0, 1}, (moments.z - moments.x) * w.z / moments.x * t),
          turned(first_S, normal_S, norm(l_S) / moments.x * t)};
}

TEST(Poinsot, OfABodyOfRevolutionAreCircles) {
  for (const V& moments : {V{1.3, 1.3, 0.6}, V{0.9, 0.9, 1.7}}) {
    const V w{0.6, -0.4, 1.1};
    const Situation s = free_body(moments, w);
    const Situation told = in_axes(s, {other_space, other_body});
    const Rows rows = rows_of(s, 0.37, 37), other = rows_of(told, 0.37, 37);
    ASSERT_EQ(rows.size(), 101U);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double t = 0.37 * static_cast<double>(i), bound = 1e-14 * (1 + t);
      const Contact expected = of_revolution(moments, w, attitude_of(s), t);
      EXPECT_LT(norm(polhode_at(rows, i) - expected.polhode_B), bound) << i;
      EXPECT_LT(norm(herpolhode_at(rows, i) - expected.herpolhode_S), bound) << i;
      EXPECT_LT(norm(polhode_at(other, i) - other_body * expected.polhode_B), bound) << i;
      EXPECT_LT(norm(herpolhode_at(other, i) - other_space * expected.herpolhode_S), bound) << i;
    }
  }
}

struct Jacobi {
  double sn, cn, dn;
};

// By the arithmetic-geometric mean, m = k^2 [Abramowitz and Stegun, 16.4].
Jacobi jacobi(double u, double m) {
  std::array<double, 12> a{1}, c{std::sqrt(m)};
  double b = std::sqrt(1 - m);
  for (std::size_t n = 1; n < a.size(); ++n) {
    a[n] = 0.5 * (a[n - 1] + b);
    c[n] = 0.5 * (a[n - 1] - b);
    b = std::sqrt(a[n - 1] * b);
  }
  double phi = std::ldexp(a.back() * u, static_cast<int>(a.size()) - 1);
  for (std::size_t n = a.size() - 1; n > 0; --n) phi = 0.5 * (phi + std::asin(c[n] / a[n] * std::sin(phi)));
  return {std::sin(phi), std::cos(phi), std::sqrt(1 - m * std::sin(phi) * std::sin(phi))};
}

// Moments in rising order, 2 E I2 < L^2: w = (a cn, b sn, c dn)(rate t) for a, b, c > 0, from t = 0 on.
struct Triaxial {
  V moments;
  double a, c;  // velocities about the first and third axis at t = 0

  double energy() const { return 0.5 * (moments.x * a * a + moments.z * c * c); }
  double momentum() const { return std::hypot(moments.x * a, moments.z * c); }
  double rate() const {
    const double L2 = momentum() * momentum(), twice = 2 * energy();
    return std::sqrt((moments.z - moments.y) * (L2 - twice * moments.x) / (moments.x * moments.y * moments.z));
  }
  double modulus() const {
    const double L2 = momentum() * momentum(), twice = 2 * energy();
    return (moments.y - moments.x) * (twice * moments.z - L2) / ((moments.z - moments.y) * (L2 - twice * moments.x));
  }
  V velocity(double t) const {
    const double L2 = momentum() * momentum(), twice = 2 * energy();
    const double b = std::sqrt((twice * moments.z - L2) / (moments.y * (moments.z - moments.y)));
    const auto [sn, cn, dn] = jacobi(rate() * t, modulus());
    return {a * cn, b * sn, c * dn};
  }
  V rho(double t) const { return velocity(t) / std::sqrt(2 * energy()); }
  // Euler's equations.
  V rho_rate(double t) const {
    const V w = velocity(t);
    const V w_rate{(moments.y - moments.z) / moments.x * w.y * w.z, (moments.z - moments.x) / moments.y * w.z * w.x,
                   (moments.x - moments.y) / moments.z * w.x * w.y};
    return w_rate / std::sqrt(2 * energy());
  }
  double radius(double t) const { return std::sqrt(dot(rho(t), rho(t)) - 2 * energy() / (momentum() * momentum())); }
  // Rolling without slipping carries the contact on the plane as on the body: of both, the turn about the normal.
  double angular_speed(double t) const {
    const V normal_B = times(moments, velocity(t)) / momentum();
    return dot(normal_B, cross(rho(t), rho_rate(t))) / (radius(t) * radius(t));
  }
};

TEST(Poinsot, OfThreeDifferentMomentsAreJacobisFunctionsAndAQuadrature) {
  const Triaxial body{{0.9, 1.6, 2.1}, 0.8, 1.1};
  ASSERT_GT(body.momentum() * body.momentum(), 2 * body.energy() * body.moments.y) << "about the third axis";
  const Situation s = free_body(body.moments, body.velocity(0));
  const Rows rows = rows_of(s, 0.25, 25), other = rows_of(in_axes(s, {other_space, other_body}), 0.25, 25);
  const V l_S = attitude_of(s) * times(body.moments, body.velocity(0)), normal_S = l_S / norm(l_S);
  const V start = attitude_of(s) * body.rho(0), along = start - dot(start, normal_S) * normal_S;
  double angle = 0, least = 1e9, largest = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const double t = 0.25 * static_cast<double>(i);
    if (i > 0) {  // Gauss and Legendre's rule with three nodes, on 25 parts of the step: wrong by less than 1e-15
      for (int part = 0; part < 25; ++part) {
        const double middle = t - 0.25 + 0.01 * (part + 0.5), node = 0.005 * std::sqrt(0.6);
        angle += 0.01 *
                 (5 * body.angular_speed(middle - node) + 8 * body.angular_speed(middle) +
                  5 * body.angular_speed(middle + node)) /
                 18;
      }
    }
    const V herpolhode = turned(along * (body.radius(t) / norm(along)), normal_S, angle);
    const double bound = 4e-14 * (1 + t);
    EXPECT_LT(norm(polhode_at(rows, i) - body.rho(t)), bound) << i;
    EXPECT_LT(norm(herpolhode_at(rows, i) - herpolhode), bound) << i;
    EXPECT_LT(norm(polhode_at(other, i) - other_body * body.rho(t)), bound) << i;
    EXPECT_LT(norm(herpolhode_at(other, i) - other_space * herpolhode), bound) << i;
    least = std::min(least, norm(herpolhode_at(rows, i)));
    largest = std::max(largest, norm(herpolhode_at(rows, i)));
  }
  EXPECT_GT(largest, 1.2 * least) << "a ring, no circle";
}

TEST(Poinsot, OfABodyAtRestThereIsNoContact) {
  const Rows rows = rows_of(free_body({0.9, 1.6, 2.1}, {0, 0, 0}), 0.5, 1);
  EXPECT_TRUE(std::isnan(polhode_at(rows, 0).x));
  EXPECT_TRUE(std::isnan(herpolhode_at(rows, 0).x));
}

}  // namespace
}  // namespace polhode::test::poinsot_test
