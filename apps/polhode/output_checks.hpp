// Outputs that would take the place of something else, refused before anything is computed or written.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

#include "polhode/io/scenario.hpp"

namespace polhode {

// Throws Error (usage) where both names lead to one file, whose other role is `what`: "the scenario", "the file of
// --output". An empty name means no file.
void refuse_clash(const std::string& flag, const std::string& file, const std::string& what, const std::string& other);

// Rows that would take the place of the scenario they come from, or of its steps: throws Error, usage or bad_scenario by
// who named the file.
void refuse_overwriting(const Scenario& scenario);

// For a file that is where stdout goes, when a result is printed there.
std::string stdout_is_taken(const std::string& file);

// Of a flag that names a file.
CLI::Validator not_empty();

}  // namespace polhode
