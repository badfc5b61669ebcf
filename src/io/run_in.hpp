// The time loop in one scalar. Included by the translation units that instantiate it.
#pragma once

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <type_traits>

#include "energy_watch.hpp"
#include "observation.hpp"
#include "polhode/io/run.hpp"
#include "polhode/measure/error.hpp"
#include "polhode/methods/halving.hpp"
#include "polhode/problems/reference.hpp"
#include "row_sketch.hpp"
#include "run_failure.hpp"
#include "step_times.hpp"
#include "step_watch.hpp"

namespace polhode {

// Calls the callback at every tenth of the way and about ten times a second, and looks at the clock only now and then: a
// step may take 50 ns.
class ProgressTimer {
 public:
  explicit ProgressTimer(long long steps) : tenth_((steps + 9) / 10), next_(tenth_) {}

  bool due(long long step) {
    if (step == next_) {
      next_ += tenth_;
      last_ = seconds();
      return true;
    }
    if (step % 128 != 0) return false;
    const double now = seconds();
    if (now - last_ < 0.1) return false;
    last_ = now;
    return true;
  }
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count(); }

 private:
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  double last_ = 0;
  long long tenth_, next_;  // steps
};

template <class T>
class Run {
 public:
  Run(const Scenario& scenario, const Plan& plan, const Provenance& about, RowSink* rows, const RunControl& control)
      : scenario_(scenario),
        method_(plan.method),
        every_(plan.every),
        about_(about),
        rows_(rows),
        control_(control),
        digits_(significant_digits(about.scalar)),
        prepared_(prepare<T>(scenario.setup)),
        stepper_(make_stepper<T>(plan.method, prepared_.body, prepared_.field)),
        times_(plan.steps, prepared_),
        observer_(prepared_, digits_),
        energy_watch_(prepared_, observer_, plan.steps.count),
        step_watch_(prepared_, plan, about.scalar),
        sketch_(plan.steps.count / plan.every + 2, figure_rows),
        timer_(plan.steps.count) {
    if (plan.tolerance) stepper_->set_tolerance(T(*plan.tolerance));
    if (scenario.run.on_failure == OnFailure::halve) halving_.emplace(*stepper_);
    if (times_.size() == T(0) || !isfinite(times_.size())) {
      throw SetupError("run.step", fmt::format("{} s is outside the range of {}; choose another scalar or step",
                                               plan.steps.size, scalar_name(about.scalar)));
    }
  }

  Result integrate() {
    Result result;
    result.about = about_;
    stepper_->start(prepared_.start, times_.size());
    const Reached<T> start = reached(prepared_.start.R_SB);
    const T energy = observer_.energy(start.state);
    result.start = observer_.snapshot(start);
    energy_watch_.begin(start.state);
    if (rows_ != nullptr) rows_->begin(about_);
    if (control_.sketch != nullptr) control_.sketch->begin(about_);
    write(start);
    warn(step_watch_.times());

    Reached<T> last = start;
    Rotation<T> R_before = start.R_before;
    while (result.steps < times_.count()) {
      if (control_.stop != nullptr && control_.stop->load(std::memory_order_relaxed)) {
        result.interrupted = true;
        break;
      }
      const Reached<T> before = reached(R_before);
      const T h = times_.size();
      warn(step_watch_.turn(result.steps + 1, before.state, h));
      if (halving_) halving_->remember();
      stepper_->step(h);
      times_.advance();
      stepper_->state.t = times_.time();
      if (failed(*stepper_)) result.failure = retry(result.steps + 1, before.state, h);
      if (result.failure) {
        last = before;
        break;
      }
      ++result.steps;
      energy_watch_.after(result.steps, stepper_->state);
      R_before = before.state.R_SB;
      if (result.steps % every_ == 0) write(reached(R_before));
      if (control_.progress && timer_.due(result.steps)) report(result.steps, energy);
    }
    if (!result.failure) last = reached(R_before);
    if (result.steps % every_ != 0) write(last);
    if (control_.sketch != nullptr) sketch_.finish(sketch_writer());
    finish(result, start, last, energy);
    return result;
  }

 private:
  Reached<T> reached(const Rotation<T>& R_before) const { return {stepper_->state, stepper_->momentum_S(), R_before}; }

  void write(const Reached<T>& at) {
    if (rows_ != nullptr) write(at, *rows_);
    if (control_.sketch != nullptr) {
      sketch_.add(at, sketch_.whole() ? T(0) : observer_.energy(at.state), sketch_writer());
    }
  }

