// A course followed as far as it is asked to, and then further.
#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "polhode/run/dense_output.hpp"
#include "run/event_watch.hpp"
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
        times_(steps_, prepared),
        times_before_(times_),
        method_(plan.method),
        watched_(plan.watched),
        tangent_(plan.tangent),
        start_(plan.request.setup.time) {
    stepper_->start(prepared.start, times_.size());
    dense_.emplace(method_, prepared.field, *stepper_, false);
    track_.emplace(*stepper_);
    failures_.emplace(method_, plan.request.run.on_failure, prepared, *stepper_, times_, warnings_);
    if (plan.watched->looks_at_steps()) events_.emplace(*watched_, prepared, view_, *dense_, track_->reached());
  }
  Walk(const Walk&) = delete;
  Walk& operator=(const Walk&) = delete;

  std::optional<RunFailure> advance_to(double t, const std::atomic<bool>* stop_flag) {
    const StopFlag<T> stop(stop_flag);
    while (!times_.over() && ahead(t) && !ended() && !stop.is_set()) {
      times_before_ = times_;
      const long long next = times_.taken() + 1;
      if (events_ ? drive_to(next, *stepper_, times_, *dense_, *failures_, *events_, *track_)
                  : drive_to(next, *stepper_, times_, *dense_, *failures_, *track_))
        continue;
      if (ended()) {
        track_->end_at(events_->end()->at);
        break;
      }
      dense_->undo_step();
      times_ = times_before_;
      return failures_->take();
    }
    return std::nullopt;
  }

  // An event has ended it.
  bool ended() const { return events_ && events_->end(); }
  std::vector<Event> events() const { return events_ ? seen_events(*events_, *watched_, view_) : std::vector<Event>{}; }

  State<double> state() const { return seen(track_->reached().state); }

  std::optional<State<double>> at(double t) {
    const T time = prepared_.time_in(t);
    if (!covers(time)) return std::nullopt;
    return seen(dense_->at(time));
  }

  std::vector<double> columns(const Columns& groups) const { return cells(groups, track_->reached()); }
  std::optional<std::vector<double>> columns_at(double t, const Columns& groups) {
    const T time = prepared_.time_in(t);
    if (!covers(time)) return std::nullopt;
    const PassedState<T> passed = dense_->passed(time);
    return cells(groups, {passed.state, passed.momentum_S, dense_->begin().R_SB});
  }

  // Where it stands; none where the plan asks for none.
  std::optional<Sensitivities> sensitivities() {
    if constexpr (std::is_same_v<T, double>) {
      if (!tangent_) return std::nullopt;
      Stepper<T>* at = stepper_.get();
      if (ended()) {
        dense_->passed(track_->reached().state.t);
        at = &dense_->asked();
      }
      TangentCells cells(*tangent_, dynamic_cast<TangentStepper&>(*stepper_), start_,
                         std::ldexp(1.0, prepared_.units.time_exponent));
      cells.take_from(at);
      return cells.result();
    }
    return std::nullopt;
  }

  Work work() const { return failures_->work(*stepper_); }

  void transfer(Archive& archive) {
    stepper_->transfer(archive);
    dense_->transfer(archive);
    times_.transfer(archive);
    times_before_.transfer(archive);
    track_->transfer(archive);
    failures_->transfer(archive);
    if (events_) events_->transfer(archive);
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

  bool covers(const T& t) const {
    if (!dense_->covers(t)) return false;
    const T end = track_->reached().state.t;
    return !ended() || (times_.size() > T(0) ? t <= end : t >= end);
  }

  std::vector<double> cells(const Columns& groups, const Reached<T>& at) const {
    std::vector<double> values;
    RowCells<T> row(groups);
    for (const Number& cell : row.of(view_, at)) values.push_back(cell.value);
    return values;
  }

  State<double> seen(const State<T>& s) const { return cast<double>(prepared_.in_user_units(s)); }

  Steps steps_;
  const Prepared<T>& prepared_;
  View<T> view_;
  std::unique_ptr<Stepper<T>> stepper_;
  StepTimes<T> times_, times_before_;
  MethodSpec method_;
  std::shared_ptr<const Watched> watched_;
  std::shared_ptr<const TangentRequest> tangent_;
  double start_;  // [s]
  RunControl nobody_;
  Warnings warnings_{nobody_};
  std::optional<DenseOutput<T>> dense_;
  std::optional<Track<T>> track_;
  std::optional<FailureWatch<T>> failures_;
  std::optional<EventWatch<T>> events_;
};

}  // namespace polhode
