// The times of the steps in one scalar and in the units of the stepper.
#pragma once

#include <cstddef>

#include "polhode/core/archive.hpp"
#include "polhode/model/setup.hpp"
#include "polhode/run/steps.hpp"

namespace polhode {

// Steps that are equal to the last bit: time is t0 + n h from the counter n, never a sum.
template <class T>
class EqualTimes {
 public:
  EqualTimes(const T& begin, const T& h, long long count) : begin_(begin), h_(h), count_(count) {}

  long long count() const { return count_; }
  long long taken() const { return n_; }
  const T& size() const { return h_; }
  void advance() { ++n_; }
  T time() const { return begin_ + T(n_) * h_; }

 private:
  T begin_, h_;
  long long count_, n_ = 0;
};

// The steps of a run. Equal ones: time is t0 + n h from the counter n. Listed steps have to be summed; what rounding drops
// from the sum is carried along (Neumaier), so that it does not grow with their number. Steps and situation must outlive
// this.
template <class T>
class StepTimes {
 public:
  StepTimes(const Steps& steps, const Prepared<T>& prepared)
      : steps_(&steps),
        prepared_(&prepared),
        sign_(steps.backwards ? T(-1) : T(1)),
        h_(sign_ * prepared.time_in(steps.size)) {
    if (steps.length) end_ = prepared.time_in(*steps.length);
  }

  long long count() const { return steps_->count; }
  long long taken() const { return n_; }

  // Of the step under way.
  T size() const {
    if (steps_->length && n_ + 1 == steps_->count) return end_ - elapsed();
    return steps_->listed.empty() ? h_ : listed(n_);
  }

  void advance() {
    if (!steps_->listed.empty()) {
      const T h = size();
      const T sum = sum_ + h;
      rest_ = rest_ + (T(abs(sum_)) >= T(abs(h)) ? T((sum_ - sum) + h) : T((h - sum) + sum_));
      sum_ = sum;
    }
    ++n_;
  }

  T time() const {
    const bool at_end = steps_->length && n_ == steps_->count;
    return prepared_->start.t + (at_end ? end_ : elapsed());
  }

  // How far they are.
  void transfer(Archive& archive) { archive(n_, sum_, rest_); }

 private:
  T listed(long long n) const { return sign_ * prepared_->time_in(steps_->listed[static_cast<std::size_t>(n)]); }
  T elapsed() const { return steps_->listed.empty() ? T(T(n_) * h_) : T(sum_ + rest_); }

  const Steps* steps_;
  const Prepared<T>* prepared_;
  T sign_, h_;
  T end_{}, sum_{}, rest_{};
  long long n_ = 0;
};

}  // namespace polhode
