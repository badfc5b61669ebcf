// What one core can at most, by one instruction set. Compiled with PEAK, the function to define, PEAK_WIDTH, how many doubles
// go in a register, flags for the set, and products and sums fused.
#include "clock.hpp"

namespace polhode::bench {

// Sixteen chains of products with sums, more than the units and their delay can take: operations a second, two for each pair.
double PEAK() {
  typedef double Vector __attribute__((vector_size(PEAK_WIDTH * 8)));
  constexpr int chains = 16;
  constexpr long rounds = 2000000;
  Vector x[chains];
  for (int i = 0; i < chains; ++i) x[i] = Vector{} + (1.0 + i * 1e-3);
  Vector factor = Vector{} + 0.999999, summand = Vector{} + 1e-9;
  asm volatile("" : "+m"(factor), "+m"(summand));
  const double begin = thread_seconds();
  for (long n = 0; n < rounds; ++n)
#pragma GCC unroll 16
    for (int i = 0; i < chains; ++i) x[i] = x[i] * factor + summand;
  const double seconds = thread_seconds() - begin;
  for (int i = 0; i < chains; ++i) asm volatile("" : : "m"(x[i]));
  return 2.0 * chains * PEAK_WIDTH * static_cast<double>(rounds) / seconds;
}

}  // namespace polhode::bench
