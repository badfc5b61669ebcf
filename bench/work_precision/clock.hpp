// The clock of all timings here.
#pragma once

#include <ctime>

namespace polhode::bench {

// Time this thread has had a processor for [s]. On an idle machine it goes like any clock; on a busy one it stands still
// while others run.
inline double processor_seconds() {
  std::timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

}  // namespace polhode::bench
