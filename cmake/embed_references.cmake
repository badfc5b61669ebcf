# Writes the files of data/references as a C++ source, so that the library needs no folder of data:
#
#   cmake -D INPUT=data/references -D OUTPUT=reference_data.cpp -P embed_references.cmake
include(${CMAKE_CURRENT_LIST_DIR}/literals.cmake)

file(GLOB paths "${INPUT}/*.json")
list(SORT paths)
foreach(path IN LISTS paths)
  get_filename_component(problem "${path}" NAME_WE)
  file(READ "${path}" text)
  string(MAKE_C_IDENTIFIER "${problem}" name)
  string(APPEND arrays "constexpr std::string_view ${name}[] = {\n")
  literals(arrays "${text}" json)
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
