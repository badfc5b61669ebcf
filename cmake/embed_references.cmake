# Writes the files of data/references as a C++ source, so that the library needs no folder of data:
#
#   cmake -D FOLDER=data/references -D OUTPUT=reference_data.cpp -P embed_references.cmake
#
# A file becomes an array of literals, because compilers need not take one of more than 64 KiB.
set(piece_length 8000)

file(GLOB paths "${FOLDER}/*.json")
list(SORT paths)
foreach(path IN LISTS paths)
  get_filename_component(problem "${path}" NAME_WE)
  file(READ "${path}" text)
  string(LENGTH "${text}" length)
  string(MAKE_C_IDENTIFIER "${problem}" name)
  string(APPEND arrays "constexpr std::string_view ${name}[] = {\n")
  set(begin 0)
  while(begin LESS length)
    string(SUBSTRING "${text}" ${begin} ${piece_length} piece)
    string(APPEND arrays "R\"json(${piece})json\",\n")
    math(EXPR begin "${begin} + ${piece_length}")
  endwhile()
  string(APPEND arrays "};\n")
  string(APPEND entries "    {\"${problem}\", ${name}},\n")
endforeach()

file(WRITE "${OUTPUT}" "// Made from data/references by cmake/embed_references.cmake.
#include \"problems/reference_data.hpp\"

namespace polhode {
namespace {

${arrays}}  // namespace

const std::vector<ReferenceData>& reference_data() {
  static const std::vector<ReferenceData> files{
${entries}  };
  return files;
}

}  // namespace polhode
")
