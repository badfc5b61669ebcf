// What a card can at most.
#pragma once

#include <string>

namespace polhode::bench {

struct Peaks {
  double flops_double = 0, flops_float = 0;  // of products with sums, two operations each, per second
  double bytes = 0;                          // read and written, in place, per second
};

Peaks measured_peaks();
std::string driver_version();

}  // namespace polhode::bench
