#include "bodies_there.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "polhode/core/error.hpp"
#include "polhode/io/output_file.hpp"
#include "polhode/io/result_file.hpp"

namespace polhode {
namespace {

std::uint64_t count(const std::vector<BodyRange>& ranges) {
  std::uint64_t bodies = 0;
  for (const BodyRange& range : ranges) bodies += range.last - range.first;
  return bodies;
}

// It will be replaced. Returns how many of this ensemble's bodies it has.
std::uint64_t count_in(const std::string& file, const EnsembleAbout& ensemble) {
  const EnsembleParts there({file});
  there.check_together(ensemble);
  const std::vector<BodyRange> all = there.bodies_in({0, ensemble.bodies});
  const std::uint64_t ours = count(there.bodies_in({ensemble.first, ensemble.last}));
  if (count(all) == ours) return ours;
  throw Error(
      ErrorKind::bad_request,
      fmt::format("--only-missing: '{}' has bodies {} to {}, and here numbers {} to {} are followed; name another "
                  "file, or give the part that it has (--shard)",
                  file, all.front().first, all.back().last - 1, ensemble.first, ensemble.last - 1));
}

}  // namespace

BodiesThere bodies_there(const std::string& file, const std::vector<std::string>& others,
                         const EnsembleAbout& ensemble) {
  const ResultFormat* format = file.empty() ? nullptr : find_result_format(file);
  if (format == nullptr || format->name != "HDF5")
    throw Error(ErrorKind::bad_request,
                fmt::format("--only-missing: {}; name the file to complete (--output FILE.h5)",
                            file.empty() ? "there is no file" : fmt::format("'{}' is not HDF5", file)));
  std::vector<std::string> files;
  for (const std::string& own : {file, partial_name(file)}) {
    std::error_code unknown;
    if (!std::filesystem::exists(own, unknown)) continue;
    files.push_back(own);
    if (count_in(own, ensemble) == ensemble.last - ensemble.first && own == file) return {EnsembleParts({file}), true};
  }
  files.insert(files.end(), others.begin(), others.end());
  if (files.empty()) return {};
  BodiesThere there{EnsembleParts(files)};
  there.parts->check_together(ensemble);
  return there;
}

}  // namespace polhode
