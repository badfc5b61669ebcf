#include "polhode/io/result_file.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <stdexcept>

#include "polhode/io/csv.hpp"

namespace polhode {
namespace {

template <class File>
std::unique_ptr<ResultFile> open_as(const std::string& path) {
  return std::make_unique<File>(path);
}

// A device or pipe that exists takes the customary format whatever its name is, and so does /dev/stdout wherever it leads.
bool is_special(const std::string& file) {
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  return std::filesystem::exists(status) && (!std::filesystem::is_regular_file(status) || file.starts_with("/dev/"));
}

}  // namespace

const std::vector<ResultFormat>& result_formats() {
  static const std::vector<ResultFormat> all{{".csv", "CSV", &open_as<CsvFile>}};
  return all;
}

const ResultFormat& result_format(const std::string& path) {
  const std::string extension = std::filesystem::path(path).extension().string();
  for (const ResultFormat& format : result_formats()) {
    if (format.extension == extension) return format;
  }
  const ResultFormat& customary = result_formats().front();
  if (is_special(path)) return customary;
  if (extension == ".h5" || extension == ".hdf5") {
    throw std::invalid_argument(
        fmt::format("'{}' asks for HDF5, and this version writes {} only; name it '{}'", path, customary.name,
                    std::filesystem::path(path).replace_extension(customary.extension).string()));
  }
  throw std::invalid_argument(fmt::format("'{}' does not say its format; results are {}, so name it '{}{}'", path,
                                          customary.name, path, customary.extension));
}

}  // namespace polhode
