# Writes docs/bibliography.bib as a C++ source, so that the program can print what it cites wherever it is installed:
#
#   cmake -D INPUT=docs/bibliography.bib -D OUTPUT=bibliography_data.cpp -P embed_bibliography.cmake
include(${CMAKE_CURRENT_LIST_DIR}/literals.cmake)

file(READ "${INPUT}" text)
literals(pieces "${text}" bibtex)

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
