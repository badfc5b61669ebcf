// N numbers that go through the same arithmetic side by side: the nodes of a collocation or of a quadrature. In double
// and float they are vectors of `Width` lanes in the compiler's own vector types, of any other scalar an array.
//
// Everything is inlined, so that the instructions are those of the function it ends up in (instruction_set.hpp), and
// lanes go from function to function in memory: in registers they would travel in one way in code for one instruction
// set and in another in code for the next. Where products and sums are not fused, the width changes no bit.
#pragma once

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

#include "polhode/core/rotation.hpp"

namespace polhode {

namespace detail {

template <class T, std::size_t Width>
struct LanePart {
  using type = T;
};
// The attribute wants a size that depends on the template's parameters by way of a typedef.
template <std::size_t Width>
  requires(Width > 1)
struct LanePart<double, Width> {
  typedef double type __attribute__((vector_size(Width * sizeof(double))));
};
template <std::size_t Width>
  requires(Width > 1)
struct LanePart<float, Width> {
  typedef float type __attribute__((vector_size(Width * sizeof(float))));
};

template <class T, std::size_t N>
inline constexpr std::size_t widest = std::is_same_v<T, double> || std::is_same_v<T, float> ? N : 1;

}  // namespace detail

template <class T, std::size_t N, std::size_t Width = detail::widest<T, N>>
struct Lanes {
  using Scalar = T;
  using Part = typename detail::LanePart<T, Width>::type;
  static constexpr std::size_t size = N, width = Width, parts = N / Width;

  std::array<Part, parts> part{};

  Lanes() = default;
  // Part by part, here and below: GCC copies an array of vectors in pieces of 16 bytes, and a vector read back from those
  // waits for all of them.
  [[gnu::always_inline]] Lanes(const Lanes& other) { *this = other; }
  [[gnu::always_inline]] Lanes& operator=(const Lanes& other) {
    for (std::size_t i = 0; i < parts; ++i) part[i] = other.part[i];
    return *this;
  }
  [[gnu::always_inline]] Lanes(const T& same) {
    for (Part& p : part) fill(p, same);
  }
  template <class A>
    requires(std::is_arithmetic_v<A> && !std::is_same_v<A, T>)
  [[gnu::always_inline]] Lanes(A same) : Lanes(static_cast<T>(same)) {}

  template <class U>
  [[gnu::always_inline]] static Lanes load(const std::array<U, N>& from) {
    Lanes made;
    if constexpr (Width > 1 && std::is_same_v<T, U>) {
      for (std::size_t i = 0; i < parts; ++i) __builtin_memcpy(&made.part[i], &from[i * Width], sizeof(Part));
    } else {
      for (std::size_t i = 0; i < N; ++i) made.set(i, T(from[i]));
    }
    return made;
  }
  [[gnu::always_inline]] void store(std::array<T, N>& to) const {
    if constexpr (Width > 1) {
      for (std::size_t i = 0; i < parts; ++i) __builtin_memcpy(&to[i * Width], &part[i], sizeof(Part));
    } else {
      to = part;
    }
  }

  [[gnu::always_inline]] T operator[](std::size_t i) const {
    if constexpr (Width > 1) {
      return part[i / Width][i % Width];
    } else {
      return part[i];
    }
  }
  [[gnu::always_inline]] void set(std::size_t i, const T& x) {
    if constexpr (Width > 1) {
      part[i / Width][i % Width] = x;
    } else {
      part[i] = x;
    }
  }
  [[gnu::always_inline]] T back() const { return (*this)[N - 1]; }

  // The J-th in all lanes.
  template <std::size_t J>
  [[gnu::always_inline]] Lanes spread() const {
    Lanes made;
    for (Part& p : made.part) spread_part<J % Width>(p, part[J / Width], std::make_index_sequence<Width>{});
    return made;
  }

  // Lane i becomes that of number I_i; for up to four, in one or two parts.
  template <std::size_t... I>
  [[gnu::always_inline]] Lanes permuted() const {
    Lanes made;
    permute<I...>(made.part, part, std::make_index_sequence<parts>{});
    return made;
  }

