// Random vectors and rotations for property-based tests, with the awkward ones among them. Compiled once, because the
// templates of rapidcheck are most of what a test compiles.
#pragma once

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <functional>
#include <limits>
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

// rc::check for a property without arguments.
bool holds(const std::function<void()>& property);

// Evenly spread from low to high; shrinks to low.
rc::Gen<double> real(double low, double high);
// From low to high, evenly spread in the logarithm.
rc::Gen<double> magnitude(double low, double high);
// A unit vector: anywhere, or along a coordinate axis or diagonal.
rc::Gen<Vec3<double>> direction();
// A rotation vector shorter than `longest`: mostly of everyday length, sometimes tiny.
rc::Gen<Vec3<double>> rotation_vector(double longest);
// A vector with components of size `size`.
rc::Gen<Vec3<double>> vector(double size = 1.0);
// A unit quaternion: anywhere on the sphere, by a small angle, or a half turn to the bit.
rc::Gen<Rotation<double>> rotation();

}  // namespace polhode::random
