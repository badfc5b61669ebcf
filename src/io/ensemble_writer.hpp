// The ensemble of a scenario, to be written into its file.
#pragma once

#include <string>
#include <vector>

#include "polhode/model/setup.hpp"
#include "polhode/run/ensemble_settings.hpp"

namespace polhode {

struct EnsembleLine {
  std::string key, value, remark{};
};

// The lines of its table [ensemble].
std::vector<EnsembleLine> ensemble_lines(const EnsembleSettings& settings, const Setup& setup);

}  // namespace polhode
