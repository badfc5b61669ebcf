// Rows for a figure: no more than so many, however long the run.
#pragma once

#include "run/observation.hpp"

namespace polhode {

// Takes every row of a run and passes on the first, the last, and of each stretch in between the two where the energy is
// least and largest, in their order. A run of few rows is passed on whole.
template <class T>
class RowSketch {
 public:
  // `rows`: that will come, or a few more.
  RowSketch(long long rows, long long most) {
    const long long stretches = (most - 2) / 2;
    if (rows > most) stretch_ = (rows + stretches - 1) / stretches;
  }

  bool whole() const { return stretch_ == 1; }

  template <class Write>
  void add(const Reached<T>& at, const T& energy, const Write& write) {
    last_ = {at, energy, ++count_};
    if (count_ == 1 || whole()) return pass_on(last_, write);
    if (taken_ == 0 || energy < low_.energy) low_ = last_;
    if (taken_ == 0 || energy > high_.energy) high_ = last_;
    if (++taken_ == stretch_) end_stretch(write);
  }

  template <class Write>
  void finish(const Write& write) {
    if (taken_ > 0) end_stretch(write);
    if (count_ > passed_on_) pass_on(last_, write);
  }

 private:
  struct Row {
    Reached<T> at;
    T energy;
    long long number;
  };

  template <class Write>
  void pass_on(const Row& row, const Write& write) {
    write(row.at);
    passed_on_ = row.number;
  }

  template <class Write>
  void end_stretch(const Write& write) {
    const bool low_first = low_.number < high_.number;
    pass_on(low_first ? low_ : high_, write);
    if (low_.number != high_.number) pass_on(low_first ? high_ : low_, write);
    taken_ = 0;
  }

  long long stretch_ = 1, taken_ = 0;  // rows in a stretch, and in the one under way
  long long count_ = 0, passed_on_ = 0;
  Row low_{}, high_{}, last_{};
};

}  // namespace polhode
