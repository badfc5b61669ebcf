#include "io/hdf5/open.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "polhode/core/error.hpp"

namespace polhode::hdf5 {

File open_to_read(const std::string& path, std::string_view remedy) {
  if (::access(path.c_str(), R_OK) != 0) {
    const int why = errno;
    throw Error(ErrorKind::file_missing, fmt::format("cannot read '{}': {}; {}", path, std::strerror(why),
                                                     why == EACCES ? "check its permissions" : "check the name"));
  }
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) {
    throw Error(ErrorKind::file_missing,
                fmt::format("cannot read '{}': {}; name a file in it", path, std::strerror(EISDIR)));
  }
  File file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
  if (!file) {
    throw Error(ErrorKind::bad_file, fmt::format("{}: is not an HDF5 file, or not a whole one; {}", path, remedy));
  }
  return file;
}

}  // namespace polhode::hdf5
