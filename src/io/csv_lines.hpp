// The lines of CSV files that are read.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "core/list_text.hpp"
#include "polhode/core/error.hpp"

namespace polhode {

// Calls take(cells, number of the line) for every line that is not empty without its comment, which '#' starts. Throws
// Error for what is no text.
template <class Take>
void for_each_csv_line(std::string_view text, const std::string& path, const Take& take) {
  if (text.find('\0') != std::string_view::npos)
    throw Error(ErrorKind::bad_file,
                fmt::format("{}: the file holds a NUL byte and is not text; save it as CSV in UTF-8", path));
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  int number = 0;
  std::string line;
  for (std::size_t begin = text.starts_with(byte_order_mark) ? byte_order_mark.size() : 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    line = text.substr(begin, end - begin);
    begin = end + 1;
    ++number;
    line.erase(std::min(line.find('#'), line.size()));
    std::replace_if(
        line.begin(), line.end(), [](char c) { return c == '\t' || c == '\r'; }, ' ');
    if (!trimmed(line).empty()) take(comma_separated(line), number);
  }
}

// A cell as messages quote it.
inline std::string shown_cell(std::string_view text) {
  std::string plain(text.substr(0, 40));
  std::replace_if(
      plain.begin(), plain.end(), [](char c) { return c < 0x20 || c > 0x7e; }, '?');
  return plain;
}

}  // namespace polhode
