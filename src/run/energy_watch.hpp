// Samples the energy during a run.
#pragma once

#include <numeric>
#include <optional>

#include "polhode/measure/drift.hpp"
#include "polhode/run/drive.hpp"
#include "run/view.hpp"

namespace polhode {

// Silent where the exact motion does not conserve energy. Energy costs a potential, so that a long run is sampled at
// most 16384 times, every k-th step. k has no factor below 11: what a method does every second or tenth step, such as
// +energy/10, is then neither always seen nor never.
template <class T>
class EnergyWatch : public Observer<T> {
 public:
  EnergyWatch(const Prepared<T>& prepared, const View<T>& view, const StepTimes<T>& times, const State<T>& start)
      : time_exponent_(prepared.units.time_exponent),
        conserved_(prepared.conserves_energy()),
        view_(view),
        times_(times),
        stride_((times.count() + most_samples - 1) / most_samples),
        begin_(start.t),
        energy_(view.energy(start)) {
    while (std::gcd(stride_, 2LL * 3 * 5 * 7) > 1) ++stride_;
    if (conserved_) take(start);
  }

  bool after_step(Stepper<T>& stepper, const T&) {
    if (conserved_ && times_.taken() == next_) take(stepper.state);
    return true;
  }

  std::optional<Drift> drift() const { return fit_.fit(); }
  std::optional<double> largest() const { return conserved_ ? std::optional(fit_.largest()) : std::nullopt; }

 private:
  static constexpr long long most_samples = 16384;

  void take(const State<T>& s) {
    using std::ldexp;
    const T elapsed = ldexp(T(s.t - begin_), time_exponent_);
    fit_.add(static_cast<double>(elapsed), static_cast<double>(T(view_.energy(s) - energy_)));
    next_ += stride_;
  }

  int time_exponent_;
  bool conserved_;
  const View<T>& view_;
  const StepTimes<T>& times_;
  long long stride_, next_ = 0;
  T begin_, energy_;
  DriftFit fit_;
};

}  // namespace polhode
