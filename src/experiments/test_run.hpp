// The tests of the test programs that claims name as their evidence.
#pragma once

#include <string>

namespace polhode::experiments {

// Runs those tests of `tests`/`program` that the filter names: "passed", "failed" (also where the filter names none), or
// "not run" where there is no such program. What the program reports is left in `folder`.
std::string outcome_of_test(const std::string& tests, const std::string& program, const std::string& filter,
                            const std::string& folder);

// The folder of test programs beside this program, as a build leaves it; it may not be there.
std::string tests_beside_this_program();

}  // namespace polhode::experiments
