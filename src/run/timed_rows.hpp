// Rows at the times that were asked for, wherever the steps end.
#pragma once

#include <cstddef>
#include <vector>

#include "polhode/run/dense_output.hpp"
#include "run/observers.hpp"

namespace polhode {

// Writes the start, the times of the plan by dense output, and the last state. Steps in which no such time lies are not
// looked at.
template <class T>
class TimedRows : public Observer<T> {
 public:
  TimedRows(const Plan& plan, const Provenance& about, const View<T>& view, const Prepared<T>& prepared,
            Stepper<T>& stepper, FailureWatch<T>& failures, const Track<T>& track, ResultWriter* rows,
            ResultWriter* sketch, TangentCells* tangent)
      : failures_(failures),
        dense_(plan.method, prepared.field, stepper, plan.request.run.on_failure != OnFailure::halve),
        track_(track),
        output_(about, plan.watched->quantities, view, rows, sketch, static_cast<long long>(plan.times->size()) + 2,
                tangent),
        tangent_(tangent) {
    for (const double t : *plan.times) times_.push_back(prepared.time_in(t));
    output_.write(track_.reached());
  }

  bool before_step(const Stepper<T>& stepper, const T& h) {
    // What lies beyond the end by rounding may yet be in it.
    const T rounding = T(1e-6) * T(abs(h)) + T(8) * T(epsilon<T>()) * T(abs(stepper.state.t));
    if (comes_by(T(stepper.state.t + h + copysign(rounding, h)), h)) dense_.before_step(stepper, h);
    return true;
  }

  bool after_step(Stepper<T>& stepper, const T& h) {
    if (write_up_to(stepper.state.t, h)) return true;
    failures_.fail_within(stepper, h);
    return false;
  }

  // An event ends the run at t, within the step just taken; h has the sign of the steps.
  void end_within(const T& t, const T& h) { write_up_to(t, h); }

  void finish(long long steps) {
    if (steps > 0 && !written_at_end_) output_.write(track_.reached());
    output_.finish();
  }

 private:
  // False where there is no row of finite numbers: the torque of a program may answer otherwise when it is asked again.
  bool write_up_to(const T& t, const T& h) {
    while (comes_by(t, h)) {
      const PassedState<T> passed = dense_.passed(times_[next_]);
      if (!all_finite(passed.state)) return false;
      take_tangent_from(&dense_.asked());
      output_.write({passed.state, passed.momentum_S, dense_.begin().R_SB});
      ++next_;
    }
    take_tangent_from(nullptr);
    written_at_end_ = next_ > 0 && times_[next_ - 1] == t;
    return true;
  }

  void take_tangent_from([[maybe_unused]] Stepper<T>* stepper) {
    if constexpr (std::is_same_v<T, double>) {
      if (tangent_ != nullptr) tangent_->take_from(stepper);
    }
  }

  // Whether the next of the times is reached by t.
  bool comes_by(const T& t, const T& h) const {
    return next_ < times_.size() && (h > T(0) ? times_[next_] <= t : times_[next_] >= t);
  }

  FailureWatch<T>& failures_;
  DenseOutput<T> dense_;
  const Track<T>& track_;
  RowOutput<T> output_;
  TangentCells* tangent_;
  std::vector<T> times_;  // in the direction of the run and in the units of the stepper
  std::size_t next_ = 0;
  bool written_at_end_ = false;
};

}  // namespace polhode
