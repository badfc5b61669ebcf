# Makes the single header and compiles a program with it and nothing else, once per compiler, without exceptions and
# run-time type information.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    list(JOIN ARGN " " line)
    message(FATAL_ERROR "exit status ${status}: ${line}")
  endif()
endfunction()

file(REMOVE_RECURSE ${work})
set(header ${work}/polhode_engine.hpp)
run(${python} ${source}/tools/amalgamate.py --output ${header})
file(STRINGS ${header} leftovers REGEX "#[ ]*include[ ]*\"")
if(leftovers)
  message(FATAL_ERROR "the single header includes other files: ${leftovers}")
endif()

foreach(compiler ${compilers})
  run(${compiler} -std=c++20 -O1 -fno-exceptions -fno-rtti -Wall -Wextra -Wpedantic -Werror -I ${work}
      ${CMAKE_CURRENT_LIST_DIR}/single_header.cpp -o ${work}/program)
  run(${work}/program)
endforeach()
