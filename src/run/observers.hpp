// What observes a run, in the order in which they are asked.
#pragma once

#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "polhode/methods/halving.hpp"
#include "polhode/run/drive.hpp"
#include "polhode/run/simulation.hpp"
#include "run/row_output.hpp"
#include "run/run_failure.hpp"
#include "run/tangent.hpp"

namespace polhode {

template <class T>
class StopFlag : public Observer<T> {
 public:
  explicit StopFlag(const std::atomic<bool>* stop) : stop_(stop) {}

  bool before_step(const Stepper<T>&, const T&) { return !is_set(); }
  bool is_set() const { return stop_ != nullptr && stop_->load(std::memory_order_relaxed); }

 private:
  const std::atomic<bool>* stop_;
};

// Sentences of warning: kept, and passed on at once.
class Warnings {
 public:
  explicit Warnings(const RunControl& control) : control_(control) {}

  void operator()(const std::optional<std::string>& sentence) {
    if (!sentence) return;
    all_.push_back(*sentence);
    if (control_.warn) control_.warn(*sentence);
  }
  const std::vector<std::string>& all() const { return all_; }

 private:
  const RunControl& control_;
  std::vector<std::string> all_;
};

// Remembers the last state that is good: the one reached, or the one before a step that failed.
template <class T>
class Track : public Observer<T> {
 public:
  explicit Track(const Stepper<T>& stepper) : reached_{stepper.state, stepper.momentum_S(), stepper.state.R_SB} {}

  // The last of the observers that may end the loop comes before this one.
  bool after_step(Stepper<T>& stepper, const T&) {
    reached_ = {stepper.state, stepper.momentum_S(), reached_.state.R_SB};
    return true;
  }
  const Reached<T>& reached() const { return reached_; }
  // An event has ended the run within a step.
  void end_at(const Reached<T>& at) { reached_ = at; }
  void transfer(Archive& archive) { archive(reached_); }

 private:
  Reached<T> reached_;
};

// Ends the run where a step or its derivatives fail, or has it taken again in halves where that is asked for.
template <class T>
class FailureWatch : public Observer<T> {
 public:
  FailureWatch(const MethodSpec& method, OnFailure on_failure, const Prepared<T>& prepared, Stepper<T>& stepper,
               const StepTimes<T>& times, Warnings& warn)
      : method_(method), prepared_(prepared), times_(times), warn_(warn) {
    if (on_failure == OnFailure::halve) halving_.emplace(stepper);
    if constexpr (std::is_same_v<T, double>) tangent_ = dynamic_cast<const TangentStepper*>(&stepper);
  }

  bool before_step(const Stepper<T>& stepper, const T&) {
    begin_ = stepper.state.t;
    if (halving_) halving_->remember();
    return true;
  }

  bool after_step(Stepper<T>& stepper, const T& h) {
    if (!failed(stepper)) {
      if (tangent_ == nullptr || tangent_->in_range()) return true;
      failure_ = failure_of_derivatives(failed_step(stepper, h, 1));
      return false;
    }
    const FailedStep whole = failed_step(stepper, h, 1);
    if (!halving_) {
      failure_ = run_failure(whole);
      return false;
    }
    if (halving_->steps_halved() == 0) {
      warn_(what_failed(whole) + "; it is taken again in halves, and so is every step that fails after it");
    }
    if (halving_->retry(h)) stepper.state.t = times_.time();
    if (failed(stepper)) failure_ = run_failure(failed_step(stepper, h, Halving<T>::most_pieces));
    return !failure_;
  }

  // Of a step that was good as a whole.
  void fail_within(const Stepper<T>& stepper, const T& h) {
    failure_ = run_failure(failed_step(stepper, h, 1));
    lost_a_step_ = false;
  }
  bool lost_a_step() const { return failure_ && lost_a_step_; }

