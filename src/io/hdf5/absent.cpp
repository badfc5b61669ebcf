// In the place of the other files of this folder where the HDF5 library is not installed.
#include <fmt/format.h>

#include "io/column_file.hpp"
#include "polhode/core/error.hpp"
#include "polhode/io/hdf5.hpp"

namespace polhode {
namespace {

[[noreturn]] void no_hdf5(const std::string& path) {
  throw Error(ErrorKind::unavailable,
              fmt::format("'{}' asks for HDF5, which this Polhode was built without; name a .csv file, or install "
                          "libhdf5-dev and build it again",
                          path));
}

}  // namespace

std::unique_ptr<ResultFile> open_hdf5(const std::string& path) { no_hdf5(path); }

StoredScenario read_hdf5_scenario(const std::string& path) { no_hdf5(path); }

std::unique_ptr<ColumnFile> open_hdf5_columns(const std::string& path) { no_hdf5(path); }

}  // namespace polhode
