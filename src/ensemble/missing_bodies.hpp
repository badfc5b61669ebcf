// Which bodies of an ensemble are missing, in words.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "polhode/ensemble/result.hpp"

namespace polhode {

// "body 7", "bodies 7 to 12".
std::string words_for(BodyRange bodies);

struct PartFile {
  std::string name;
  BodyRange bodies;        // that it is for
  std::string incomplete;  // why it has not all of them
};

// Of bodies 0 to `all`, those that are not `there`: of which file or of which part they are, and what follows them. Empty
// where there are none.
std::string missing_bodies(std::uint64_t all, const std::vector<PartFile>& files, const std::vector<BodyRange>& there);

// Where the i-th of `parts` parts of so many bodies begins, i from 0; part `parts` begins where the last one ends.
inline std::uint64_t begin_of_part(std::uint64_t bodies, std::uint64_t i, std::uint64_t parts) {
  return i * (bodies / parts) + std::min(i, bodies % parts);
}

}  // namespace polhode
