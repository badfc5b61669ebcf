// The library's packs, as it compiled them, on bodies that stay in the cache.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <memory>
#include <new>
#include <random>
#include <span>
#include <vector>

#include "ensemble/pack_kernels.hpp"

namespace polhode::bench {

using polhode_packs::BodyNumbers;
using polhode_packs::Field;

inline constexpr double time_step = 0.4;  // |w| is between a half and one: half angles of a step up to 0.2 rad

// Three different moments each, any attitude, any direction of the velocity.
inline std::vector<BodyNumbers> bodies_of(Field field, std::size_t count) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  std::uniform_real_distribution<double> uniform;
  std::vector<BodyNumbers> all(count);
  for (BodyNumbers& body : all) {
    const double moments[3] = {0.9 + 0.2 * uniform(random), 1.2 + 0.2 * uniform(random), 1.5 + 0.3 * uniform(random)};
    std::copy_n(moments, 3, body.inertia);
    double q[4], w[3], length = 0, rate = 0;
    for (double& x : q) x = normal(random), length += x * x;
    for (double& x : w) x = normal(random), rate += x * x;
    const double to = (0.5 + 0.5 * uniform(random)) / std::sqrt(rate);
    for (int k = 0; k < 4; ++k) body.attitude[k] = q[k] / std::sqrt(length);
    for (int k = 0; k < 3; ++k) body.momentum_B[k] = body.inertia[k] * w[k] * to;
    body.second = 1;
    body.step = time_step;
    const double top[7] = {0.3, 1.0 / 3, 2.0 / 3, 2.0 / 3, 0, 0, 1};  // weight times arm, axis in the body, up
    if (field == Field::heavy_top) std::copy_n(top, 7, body.field);
  }
  return all;
}

// Null where this build or this processor has none.
inline const polhode_packs::Kernel* kernel_in(std::span<const polhode_packs::Kernel> kernels, int method, Field field,
                                              bool single) {
  for (const auto& kernel : kernels)
    if (kernel.method == method && kernel.field == field && kernel.single == single) return &kernel;
  return nullptr;
}

class Packs {
 public:
  Packs(const polhode_packs::Kernel& kernel, std::span<const BodyNumbers> bodies)
      : kernel_(kernel),
        count_(bodies.size() / kernel.width),
        memory_(static_cast<std::byte*>(::operator new[](kernel.bytes* count_, std::align_val_t{64}))) {
    for (std::size_t i = 0; i < count_; ++i) kernel_.start(pack(i), &bodies[i * kernel_.width], nullptr, 0);
  }

  void advance(long long steps) {
    for (std::size_t i = 0; i < count_; ++i) kernel_.advance(pack(i), {taken_, taken_ + steps, false});
    taken_ += steps;
  }

 private:
  struct FreeMemory {
    void operator()(std::byte* memory) const { ::operator delete[](memory, std::align_val_t{64}); }
  };
  void* pack(std::size_t i) { return memory_.get() + i * kernel_.bytes; }

  const polhode_packs::Kernel& kernel_;
  std::size_t count_;
  std::unique_ptr<std::byte[], FreeMemory> memory_;
  long long taken_ = 0;
};

}  // namespace polhode::bench
