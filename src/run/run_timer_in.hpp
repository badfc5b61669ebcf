// The timed loop in one scalar. Included by the translation units that instantiate it.
#pragma once

#include <chrono>

#include "run/run_timer.hpp"
#include "run/step_times.hpp"

namespace polhode {

template <class T>
class RunTimerIn final : public RunTimer {
 public:
  RunTimerIn(const Scenario& scenario, const Plan& plan)
      : steps_(plan.steps),
        prepared_(prepare<T>(scenario.setup)),
        stepper_(make_stepper<T>(plan.method, prepared_.body, prepared_.field)) {
    if (plan.tolerance) stepper_->set_tolerance(T(*plan.tolerance));
  }

  double seconds(long long runs, const std::atomic<bool>* stop) override {
    const auto begin = std::chrono::steady_clock::now();
    for (; runs > 0; --runs) integrate(stop);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

 private:
  void integrate(const std::atomic<bool>* stop) {
    StepTimes<T> times(steps_, prepared_);
    stepper_->start(prepared_.start, times.size());
    for (long long n = 0; n < times.count(); ++n) {
      if (stop != nullptr && stop->load(std::memory_order_relaxed)) return;
      stepper_->step(times.size());
      times.advance();
      stepper_->state.t = times.time();
    }
  }

  Steps steps_;
  Prepared<T> prepared_;
  std::unique_ptr<Stepper<T>> stepper_;
};

}  // namespace polhode
