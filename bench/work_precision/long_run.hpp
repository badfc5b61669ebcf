// What a method keeps over a hundred times the duration of a case.
#pragma once

#include <string>

#include "cases.hpp"

namespace polhode::bench {

struct LongRun {
  double duration = 0;      // [s]
  double momentum = 0;      // largest change of the momentum along the field, over its length
  double energy_first = 0;  // largest relative energy error in the first tenth
  double energy_last = 0;   // and in the last
  double rounding = 0;      // what a random walk of roundings explains of an energy error

  // Growth with time would make the last tenth ten times the first, and a random walk the square root of ten; half-way
  // between that and none, in logarithms, is the fourth root.
  bool energy_grows() const { return energy_last > rounding && energy_last > 1.7783 * energy_first; }
};

// By name, at steps of so many seconds.
LongRun long_run(const CaseSpec& spec, const std::string& method, double step);

}  // namespace polhode::bench
