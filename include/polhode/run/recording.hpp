// A run that can be asked where the body was at any time of it.
#pragma once

#include <atomic>
#include <span>
#include <vector>

#include "polhode/model/state.hpp"

namespace polhode {

class Recording {
 public:
  // SI units and the user's body axes.
  struct Moment {
    State<double> state;
    Vec3<double> w_B;
  };

  virtual ~Recording() = default;
  // In any order. Within a step at the order of the method, with the steps and so the bits of the run. May be asked from
  // several threads. Throws SetupError for a time outside of the run, and Error (interrupted) when `stop` is set.
  virtual std::vector<Moment> at(std::span<const double> seconds, const std::atomic<bool>* stop = nullptr) const = 0;
};

}  // namespace polhode
