// Results as HDF5: a dataset for each group of columns under /rows, chunked and extendable along time, provenance as
// attributes of the file; docs/results.md has the layout. Where Polhode was built without the HDF5 library, both
// functions throw Error (unavailable).
#pragma once

#include <memory>
#include <string>

#include "polhode/io/result_file.hpp"

namespace polhode {

std::unique_ptr<ResultFile> open_hdf5(const std::string& path);

StoredScenario read_hdf5_scenario(const std::string& path);

}  // namespace polhode
