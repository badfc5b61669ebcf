#include "io/scenario_checks.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

#include "core/number_text.hpp"

namespace polhode {
namespace {

[[noreturn]] void refuse(const char* key, const std::string& sentence) { throw SetupError(key, sentence); }

// A device or pipe that exists takes CSV whatever its name is, and so does /dev/stdout wherever it leads.
bool writes_csv(const std::string& file) {
  const std::filesystem::path path(file);
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  const bool special =
      std::filesystem::exists(status) && (!std::filesystem::is_regular_file(status) || file.starts_with("/dev/"));
  return path.extension() == ".csv" || special;
}

void check_output(const OutputSettings& output) {
  if (output.every < 1) refuse("output.every", fmt::format("{} is below 1; give {}", output.every, every_wanted));
  if (output.file.empty() || writes_csv(output.file)) return;
  const std::filesystem::path path(output.file);
  const std::string extension = path.extension().string();
  if (extension == ".h5" || extension == ".hdf5") {
    refuse("output.file", fmt::format("'{}' asks for HDF5, and this version writes CSV only; name it '{}'", output.file,
                                      std::filesystem::path(path).replace_extension(".csv").string()));
  }
  refuse("output.file",
         fmt::format("'{}' does not tell its format; results are CSV, so name it '{}.csv'", output.file, output.file));
}

}  // namespace

void check_settings(const Scenario& scenario) {
  const RunSettings& run = scenario.run;
  if (!std::isfinite(run.step)) refuse("run.step", fmt::format("{} is not finite; give {}", run.step, step_wanted));
  if (!(run.step > 0)) {
    refuse("run.step",
           fmt::format("{} is not positive; give {}, and a negative duration to run backwards", run.step, step_wanted));
  }
  if (run.steps && *run.steps < 1) refuse("run.steps", fmt::format("{} is below 1; give {}", *run.steps, steps_wanted));
  if (run.duration && (!std::isfinite(*run.duration) || *run.duration == 0)) {
    refuse("run.duration", fmt::format("{} is {}; give {}", *run.duration,
                                       *run.duration == 0 ? "no time at all" : "not finite", duration_wanted));
  }
  if (run.tolerance && !(std::isfinite(*run.tolerance) && *run.tolerance > 0)) {
    refuse("run.tolerance", fmt::format("{} is not {}; give {}", *run.tolerance,
                                        std::isfinite(*run.tolerance) ? "positive" : "finite", tolerance_wanted));
  }
  check_output(scenario.output);
}

}  // namespace polhode
