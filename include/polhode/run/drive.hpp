// The time loop.
//
//   StepTimes<double> times(steps, prepared);
//   stepper->start(prepared.start, times.size());
//   drive(*stepper, times, rows, energy);
//
// An observer is anything derived from Observer<T> that hides the member functions it needs. It is asked before every
// step and told after it; one that answers false ends the loop there, and the observers after it are not called.
#pragma once

#include <limits>
#include <optional>

#include "polhode/methods/registry.hpp"
#include "polhode/run/step_times.hpp"

namespace polhode {

template <class T>
struct Observer {
  bool before_step(const Stepper<T>&, const T& /*h*/) { return true; }
  bool after_step(Stepper<T>&, const T& /*h*/) { return true; }
};

// An observer that may not be there.
template <class One>
class Maybe : public std::optional<One> {
 public:
  template <class T>
  bool before_step(const Stepper<T>& stepper, const T& h) {
    return !*this || (*this)->before_step(stepper, h);
  }
  template <class T>
  bool after_step(Stepper<T>& stepper, const T& h) {
    return !*this || (*this)->after_step(stepper, h);
  }
};

// From where `times` stands to the end of step `last`, or of the run. True if no observer stopped it.
template <class T, class Times, class... Observers>
bool drive_to(long long last, Stepper<T>& stepper, Times& times, Observers&... observers) {
  while (times.taken() < last && !times.over()) {
    const T h = times.next(stepper);
    if (!(observers.before_step(stepper, h) && ...)) return false;
    stepper.step(h);
    times.advance();
    stepper.state.t = times.time();
    if (!(observers.after_step(stepper, h) && ...)) return false;
  }
  return true;
}

// To the last step.
template <class T, class Times, class... Observers>
bool drive(Stepper<T>& stepper, Times& times, Observers&... observers) {
  return drive_to(std::numeric_limits<long long>::max(), stepper, times, observers...);
}

}  // namespace polhode
