// N numbers that go through the same arithmetic side by side: the nodes of a collocation or of a quadrature, or bodies. In
// double and float they are vectors of `Width` lanes in the compiler's own vector types, of any other scalar an array.
//
// Everything is inlined, so that the instructions are those of the function it ends up in (instruction_set.hpp), and
// lanes go from function to function in memory: in registers they would travel in one way in code for one instruction
// set and in another in code for the next. Where products and sums are not fused, the width changes no bit, and a lane has
// the bits that its numbers would have alone.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include "polhode/core/lane_parts.hpp"

namespace polhode {

template <class T, std::size_t N, std::size_t Width = detail::widest<T, N>>
struct Lanes {
  using Scalar = T;
  using Part = typename detail::LanePart<T, Width>::type;
  static constexpr std::size_t size = N, width = Width, parts = N / Width;

  std::array<Part, parts> part;

  Lanes() = default;  // unset, unless it is asked for with braces
  // Part by part, here and below: GCC copies an array of vectors in pieces of 16 bytes, and a vector read back from those
  // waits for all of them.
  [[gnu::always_inline]] constexpr Lanes(const Lanes& other) { *this = other; }
  [[gnu::always_inline]] constexpr Lanes& operator=(const Lanes& other) {
    for (std::size_t i = 0; i < parts; ++i) part[i] = other.part[i];
    return *this;
  }
  [[gnu::always_inline]] constexpr Lanes(const T& same) {
    for (Part& p : part) fill(p, same);
  }
  template <class A>
    requires(std::is_arithmetic_v<A> && !std::is_same_v<A, T>)
  [[gnu::always_inline]] constexpr Lanes(A same) : Lanes(static_cast<T>(same)) {}

  // From and to another scalar, lane by lane.
  template <class U, std::size_t W>
    requires(!std::is_same_v<U, T>)
  [[gnu::always_inline]] explicit constexpr Lanes(const Lanes<U, N, W>& other) {
    for (std::size_t i = 0; i < N; ++i) set(i, static_cast<T>(other[i]));
  }

  template <class U>
  [[gnu::always_inline]] static constexpr Lanes load(const std::array<U, N>& from) {
    Lanes made;
    if constexpr (Width > 1 && std::is_same_v<T, U>) {
      for (std::size_t i = 0; i < parts; ++i) __builtin_memcpy(&made.part[i], &from[i * Width], sizeof(Part));
    } else {
      for (std::size_t i = 0; i < N; ++i) made.set(i, T(from[i]));
    }
    return made;
  }
  [[gnu::always_inline]] constexpr void store(std::array<T, N>& to) const {
    if constexpr (Width > 1) {
      for (std::size_t i = 0; i < parts; ++i) __builtin_memcpy(&to[i * Width], &part[i], sizeof(Part));
    } else {
      to = part;
    }
  }

  [[gnu::always_inline]] constexpr T operator[](std::size_t i) const {
    if constexpr (Width > 1) {
      return part[i / Width][i % Width];
    } else {
      return part[i];
    }
  }
  [[gnu::always_inline]] constexpr void set(std::size_t i, const T& x) {
    if constexpr (Width > 1) {
      part[i / Width][i % Width] = x;
    } else {
      part[i] = x;
    }
  }
  [[gnu::always_inline]] constexpr T back() const { return (*this)[N - 1]; }

  // The J-th in all lanes.
  template <std::size_t J>
  [[gnu::always_inline]] constexpr Lanes spread() const {
    Lanes made;
    for (Part& p : made.part) spread_part<J % Width>(p, part[J / Width], std::make_index_sequence<Width>{});
    return made;
  }

  // Lane i becomes that of number I_i; for up to four, in one or two parts.
  template <std::size_t... I>
  [[gnu::always_inline]] constexpr Lanes permuted() const {
    Lanes made;
    permute<I...>(made.part, part, std::make_index_sequence<parts>{});
    return made;
  }

  // Halves first, whatever the width: the order of a sum is part of its result.
  [[gnu::always_inline]] constexpr T sum() const {
    if constexpr (parts > 1) {
      Lanes<T, N / 2, Width> half;
      for (std::size_t i = 0; i < parts / 2; ++i) half.part[i] = part[i] + part[i + parts / 2];
      return half.sum();
    } else if constexpr (Width > 1) {
      return halves_added(std::make_index_sequence<Width / 2>{}).sum();
    } else {
      return part[0];
    }
  }

