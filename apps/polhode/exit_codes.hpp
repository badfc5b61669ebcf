// What the program answers to the shell.
#pragma once

#include "polhode/core/error.hpp"

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
  plugin_crashed = 70,
  input_output = 74,
  guard = 75,
  interrupted = 130,
  broken_pipe = 141
};

inline ExitCode exit_code(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::bad_request: return ExitCode::usage;
    case ErrorKind::bad_file: return ExitCode::bad_scenario;
    case ErrorKind::file_missing: return ExitCode::file_missing;
    case ErrorKind::unavailable: return ExitCode::unavailable;
    case ErrorKind::input_output: return ExitCode::input_output;
    case ErrorKind::guard: return ExitCode::guard;
    case ErrorKind::interrupted: return ExitCode::interrupted;
    case ErrorKind::broken_pipe: return ExitCode::broken_pipe;
    case ErrorKind::run_failed: break;
  }
  return ExitCode::run_failed;
}

}  // namespace polhode
