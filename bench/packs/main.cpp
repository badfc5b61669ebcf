// Bodies side by side on one core: how many steps of bodies a second, in packs and one by one, of the same kernels.
//
//   build/bench/packs [--bodies N] [--steps K] [--repeat R]
//
// Every kernel runs in turn, R times over; the medians are shown. Products and sums are not fused, and the program checks
// before it measures that packs and single bodies end in the same bits.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

#include "../machine.hpp"
#include "kernels.hpp"

namespace {

using Numbers = std::vector<double>;

// Three different moments each, an ordinary turn of a few hundredths to a few tenths of a radian a step.
Numbers start(std::size_t bodies) {
  Numbers numbers(packs::rows * bodies);
  for (std::size_t i = 0; i < bodies; ++i) {
    const double u = std::fmod(0.618 * static_cast<double>(i), 1.0), v = std::fmod(0.414 * static_cast<double>(i), 1.0);
    const double body[packs::rows] = {
        0.8, 0, -0.6, 0, 1.4 * u + 0.2, 0.9 * v - 1.1, 0.7 * u * v, 0.8 + 0.2 * u, 1.2 + 0.1 * v, 1.6 + 0.3 * u * v};
    for (std::size_t row = 0; row < packs::rows; ++row) numbers[row * bodies + i] = body[row];
  }
  return numbers;
}

double seconds(const packs::Kernel& kernel, Numbers& numbers, std::size_t bodies, int steps) {
  const auto begin = std::chrono::steady_clock::now();
  kernel.run(numbers.data(), bodies, 0.1, steps);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double median(std::vector<double> all) {
  std::nth_element(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2), all.end());
  return all[all.size() / 2];
}

struct Set {
  const char* name;
  std::span<const packs::Kernel> kernels;
  double peak;  // 1e9 operations a second, 0 where another set has told
};

}  // namespace

int main(int argc, char** argv) {
  std::size_t bodies = 512;
  int steps = 100, repeat = 9;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string_view flag = argv[i];
    const long value = std::strtol(argv[i + 1], nullptr, 10);
    if (flag == "--bodies") bodies = static_cast<std::size_t>(std::max(16L, value / 16 * 16));
    if (flag == "--steps") steps = static_cast<int>(std::max(1L, value));
    if (flag == "--repeat") repeat = static_cast<int>(std::max(1L, value));
  }
  std::vector<Set> sets{{"one by one", packs::single(), 0}, {"SSE2", packs::sse2(), packs::fma_peak_sse2()}};
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    sets.push_back({"AVX2", packs::avx2(), packs::fma_peak_avx2()});
    sets.push_back({"two AVX2", packs::avx2_twice(), 0});
  }
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")) {
    sets.push_back({"AVX-512", packs::avx512(), packs::fma_peak_avx512()});
    sets.push_back({"two AVX-512", packs::avx512_twice(), 0});
  }

  fmt::print("{}; {} bodies, {} steps each, medians of {}, products and sums not fused\n",
             polhode::bench::machine_name(), bodies, steps, repeat);
  fmt::print("peak of products and sums, 1e9 operations a second:");
  for (const Set& set : sets)
    if (set.peak > 0) fmt::print(" {} {:.1f}", set.name, set.peak);
  fmt::print("\n\n{:22}{:11}", "method", "field");
  for (const Set& set : sets) fmt::print("{:>12}{}", set.name, &set == &sets[0] ? "" : "  ratio");
  fmt::print("   1e6 steps of bodies a second\n");

  for (std::size_t k = 0; k < sets[0].kernels.size(); ++k) {
    Numbers first = start(bodies);
    sets[0].kernels[k].run(first.data(), bodies, 0.1, steps);
    for (const Set& set : sets) {
      Numbers other = start(bodies);
      set.kernels[k].run(other.data(), bodies, 0.1, steps);
      if (std::memcmp(first.data(), other.data(), first.size() * sizeof(double)) != 0) {
        fmt::print(stderr, "packs: {} in {}, {}: other bits than one by one\n", set.kernels[k].method,
                   set.kernels[k].field, set.name);
        return 1;
      }
    }
    std::vector<std::vector<double>> taken(sets.size());
    for (int n = 0; n < repeat; ++n) {
      for (std::size_t i = 0; i < sets.size(); ++i) {
        Numbers numbers = start(bodies);
        taken[i].push_back(seconds(sets[i].kernels[k], numbers, bodies, steps));
      }
    }
    fmt::print("{:22}{:11}", sets[0].kernels[k].method, sets[0].kernels[k].field);
    const double work = 1e-6 * static_cast<double>(bodies) * steps, alone = median(taken[0]);
    for (std::size_t i = 0; i < sets.size(); ++i) {
      const double time = median(taken[i]);
      fmt::print("{:12.1f}", work / time);
      if (i > 0) fmt::print("{:7.2f}", alone / time);
    }
    fmt::print("\n");
  }
}
