// Weighted means of rotations, of which one step takes the turns by several velocities: as quaternions in R^4, or on the
// sphere S^3.
#pragma once

#include <array>

#include "polhode/methods/method.hpp"

namespace polhode {

// Weights with a common denominator, their sum. They may be negative.
struct MeanWeights {
  std::array<int, 4> over;
  constexpr int sum() const { return over[0] + over[1] + over[2] + over[3]; }
};

template <class T>
constexpr std::array<Rotation<T>, 4> turns_of(const std::array<Vec3<T>, 4>& w_S, const T& h) {
  return {exp(h * w_S[0]), exp(h * w_S[1]), exp(h * w_S[2]), exp(h * w_S[3])};
}

template <class T>
constexpr Rotation<T> mean_of_quaternions(const std::array<Rotation<T>, 4>& q, const MeanWeights& weights) {
  Rotation<T> sum{T(0), {}};
  for (std::size_t i = 0; i < 4; ++i) {
    sum.w = sum.w + T(weights.over[i]) * q[i].w;
    sum.v += T(weights.over[i]) * q[i].v;
  }
  return normalised(sum);
}

// The point m of the sphere at which the weighted sum of log(m^-1 q_i) vanishes [BF01].
template <class T>
constexpr Rotation<T> mean_on_sphere(const std::array<Rotation<T>, 4>& q, const MeanWeights& weights, Work& work) {
  Rotation<T> m = mean_of_quaternions(q, weights);
  // The correction shrinks by the square of the spread of the q_i each time; on duals it must do so twice more after
  // the value has settled, or the derivative lags behind.
  int settled = 0;
  T left(0);
  for (int i = 0; i < 60 && settled < 3; ++i) {
    Vec3<T> mean{};
    for (std::size_t k = 0; k < 4; ++k) mean += T(T(weights.over[k]) / T(weights.sum())) * log(inverse(m) * q[k]);
    m = normalised(m * exp(mean));
    left = squared_norm(mean);
    if (left <= T(16) * T(epsilon<T>()) * T(epsilon<T>())) ++settled;
  }
  // Rotations all around the sphere have no mean that substitution would find.
  if (!(left <= T(1024) * T(epsilon<T>()) * T(epsilon<T>()))) {
    work.converged = false;
    work.residual = static_cast<double>(plain(T(sqrt(left))));
  }
  return m;
}

}  // namespace polhode
