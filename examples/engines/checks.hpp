// What is expected of a run, in numbers: with Polhode's step nothing is lost, and without it something is. Else the example
// would show nothing, and it says so by its exit code.
#pragma once

#include "runs.hpp"

namespace tumble {

class Checks {
 public:
  // What is not a number meets no bound.
  void at_most(double value, double bound, const std::string& what) {
    bounded(value <= bound, value, "above", bound, what);
  }
  void at_least(double value, double bound, const std::string& what) {
    bounded(value >= bound, value, "below", bound, what);
  }
  void hold(bool met, const std::string& otherwise) {
    if (met) return;
    failed_ = true;
    std::fprintf(stderr, "%s\n", otherwise.c_str());
  }

  int exit_code() const { return failed_ ? 1 : 0; }

 private:
  void bounded(bool met, double value, const char* side, double bound, const std::string& what) {
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), " is %.3g, %s its bound of %.3g", value, side, bound);
    hold(met, what + text.data());
  }
  bool failed_ = false;
};

// `rounding` is what is allowed to energy and momentum.
inline void check(Checks& checks, const Story& story, double rounding) {
  const std::string body = std::string("of the ") + story.solid.name;
  const Measures polhode = measures(story, story.polhode()), engine = measures(story, story.engine());
  checks.at_most(polhode.energy.largest_error(), rounding, "with Polhode's step, the error of the energy " + body);
  checks.at_most(polhode.momentum_error, rounding, "with Polhode's step, the error of the angular momentum " + body);
  checks.at_most(polhode.flip_error, 0.05,
                 "with Polhode's step, the error of a flip " + body + " in parts of the time between two");
  checks.hold(engine.energy.largest_error() >= 0.01 || !(engine.flip_error <= 0.05),
              "the engine's own step keeps the energy and the flips " + body + ": the example shows nothing");
}

}  // namespace tumble
