// A course in one scalar. Included by the translation units that instantiate it.
#pragma once

#include <chrono>
#include <limits>

#include "polhode/core/error.hpp"
#include "polhode/core/quad.hpp"
#include "polhode/measure/error.hpp"
#include "run/course.hpp"
#include "run/energy_watch.hpp"
#include "run/event_watch.hpp"
#include "run/limits.hpp"
#include "run/observers.hpp"
#include "run/step_watch.hpp"
#include "run/timed_rows.hpp"
#include "run/walk.hpp"

namespace polhode {

template <class T>
class CourseIn final : public Course {
 public:
  explicit CourseIn(const CourseRequest& request)
      : steps_(request.steps),
        prepared_(prepare<T>(request.setup)),
        stepper_(make_stepper<T>(request.method, prepared_.body, prepared_.field)) {
    if (request.tolerance) stepper_->set_tolerance(T(*request.tolerance));
    const T h = StepTimes<T>(steps_, prepared_).size();
    if (h == T(0) || !isfinite(h)) {
      throw SetupError("run.step",
                       fmt::format("{} s is outside the range of {}; choose another scalar or step", steps_.size,
                                   scalar_name(scalar_kind_of<T>)),
                       {"run.duration", "run.steps", "run.step_file", "run.method"});
    }
    stepper_->start(prepared_.start, h);
  }
  CourseIn(const CourseIn& other)
      : steps_(other.steps_), prepared_(other.prepared_), stepper_(other.stepper_->clone()) {}

  std::unique_ptr<Course> clone() const override { return std::make_unique<CourseIn>(*this); }

  Result run(const Plan& plan, const Provenance& about, ResultWriter* rows, const RunControl& control) override {
    StepTimes<T> times(steps_, prepared_);
    stepper_->start(prepared_.start, times.size());
    const View<T> view(prepared_);
    const T first_energy = view.energy(stepper_->state);
    Result result;
    result.about = about;
    Warnings warn(control);
    StopFlag<T> stop(control.stop);
    StepWatch<T> step_watch(prepared_, plan, times, warn);
    FailureWatch<T> failures(plan.method, plan.request.run.on_failure, prepared_, *stepper_, times, warn);
    Track<T> track(*stepper_);
    const Reached<T> start = track.reached();
    EnergyWatch<T> energy(prepared_, view, times, start.state);
    ProgressReport<T> progress(control, view, prepared_, times, first_energy);
    result.start = view.snapshot(start);
    step_watch.look_at_times();

    Limits<T> limits(plan.request.run);
    Maybe<DenseOutput<T>> dense;
    Maybe<EventWatch<T>> events;
    if (plan.watched->looks_at_steps()) {
      dense.emplace(plan.method, prepared_.field, *stepper_, plan.request.run.on_failure != OnFailure::halve);
      events.emplace(*plan.watched, prepared_, view, *dense, start);
    }
    const auto settle = [&](bool finished, auto& row_writer) {
      failures.tell(result, *stepper_);
      result.steps = times.taken() - (result.failure ? 1 : 0);
      if (events && events->end()) {
        result.status = RunStatus::event;
        track.end_at(events->end()->at);
        if (result.steps > 0) row_writer.end_within(track.reached().state.t, plan.steps.backwards ? T(-1) : T(1));
      } else if (!finished) {
        result.status = result.failure     ? RunStatus::failed
                        : limits.reached() ? *limits.reached()
                                           : RunStatus::interrupted;
      }
      row_writer.finish(result.steps);
    };
    const auto integrate = [&](auto&& row_writer) {
      settle(drive(*stepper_, times, stop, limits, dense, step_watch, failures, events, track, energy, row_writer,
                   progress),
             row_writer);
    };
    if (plan.times) {
      integrate(TimedRows<T>(plan, about, view, prepared_, *stepper_, track, rows, control.sketch));
    } else if (RowWriter<T> row_writer(plan, about, view, times, track, rows, control.sketch); events || limits.any()) {
      integrate(row_writer);
    } else {
      // Whoever watches for nothing pays for nothing.
      settle(drive(*stepper_, times, stop, step_watch, failures, track, energy, row_writer, progress), row_writer);
    }
    result.interrupted = result.status == RunStatus::interrupted;
    if (events) result.events = seen_events(*events, *plan.watched, view);
    const Reached<T>& last = track.reached();
    result.end = view.snapshot(last);
    result.quantities = RowCells<T>({}, &plan.watched->quantities).quantities(view, last);
    result.energy_drift = energy.drift();
    result.energy_error_max = energy.largest();
    result.energy_change = static_cast<double>(T(view.energy(last.state) - first_energy));
    result.momentum_change = static_cast<double>(norm(view.momentum_S(last) - view.momentum_S(start)));
    result.seconds = progress.seconds();
    compare(result, plan.request, last.state, control, warn);
    result.warnings = warn.all();
    return result;
  }

