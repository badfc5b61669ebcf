// Kernels of the catalogue on rows of bodies, compiled once for single bodies and once for each instruction set.
#pragma once

#include <cstddef>
#include <span>

namespace packs {

// Each body has its own moments. Row r of body i is at numbers[r * bodies + i]: quaternion, body momentum, moments.
inline constexpr std::size_t rows = 10;

struct Kernel {
  const char *method, *field;
  void (*run)(double* numbers, std::size_t bodies, double h, int steps);
};

// The same methods in the same order in each. A pack is one register, or two: a step waits for its own results, and the
// processor has another pack's to work on meanwhile.
std::span<const Kernel> single();
std::span<const Kernel> sse2();
std::span<const Kernel> avx2();
std::span<const Kernel> avx2_twice();
std::span<const Kernel> avx512();
std::span<const Kernel> avx512_twice();

// 1e9 fused products and sums a second (two operations each) that independent ones can reach here, and with vectors of
// each kind; doubles.
double fma_peak_sse2();
double fma_peak_avx2();
double fma_peak_avx512();

}  // namespace packs
