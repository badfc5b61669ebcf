#include "polhode/ensemble/files.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <stdexcept>

#include "ensemble/csv_file.hpp"
#include "ensemble/hdf5/file.hpp"
#include "ensemble/input_file.hpp"
#include "polhode/core/error.hpp"
#include "polhode/io/result_file.hpp"

namespace polhode {
namespace {

struct EnsembleFormat {
  std::string_view name;
  std::unique_ptr<EnsembleFile> (*open)(const std::string& path);
};
constexpr EnsembleFormat ensemble_formats[] = {{"CSV", open_ensemble_csv}, {"HDF5", open_ensemble_hdf5}};

const EnsembleFormat& ensemble_format(const std::string& path) {
  const bool tells_a_format = find_result_format(path) != nullptr;
  try {
    const ResultFormat& of_results = result_format(path);
    for (const EnsembleFormat& format : ensemble_formats)
      if (format.name == of_results.name) return format;
  } catch (const std::invalid_argument&) {
    if (tells_a_format) throw;  // else the sentence would list formats that ensembles do not have
  }
  throw std::invalid_argument(
      fmt::format("'{}' is no name for a file of bodies, which are CSV (.csv) or HDF5 (.h5); name it '{}'", path,
                  std::filesystem::path(path).replace_extension("csv").string()));
}

}  // namespace

void EnsembleFile::end(const EnsembleResult& result) {
  write_end(result);
  if (result.incomplete.empty()) {
    file_.commit_and_remove_partial();
    place_ = file_.path();
  } else {
    place_ = file_.set_aside();
  }
}

std::unique_ptr<EnsembleInput> open_ensemble_input(const std::string& path) {
  const ResultFormat* format = find_result_format(path);
  if (format != nullptr && format->name == "CSV")
    throw Error(ErrorKind::bad_file,
                fmt::format("'{}' is CSV, and parts are read from HDF5; follow them into .h5 files", path));
  return open_ensemble_hdf5_input(path);
}

std::unique_ptr<EnsembleFile> open_ensemble_file(const std::string& path) { return ensemble_format(path).open(path); }

void check_ensemble_file(const std::string& path) {
  // A pipe is never HDF5, and a file that was opened and not ended leaves nothing behind.
  if (ensemble_format(path).open == open_ensemble_hdf5) {
    open_ensemble_hdf5(path);
  } else {
    check_output_file(path);
  }
}

}  // namespace polhode
