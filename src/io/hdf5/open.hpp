// HDF5 files that are read.
#pragma once

#include <string>
#include <string_view>

#include "io/hdf5/handle.hpp"

namespace polhode::hdf5 {

// Throws Error: file_missing for what is absent, a directory or unreadable, bad_file for what is not HDF5, with `remedy`.
File open_to_read(const std::string& path, std::string_view remedy);

}  // namespace polhode::hdf5
