// Roots of whole numbers, for tables: the compiler has no exp and log for constants.
#pragma once

#include <type_traits>

namespace polhode {

// number^(1/degree) by Newton's method on x^degree, from above: so it falls until rounding stops it. Those for float are
// found in double.
template <class T>
constexpr T root_of(int number, int degree) {
  using Wide = std::conditional_t<std::is_same_v<T, float>, double, T>;
  Wide x = Wide(1) + Wide(number - 1) / Wide(degree);
  for (;;) {
    Wide power(1);
    for (int i = 1; i < degree; ++i) power = power * x;
    const Wide next = x - (x - Wide(number) / power) / Wide(degree);
    if (!(next < x)) return T(x);
    x = next;
  }
}

}  // namespace polhode
