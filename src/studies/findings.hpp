// From numbers to lines: what was measured, what counts as none, and whether it is what the method claims.
#pragma once

#include <optional>
#include <vector>

#include "studies/situations.hpp"

namespace polhode {

// All that was measured in one situation.
struct Measured {
  const Situation* situation;
  Claims claims;  // as far as they are made there
  Probed probed;
  std::optional<LongRunEnergy> energy;  // none where the exact motion does not keep it
  EnergyCurve curve{};
};

// The free body first, and the situation that asks most of the method last.
std::vector<Finding> findings(const std::vector<Measured>& measured, const MethodSpec& method, const StepCost& cost);

}  // namespace polhode
