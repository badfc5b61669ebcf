// Long runs of free bodies by the step for games, in packs, each pack held against single bodies.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <span>
#include <vector>

#include "engine_bodies.hpp"

namespace polhode {

// Radians in a step.
inline constexpr std::array<double, 8> engine_turns{1e-3, 1e-2, 0.1, 0.5, 2, 30, 1e3, 1e4};

// The largest |E/E0 - 1| of bodies `first`... at any of some hundred moments of the run. The momentum must be what it was to the
// bit, all numbers finite, and the first and the last body of the packs those that `step` makes of them alone.
template <class T>
double worst_energy_error(unsigned first, unsigned count, double turn, long steps) {
  std::vector<Spin<T>> spins;
  std::vector<Inertia<T>> inertias;
  std::vector<double> energies;
  for (unsigned i = 0; i < count; ++i) {
    const EngineBody<T> body = engine_body<T>(first + i, turn);
    spins.push_back(body.spin);
    inertias.push_back(body.inertia);
    energies.push_back(energy_of(body.spin, body.inertia));
  }
  const std::vector<Spin<T>> started = spins;
  std::array<Spin<T>, 2> alone{spins.front(), spins.back()};
  double worst = 0;
  for (long n = 1; n <= steps; ++n) {
    EXPECT_EQ(step_all<T>(spins, inertias, {}, T(1)), 0u);
    step(alone[0], inertias.front(), {}, T(1));
    step(alone[1], inertias.back(), {}, T(1));
    if (n % std::max(steps / 100, 1L) != 0) continue;
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_EQ(spins[i].L, started[i].L);
      const double error = std::abs(energy_of(spins[i], inertias[i]) / energies[i] - 1);
      worst = std::isfinite(error) ? std::max(worst, error) : std::numeric_limits<double>::infinity();
    }
  }
  EXPECT_EQ(std::memcmp(&alone[0], &spins.front(), sizeof alone[0]), 0);
  EXPECT_EQ(std::memcmp(&alone[1], &spins.back(), sizeof alone[1]), 0);
  return worst;
}

}  // namespace polhode