  // And forgets it: for a caller that goes back before the step.
  std::optional<RunFailure> take() { return std::exchange(failure_, std::nullopt); }
  Work work(const Stepper<T>& stepper) const { return halving_ ? halving_->work() : stepper.work; }

  void transfer(Archive& archive) {
    if (halving_) halving_->transfer(archive);
  }

  void tell(Result& result, const Stepper<T>& stepper) const {
    result.failure = failure_;
    result.work = work(stepper);
    result.work.converged = !failure_;
    if (!halving_) return;
    result.steps_halved = halving_->steps_halved();
    result.most_pieces = halving_->pieces_needed();
  }

 private:
  FailedStep failed_step(const Stepper<T>& stepper, const T& h, long pieces) const {
    const auto seconds = [&](const T& time) {
      using std::ldexp;
      return static_cast<double>(T(ldexp(time, prepared_.units.time_exponent)));
    };
    return {method_, times_.taken(), seconds(begin_), seconds(h), pieces, stepper.work};
  }

  const MethodSpec& method_;
  const Prepared<T>& prepared_;
  const StepTimes<T>& times_;
  Warnings& warn_;
  T begin_{};
  const TangentStepper* tangent_ = nullptr;  // the same stepper, where it carries derivatives
  std::optional<Halving<T>> halving_;
  std::optional<RunFailure> failure_;
  bool lost_a_step_ = true;  // the one that failed
};

// Writes the start, every K-th step and the last one.
template <class T>
class RowWriter : public Observer<T> {
 public:
  RowWriter(const Plan& plan, const Provenance& about, const View<T>& view, const StepTimes<T>& times,
            const Track<T>& track, ResultWriter* rows, ResultWriter* sketch, TangentCells* tangent)
      : every_(plan.every),
        times_(times),
        track_(track),
        output_(about, plan.watched->quantities, view, rows, sketch, plan.steps.count / plan.every + 2, tangent) {
    output_.write(track_.reached());
  }

  bool after_step(Stepper<T>&, const T&) {
    if (times_.taken() % every_ == 0) output_.write(track_.reached());
    return true;
  }

  // An event ends the run at t, within the step just taken; h has the sign of the steps.
  void end_within(const T& /*t*/, const T& /*h*/) { within_ = true; }
  // `steps`: that were taken.
  void finish(long long steps) {
    if (within_ || steps % every_ != 0) output_.write(track_.reached());
    output_.finish();
  }

 private:
  long long every_;
  const StepTimes<T>& times_;
  const Track<T>& track_;
  RowOutput<T> output_;
  bool within_ = false;
};

// Reports at every tenth of the way and about ten times a second, and looks at the clock only now and then: a step may
// take 50 ns.
template <class T>
class ProgressReport : public Observer<T> {
 public:
  ProgressReport(const RunControl& control, const View<T>& view, const Prepared<T>& prepared, const StepTimes<T>& times,
                 const T& first_energy)
      : control_(control),
        view_(view),
        prepared_(prepared),
        times_(times),
        first_energy_(first_energy),
        tenth_((times.count() + 9) / 10),
        next_(tenth_) {}

  bool after_step(Stepper<T>& stepper, const T&) {
    if (control_.progress && due(times_.taken())) report(stepper);
    return true;
  }
  double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count(); }

 private:
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

  void report(const Stepper<T>& stepper) const {
    const double change = static_cast<double>(T(view_.energy(stepper.state) - first_energy_));
    const double scale = std::abs(static_cast<double>(first_energy_));
    control_.progress({times_.taken(), times_.count(), static_cast<double>(prepared_.in_user_units(stepper.state).t),
                       seconds(), scale > 0 ? change / scale : change});
  }

  const RunControl& control_;
  const View<T>& view_;
  const Prepared<T>& prepared_;
  const StepTimes<T>& times_;
  T first_energy_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  double last_ = 0;
  long long tenth_, next_;  // steps
};

}  // namespace polhode
