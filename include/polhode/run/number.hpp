// A number of a run, in the run's own scalar, whichever that is.
#pragma once

#include <type_traits>

#include "polhode/run/scalar_kind.hpp"

namespace polhode {

struct Number {
  double value = 0;               // the nearest double
  long double high = 0, low = 0;  // high + low is the number itself: two long doubles hold the 113 bits of a quad
  ScalarKind scalar = ScalarKind::double_;  // of the run, which says how many digits are shown

  friend bool operator==(const Number&, const Number&) = default;
};

template <class T>
Number to_number(const T& x, ScalarKind scalar = scalar_kind_of<T>) {
  const auto high = static_cast<long double>(x);
  if constexpr (std::is_floating_point_v<T>) {
    return {static_cast<double>(x), high, 0, scalar};
  } else {
    const bool exact = !(high - high == 0) || T(high) == x;
    return {static_cast<double>(x), high, exact ? 0 : static_cast<long double>(T(x - T(high))), scalar};
  }
}

}  // namespace polhode
