// What lanes are made of: the compiler's vectors of doubles and floats, the masks that comparing two of them gives, and
// the few operations on their bits. Where a compiler has no such vectors (nvcc), and for other scalars, one lane is a part.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

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

// A vector of half as many lanes.
template <class Vector>
struct HalfOf {
  typedef std::remove_cvref_t<decltype(std::declval<Vector>()[0])> type
      __attribute__((vector_size(sizeof(Vector) / 2)));
};

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
#if defined(__SSE2__) && !defined(__CUDACC__)
  // Halves first, down to what every processor has an instruction for: code for a wider instruction set may be made in a
  // unit for a narrower one, and then there is no telling which it is.
  if constexpr (sizeof(Mask) == 16) {
    typedef char Bytes __attribute__((vector_size(16)));
    return __builtin_ia32_pmovmskb128((Bytes)mask) == 0xffff;
  } else if constexpr (sizeof(Mask) > 16) {
    typename HalfOf<Mask>::type low, high;
    __builtin_memcpy(&low, &mask, sizeof low);
    __builtin_memcpy(&high, reinterpret_cast<const char*>(&mask) + sizeof low, sizeof high);
    return all_set(low & high);
  }
#endif
  bool all = true;
  for (std::size_t i = 0; i < sizeof(Mask) / sizeof(mask[0]); ++i) all = all & (mask[i] != 0);
  return all;
}

// Roots of all lanes. With -fno-math-errno that is one instruction by itself; without, the compiler would ask of every lane
// whether errno must be set.
template <class Part>
[[gnu::always_inline]] inline void root_part(Part& to, const Part& of) {
#if defined(__SSE2__) && !defined(__NO_MATH_ERRNO__) && !defined(__CUDACC__)
  constexpr std::size_t pieces = sizeof(Part) / 16;
  using T = std::remove_cvref_t<decltype(of[0])>;
  typedef T Piece __attribute__((vector_size(16)));
  if constexpr (pieces > 0) {
    for (std::size_t i = 0; i < pieces; ++i) {
      Piece piece;
      __builtin_memcpy(&piece, reinterpret_cast<const char*>(&of) + 16 * i, 16);
      if constexpr (sizeof(T) == 4) {
        piece = __builtin_ia32_sqrtps(piece);
      } else {
        piece = __builtin_ia32_sqrtpd(piece);
      }
      __builtin_memcpy(reinterpret_cast<char*>(&to) + 16 * i, &piece, 16);
    }
    return;
  }
#endif
  for (std::size_t i = 0; i < sizeof(Part) / sizeof(of[0]); ++i) to[i] = sqrt(of[i]);
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
