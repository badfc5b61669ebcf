// Small parts of tables and pages for people.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace polhode {

// Ends a line without the blanks that a last empty cell leaves.
inline void end_line(std::string& text) {
  text.erase(text.find_last_not_of(' ') + 1);
  text += '\n';
}

// Words in lines of at most `width` columns, the second and later ones indented; ends with a line break.
inline std::string wrapped(std::string_view words, std::size_t indent, std::size_t begin = 0, std::size_t width = 110) {
  std::string text;
  std::size_t column = begin;
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    const bool first = text.empty();
    if (!first && column + 1 + end > width) {
      text += '\n' + std::string(indent, ' ');
      column = indent;
    } else if (!first) {
      text += ' ';
      ++column;
    }
    text += words.substr(0, end);
    column += end;
    words.remove_prefix(std::min(end + 1, words.size()));
  }
  return text + '\n';
}

}  // namespace polhode
