#include "polhode/io/result_file.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <stdexcept>

#include "io/column_file.hpp"
#include "polhode/io/csv.hpp"
#include "polhode/io/hdf5.hpp"
#include "polhode/io/ndjson.hpp"

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

// What is there already may be a file, or a folder, which will be told when it is opened.
bool can_be_a_file(const std::string& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  return !names_stdout(path) && (!std::filesystem::exists(status) || std::filesystem::is_regular_file(status) ||
                                 std::filesystem::is_directory(status));
}

}  // namespace

const std::vector<ResultFormat>& result_formats() {
  static const std::vector<ResultFormat> all{
      {".csv", "CSV", true, &open_as<CsvFile>, nullptr, &open_csv_columns},
      {".h5", "HDF5", false, &open_hdf5, &read_hdf5_scenario, &open_hdf5_columns},
      {".hdf5", "HDF5", false, &open_hdf5, &read_hdf5_scenario, &open_hdf5_columns},
      {".ndjson", "lines of JSON", true, &open_as<NdjsonFile>, nullptr, nullptr}};
  return all;
}

const ResultFormat* find_result_format(const std::string& path) {
  const std::string extension = names_stdout(path) ? path.substr(1) : std::filesystem::path(path).extension().string();
  for (const ResultFormat& format : result_formats()) {
    if (format.extension == extension) return &format;
  }
  return nullptr;
}

const ResultFormat& result_format(const std::string& path) {
  const ResultFormat& customary = result_formats().front();
  if (path == "-") return customary;
  if (const ResultFormat* format = find_result_format(path)) {
    if (format->streams || can_be_a_file(path)) return *format;
    throw std::invalid_argument(
        fmt::format("{} cannot be written to '{}', which is not a file; name a file, or write {}", format->name, path,
                    customary.name));
  }
  if (is_special(path)) return customary;
  throw std::invalid_argument(fmt::format(
      "'{}' does not say its format; results are {} (.csv), HDF5 (.h5) or lines of JSON (.ndjson), so name it '{}{}'",
      path, customary.name, path, customary.extension));
}

}  // namespace polhode
