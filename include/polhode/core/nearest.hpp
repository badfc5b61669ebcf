// The nearest whole number, for any scalar and without a branch.
#pragma once

#include <cstdint>

#include "polhode/core/scalar.hpp"

namespace polhode {

// Added to 1.5 2^(digits - 1), a number has no place left for a fraction. For |x| < 2^(digits - 2); beyond that x or a
// number near it, and one that is not a number stays so.
template <class S>
[[gnu::always_inline]] constexpr S nearest(const S& x) {
  using Value = value_of<S>;
  constexpr int digits = std::numeric_limits<Value>::digits;
  const S shift =
      S(Value(1.5) * Value(std::uint64_t{1} << ((digits - 1) / 2)) * Value(std::uint64_t{1} << (digits / 2)));
  return (x + shift) - shift;
}

}  // namespace polhode
