// The scenario that a result holds.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "io/hdf5/attributes.hpp"
#include "polhode/core/error.hpp"
#include "polhode/io/hdf5.hpp"

namespace polhode {

StoredScenario read_hdf5_scenario(const std::string& path) {
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
  const hdf5::Quietly quietly;
  const hdf5::File file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
  if (!file) {
    throw Error(ErrorKind::bad_file,
                fmt::format("{}: is not an HDF5 file, or not a whole one; give a scenario file, or a result that "
                            "polhode run wrote",
                            path));
  }
  const auto text = hdf5::text_attribute(file.id(), "scenario"), problem = hdf5::text_attribute(file.id(), "problem");
  if (!text || text->empty()) {
    throw Error(ErrorKind::bad_file,
                fmt::format("{}: has no attribute 'scenario', so it does not say what to run; give a scenario file, or "
                            "a result that polhode run wrote",
                            path));
  }
  return {problem.value_or(""), *text};
}

}  // namespace polhode
