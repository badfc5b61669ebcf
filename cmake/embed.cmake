# Files that are built into the library, so that it needs no folder of data.
#
# embed(NAME SCRIPT INPUT FILE...) compiles NAME_data.cpp, which the script writes from the input, a file or a folder, and
# writes again when one of the files has changed.
function(embed name script input)
  set(source ${PROJECT_BINARY_DIR}/${name}_data.cpp)
  add_custom_command(
    OUTPUT ${source}
    COMMAND ${CMAKE_COMMAND} -D INPUT=${input} -D OUTPUT=${source} -P ${PROJECT_SOURCE_DIR}/${script}
    DEPENDS ${ARGN} ${script} cmake/literals.cmake
    VERBATIM)
  target_sources(polhode PRIVATE ${source})
  set_source_files_properties(${source} PROPERTIES INCLUDE_DIRECTORIES ${PROJECT_SOURCE_DIR}/src)
endfunction()

# The reference solutions of the problems.
set(reference_folder ${PROJECT_SOURCE_DIR}/data/references)
file(GLOB reference_files CONFIGURE_DEPENDS ${reference_folder}/*.json)
embed(reference cmake/embed_references.cmake ${reference_folder} ${reference_files})

# What the program cites.
set(bibliography_file ${PROJECT_SOURCE_DIR}/docs/bibliography.bib)
embed(bibliography cmake/embed_bibliography.cmake ${bibliography_file} ${bibliography_file})
