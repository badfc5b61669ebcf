// Ensembles as comma-separated values: rows of the bodies in their order, in whatever order they come.
#pragma once

#include <memory>
#include <string>

#include "polhode/ensemble/files.hpp"

namespace polhode {

std::unique_ptr<EnsembleFile> open_ensemble_csv(const std::string& path);

}  // namespace polhode
