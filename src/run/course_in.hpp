// A course in one scalar. Included by the translation units that instantiate it.
#pragma once

#include <chrono>
#include <cmath>
#include <limits>

#include "polhode/core/error.hpp"
#include "polhode/core/quad.hpp"
#include "run/course.hpp"
#include "run/end_errors.hpp"
#include "run/energy_watch.hpp"
#include "run/event_watch.hpp"
#include "run/limits.hpp"
#include "run/observers.hpp"
#include "run/recording.hpp"
#include "run/step_watch.hpp"
#include "run/timed_rows.hpp"
#include "run/walk.hpp"

namespace polhode {

template <class T>
class CourseIn final : public Course {
 public:
  explicit CourseIn(const CourseRequest& request)
      : steps_(request.steps), prepared_(prepare<T>(request.setup)), stepper_(stepper_of(request, prepared_)) {
    if (request.tolerance) stepper_->set_tolerance(T(*request.tolerance));
    const T h = StepTimes<T>(steps_, prepared_).size();
    if (h == T(0) || !isfinite(h)) {
      const std::string_view scalar = scalar_name(scalar_kind_of<T>);
      if (steps_.length && std::abs(*steps_.length) < steps_.size)  // the only step, shortened
        throw SetupError(
            "run.duration",
            fmt::format("{} s are outside the range of {}; choose another scalar or duration", *steps_.length, scalar),
            {"run.step", "run.method"});
      throw SetupError(
          "run.step",
          fmt::format("{} s is outside the range of {}; choose another scalar or step", steps_.size, scalar),
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

    Maybe<TangentWatch<T>> tangent_watch;
    std::optional<TangentCells> tangent;
    if constexpr (std::is_same_v<T, double>) {
      if (plan.tangent) {
        tangent.emplace(*plan.tangent, dynamic_cast<TangentStepper&>(*stepper_), plan.request.setup.time,
                        std::ldexp(1.0, prepared_.units.time_exponent));
        tangent_watch.emplace(*tangent, times);
      }
    }
    TangentCells* const tangent_cells = tangent ? &*tangent : nullptr;
    Limits<T> limits(plan.request.run);
    Maybe<DenseOutput<T>> dense;
    Maybe<EventWatch<T>> events;
    if (plan.watched->looks_at_steps()) {
      dense.emplace(plan.method, prepared_.field, *stepper_, plan.request.run.on_failure != OnFailure::halve);
      events.emplace(*plan.watched, prepared_, view, *dense, start);
    }
    Maybe<RecordingWatch<T>> recording;
    if (control.record) recording.emplace(plan, prepared_, times);
    const auto settle = [&](bool finished, auto& row_writer) {
      failures.tell(result, *stepper_);
      result.steps = times.taken() - (failures.lost_a_step() ? 1 : 0);
      if (events && events->end()) {
        result.status = RunStatus::event;
        track.end_at(events->end()->at);
        take_tangent_at_end(tangent_cells, *dense, track.reached().state.t);
        if (result.steps > 0) row_writer.end_within(track.reached().state.t, plan.steps.backwards ? T(-1) : T(1));
      } else if (!finished) {
        result.status = result.failure     ? RunStatus::failed
                        : limits.reached() ? *limits.reached()
                                           : RunStatus::interrupted;
      }
      row_writer.finish(result.steps);
    };
    const auto integrate = [&](auto&& row_writer) {
      settle(drive(*stepper_, times, stop, limits, recording, dense, step_watch, failures, events, track, tangent_watch,
                   energy, row_writer, progress),
             row_writer);
    };
    if (plan.times) {
      integrate(
          TimedRows<T>(plan, about, view, prepared_, *stepper_, failures, track, rows, control.sketch, tangent_cells));
    } else if (RowWriter<T> row_writer(plan, about, view, times, track, rows, control.sketch, tangent_cells);
               events || limits.any() || tangent || recording) {
      integrate(row_writer);
    } else {
      // Whoever watches for nothing pays for nothing.
      settle(drive(*stepper_, times, stop, step_watch, failures, track, energy, row_writer, progress), row_writer);
    }
    if (times.largest() > T(0)) result.step_range = {in_seconds(times.smallest()), in_seconds(times.largest())};
    result.interrupted = result.status == RunStatus::interrupted;
    if (events) result.events = seen_events(*events, *plan.watched, view);
    const Reached<T>& last = track.reached();
    if (recording) result.recording = recording->ended_at(last.state);
    result.end = view.snapshot(last);
    result.quantities = RowCells<T>({}, &plan.watched->quantities).quantities(view, last);
    if (tangent) result.sensitivities = tangent->result();
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
  std::optional<RunFailure> advance_to(double t, const std::atomic<bool>* stop) override {
    return walk_->advance_to(t, stop);
  }
  State<double> state() const override { return walk_->state(); }
  std::optional<State<double>> at(double t) override { return walk_->at(t); }
  std::vector<double> columns(const Columns& groups) const override { return walk_->columns(groups); }
  std::optional<std::vector<double>> columns_at(double t, const Columns& groups) override {
    return walk_->columns_at(t, groups);
  }
  std::optional<Sensitivities> sensitivities() override { return walk_->sensitivities(); }
  Work work() const override { return walk_->work(); }
  bool ended() const override { return walk_->ended(); }
  std::vector<Event> events() const override { return walk_->events(); }
  void transfer(Archive& archive) override { walk_->transfer(archive); }

 private:
  static std::unique_ptr<Stepper<T>> stepper_of(const CourseRequest& request, const Prepared<T>& prepared) {
    if constexpr (std::is_same_v<T, double>) {
      if (request.tangent != nullptr) return make_tangent_stepper(request.setup, request.method, *request.tangent);
    }
    return make_stepper<T>(request.method, prepared.body, prepared.field);
  }
  // An event has ended the run at t, within the last step.
  static void take_tangent_at_end([[maybe_unused]] TangentCells* cells, [[maybe_unused]] DenseOutput<T>& dense,
                                  [[maybe_unused]] const T& t) {
    if constexpr (std::is_same_v<T, double>) {
      if (cells == nullptr) return;
      dense.passed(t);
      cells->end_at(dense.asked());
    }
  }
  double in_seconds(const T& time) const {
    using std::ldexp;
    return static_cast<double>(T(ldexp(time, prepared_.units.time_exponent)));
  }

  using Wide = ErrorScalar<T>;

  void compare(Result& result, const RunRequest& request, const State<T>& last, const RunControl& control,
               Warnings& warn) const {
    result.errors_left = control.errors_later && moves_freely(request.setup) && !request.run.reference;
    if (result.errors_left) return;
    const auto begin = std::chrono::steady_clock::now();
    const auto end = cast<Wide>(prepared_.in_user_units(last));
    const std::optional<Reference<Wide>> reference = reference_for(result, request, end.t, control, warn);
    if (!reference) return;
    set_errors<T>(result, end, *reference,
                  std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
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
