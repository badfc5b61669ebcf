# Writes docs/bibliography.bib as a C++ source, so that the program can print what it cites wherever it is installed:
#
#   cmake -D FILE=docs/bibliography.bib -D OUTPUT=bibliography_data.cpp -P embed_bibliography.cmake
#
# In pieces, because compilers need not take a literal of more than 64 KiB.
set(piece_length 8000)

file(READ "${FILE}" text)
string(LENGTH "${text}" length)
set(begin 0)
while(begin LESS length)
  string(SUBSTRING "${text}" ${begin} ${piece_length} piece)
  string(APPEND pieces "R\"bibtex(${piece})bibtex\",\n")
  math(EXPR begin "${begin} + ${piece_length}")
endwhile()

file(WRITE "${OUTPUT}" "// Made from docs/bibliography.bib by cmake/embed_bibliography.cmake.
#include \"io/bibliography_data.hpp\"

namespace polhode {
namespace {

constexpr std::string_view pieces[] = {
${pieces}};

}  // namespace

std::string bibliography_text() {
  std::string text;
  for (const std::string_view piece : pieces) text += piece;
  return text;
}

}  // namespace polhode
")
