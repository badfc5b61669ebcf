// Bodies that games have, at random: rods and needles, plates, T-handles, boxes, near-spheres; with any order of their axes, any
// attitude and any direction of spin.
#pragma once

#include <array>
#include <cmath>
#include <random>

#include "polhode/engine.hpp"

namespace polhode {

template <class T>
struct EngineBody {
  Inertia<T> inertia;
  Spin<T> spin;
  std::array<double, 3> moments;  // along the body's own axes
};

// Body `index`, the same in both precisions, turning by `turn` radians in a step of one.
template <class T>
EngineBody<T> engine_body(unsigned index, double turn) {
  std::mt19937_64 random(index);
  const auto uniform = [&](double low, double high) {  // the same numbers from every standard library
    return low + (high - low) * (static_cast<double>(random() >> 11) * 0x1p-53);
  };
  const auto normal = [&] {
    return std::sqrt(-2 * std::log(uniform(1e-12, 1))) * std::cos(uniform(0, 6.283185307179586));
  };
  std::array<double, 3> I{};
  switch (index % 5) {
    case 0: I = {std::pow(10, uniform(-3, -1)), 1, 1 + uniform(-1e-3, 1e-3)}; break;   // rods
    case 1: I = {1, uniform(0.5, 1), 0}, I[2] = I[0] + I[1] * uniform(0.9, 1); break;  // plates
    case 2: I = {1, uniform(1.2, 3), uniform(2.5, 3.2)}; break;                        // T-handles
    case 3: I = {1, 1 + uniform(0, 1e-3), 1 + uniform(0, 1e-3)}; break;                // near-spheres
    default: {
      const double x = uniform(0.1, 2), y = uniform(0.1, 2), z = uniform(0.1, 2);
      I = {y * y + z * z, z * z + x * x, x * x + y * y};
    }
  }
  for (std::size_t k = 2; k > 0; --k) std::swap(I[k], I[random() % (k + 1)]);
  const Rotation<double> attitude = normalised(Rotation<double>{normal(), {normal(), normal(), normal()}});
  Vec3<double> w{normal(), normal(), normal()};
  w = (turn / norm(w)) * w;
  const Vec3<double> L = attitude * times(Vec3<double>{I[0], I[1], I[2]}, w);
  return {Inertia<T>(Vec3<T>{T(I[0]), T(I[1]), T(I[2])}), Spin<T>(cast<T>(attitude), cast<T>(L)), I};
}

// In double whatever the numbers of the state, which are taken as they are.
template <class T>
double energy_of(const Spin<T>& spin, const Inertia<T>& inertia) {
  const Rotation<double> R = normalised(cast<double>(spin.R_SB)) * normalised(cast<double>(inertia.axes()));
  const Vec3<double> pi = inverse(R) * cast<double>(spin.L);
  return 0.5 * dot(pi, times(cast<double>(inertia.inverse_moments()), pi));
}

}  // namespace polhode
