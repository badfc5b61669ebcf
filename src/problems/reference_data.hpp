// The files of data/references as CMake puts them into the library, in pieces that every compiler takes as literals.
#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace polhode {

struct ReferenceData {
  std::string_view problem;
  std::span<const std::string_view> pieces;
};

const std::vector<ReferenceData>& reference_data();

}  // namespace polhode
