// What is known of a benchmark problem, as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "polhode/problems/problem.hpp"

namespace polhode {

// One entry of `polhode problems --json`; "reference" is null where there is none.
nlohmann::ordered_json entry_of(const Problem& problem);

}  // namespace polhode
