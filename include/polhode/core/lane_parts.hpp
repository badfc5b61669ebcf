// What lanes are made of: the compiler's vectors of doubles and floats, the masks that comparing two of them gives, and
// the few operations on their bits. Where a compiler has no such vectors (nvcc), and for other scalars, one lane is a part.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "polhode/core/scalar.hpp"

namespace polhode::detail {

#if defined(__CUDACC__)
template <class T>
inline constexpr bool has_vectors = false;
#else
template <class T>
inline constexpr bool has_vectors = std::is_same_v<T, double> || std::is_same_v<T, float>;
#endif

template <class T, std::size_t N>
inline constexpr std::size_t widest = has_vectors<T> ? N : 1;

// A part and its mask. The attribute wants a size that depends on the template's parameters by way of a typedef.
template <class T, std::size_t Width>
struct LanePart {
  using type = T;
  using Mask = bool;
};
#if !defined(__CUDACC__)
template <std::size_t Width>
  requires(Width > 1)
struct LanePart<double, Width> {
  typedef double type __attribute__((vector_size(Width * sizeof(double))));
  typedef std::int64_t Mask __attribute__((vector_size(Width * sizeof(double))));  // all bits set, or none
};
template <std::size_t Width>
  requires(Width > 1)
struct LanePart<float, Width> {
  typedef float type __attribute__((vector_size(Width * sizeof(float))));
  typedef std::int32_t Mask __attribute__((vector_size(Width * sizeof(float))));
};
#endif

// Lane i becomes number I_i of a and b in a row. nvcc, which is given no vectors, loses track of I even where nothing calls
// this.
template <int... I, class To, class From>
[[gnu::always_inline]] constexpr void shuffle([[maybe_unused]] To& to, [[maybe_unused]] const From& a,
                                              [[maybe_unused]] const From& b) {
#if !defined(__CUDACC__)
  to = __builtin_shufflevector(a, b, I...);
#endif
}

// Whether all bits of a vector's mask are set.
template <class Mask>
[[gnu::always_inline]] inline bool all_set(const Mask& mask) {
#if defined(__AVX512DQ__)
  if constexpr (sizeof(Mask) == 64 && sizeof(mask[0]) == 8) {
    typedef long long Vector __attribute__((vector_size(64)));
    return static_cast<unsigned char>(__builtin_ia32_cvtq2mask512((Vector)mask)) == 0xff;
  }
#endif
#if defined(__AVX__)
  if constexpr (sizeof(Mask) == 32 && sizeof(mask[0]) == 8) {
    typedef double Vector __attribute__((vector_size(32)));
    return __builtin_ia32_movmskpd256((Vector)mask) == 0xf;
  }
#endif
  bool all = true;
  for (std::size_t i = 0; i < sizeof(Mask) / sizeof(mask[0]); ++i) all = all & (mask[i] != 0);
  return all;
}

// Whether a <= b in every lane. For registers of eight the comparison answers in a mask register; by way of a vector of masks
// it takes two operations more, in the units that multiply.
template <class Part>
[[gnu::always_inline]] inline bool all_at_most(const Part& a, const Part& b) {
#if defined(__AVX512F__)
  if constexpr (std::is_same_v<Part, LanePart<double, 8>::type>) {
    constexpr int less_or_equal = 2, current_rounding = 4;
    return __builtin_ia32_cmppd512_mask(a, b, less_or_equal, -1, current_rounding) == 0xff;
  }
#endif
  return all_set(a <= b);
}

}  // namespace polhode::detail
