// What --only-missing finds: bodies of this ensemble that were followed before.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "polhode/ensemble/parts.hpp"

namespace polhode {

struct BodiesThere {
  std::optional<EnsembleParts> parts;  // none where there are no files
  bool complete = false;               // the file itself has all that it is for
};

// In the file that is to be completed, in what an interrupted attempt left beside it, and in others. Throws Error: usage for
// a file that is no HDF5 or would lose bodies, and what EnsembleParts throws.
BodiesThere bodies_there(const std::string& file, const std::vector<std::string>& others,
                         const EnsembleAbout& ensemble);

}  // namespace polhode
