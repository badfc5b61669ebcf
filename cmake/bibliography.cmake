# The bibliography, built into the library.
set(bibliography_file ${PROJECT_SOURCE_DIR}/docs/bibliography.bib)
set(bibliography_source ${PROJECT_BINARY_DIR}/bibliography_data.cpp)
add_custom_command(
  OUTPUT ${bibliography_source}
  COMMAND ${CMAKE_COMMAND} -D FILE=${bibliography_file} -D OUTPUT=${bibliography_source}
          -P ${PROJECT_SOURCE_DIR}/cmake/embed_bibliography.cmake
  DEPENDS ${bibliography_file} cmake/embed_bibliography.cmake
  VERBATIM)
target_sources(polhode PRIVATE ${bibliography_source})
set_source_files_properties(${bibliography_source} PROPERTIES INCLUDE_DIRECTORIES ${PROJECT_SOURCE_DIR}/src)
