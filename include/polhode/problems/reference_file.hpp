// Reference solutions as files: data/references/<problem>.json, described in docs/references.md.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "polhode/problems/problem.hpp"

namespace polhode {

// Two integrators that are further apart than this, in rad or in kg m^2/s, make no reference.
inline constexpr double largest_disagreement = 1e-20;

// A moment of the motion in SI units and the user's body axes, in decimals: 36 digits, more than a double can hold.
struct ReferenceNode {
  std::string time;
  std::array<std::string, 4> attitude_wxyz;
  std::array<std::string, 3> angular_momentum_body;
};

struct ReferenceIntegrator {
  std::string name, scalar;
  int order = 0;
  double tolerance = 0;
};

struct ReferenceFile {
  std::string problem;
  std::string setup;                             // as to_json(Setup) writes it
  std::string version, date;                     // of the program that made it; of that day, YYYY-MM-DD
  std::vector<ReferenceIntegrator> integrators;  // nodes are those of the first
  double attitude_disagreement = 0;              // [rad], the largest at any node
  double momentum_disagreement = 0;              // [kg m^2/s]
  std::vector<ReferenceNode> nodes;              // at equal distances in time, from past to future
};

std::string to_json(const ReferenceFile& file);

// `origin` is the name for messages. Throws Error for whatever is not a reference file in good order.
ReferenceFile parse_reference(std::string_view text, std::string_view origin);

// The file of that name as it was built into the library; empty when there is none.
std::string built_in_reference(std::string_view problem);

// What was built in for this problem. nullptr when there is no file, or one that is damaged, was made for another motion
// (model/same_motion.hpp), or does not reach as far as the problem's reference_duration.
const ReferenceFile* find_reference(const Problem& problem);

}  // namespace polhode