  [[gnu::always_inline]] friend constexpr Lanes operator+(const Lanes& a, const Lanes& b) {
    Lanes r;
    for (std::size_t i = 0; i < parts; ++i) r.part[i] = a.part[i] + b.part[i];
    return r;
  }
  [[gnu::always_inline]] friend constexpr Lanes operator-(const Lanes& a, const Lanes& b) {
    Lanes r;
    for (std::size_t i = 0; i < parts; ++i) r.part[i] = a.part[i] - b.part[i];
    return r;
  }
  [[gnu::always_inline]] friend constexpr Lanes operator*(const Lanes& a, const Lanes& b) {
    Lanes r;
    for (std::size_t i = 0; i < parts; ++i) r.part[i] = a.part[i] * b.part[i];
    return r;
  }
  [[gnu::always_inline]] friend constexpr Lanes operator/(const Lanes& a, const Lanes& b) {
    Lanes r;
    for (std::size_t i = 0; i < parts; ++i) r.part[i] = a.part[i] / b.part[i];
    return r;
  }
  [[gnu::always_inline]] friend constexpr Lanes operator-(const Lanes& a) {
    Lanes r;
    for (std::size_t i = 0; i < parts; ++i) r.part[i] = -a.part[i];
    return r;
  }
  [[gnu::always_inline]] constexpr Lanes& operator+=(const Lanes& b) { return *this = *this + b; }
  [[gnu::always_inline]] constexpr Lanes& operator-=(const Lanes& b) { return *this = *this - b; }
  [[gnu::always_inline]] constexpr Lanes& operator*=(const Lanes& b) { return *this = *this * b; }

 private:
  template <class, std::size_t, std::size_t>
  friend struct Lanes;

  // No vector is returned from a function: compilers warn of it where a wide one has no register to go in.
  [[gnu::always_inline]] static constexpr void fill(Part& to, const T& same) {
    if constexpr (Width > 1) {
      // GCC makes one instruction of this. Of lanes set one by one, or of a list of them, it makes as many as there are.
      Part first{};
      first[0] = same;
      spread_part<0>(to, first, std::make_index_sequence<Width>{});
    } else {
      to = same;
    }
  }
  template <std::size_t J, std::size_t... I>
  [[gnu::always_inline]] static constexpr void spread_part(Part& to, const Part& p, std::index_sequence<I...>) {
    if constexpr (Width > 1) {
      detail::shuffle<static_cast<int>(J + 0 * I)...>(to, p, p);
    } else {
      to = p;
    }
  }
  template <std::size_t... I, std::size_t... P>
  [[gnu::always_inline]] static constexpr void permute(std::array<Part, parts>& to, const std::array<Part, parts>& from,
                                                       std::index_sequence<P...>) {
    (permute_part<P, I...>(to[P], from, std::make_index_sequence<Width>{}), ...);
  }
  template <std::size_t P, std::size_t... I, std::size_t... L>
  [[gnu::always_inline]] static constexpr void permute_part(Part& to, const std::array<Part, parts>& from,
                                                            std::index_sequence<L...>) {
    constexpr std::array<std::size_t, N> lane{I...};
    if constexpr (Width > 1) {
      static_assert(parts <= 2);
      detail::shuffle<static_cast<int>(lane[P * Width + L])...>(to, from[0], from[parts - 1]);
    } else {
      to = from[lane[P]];
    }
  }
  template <std::size_t... I>
  [[gnu::always_inline]] constexpr auto halves_added(std::index_sequence<I...>) const {
    Lanes<T, Width / 2, Width / 2> half;
    if constexpr (Width == 2) {
      half.part[0] = part[0][0] + part[0][1];
    } else {
      typename detail::LanePart<T, Width / 2>::type low, high;
      detail::shuffle<static_cast<int>(I)...>(low, part[0], part[0]);
      detail::shuffle<static_cast<int>(I + Width / 2)...>(high, part[0], part[0]);
      half.part[0] = low + high;
    }
    return half;
  }
};

template <class S>
inline constexpr bool is_lanes = false;
template <class T, std::size_t N, std::size_t W>
inline constexpr bool is_lanes<Lanes<T, N, W>> = true;

template <class T, std::size_t N, std::size_t W>
struct ValueOf<Lanes<T, N, W>> {
  using type = value_of<T>;
};

}  // namespace polhode
