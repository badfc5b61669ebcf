// What went wrong, as a sentence for the person at the keyboard, and the exit code that goes with it.
#pragma once

#include <stdexcept>
#include <string>

namespace polhode {

// The codes users' scripts rely on; 65 to 74 are those of sysexits.h. From 128 on, a signal is the reason: the program
// answers an interrupt with 128 and the number of the signal, and says nothing where a pipe has lost its reader.
enum class ExitCode : int {
  done = 0,
  run_failed = 1,
  usage = 2,
  bad_scenario = 65,
  file_missing = 66,
  unavailable = 69,
  input_output = 74,
  interrupted = 130,
  broken_pipe = 141
};

struct Error : std::runtime_error {
  ExitCode code;
  Error(ExitCode code_, const std::string& sentence) : std::runtime_error(sentence), code(code_) {}
};

}  // namespace polhode
