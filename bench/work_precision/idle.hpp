// A torque that takes its time: rounds of arithmetic, each of which waits for the one before.
//
// They stand in a file of their own, so that ours and the other libraries' torques call the same code. The compiler does
// not know what comes out of a round, and the torque does not know its attitude before the last one is done: no round can
// be left out, merged with another, or run beside the integrator's own work.
#pragma once

#include <cstdint>
#include <vector>

namespace polhode::bench {

// A round takes x to multiplier x + increment modulo 2^64, of full period.
inline constexpr std::uint64_t round_multiplier = 6364136223846793005u, round_increment = 1442695040888963407u;

// Where so many rounds lead.
std::uint64_t after_rounds(std::uint64_t x, int rounds);

// The same number, known so many rounds later.
double delayed(double value, int rounds);

// What an expensive torque does before it answers.
struct Idling {
  int rounds = 0;
  std::vector<double>* watched = nullptr;  // where to write how long each call idled [s]

  double until_known(double value) const { return watched == nullptr ? delayed(value, rounds) : watch(value); }

 private:
  double watch(double value) const;
};

}  // namespace polhode::bench
