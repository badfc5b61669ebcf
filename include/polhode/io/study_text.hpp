// Studies as JSON and CSV.
#pragma once

#include <string>
#include <vector>

#include "polhode/studies/compare.hpp"
#include "polhode/studies/converge.hpp"
#include "polhode/studies/diagnose.hpp"

namespace polhode {

// One object, as `polhode converge --json` and `polhode compare --json` print it.
std::string to_json(const Convergence& study);
std::string to_json(const Comparison& study);
std::string to_json(const Diagnosis& study);  // of `polhode diagnose`

// Of several studies: {"schema_version": 1, "studies": [...]}, each as above.
std::string to_json_of_several(const std::vector<std::string>& studies);

// The rows as comma-separated values; in '# ...' lines above them the orders of a convergence study, or the methods'
// choice and costs of a comparison.
std::string to_csv(const Convergence& study);
std::string to_csv(const Comparison& study);

}  // namespace polhode
