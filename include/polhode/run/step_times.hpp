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
  bool over() const { return n_ >= count_; }
  const T& size() const { return h_; }
  const T& next(const Stepper<T>&) const { return h_; }
  void advance() { ++n_; }
  T time() const { return begin_ + T(n_) * h_; }

 private:
  T begin_, h_;
  long long count_, n_ = 0;
};

// The steps of a run. Equal ones: time is t0 + n h from the counter n. Steps that are listed, or that the method chooses,
// have to be summed; what rounding drops from the sum is carried along (Neumaier), so that it does not grow with their
// number. Steps and situation must outlive this.
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

  // The same place among equal steps of an equal situation, which then must outlive the answer.
  StepTimes among(const Steps& steps, const Prepared<T>& prepared) const {
    StepTimes same = *this;
    same.steps_ = &steps;
    same.prepared_ = &prepared;
    return same;
  }

  // Of all steps; where the method chooses them and a time ends the run, what is expected of those still to come.
  long long count() const {
    if (!ends_by_time() || n_ == 0) return steps_->count;
    const double share = static_cast<double>(T(elapsed() / end_));
    return static_cast<long long>(static_cast<double>(n_) / share + 0.5);
  }
  long long taken() const { return n_; }
  bool over() const { return ends_by_time() ? at_end_ : n_ >= steps_->count; }

  // The step to be taken now.
  T next(const Stepper<T>& stepper) {
    if (!steps_->chosen) return size();
    chosen_ = stepper.own_step(h_);
    if (steps_->length) {
      const T rest = end_ - elapsed();
      at_end_ = T(abs(chosen_)) >= T(T(1) - T(1e-9)) * T(abs(rest));
      if (at_end_) chosen_ = rest;
    }
    return chosen_;
  }

  // Of the step under way; where the method chooses it, the one that was given to it at the start.
  T size() const {
    if (steps_->length && !steps_->chosen && n_ + 1 == steps_->count) return end_ - elapsed();
    return steps_->listed.empty() ? h_ : listed(n_);
  }

  void advance() {
    if (is_summed()) {
      const T h = steps_->chosen ? chosen_ : size();
      const T sum = sum_ + h;
      rest_ = rest_ + (T(abs(sum_)) >= T(abs(h)) ? T((sum_ - sum) + h) : T((h - sum) + sum_));
      sum_ = sum;
    }
    if (steps_->chosen && !at_end_) {
      const T size = abs(chosen_);
      smallest_ = n_ == 0 ? size : min(smallest_, size);
      largest_ = max(largest_, size);
    }
    ++n_;
  }

  T time() const {
    const bool at_end = steps_->length && over();
    return prepared_->start.t + (at_end ? end_ : elapsed());
  }

  // The smallest and the largest step that the method chose; zero of one that does not.
  const T& smallest() const { return smallest_; }
  const T& largest() const { return largest_; }

  // How far they are.
  void transfer(Archive& archive) { archive(n_, sum_, rest_); }

 private:
  T listed(long long n) const { return sign_ * prepared_->time_in(steps_->listed[static_cast<std::size_t>(n)]); }
  bool is_summed() const { return steps_->chosen || !steps_->listed.empty(); }
  bool ends_by_time() const { return steps_->chosen && steps_->length; }
  T elapsed() const { return is_summed() ? T(sum_ + rest_) : T(T(n_) * h_); }

  const Steps* steps_;
  const Prepared<T>* prepared_;
  T sign_, h_;
  T end_{}, sum_{}, rest_{}, chosen_{}, smallest_{}, largest_{};
  bool at_end_ = false;
  long long n_ = 0;
};

}  // namespace polhode
