// In the place of the other files of this folder where the HDF5 library is not installed.
#include "ensemble/hdf5/file.hpp"
#include "polhode/io/hdf5.hpp"

namespace polhode {

// The library below is without it, too, and says so.
std::unique_ptr<EnsembleFile> open_ensemble_hdf5(const std::string& path) {
  open_hdf5(path);
  return nullptr;
}

std::unique_ptr<EnsembleInput> open_ensemble_hdf5_input(const std::string& path) {
  open_hdf5(path);
  return nullptr;
}

}  // namespace polhode
