// What is kept of a computed motion, as text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "polhode/problems/reference_file.hpp"

namespace polhode {

// A moment by both integrators, in the internal units and principal axes of the situation.
struct MotionRecord {
  ReferenceNode first, second;
  double turned = 0;  // [rad] on the way there
};

std::string to_json(const std::string& motion, const std::vector<MotionRecord>& records);

// Throws Error (bad_file) for a text that to_json() did not write for this motion.
std::vector<MotionRecord> parse_records(std::string_view text, const std::string& motion);

}  // namespace polhode
