// The reference files that were built into the library.
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "core/number_text.hpp"
#include "polhode/core/error.hpp"
#include "polhode/io/json.hpp"
#include "polhode/model/same_motion.hpp"
#include "polhode/problems/reference_file.hpp"
#include "problems/reference_data.hpp"

namespace polhode {
namespace {

struct StoredReference {
  ReferenceFile file;
  Setup setup;  // that it was made for
};

// Read when first asked for, and kept: references into a map stay valid.
const std::optional<StoredReference>& stored(std::string_view problem) {
  static std::mutex mutex;
  static std::map<std::string, std::optional<StoredReference>, std::less<>> files;
  const std::lock_guard lock(mutex);
  auto at = files.find(problem);
  if (at == files.end()) {
    at = files.emplace(problem, std::nullopt).first;
    try {
      const std::string text = built_in_reference(problem);
      if (!text.empty()) {
        ReferenceFile file = parse_reference(text, problem);
        Setup setup = setup_from_json(file.setup, problem);
        at->second = {std::move(file), std::move(setup)};
      }
    } catch (const Error&) {
      // A damaged file is as good as none; the tests read every file and say what is wrong with it.
    }
  }
  return at->second;
}

bool reaches(const ReferenceFile& file, const Problem& problem) {
  double first = 0, last = 0;
  read_number(file.nodes.front().time, first);
  read_number(file.nodes.back().time, last);
  const double start = problem.setup.time, duration = problem.reference_duration;
  return first <= start - duration && last >= start + duration;
}

}  // namespace

std::string built_in_reference(std::string_view problem) {
  std::string text;
  for (const ReferenceData& data : reference_data()) {
    if (data.problem != problem) continue;
    for (const std::string_view piece : data.pieces) text += piece;
  }
  return text;
}

const ReferenceFile* find_reference(const Problem& problem) {
  const std::optional<StoredReference>& found = stored(problem.name);
  const bool fits = found && reaches(found->file, problem) && same_motion(found->setup, problem.setup);
  return fits ? &found->file : nullptr;
}

}  // namespace polhode
