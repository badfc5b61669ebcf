# The reference solutions of the problems, built into the library.
set(reference_folder ${PROJECT_SOURCE_DIR}/data/references)
set(reference_source ${PROJECT_BINARY_DIR}/reference_data.cpp)
file(GLOB reference_files CONFIGURE_DEPENDS ${reference_folder}/*.json)
add_custom_command(
  OUTPUT ${reference_source}
  COMMAND ${CMAKE_COMMAND} -D FOLDER=${reference_folder} -D OUTPUT=${reference_source}
          -P ${PROJECT_SOURCE_DIR}/cmake/embed_references.cmake
  DEPENDS ${reference_files} cmake/embed_references.cmake
  VERBATIM)
target_sources(polhode PRIVATE ${reference_source})
set_source_files_properties(${reference_source} PROPERTIES INCLUDE_DIRECTORIES ${PROJECT_SOURCE_DIR}/src)
