#include "polhode/io/reference_folder.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "polhode/core/error.hpp"
#include "polhode/io/output_file.hpp"
#include "polhode/io/scenario.hpp"

namespace polhode {

std::string ReferenceFolder::place(const std::string& name) const {
  return (std::filesystem::path(folder_) / fmt::format("reference-{}.json", name)).string();
}

std::string ReferenceFolder::load(const std::string& name) {
  std::error_code error;
  if (folder_.empty() || !std::filesystem::exists(place(name), error)) return "";
  try {
    return read_text_file(place(name));
  } catch (const Error& unreadable) {
    throw Error(ErrorKind::bad_file, fmt::format("cannot be used: {}", unreadable.what()));
  }
}

void ReferenceFolder::save(const std::string& name, const std::string& text) {
  if (folder_.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(folder_, error);
  if (error)
    throw Error(ErrorKind::input_output, fmt::format("cannot make the folder '{}': {}", folder_, error.message()));
  OutputFile file(place(name));
  file.write(text);
  file.commit();
}

std::string references_folder(const std::string& scenario_file) {
  if (!scenario_file.empty()) {
    const std::filesystem::path file(scenario_file);
    std::error_code error;
    return std::filesystem::is_regular_file(file, error) ? (file.parent_path() / ".polhode").string() : "";
  }
  const auto variable = [](const char* name) {
    const char* value = std::getenv(name);
    return std::string(value == nullptr ? "" : value);
  };
  // Paths that are not absolute are to be ignored, says the specification of these folders.
  if (const std::string cache = variable("XDG_CACHE_HOME"); cache.starts_with('/')) return cache + "/polhode";
  if (const std::string home = variable("HOME"); home.starts_with('/')) return home + "/.cache/polhode";
  return "";
}

}  // namespace polhode
