// JSON as this library writes it: numbers of any length, and a layout for people.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace polhode {

using Json = nlohmann::ordered_json;

// A value that is text of JSON already. 21 or 36 digits must not pass through a double on their way out; json_text writes
// them as they are, where dump() would not.
Json verbatim(std::string_view text);

// With the fewest digits that read back to it, or null where it is not finite.
Json json_number(double value);

// Tables are lists of objects, and have one object per line. Members of the whole stand one below the other. All else is
// in one line: in a `result` also an object that holds a table, which is opened in a `record`.
enum class JsonLayout { result, record };
std::string json_text(const Json& object, JsonLayout layout = JsonLayout::result);

}  // namespace polhode
