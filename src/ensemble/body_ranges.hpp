// Ranges of bodies, in order and apart from each other.
#pragma once

#include <algorithm>
#include <vector>

#include "polhode/ensemble/result.hpp"

namespace polhode {

// What the others leave of it.
inline std::vector<BodyRange> without(BodyRange whole, const std::vector<BodyRange>& others) {
  std::vector<BodyRange> rest;
  std::uint64_t at = whole.first;
  for (const BodyRange& other : others) {
    if (other.last <= at) continue;
    if (other.first >= whole.last) break;
    if (other.first > at) rest.push_back({at, other.first});
    at = other.last;
  }
  if (at < whole.last) rest.push_back({at, whole.last});
  return rest;
}

// The bodies of both.
inline BodyRange common(BodyRange a, BodyRange b) {
  const BodyRange both{std::max(a.first, b.first), std::min(a.last, b.last)};
  return both.first < both.last ? both : BodyRange{};
}

// As many as `size` at a time.
inline std::vector<BodyRange> pieces(BodyRange range, std::uint64_t size) {
  std::vector<BodyRange> all;
  for (std::uint64_t first = range.first; first < range.last; first += size)
    all.push_back({first, std::min(first + size, range.last)});
  return all;
}

// Neighbours become one.
inline std::vector<BodyRange> joined(const std::vector<BodyRange>& ranges) {
  std::vector<BodyRange> all;
  for (const BodyRange& range : ranges) {
    if (!all.empty() && all.back().last == range.first) {
      all.back().last = range.last;
    } else {
      all.push_back(range);
    }
  }
  return all;
}

}  // namespace polhode
