// Ensembles as HDF5: bodies go to their places as they come, so that only a few are in memory. Throws Error (unavailable)
// where Polhode was built without the HDF5 library.
#pragma once

#include <memory>
#include <string>

#include "ensemble/input_file.hpp"
#include "polhode/ensemble/files.hpp"

namespace polhode {

std::unique_ptr<EnsembleFile> open_ensemble_hdf5(const std::string& path);
std::unique_ptr<EnsembleInput> open_ensemble_hdf5_input(const std::string& path);

}  // namespace polhode
