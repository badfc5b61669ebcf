# literals(VARIABLE TEXT DELIMITER) appends the text to the variable as C++ raw literals with a comma after each. In
# pieces, because compilers need not take one of more than 64 KiB.
function(literals variable text delimiter)
  set(piece_length 8000)
  string(LENGTH "${text}" length)
  set(list "${${variable}}")
  set(begin 0)
  while(begin LESS length)
    string(SUBSTRING "${text}" ${begin} ${piece_length} piece)
    string(APPEND list "R\"${delimiter}(${piece})${delimiter}\",\n")
    math(EXPR begin "${begin} + ${piece_length}")
  endwhile()
  set(${variable} "${list}" PARENT_SCOPE)
endfunction()
