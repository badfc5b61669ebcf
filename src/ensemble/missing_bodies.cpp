#include "ensemble/missing_bodies.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "ensemble/body_ranges.hpp"

namespace polhode {
namespace {

constexpr std::size_t most_gaps_told = 8;
constexpr std::uint64_t most_parts = 1000000;

// The part, counted from 0, that a body is in.
std::uint64_t part_with(std::uint64_t body, std::uint64_t all, std::uint64_t parts) {
  std::uint64_t low = 0, high = parts;
  while (high - low > 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    (begin_of_part(all, middle, parts) <= body ? low : high) = middle;
  }
  return low;
}

// The least number of equal parts of which all these files are one each; 0 where there is none. Parts without bodies say
// nothing of it.
std::uint64_t number_of_parts(std::uint64_t all, const std::vector<PartFile>& files) {
  const auto is_part = [&](const PartFile& file, std::uint64_t parts) {
    if (file.bodies.first == file.bodies.last) return true;
    const std::uint64_t part = part_with(file.bodies.first, all, parts);
    return BodyRange{begin_of_part(all, part, parts), begin_of_part(all, part + 1, parts)} == file.bodies;
  };
  std::uint64_t size = 0;
  for (const PartFile& file : files) size = std::max(size, file.bodies.last - file.bodies.first);
  if (size == 0) return 0;
  const std::uint64_t last = std::min(most_parts, size == 1 ? all : all / (size - 1) + 1);
  for (std::uint64_t parts = all / (size + 1) + 1; parts <= last; ++parts)
    if (std::all_of(files.begin(), files.end(), [&](const PartFile& file) { return is_part(file, parts); }))
      return parts;
  return 0;
}

struct Gap {
  BodyRange bodies;
  const PartFile* file;  // that should have them, or none
};

std::vector<Gap> gaps_of(std::uint64_t all, const std::vector<PartFile>& files, const std::vector<BodyRange>& there) {
  std::vector<PartFile const*> in_order;
  for (const PartFile& file : files) in_order.push_back(&file);
  std::sort(in_order.begin(), in_order.end(),
            [](const PartFile* a, const PartFile* b) { return a->bodies.first < b->bodies.first; });
  std::vector<Gap> gaps;
  for (const BodyRange& missing : without({0, all}, there)) {
    std::uint64_t at = missing.first;
    for (const PartFile* file : in_order) {
      const BodyRange of_file = common({at, missing.last}, file->bodies);
      if (of_file == BodyRange{}) continue;
      if (of_file.first > at) gaps.push_back({{at, of_file.first}, nullptr});
      gaps.push_back({of_file, file});
      at = of_file.last;
    }
    if (at < missing.last) gaps.push_back({{at, missing.last}, nullptr});
  }
  return gaps;
}

std::string told(const Gap& gap, std::uint64_t all, std::uint64_t parts) {
  if (gap.file != nullptr)
    return fmt::format("{} of '{}'{}", words_for(gap.bodies), gap.file->name,
                       gap.file->incomplete.empty() ? "" : fmt::format(" ({})", gap.file->incomplete));
  if (parts == 0) return fmt::format("{}, which none of the files is for", words_for(gap.bodies));
  const std::uint64_t first = part_with(gap.bodies.first, all, parts) + 1,
                      last = part_with(gap.bodies.last - 1, all, parts) + 1;
  return first == last ? fmt::format("{}, part {} of {}", words_for(gap.bodies), first, parts)
                       : fmt::format("{}, parts {} to {} of {}", words_for(gap.bodies), first, last, parts);
}

}  // namespace

std::string words_for(BodyRange bodies) {
  return bodies.last - bodies.first == 1 ? fmt::format("body {}", bodies.first)
                                         : fmt::format("bodies {} to {}", bodies.first, bodies.last - 1);
}

std::string missing_bodies(std::uint64_t all, const std::vector<PartFile>& files, const std::vector<BodyRange>& there) {
  const std::vector<Gap> gaps = gaps_of(all, files, there);
  if (gaps.empty()) return "";
  const std::uint64_t parts = number_of_parts(all, files);
  std::uint64_t missing = 0;
  std::string places;
  for (std::size_t i = 0; i < gaps.size(); ++i) {
    missing += gaps[i].bodies.last - gaps[i].bodies.first;
    if (i < most_gaps_told) places += (i == 0 ? "" : ", and ") + told(gaps[i], all, parts);
  }
  if (gaps.size() > most_gaps_told) places += fmt::format(", and {} ranges more", gaps.size() - most_gaps_told);
  if (parts > 1) {
    const std::uint64_t first = part_with(gaps.front().bodies.first, all, parts) + 1;
    return fmt::format(
        "{} of {} bodies are missing: {}; 'polhode ensemble SCENARIO --shard {}/{} --only-missing' follows "
        "those of part {}",
        missing, all, places, first, parts, first);
  }
  return fmt::format("{} of {} bodies are missing: {}; 'polhode ensemble SCENARIO --only-missing' follows them",
                     missing, all, places);
}

}  // namespace polhode
