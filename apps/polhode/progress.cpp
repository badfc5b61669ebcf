#include "progress.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "streams.hpp"

namespace polhode {
namespace {

std::string duration(double seconds) {
  if (seconds < 100) return fmt::format("{:.0f} s", seconds);
  if (seconds < 6000) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

std::string line(double done, double seconds, const std::string& words) {
  return fmt::format("{:3.0f} %  {}  {} left", 100 * done, words, duration(seconds * (1 - done) / done));
}

}  // namespace

ProgressLine::ProgressLine(const Talk& talk, When when)
    : terminal_(talk.terminal()),
      wanted_(when != When::never && (when == When::always || !talk.quiet())),
      patience_(when == When::always ? 0.0 : 2.0) {}

ProgressLine::~ProgressLine() { clear(); }

void ProgressLine::clear() {
  if (shown_ && terminal_) to_stderr("\r\033[K");
  shown_ = false;
}

void ProgressLine::show(const Progress& at) {
  const double done = static_cast<double>(at.step);
  show(done / static_cast<double>(at.steps), at.seconds,
       fmt::format("t = {:.6g} s  {:.3g} steps/s  energy change {:.1e}", at.time, done / at.seconds, at.energy_change));
}

void ProgressLine::show(double done, double seconds, const std::string& words) {
  if (!wanted_ || !(done > 0)) return;
  constexpr double too_short_to_be_seen = 0.1;  // [s]
  if (terminal_ && seconds < too_short_to_be_seen) return;
  if (terminal_) {
    to_stderr("\r\033[K" + line(done, seconds, words));
    shown_ = true;
    return;
  }
  const int tenths = static_cast<int>(10 * done);
  if (tenths <= tenths_ || seconds < patience_) return;
  tenths_ = tenths;
  to_stderr(fmt::format("polhode: {}\n", line(done, seconds, words)));
}

}  // namespace polhode
