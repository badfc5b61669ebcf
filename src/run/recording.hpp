// Where a run was now and then, so that it can be asked about any time afterwards: the stepper at the beginning of every
// K-th step, K doubled as a run gets longer. A time is found by going on from the last of these before it, with the steps
// and so the bits of the run, and by dense output within a step.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "polhode/core/error.hpp"
#include "polhode/run/dense_output.hpp"
#include "polhode/run/recording.hpp"
#include "run/observers.hpp"

namespace polhode {

template <class T>
class RecordingIn final : public Recording {
 public:
  RecordingIn(const Plan& plan, const Prepared<T>& prepared)
      : steps_(plan.steps),
        prepared_(prepared),
        method_(plan.method),
        on_failure_(plan.request.run.on_failure),
        backwards_(plan.steps.backwards) {}

  void before_step(const Stepper<T>& stepper, const StepTimes<T>& times) {
    if (times.taken() < next_) return;
    if (marks_.size() == most_marks) {
      for (std::size_t i = 0; 2 * i < marks_.size(); ++i) marks_[i] = std::move(marks_[2 * i]);
      marks_.erase(marks_.begin() + static_cast<std::ptrdiff_t>((marks_.size() + 1) / 2), marks_.end());
      apart_ *= 2;
      next_ = marks_.back().times.taken() + apart_;
      if (times.taken() < next_) return;
    }
    marks_.push_back({stepper.state.t, times.among(steps_, prepared_), stepper.clone()});
    next_ = times.taken() + apart_;
  }
  void end_at(const State<T>& end) { end_ = end; }

  std::vector<Moment> at(std::span<const double> seconds, const std::atomic<bool>* stop) const override {
    std::vector<Moment> moments(seconds.size());
    std::vector<T> times;  // checked before they are sorted: what is not a number has no place
    for (const double t : seconds) times.push_back(time_within(t));
    std::vector<std::size_t> order(seconds.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    const auto before = [&](const T& a, const T& b) { return backwards_ ? a > b : a < b; };
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return before(times[a], times[b]); });
    std::optional<Way> way;
    for (const std::size_t i : order) {
      const T& t = times[i];
      if (t == end_.t || marks_.empty()) {
        moments[i] = seen(end_);
        continue;
      }
      const std::size_t mark = mark_before(t);
      if (!way || way->mark < mark) way.emplace(*this, mark, stop);
      moments[i] = seen(way->at(t));
    }
    return moments;
  }

 private:
  static constexpr std::size_t most_marks = 2048;

  struct Mark {
    T t;
    StepTimes<T> times;
    std::unique_ptr<Stepper<T>> stepper;
  };

  // On from a mark.
  struct Way {
    Way(const RecordingIn& of, std::size_t from, const std::atomic<bool>* stop_flag)
        : mark(from),
          stop(stop_flag),
          stepper(of.marks_[from].stepper->clone()),
          times(of.marks_[from].times),
          dense(of.method_, of.prepared_.field, *stepper, of.on_failure_ != OnFailure::halve),
          failures(of.method_, of.on_failure_, of.prepared_, *stepper, times, warnings) {}
    Way(const Way&) = delete;

    State<T> at(const T& t) {
      // A time before the first step was taken is the start.
      while (!dense.covers(t) && !times.over())
        if (!drive_to(times.taken() + 1, *stepper, times, stop, dense, failures)) break;
      if (stop.is_set()) throw Error(ErrorKind::interrupted, "interrupted while the motion was made again");
      return dense.covers(t) ? dense.at(t) : State<T>(stepper->state);
    }

    std::size_t mark;
    StopFlag<T> stop;
    std::unique_ptr<Stepper<T>> stepper;
    StepTimes<T> times;
    RunControl nobody;
    Warnings warnings{nobody};
    DenseOutput<T> dense;
    FailureWatch<T> failures;
  };

  // What is outside by rounding alone is an end.
  T time_within(double seconds) const {
    const T t = prepared_.time_in(seconds), begin = prepared_.start.t, end = end_.t;
    const T near = T(1e-9) * T(abs(T(end - begin)));
    const T ahead = backwards_ ? T(begin - t) : T(t - begin), length = abs(T(end - begin));
    if (!(ahead >= -near && ahead <= length + near)) {
      throw SetupError("time", fmt::format("{:.9g} s is outside the run, which goes from {:.9g} s to {:.9g} s", seconds,
                                           seen(prepared_.start).state.t, seen(end_).state.t));
    }
    return ahead <= T(0) ? begin : ahead >= length ? end : t;
  }
  std::size_t mark_before(const T& t) const {
    const auto after = std::upper_bound(marks_.begin(), marks_.end(), t, [&](const T& time, const Mark& mark) {
      return backwards_ ? time > mark.t : time < mark.t;
    });
    return after == marks_.begin() ? 0 : static_cast<std::size_t>(after - marks_.begin()) - 1;
  }
  Moment seen(const State<T>& s) const {
    return {cast<double>(prepared_.in_user_units(s)), cast<double>(View<T>(prepared_).velocity_B(s))};
  }

  Steps steps_;
  Prepared<T> prepared_;
  MethodSpec method_;
  OnFailure on_failure_;
  bool backwards_;
  std::vector<Mark> marks_;
  long long apart_ = 1, next_ = 0;  // steps from mark to mark, and to the next
  State<T> end_{};
};

template <class T>
class RecordingWatch : public Observer<T> {
 public:
  RecordingWatch(const Plan& plan, const Prepared<T>& prepared, const StepTimes<T>& times)
      : times_(times), recording_(std::make_shared<RecordingIn<T>>(plan, prepared)) {}

  bool before_step(const Stepper<T>& stepper, const T&) {
    recording_->before_step(stepper, times_);
    return true;
  }
  std::shared_ptr<const Recording> ended_at(const State<T>& end) {
    recording_->end_at(end);
    return recording_;
  }

 private:
  const StepTimes<T>& times_;
  std::shared_ptr<RecordingIn<T>> recording_;
};

}  // namespace polhode
