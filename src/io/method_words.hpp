// What the catalogue says of a method, as words and as JSON: one line for each claim, for lists and pages alike.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "polhode/methods/registry.hpp"

namespace polhode {

std::string_view text(bool claim);
std::string_view text(Keeps keeps);
std::string_view text(Needs needs);

struct ClaimLine {
  std::string_view key, title;
  nlohmann::ordered_json value;
};
std::vector<ClaimLine> claim_lines(const Claims& claims);

// One entry of `polhode methods --json`, with these claims.
nlohmann::ordered_json entry_of(const MethodInfo& method, const Claims& claims);

}  // namespace polhode
