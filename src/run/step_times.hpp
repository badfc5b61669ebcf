// The times of the steps in one scalar and in internal units.
#pragma once

#include <cstddef>

#include "polhode/model/setup.hpp"
#include "polhode/run/steps.hpp"

namespace polhode {

// Equal steps: time is t0 + n h from the counter n, never a sum. Listed steps have to be summed; what rounding drops
// from the sum is carried along (Neumaier), so that it does not grow with their number.
template <class T>
class StepTimes {
 public:
  StepTimes(const Steps& steps, const Prepared<T>& prepared)
      : steps_(steps),
        prepared_(prepared),
        sign_(steps.backwards ? T(-1) : T(1)),
        h_(sign_ * prepared.time_in(steps.size)) {
    if (steps.length) end_ = prepared.time_in(*steps.length);
  }

  long long count() const { return steps_.count; }

  // Of the step under way.
  T size() const {
    if (steps_.length && n_ + 1 == steps_.count) return end_ - elapsed();
    return steps_.listed.empty() ? h_ : listed(n_);
  }

  void advance() {
    if (!steps_.listed.empty()) {
      const T h = size();
      const T sum = sum_ + h;
      rest_ = rest_ + (T(abs(sum_)) >= T(abs(h)) ? T((sum_ - sum) + h) : T((h - sum) + sum_));
      sum_ = sum;
    }
    ++n_;
  }

  T time() const {
    const bool at_end = steps_.length && n_ == steps_.count;
    return prepared_.start.t + (at_end ? end_ : elapsed());
  }

 private:
  T listed(long long n) const { return sign_ * prepared_.time_in(steps_.listed[static_cast<std::size_t>(n)]); }
  T elapsed() const { return steps_.listed.empty() ? T(T(n_) * h_) : T(sum_ + rest_); }

  const Steps& steps_;
  const Prepared<T>& prepared_;
  T sign_, h_;
  T end_{}, sum_{}, rest_{};
  long long n_ = 0;
};

}  // namespace polhode
