// Small parts of tables for people.
#pragma once

#include <string>

namespace polhode {

// Ends a line without the blanks that a last empty cell leaves.
inline void end_line(std::string& text) {
  text.erase(text.find_last_not_of(' ') + 1);
  text += '\n';
}

}  // namespace polhode
