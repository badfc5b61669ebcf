// Looks at the energy now and then while a run goes on.
#pragma once

#include <numeric>
#include <optional>

#include "polhode/measure/drift.hpp"
#include "run/observation.hpp"

namespace polhode {

// Silent where the exact motion does not conserve energy. Energy costs a potential, so that a long run is sampled at
// most 16384 times, every k-th step. k has no factor below 11: what a method does every second or tenth step, such as
// +energy/10, is then neither always seen nor never.
template <class T>
class EnergyWatch {
 public:
  EnergyWatch(const Prepared<T>& prepared, const Observer<T>& observer, long long steps)
      : time_exponent_(prepared.units.time_exponent),
        conserved_(prepared.field.conserves_energy()),
        observer_(observer),
        stride_((steps + most_samples - 1) / most_samples) {
    while (std::gcd(stride_, 2LL * 3 * 5 * 7) > 1) ++stride_;
  }

  void begin(const State<T>& s) {
    begin_ = s.t;
    energy_ = observer_.energy(s);
    if (conserved_) take(s);
  }
  void after(long long step, const State<T>& s) {
    if (conserved_ && step == next_) take(s);
  }

  std::optional<Drift> drift() const { return fit_.fit(); }
  std::optional<double> largest() const { return conserved_ ? std::optional(fit_.largest()) : std::nullopt; }

 private:
  static constexpr long long most_samples = 16384;

  void take(const State<T>& s) {
    using std::ldexp;
    const T elapsed = ldexp(T(s.t - begin_), time_exponent_);
    fit_.add(static_cast<double>(elapsed), static_cast<double>(T(observer_.energy(s) - energy_)));
    next_ += stride_;
  }

  int time_exponent_;
  bool conserved_;
  const Observer<T>& observer_;
  long long stride_, next_ = 0;
  T begin_{}, energy_{};
  DriftFit fit_;
};

}  // namespace polhode
