// A course followed as far as it is asked to, and then further.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "run/observers.hpp"

namespace polhode {

template <class T>
class Walk {
 public:
  Walk(const Plan& plan, const Prepared<T>& prepared, const Stepper<T>& stepper)
      : steps_(endless(plan.steps)),
        prepared_(prepared),
        view_(prepared),
        stepper_(stepper.clone()),
        before_(stepper.clone()),
        times_(steps_, prepared),
        times_before_(times_),
        method_(plan.method) {
    stepper_->start(prepared.start, times_.size());
    before_->copy_from(*stepper_);
    track_.emplace(*stepper_);
    failures_.emplace(method_, plan.request.run.on_failure, prepared, *stepper_, times_, warnings_);
  }
  Walk(const Walk&) = delete;
  Walk& operator=(const Walk&) = delete;

  std::optional<RunFailure> advance_to(double t) {
    while (times_.taken() < times_.count() && ahead(t)) {
      before_->copy_from(*stepper_);
      times_before_ = times_;
      if (drive_to(times_.taken() + 1, *stepper_, times_, *failures_, *track_)) continue;
      stepper_->copy_from(*before_);
      times_ = times_before_;
      return failures_->take();
    }
    return std::nullopt;
  }

  State<double> state() const { return seen(stepper_->state); }

  std::optional<State<double>> at(double t) const {
    const T time = prepared_.time_in(t), from = before_->state.t, to = stepper_->state.t;
    if (time == to) return state();
    if (!((from <= time && time <= to) || (to <= time && time <= from))) return std::nullopt;
    if (time == from) return seen(before_->state);
    if (!method_.claims.variable_steps) {
      throw SetupError("run.method", fmt::format("{} needs equal steps and has no state within one; ask at whole "
                                                 "steps, or choose a method that takes variable steps",
                                                 method_.name));
    }
    const std::unique_ptr<Stepper<T>> part = before_->clone();
    part->step(T(time - from));
    part->state.t = time;
    return seen(part->state);
  }

  std::vector<double> columns(const Columns& groups) const {
    std::vector<double> values;
    RowCells<T> cells(groups);
    for (const Number& cell : cells.of(view_, track_->reached())) values.push_back(cell.value);
    return values;
  }

  Work work() const { return failures_->work(*stepper_); }

  void transfer(Archive& archive) {
    stepper_->transfer(archive);
    before_->transfer(archive);
    times_.transfer(archive);
    times_before_.transfer(archive);
    track_->transfer(archive);
    failures_->transfer(archive);
  }

 private:
  // As many steps as anyone asks for; listed ones come to an end.
  static Steps endless(Steps steps) {
    steps.length.reset();
    steps.count =
        steps.listed.empty() ? std::numeric_limits<long long>::max() : static_cast<long long>(steps.listed.size());
    return steps;
  }

  // Whether t lies ahead by more than rounding.
  bool ahead(double t) const {
    const T h = times_.size();
    const T way = prepared_.time_in(t) - stepper_->state.t;
    return (h > T(0) ? way : T(-way)) > T(1e-9) * T(abs(h));
  }

  State<double> seen(const State<T>& s) const { return cast<double>(prepared_.in_user_units(s)); }

  Steps steps_;
  const Prepared<T>& prepared_;
  View<T> view_;
  std::unique_ptr<Stepper<T>> stepper_, before_;
  StepTimes<T> times_, times_before_;
  MethodSpec method_;
  RunControl nobody_;
  Warnings warnings_{nobody_};
  std::optional<Track<T>> track_;
  std::optional<FailureWatch<T>> failures_;
};

}  // namespace polhode
