// Sums of products of two rows, as convolutions of series have them.
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>

#include "polhode/core/lanes.hpp"

namespace polhode::detail {

// sum over i < n of a_i b_i. Two sums, or each addition would wait for the last.
template <class T>
[[gnu::always_inline]] inline T sum_of_products(const T* a, const T* b, std::size_t n) {
  T even(0), odd(0);
  std::size_t i = 0;
  for (; i + 1 < n; i += 2) {
    even = even + a[i] * b[i];
    odd = odd + a[i + 1] * b[i + 1];
  }
  if (i < n) even = even + a[i] * b[i];
  return even + odd;
}
// Of doubles in two registers, each with two sums.
[[gnu::always_inline]] inline double sum_of_products(const double* a, const double* b, std::size_t n) {
  typedef double Pair __attribute__((vector_size(16)));
  Pair first{}, second{};
  std::size_t i = 0;
  for (; i + 3 < n; i += 4) {
    Pair x, y;
    __builtin_memcpy(&x, a + i, sizeof(x));
    __builtin_memcpy(&y, b + i, sizeof(y));
    first = first + x * y;
    __builtin_memcpy(&x, a + i + 2, sizeof(x));
    __builtin_memcpy(&y, b + i + 2, sizeof(y));
    second = second + x * y;
  }
  if (i + 1 < n) {
    Pair x, y;
    __builtin_memcpy(&x, a + i, sizeof(x));
    __builtin_memcpy(&y, b + i, sizeof(y));
    first = first + x * y;
    i += 2;
  }
  first = first + second;
  const double sum = first[0] + first[1];
  return i < n ? sum + a[i] * b[i] : sum;
}

// Of bodies side by side the same four sums, so that each has the bits that it has alone.
template <class T>
  requires is_lanes<T> && std::is_same_v<value_of<T>, double>
[[gnu::always_inline]] inline T sum_of_products(const T* a, const T* b, std::size_t n) {
  std::array<T, 2> first{T(0), T(0)}, second{T(0), T(0)};
  const auto add = [&](std::array<T, 2>& sums, std::size_t i) {
    sums[0] = sums[0] + a[i] * b[i];
    sums[1] = sums[1] + a[i + 1] * b[i + 1];
  };
  std::size_t i = 0;
  for (; i + 3 < n; i += 4) {
    add(first, i);
    add(second, i + 2);
  }
  if (i + 1 < n) {
    add(first, i);
    i += 2;
  }
  const T sum = (first[0] + second[0]) + (first[1] + second[1]);
  return i < n ? sum + a[i] * b[i] : sum;
}

}  // namespace polhode::detail
