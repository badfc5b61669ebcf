// Where a quantile stands among values in order: Hyndman and Fan's type 7, between two neighbours.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace polhode {

struct QuantilePlace {
  std::uint64_t below, above;  // counted from 0
  double part;                 // of the way from the one to the other

  // No -0, which the order could choose.
  double between(double value_below, double value_above) const {
    return std::lerp(value_below, value_above, part) + 0.0;
  }
};

// p from 0 to 1, of last + 1 values.
inline QuantilePlace quantile_place(double p, std::uint64_t last) {
  const double rank = p * static_cast<double>(last);
  const auto below = static_cast<std::uint64_t>(rank);
  return {below, std::min(below + 1, last), rank - static_cast<double>(below)};
}

}  // namespace polhode