  void write(const Reached<T>& at, RowSink& rows) {
    observer_.row(at, about_.columns, cells_);
    rows.row(cells_);
  }

  auto sketch_writer() {
    return [this](const Reached<T>& at) { write(at, *control_.sketch); };
  }

  void warn(const std::optional<std::string>& sentence) {
    if (!sentence) return;
    warnings_.push_back(*sentence);
    if (control_.warn) control_.warn(*sentence);
  }

  FailedStep failed_step(long long number, const State<T>& before, const T& h, long pieces) const {
    const auto seconds = [&](const T& time) {
      using std::ldexp;
      return static_cast<double>(T(ldexp(time, prepared_.units.time_exponent)));
    };
    return {method_, number, seconds(before.t), seconds(h), pieces, stepper_->work};
  }

  // Takes a step that failed again, in halves, where that is asked for; what to say where it has failed for good.
  std::optional<RunFailure> retry(long long number, const State<T>& before, const T& h) {
    const FailedStep whole = failed_step(number, before, h, 1);
    if (!halving_) return run_failure(whole);
    if (halving_->steps_halved() == 0) {
      warn(what_failed(whole) + "; it is taken again in halves, and so is every step that fails after it");
    }
    if (halving_->retry(h)) stepper_->state.t = times_.time();
    if (failed(*stepper_)) return run_failure(failed_step(number, before, h, Halving<T>::most_pieces));
    return std::nullopt;
  }

  void report(long long step, const T& first_energy) const {
    const double change = static_cast<double>(observer_.energy(stepper_->state) - first_energy);
    const double scale = std::abs(static_cast<double>(first_energy));
    control_.progress({step, times_.count(), static_cast<double>(prepared_.in_user_units(stepper_->state).t),
                       timer_.seconds(), scale > 0 ? change / scale : change});
  }

  void finish(Result& result, const Reached<T>& start, const Reached<T>& last, const T& first_energy) const {
    result.end = observer_.snapshot(last);
    result.work = halving_ ? halving_->work() : stepper_->work;
    result.work.converged = !result.failure;
    if (halving_) {
      result.steps_halved = halving_->steps_halved();
      result.most_pieces = halving_->pieces_needed();
    }
    result.energy_drift = energy_watch_.drift();
    result.energy_error_max = energy_watch_.largest();
    result.energy_change = static_cast<double>(observer_.energy(last.state) - first_energy);
    result.momentum_change =
        static_cast<double>(norm(observer_.spatial_momentum(last) - observer_.spatial_momentum(start)));
    result.warnings = warnings_;
    result.seconds = timer_.seconds();
    if (scenario_.problem == nullptr) return;
    const auto end = cast<Wide>(prepared_.in_user_units(last.state));
    const std::optional<Reference<Wide>> reference = reference_at<Wide>(*scenario_.problem, end.t);
    if (!reference) return;
    const bool on_sphere = about_.space == Space::sphere;
    const Wide error = on_sphere ? direction_error(end, reference->state) : attitude_error(end, reference->state);
    result.attitude_error = to_number(error, digits_);
    result.momentum_error = to_number(momentum_error(end, reference->state), digits_);
  }

  // Errors are taken in the run's own scalar, or in long double where that is wider.
  using Wide = std::conditional_t<std::is_floating_point_v<T>, long double, T>;

  const Scenario& scenario_;
  const MethodSpec& method_;
  long long every_;
  const Provenance& about_;
  RowSink* rows_;
  const RunControl& control_;
  int digits_;
  Prepared<T> prepared_;
  std::unique_ptr<Stepper<T>> stepper_;
  StepTimes<T> times_;
  Observer<T> observer_;
  EnergyWatch<T> energy_watch_;
  StepWatch<T> step_watch_;
  RowSketch<T> sketch_;
  std::optional<Halving<T>> halving_;
  std::vector<std::string> warnings_;
  ProgressTimer timer_;
  std::vector<Number> cells_;
};

// Defined where T is instantiated: quad in a translation unit of its own, because Boost's headers are slow to compile.
template <class T>
Result run_in(const Scenario& scenario, const Plan& plan, const Provenance& about, RowSink* rows,
              const RunControl& control) {
  return Run<T>(scenario, plan, about, rows, control).integrate();
}

}  // namespace polhode
