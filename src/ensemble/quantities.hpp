// Which numbers of the bodies statistics are made of.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "polhode/ensemble/result.hpp"

namespace polhode {

struct EnsembleQuantity {
  std::string name;            // with its unit
  std::optional<double> time;  // [s] of the snapshot; none: at the end, or over the whole run
  std::function<double(const EnsembleChunk&, std::size_t body)> of;
};

// Everything that an ensemble like this has statistics of.
std::vector<EnsembleQuantity> ensemble_quantities(const EnsembleAbout& about);

}  // namespace polhode
