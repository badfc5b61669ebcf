// Lines of a CSV that are no rows.
#pragma once

#include <string>
#include <string_view>

namespace polhode {

// "# key: value"
void append_comment(std::string& out, std::string_view key, std::string_view value);

// Every line behind "#| ", a mark of its own: no line of a scenario is taken for a '# key: value' line.
void append_quoted(std::string& out, std::string_view text);

}  // namespace polhode
