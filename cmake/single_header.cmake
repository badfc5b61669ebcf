# `cmake --build … --target polhode_single_header` writes single_include/polhode_engine.hpp in the build tree.
find_package(Python3 COMPONENTS Interpreter)
if(NOT Python3_Interpreter_FOUND)
  message(STATUS "Python 3 not found: no target polhode_single_header")
  return()
endif()

set(single_header ${PROJECT_BINARY_DIR}/single_include/polhode_engine.hpp)
file(GLOB_RECURSE polhode_header_files CONFIGURE_DEPENDS include/polhode/*.hpp)
add_custom_command(
  OUTPUT ${single_header}
  COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/tools/amalgamate.py --version ${PROJECT_VERSION}
          --output ${single_header} polhode/engine.hpp
  DEPENDS tools/amalgamate.py LICENSE ${polhode_header_files}
  VERBATIM)
add_custom_target(polhode_single_header DEPENDS ${single_header})
