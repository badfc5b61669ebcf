#include "installation.hpp"

#include <filesystem>

namespace polhode {

std::string data_path(const std::string& name) {
  namespace fs = std::filesystem;
  std::error_code unknown;
  const fs::path folder = fs::read_symlink("/proc/self/exe", unknown).parent_path();
  const fs::path installed = (folder / POLHODE_DATA_FROM_PROGRAM / name).lexically_normal();
  const fs::path in_the_sources = (folder / POLHODE_SOURCE_FROM_PROGRAM / name).lexically_normal();
  std::error_code ignored;
  if (!fs::exists(installed, ignored) && fs::exists(in_the_sources, ignored)) return in_the_sources.string();
  return installed.string();
}

}  // namespace polhode
