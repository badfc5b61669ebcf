#include "same_equations.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace polhode::bench {
namespace {

struct Point {
  Rotation<double> q;
  Vec3<double> w_B;
};

// I^-1 tau_B by the library's own torque, in SI units.
Vec3<double> push_at(const Prepared<double>& prepared, const Point& x) {
  const Units& units = prepared.units;
  const Vec3<double> w_internal = std::ldexp(1.0, units.time_exponent) * x.w_B;
  const Vec3<double> torque_internal = prepared.field.torque(x.q, w_internal, prepared.start.t);
  return prepared.body_in_user_units().velocity(std::ldexp(1.0, units.energy_exponent()) * torque_internal);
}

// Over `size`, the largest push.
double difference_at(const Prepared<double>& prepared, const AnyEquations& equations, const Point& x, double size) {
  const Body<double> body = prepared.body_in_user_units();
  const Rotation<double> dq = x.q * Rotation<double>{0, 0.5 * x.w_B};
  const Vec3<double> dw_B = push_at(prepared, x) - body.velocity(cross(x.w_B, body.momentum(x.w_B)));
  const Seven seven{x.q.w, x.q.v.x, x.q.v.y, x.q.v.z, x.w_B.x, x.w_B.y, x.w_B.z};
  Seven theirs{};
  std::visit([&](const auto& system) { system(seven.data(), theirs.data()); }, equations);
  const Rotation<double> off{theirs[0] - dq.w, Vec3<double>{theirs[1], theirs[2], theirs[3]} - dq.v};
  const double turning = std::sqrt(squared_norm(off)) / norm(x.w_B);
  const double pushing = norm(Vec3<double>{theirs[4], theirs[5], theirs[6]} - dw_B) / size;
  return std::isfinite(turning + pushing) ? std::max(turning, pushing) : std::numeric_limits<double>::infinity();
}

}  // namespace

double difference_of_equations(const Setup& setup, const AnyEquations& equations) {
  const Prepared<double> prepared = prepare<double>(setup);
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  std::vector<Point> points;
  double size = 0;
  for (int i = 0; i < 64; ++i) {
    const Rotation<double> q{normal(random), {normal(random), normal(random), normal(random)}};
    points.push_back({normalised(q), {normal(random), normal(random), normal(random)}});
    size = std::max(size, norm(push_at(prepared, points.back())));
  }
  if (size == 0) size = 1;
  double largest = 0;
  for (Point& x : points) {
    x.w_B = std::sqrt(size) * x.w_B;
    largest = std::max(largest, difference_at(prepared, equations, x, size));
  }
  return largest;
}

}  // namespace polhode::bench
