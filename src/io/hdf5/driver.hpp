// Lets HDF5 write through a descriptor that is open already. HDF5's own drivers leave a file that cannot be written (a
// full disk) half open, try again when the program ends, and know no errno. This one remembers the first error and takes
// whatever comes after it, so that the file can be closed in good order and then be given up.
#pragma once

#include <memory>

#include "io/hdf5/handle.hpp"

namespace polhode::hdf5 {

// 0, or the first errno.
using WriteError = std::shared_ptr<int>;

// Properties with which H5Fcreate, given any name, writes to a copy of the descriptor.
Properties access_by_descriptor(int descriptor, const WriteError& error);

}  // namespace polhode::hdf5
