#include "run/choose_called.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>

#include "polhode/core/error.hpp"
#include "polhode/measure/error.hpp"
#include "polhode/methods/halving.hpp"
#include "polhode/run/drive.hpp"
#include "run/error_bounds.hpp"
#include "run/observers.hpp"
#include "run/rate_at_start.hpp"

namespace polhode {
namespace {

class Halvings {
  static constexpr double first_turn = 0.5;   // [rad], in a step of the first trial
  static constexpr double most_steps = 4e6;   // of one trial
  static constexpr double finer_by = 15;      // order 4, in half the step
  static constexpr double safety = 2;         // by which the error should be below the tolerance
  static constexpr std::size_t moments = 16;  // at which two runs are compared

 public:
  Halvings(const SelectionRequest& request, const std::atomic<bool>* stop)
      : request_(request),
        stop_(stop),
        prepared_(prepare<double>(request.setup)),
        length_(std::abs(request.duration)),
        unit_(request.interval ? static_cast<long long>(std::ceil(length_ / *request.interval * (1 - 1e-9))) : 1) {
    choose_method();
  }

  Selection made() {
    const double turning = rate_at_start(prepared_) * length_;
    long long steps = whole(std::max({turning / first_turn, 16.0}));
    Run coarse = run(steps);
    Selection best = selected(steps, std::numeric_limits<double>::infinity());
    for (double last = std::numeric_limits<double>::infinity(); static_cast<double>(2 * steps) <= most_steps;) {
      steps *= 2;
      Run fine = run(steps);
      const double difference = farthest(coarse, fine);
      if (difference < saturated_angle && difference / finer_by < best.predicted_error)
        best = selected(steps, difference / finer_by);
      if (best.reaches) break;
      if (difference > last / 2 && last < 1e-9) break;  // rounding
      last = difference;
      coarse = fine;
    }
    if (!std::isfinite(best.predicted_error)) {
      throw SetupError("run.method",
                       "auto found no step at which it could follow this run with a torque that a program computes; "
                       "shorten the run, or name a method and a step");
    }
    best.reaches = best.predicted_error <= request_.tolerance;
    return best;
  }

 private:
  using Run = std::array<Rotation<double>, moments>;

  void choose_method() {
    for (const char* name : {"rotor-adams-8", "rkmk-4"}) {
      method_ = parse_method(name);
      if (request_.variable_steps && !method_.claims.variable_steps) continue;
      try {
        stepper_ = make_stepper<double>(method_, prepared_.body, prepared_.field);
        return;
      } catch (const MethodError&) {
      }  // not for this situation
    }
    throw SetupError("run.method",
                     "auto has no method for this situation with a torque that a program computes; name one");
  }

  long long whole(double steps) const {
    return unit_ * static_cast<long long>(std::ceil(steps / static_cast<double>(unit_) * (1 - 1e-9)));
  }

  // Attitudes at the last step that ends before each sixteenth or at it, and so at the same times in half the step.
  Run run(long long steps) {
    throw_if_stopped(stop_);
    ++runs_;
    Run seen{};
    const double h = prepared_.time_in(std::copysign(length_, request_.duration)) / static_cast<double>(steps);
    stepper_->start(prepared_.start, h);
    EqualTimes<double> times(prepared_.start.t, h, steps);
    StopFlag<double> stop(stop_);
    const long long coarsest = steps >> (runs_ - 1);
    for (std::size_t i = 0; i < moments; ++i) {
      const auto share = coarsest * static_cast<long long>(i + 1) / static_cast<long long>(moments);
      const long long last = share << (runs_ - 1);
      while (times.taken() < last && !failed(*stepper_))
        if (!drive_to(std::min(times.taken() + 256, last), *stepper_, times, stop)) throw_if_stopped(stop_);
      if (failed(*stepper_)) {  // NaN: far from everything
        seen.fill({std::numeric_limits<double>::quiet_NaN(), {}});
        break;
      }
      seen[i] = stepper_->state.R_SB;
    }
    return seen;
  }

  // What is not a number is infinitely far.
  static double farthest(const Run& a, const Run& b) {
    double most = 0;
    for (std::size_t i = 0; i < moments; ++i) {
      const double angle = angle_between(a[i], b[i]);
      most = std::isnan(angle) ? std::numeric_limits<double>::infinity() : std::max(most, angle);
    }
    return most;
  }

  Selection selected(long long steps, double error) const {
    Selection selection;
    selection.method = method_;
    selection.step = length_ / static_cast<double>(steps);
    selection.predicted_error = error;
    selection.reaches = error <= request_.tolerance / safety;
    selection.methods = 1;
    selection.by_halving = true;
    selection.runs = runs_;
    selection.horizon = length_;
    return selection;
  }

  const SelectionRequest& request_;
  const std::atomic<bool>* stop_;
  Prepared<double> prepared_;
  double length_;   // [s]
  long long unit_;  // steps come in multiples of these
  MethodSpec method_;
  std::unique_ptr<Stepper<double>> stepper_;
  std::size_t runs_ = 0;
};

}  // namespace

Selection chosen_for_called(const SelectionRequest& request, const std::atomic<bool>* stop) {
  if (request.goal == Goal::energy) {
    throw SetupError("run.goal",
                     "of a torque that a program computes it is not known whether energy is a constant of the motion; "
                     "choose torque-evaluations, or name a method");
  }
  return Halvings(request, stop).made();
}

void throw_if_stopped(const std::atomic<bool>* stop) {
  if (stop != nullptr && stop->load(std::memory_order_relaxed))
    throw Error(ErrorKind::interrupted, "interrupted while auto tried methods");
}

}  // namespace polhode
