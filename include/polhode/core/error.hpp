// What went wrong, as a sentence for the person who asked, and the kind of thing it is.
#pragma once

#include <stdexcept>
#include <string>

namespace polhode {

enum class ErrorKind {
  bad_request,   // what was asked for is not possible
  bad_file,      // a file that was read does not say what it should
  file_missing,  // or cannot be read
  unavailable,   // something needed is not installed
  input_output,  // the system refused to write
  run_failed,
  guard,  // a bound on steps or time ended the run
  interrupted,
  broken_pipe  // the reader of what is written has gone
};

struct Error : std::runtime_error {
  ErrorKind kind;
  Error(ErrorKind kind_, const std::string& sentence) : std::runtime_error(sentence), kind(kind_) {}
};

}  // namespace polhode
