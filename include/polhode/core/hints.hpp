// What may have been meant by a name that is not there, in words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace polhode {

// Candidates that may have been meant: the nearest in edits, then those that contain `name`, whatever its case.
std::vector<std::string> near_names(std::string_view name, const std::vector<std::string>& candidates);

// "nearest: a, b", with "and 3 more" in place of what is beyond the first six; `otherwise` when there are none.
std::string hint(const std::vector<std::string>& near, std::string_view otherwise);

// Whether `word` stands in `text`, whatever its case; an empty word stands nowhere.
bool contains_word(std::string_view text, std::string_view word);

}  // namespace polhode
