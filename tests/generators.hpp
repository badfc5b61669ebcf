// Random vectors and rotations for property-based tests, with the awkward ones among them.
#pragma once

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstdint>
#include <numbers>
#include <ostream>

#include "polhode/core/rotation.hpp"

namespace polhode {

// How rapidcheck prints a counterexample: with every digit.
template <class T>
void showValue(const Vec3<T>& v, std::ostream& out) {
  const auto precision = out.precision(17);
  out << '(' << v.x << ", " << v.y << ", " << v.z << ')';
  out.precision(precision);
}
template <class T>
void showValue(const Rotation<T>& q, std::ostream& out) {
  const auto precision = out.precision(17);
  out << '[' << q.w << "; " << q.v.x << ", " << q.v.y << ", " << q.v.z << ']';
  out.precision(precision);
}

}  // namespace polhode

namespace polhode::random {

constexpr double eps = std::numeric_limits<double>::epsilon();
constexpr double pi = std::numbers::pi;

// Evenly spread from low to high; shrinks to low.
inline rc::Gen<double> real(double low, double high) {
  constexpr std::int64_t steps = std::int64_t{1} << 52;
  return rc::gen::map(rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::int64_t>(0, steps + 1)),
                      [=](std::int64_t k) { return low + (high - low) * (static_cast<double>(k) / steps); });
}

// From low to high, evenly spread in the logarithm.
inline rc::Gen<double> magnitude(double low, double high) {
  return rc::gen::map(real(std::log(low), std::log(high)), [](double l) { return std::exp(l); });
}

// A unit vector: anywhere, or along a coordinate axis or diagonal.
inline rc::Gen<Vec3<double>> direction() {
  const auto anywhere = rc::gen::map(rc::gen::pair(real(-1, 1), real(-pi, pi)), [](const auto& p) {
    const double r = std::sqrt(1 - p.first * p.first);
    return Vec3<double>{r * std::cos(p.second), r * std::sin(p.second), p.first};
  });
  const auto sign = rc::gen::inRange(-1, 2);
  const auto lattice =
      rc::gen::map(rc::gen::suchThat(rc::gen::resize(rc::kNominalSize, rc::gen::tuple(sign, sign, sign)),
                                     [](const auto& t) {
                                       return t != std::tuple{0, 0, 0};
                                     }),
                   [](const auto& t) {
                     const Vec3<double> v{double(std::get<0>(t)), double(std::get<1>(t)), double(std::get<2>(t))};
                     return v / norm(v);
                   });
  return rc::gen::weightedOneOf<Vec3<double>>({{3, anywhere}, {1, lattice}});
}

// A rotation vector shorter than `longest`: mostly of everyday length, sometimes tiny.
inline rc::Gen<Vec3<double>> rotation_vector(double longest) {
  const auto length = rc::gen::weightedOneOf<double>(
      {{4, real(0, longest)}, {2, magnitude(1e-18, 1.0)}, {1, rc::gen::just(0.0)}, {1, magnitude(1e-160, 1e-120)}});
  return rc::gen::map(rc::gen::pair(length, direction()), [](const auto& p) { return p.first * p.second; });
}

// A vector with components of size `size`.
inline rc::Gen<Vec3<double>> vector(double size = 1.0) {
  return rc::gen::map(rc::gen::tuple(real(-size, size), real(-size, size), real(-size, size)), [](const auto& t) {
    return Vec3<double>{std::get<0>(t), std::get<1>(t), std::get<2>(t)};
  });
}

// A unit quaternion: anywhere on the sphere, by a small angle, or a half turn to the bit.
inline rc::Gen<Rotation<double>> rotation() {
  const auto half_turn = rc::gen::map(direction(), [](const Vec3<double>& n) { return Rotation<double>{0.0, n}; });
  const auto anywhere = rc::gen::map(rc::gen::suchThat(rc::gen::pair(real(-1, 1), vector()),
                                                       [](const auto& p) {
                                                         const double n2 = p.first * p.first + squared_norm(p.second);
                                                         return n2 > 0.01 && n2 <= 1;
                                                       }),
                                     [](const auto& p) {
                                       return normalised(Rotation<double>{p.first, p.second});
                                     });
  const auto small = rc::gen::map(rotation_vector(1.0), [](const Vec3<double>& x) {
    return normalised(Rotation<double>{1.0, 0.5 * x});
  });
  return rc::gen::weightedOneOf<Rotation<double>>({{4, anywhere}, {1, small}, {1, half_turn}});
}

}  // namespace polhode::random