  double seconds(long long runs, const std::atomic<bool>* stop) override {
    StopFlag<T> stop_flag(stop);
    const auto begin = std::chrono::steady_clock::now();
    for (; runs > 0; --runs) {
      StepTimes<T> times(steps_, prepared_);
      stepper_->start(prepared_.start, times.size());
      if (!drive(*stepper_, times, stop_flag)) break;
    }
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

  void begin(const Plan& plan) override { walk_.emplace(plan, prepared_, *stepper_); }
  std::optional<RunFailure> advance_to(double t) override { return walk_->advance_to(t); }
  State<double> state() const override { return walk_->state(); }
  std::optional<State<double>> at(double t) override { return walk_->at(t); }
  std::vector<double> columns(const Columns& groups) const override { return walk_->columns(groups); }
  std::optional<std::vector<double>> columns_at(double t, const Columns& groups) override {
    return walk_->columns_at(t, groups);
  }
  Work work() const override { return walk_->work(); }
  bool ended() const override { return walk_->ended(); }
  std::vector<Event> events() const override { return walk_->events(); }
  void transfer(Archive& archive) override { walk_->transfer(archive); }

 private:
  // Errors are taken in a scalar wider than the run's, or in quad.
  using Wide = std::conditional_t<(std::numeric_limits<T>::digits < 64), long double, quad>;

  void compare(Result& result, const RunRequest& request, const State<T>& last, const RunControl& control,
               Warnings& warn) const {
    const auto begin = std::chrono::steady_clock::now();
    const auto end = cast<Wide>(prepared_.in_user_units(last));
    const std::optional<Reference<Wide>> reference = reference_for(result, request, end.t, control, warn);
    if (!reference) return;
    const bool on_sphere = result.about.space == Space::sphere;
    const Wide error = on_sphere ? direction_error(end, reference->state) : attitude_error(end, reference->state);
    result.attitude_error = to_number(error, scalar_kind_of<T>);
    result.momentum_error = to_number(momentum_error(end, reference->state), scalar_kind_of<T>);
    result.reference = {reference->source, reference->attitude_uncertainty, reference->momentum_uncertainty,
                        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count()};
    // Whoever asks for a reference wants to know.
    if (request.run.reference) warn(below_uncertainty(result));
  }

  // The closed form, what was built in, or what is computed where that was asked for.
  std::optional<Reference<Wide>> reference_for(Result& result, const RunRequest& request, const Wide& t,
                                               const RunControl& control, Warnings& warn) const {
    if (auto exact = closed_form_at<Wide>(request.setup, t)) return exact;
    if (request.problem != nullptr)
      if (auto stored = cached_reference_at<Wide>(*request.problem, t)) return stored;
    if (!request.reference || result.interrupted) return std::nullopt;
    const ReferenceControl of_reference{control.announce_reference, control.reference_progress, control.stop,
                                        [&](const std::string& sentence) { warn(sentence); }};
    try {
      const double rounding = 8 * static_cast<double>(epsilon<T>()) * std::abs(static_cast<double>(t));
      return request.reference->at<Wide>(t, rounding, of_reference);
    } catch (const Error& error) {
      result.no_reference = error.what();
    } catch (const SetupError& error) {
      result.no_reference = error.what();
    }
    return std::nullopt;
  }

  Steps steps_;
  Prepared<T> prepared_;
  std::unique_ptr<Stepper<T>> stepper_;
  std::optional<Walk<T>> walk_;
};

}  // namespace polhode
