#include "idle.hpp"

#include <bit>
#include <chrono>

namespace polhode::bench {
namespace {

// Any number from here on, as far as the compiler can tell.
void hide(std::uint64_t& x) { asm volatile("" : "+r"(x)); }

// What was begun before is done, and what comes after has not begun: a processor would otherwise run the integrator's own
// work beside the first and the last hundred rounds, of some integrators more than of others.
void finish_all() {
#if defined(__x86_64__)
  asm volatile("lfence" : : : "memory");
#elif defined(__aarch64__)
  asm volatile("dsb sy\n\tisb" : : : "memory");
#endif
}

}  // namespace

[[gnu::noinline]] std::uint64_t after_rounds(std::uint64_t x, int rounds) {
  for (int i = 0; i < rounds; ++i) {
    x = x * round_multiplier + round_increment;
    hide(x);
  }
  return x;
}

[[gnu::noinline]] double delayed(double value, int rounds) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  finish_all();
  const std::uint64_t last = after_rounds(bits, rounds);
  finish_all();
  std::uint64_t same = last;
  hide(same);
  return std::bit_cast<double>(bits + (last - same));
}

double Idling::watch(double value) const {
  const auto begin = std::chrono::steady_clock::now();
  const double same = delayed(value, rounds);
  watched->push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  return same;
}

}  // namespace polhode::bench
