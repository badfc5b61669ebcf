// Results as HDF5: a dataset for each group of columns under /rows, chunked and extendable along time, provenance as
// attributes of the file; docs/results.md has the layout. Where Polhode was built without the HDF5 library, both
// functions throw Error (unavailable).
#pragma once

#include <memory>
#include <string>

#include "polhode/io/result_file.hpp"

namespace polhode {

std::unique_ptr<ResultFile> open_hdf5(const std::string& path);

// What a result says of the run that made it, enough to repeat it.
struct StoredScenario {
  std::string title;  // the problem's name, or that of the scenario file
  std::string text;
};

// Throws Error: file_missing, or bad_file for a file that is not a result.
StoredScenario read_hdf5_scenario(const std::string& path);

}  // namespace polhode
