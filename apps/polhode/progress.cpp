#include "progress.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace polhode {
namespace {

std::string duration(double seconds) {
  if (seconds < 100) return fmt::format("{:.0f} s", seconds);
  if (seconds < 6000) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

std::string line(const Progress& at) {
  const double done = static_cast<double>(at.step), all = static_cast<double>(at.steps);
  return fmt::format("{:3.0f} %  t = {:.6g} s  {:.3g} steps/s  energy drift {:.1e}  {} left", 100 * done / all, at.time,
                     done / at.seconds, at.energy_change, duration(at.seconds * (all - done) / done));
}

}  // namespace

ProgressLine::ProgressLine(const Talk& talk, When when)
    : terminal_(talk.terminal()),
      wanted_(when != When::never && (when == When::always || !talk.quiet())),
      patience_(when == When::always ? 0.0 : 2.0) {}

ProgressLine::~ProgressLine() {
  if (shown_ && terminal_) fmt::print(stderr, "\r\033[K");
}

void ProgressLine::show(const Progress& progress) {
  if (!wanted_) return;
  if (terminal_) {
    fmt::print(stderr, "\r\033[K{}", line(progress));
    shown_ = true;
    return;
  }
  const long long tenths = 10 * progress.step / progress.steps;
  if (tenths <= tenths_ || progress.seconds < patience_) return;
  tenths_ = tenths;
  fmt::print(stderr, "polhode: {}\n", line(progress));
}

}  // namespace polhode