  // Halves first, whatever the width: the order of a sum is part of its result.
  [[gnu::always_inline]] T sum() const {
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

  [[gnu::always_inline]] friend Lanes operator+(const Lanes& a, const Lanes& b) {
    Lanes r;
    for (std::size_t i = 0; i < parts; ++i) r.part[i] = a.part[i] + b.part[i];
    return r;
  }
  [[gnu::always_inline]] friend Lanes operator-(const Lanes& a, const Lanes& b) {
    Lanes r;
    for (std::size_t i = 0; i < parts; ++i) r.part[i] = a.part[i] - b.part[i];
    return r;
  }
  [[gnu::always_inline]] friend Lanes operator*(const Lanes& a, const Lanes& b) {
    Lanes r;
    for (std::size_t i = 0; i < parts; ++i) r.part[i] = a.part[i] * b.part[i];
    return r;
  }
  [[gnu::always_inline]] friend Lanes operator/(const Lanes& a, const Lanes& b) {
    Lanes r;
    for (std::size_t i = 0; i < parts; ++i) r.part[i] = a.part[i] / b.part[i];
    return r;
  }
  [[gnu::always_inline]] friend Lanes operator-(const Lanes& a) {
    Lanes r;
    for (std::size_t i = 0; i < parts; ++i) r.part[i] = -a.part[i];
    return r;
  }
  [[gnu::always_inline]] Lanes& operator+=(const Lanes& b) { return *this = *this + b; }
  [[gnu::always_inline]] Lanes& operator-=(const Lanes& b) { return *this = *this - b; }
  [[gnu::always_inline]] Lanes& operator*=(const Lanes& b) { return *this = *this * b; }

 private:
  template <class, std::size_t, std::size_t>
  friend struct Lanes;

  // No vector is returned from a function: compilers warn of it where a wide one has no register to go in.
  [[gnu::always_inline]] static void fill(Part& to, const T& same) {
    if constexpr (Width == 2) {
      to = Part{same, same};
    } else if constexpr (Width > 1) {
      // One by one, of which GCC makes a broadcast. Of an initialiser list it does not, nor of a pair made wider.
      Part made;
      for (std::size_t i = 0; i < Width; ++i) made[i] = same;
      to = made;
    } else {
      to = same;
    }
  }
  template <std::size_t J, std::size_t... I>
  [[gnu::always_inline]] static void spread_part(Part& to, const Part& p, std::index_sequence<I...>) {
    if constexpr (Width > 1) {
      to = __builtin_shufflevector(p, p, static_cast<int>(J + 0 * I)...);
    } else {
      to = p;
    }
  }
  template <std::size_t... I, std::size_t... P>
  [[gnu::always_inline]] static void permute(std::array<Part, parts>& to, const std::array<Part, parts>& from,
                                             std::index_sequence<P...>) {
    (permute_part<P, I...>(to[P], from, std::make_index_sequence<Width>{}), ...);
  }
  template <std::size_t P, std::size_t... I, std::size_t... L>
  [[gnu::always_inline]] static void permute_part(Part& to, const std::array<Part, parts>& from,
                                                  std::index_sequence<L...>) {
    constexpr std::array<std::size_t, N> lane{I...};
    if constexpr (Width > 1) {
      static_assert(parts <= 2);
      to = __builtin_shufflevector(from[0], from[parts - 1], static_cast<int>(lane[P * Width + L])...);
    } else {
      to = from[lane[P]];
    }
  }
  template <std::size_t... I>
  [[gnu::always_inline]] auto halves_added(std::index_sequence<I...>) const {
    Lanes<T, Width / 2, Width / 2> half;
    if constexpr (Width == 2) {
      half.part[0] = part[0][0] + part[0][1];
    } else {
      half.part[0] = __builtin_shufflevector(part[0], part[0], static_cast<int>(I)...) +
                     __builtin_shufflevector(part[0], part[0], static_cast<int>(I + Width / 2)...);
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

// f of every lane.
template <class T, std::size_t N, std::size_t W, class Function>
[[gnu::always_inline]] inline Lanes<T, N, W> each_lane(const Lanes<T, N, W>& a, const Function& f) {
  Lanes<T, N, W> made;
  for (std::size_t i = 0; i < N; ++i) made.set(i, T(f(a[i])));
  return made;
}
template <class T, std::size_t N, std::size_t W>
Lanes<T, N, W> sqrt(const Lanes<T, N, W>& a) {
  return each_lane(a, [](const T& x) { return sqrt(x); });
}
template <class T, std::size_t N, std::size_t W>
Lanes<T, N, W> sin(const Lanes<T, N, W>& a) {
  return each_lane(a, [](const T& x) { return sin(x); });
}
template <class T, std::size_t N, std::size_t W>
Lanes<T, N, W> cos(const Lanes<T, N, W>& a) {
  return each_lane(a, [](const T& x) { return cos(x); });
}
template <class T, std::size_t N, std::size_t W>
Lanes<T, N, W> exp(const Lanes<T, N, W>& a) {
  return each_lane(a, [](const T& x) { return exp(x); });
}
template <class T, std::size_t N, std::size_t W>
Lanes<T, N, W> log(const Lanes<T, N, W>& a) {
  return each_lane(a, [](const T& x) { return log(x); });
}
template <class T, std::size_t N, std::size_t W>
Lanes<T, N, W> atan2(const Lanes<T, N, W>& y, const Lanes<T, N, W>& x) {
  Lanes<T, N, W> made;
  for (std::size_t i = 0; i < N; ++i) made.set(i, T(atan2(y[i], x[i])));
  return made;
}
template <class T, std::size_t N, std::size_t W>
Lanes<T, N, W> abs(const Lanes<T, N, W>& a) {
  return each_lane(a, [](const T& x) { return abs(x); });
}

// What a comparison of lanes gives; every() asks whether all agree.
template <std::size_t N>
struct LaneMask {
  std::array<bool, N> lane{};
};
template <std::size_t N>
bool every(const LaneMask<N>& mask) {
  bool all = true;
  for (const bool one : mask.lane) all = all && one;
  return all;
}
template <class T, std::size_t N, std::size_t W>
LaneMask<N> operator<(const Lanes<T, N, W>& a, const Lanes<T, N, W>& b) {
  LaneMask<N> mask;
  for (std::size_t i = 0; i < N; ++i) mask.lane[i] = a[i] < b[i];
  return mask;
}
template <class T, std::size_t N, std::size_t W>
LaneMask<N> operator>=(const Lanes<T, N, W>& a, const Lanes<T, N, W>& b) {
  LaneMask<N> mask;
  for (std::size_t i = 0; i < N; ++i) mask.lane[i] = a[i] >= b[i];
  return mask;
}

template <class T, std::size_t N, std::size_t W>
LaneMask<N> operator<=(const Lanes<T, N, W>& a, const Lanes<T, N, W>& b) {
  return b >= a;
}
// Whether |x| <= bound in every lane.
template <class T, std::size_t N, std::size_t W>
[[gnu::always_inline]] inline bool all_within(const Lanes<T, N, W>& x, const T& bound) {
  Lanes<T, N, W> outside;
  const typename Lanes<T, N, W>::Part zero{}, one = zero + T(1), limit = zero + bound;
  for (std::size_t i = 0; i < x.parts; ++i) {
    const typename Lanes<T, N, W>::Part below = x.part[i] <= limit ? zero : one;
    outside.part[i] = x.part[i] >= -limit ? below : one;
  }
  return outside.sum() == T(0);
}
template <class T, std::size_t N, std::size_t W>
[[gnu::always_inline]] inline Lanes<T, N, W> max(const Lanes<T, N, W>& a, const Lanes<T, N, W>& b) {
  Lanes<T, N, W> made;
  for (std::size_t i = 0; i < a.parts; ++i) made.part[i] = a.part[i] < b.part[i] ? b.part[i] : a.part[i];
  return made;
}

// Vectors of lanes are inlined as well.
template <class T, std::size_t N, std::size_t W, class U>
[[gnu::always_inline]] inline Vec3<Lanes<T, N, W>> cross(const Vec3<Lanes<T, N, W>>& a, const Vec3<U>& b) {
  return inlined::cross(a, b);
}
template <class T, std::size_t N, std::size_t W>
[[gnu::always_inline]] inline Rotation<Lanes<T, N, W>> inverse(const Rotation<Lanes<T, N, W>>& q) {
  return {q.w, {-q.v.x, -q.v.y, -q.v.z}};
}
template <class T, std::size_t N, std::size_t W, class U>
[[gnu::always_inline]] inline Vec3<Lanes<T, N, W>> operator*(const Rotation<Lanes<T, N, W>>& q, const Vec3<U>& a) {
  return inlined::product(q, a);
}

// How many lanes go in one register of every processor.
template <class T>
inline constexpr std::size_t plain_width = std::is_same_v<T, double>  ? 2
                                           : std::is_same_v<T, float> ? 4
                                                                      : 1;

// Four numbers in a row of memory, at a multiple of their size: a vector across two lines of the cache is slow to read.
template <class T>
struct alignas(detail::widest<T, 4> > 1 ? 4 * sizeof(T) : alignof(T)) Row4 : std::array<T, 4> {};

}  // namespace polhode
