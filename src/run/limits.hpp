// Guards that end a run before its time: a number of steps, a time of the wall clock.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

#include "polhode/run/drive.hpp"
#include "polhode/run/result.hpp"

namespace polhode {

template <class T>
class Limits : public Observer<T> {
 public:
  explicit Limits(const RunOptions& run) : max_steps_(run.max_steps), max_time_(run.max_time) {}

  bool any() const { return max_steps_ || max_time_; }

  // A step that would be one too many is not taken. A method that takes steps of its own within one may overshoot by
  // those of the last.
  bool before_step(const Stepper<T>& stepper, const T&) {
    if (max_steps_ && std::max(steps_, stepper.work.own_steps) >= *max_steps_) return end(RunStatus::max_steps);
    if (max_time_ && seconds() >= *max_time_) return end(RunStatus::max_time);
    ++steps_;
    return true;
  }

  // The guard that ended the run, if one did.
  const std::optional<RunStatus>& reached() const { return reached_; }

 private:
  bool end(RunStatus which) {
    reached_ = which;
    return false;
  }
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count(); }

  std::optional<long long> max_steps_;
  std::optional<double> max_time_;
  long long steps_ = 0;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  std::optional<RunStatus> reached_;
};

}  // namespace polhode
