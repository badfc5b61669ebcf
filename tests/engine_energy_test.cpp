// What the step for games promises of free bodies: energy, momentum, no step too long, and the same bits in packs. A share of
// the bodies; `make soak` takes all of them, and a hundred times as many steps of some.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <span>
#include <vector>

#include "engine_soak.hpp"

namespace polhode::engine_energy_test {
namespace {

TEST(EngineEnergy, OfAFreeBodyIsNeitherGainedNorLost) {
  for (const double turn : engine_turns) {
    EXPECT_LE(worst_energy_error<float>(0, 60, turn, 10000), 2e-5) << turn;
    EXPECT_LE(worst_energy_error<double>(0, 60, turn, 10000), 1e-11) << turn;
  }
}

// In the same loop without the memory of the energy it does walk away: what the bound above rests on.
TEST(EngineEnergy, WalksAwayWhereItIsNotRemembered) {
  double worst = 0;
  for (unsigned i = 0; i < 100; ++i) {
    EngineBody<float> body = engine_body<float>(i, 0.5);
    const double energy = energy_of(body.spin, body.inertia);
    for (int n = 0; n < 10000; ++n) {
      step(body.spin, body.inertia, {}, 1.0f);
      body.spin.memory = {};
    }
    worst = std::max(worst, std::abs(energy_of(body.spin, body.inertia) / energy - 1));
  }
  EXPECT_GT(worst, 2e-5);
}

}  // namespace
}  // namespace polhode::engine_energy_test
