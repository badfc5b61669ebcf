// What a benchmark ran on, to be printed beside its numbers.
#pragma once

#include <fstream>
#include <string>

#include "polhode/core/instruction_set.hpp"

namespace polhode::bench {

inline std::string processor_name() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown processor";
}

// The widest instructions that kernels choose there.
inline std::string instruction_set_name() {
  switch (instruction_set()) {
    case InstructionSet::avx512: return "AVX-512";
    case InstructionSet::avx2: return "AVX2";
    case InstructionSet::baseline: break;
  }
#if defined(__x86_64__)
  return "SSE2";
#else
  return "no wide instructions";
#endif
}

// "AMD EPYC, AVX-512"
inline std::string machine_name() { return processor_name() + ", " + instruction_set_name(); }

}  // namespace polhode::bench
