// Numbers side by side (lane_array.hpp) as scalars of kernels: their functions, comparisons, and what is chosen by them.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>

#include "polhode/core/lane_array.hpp"
#include "polhode/core/rotation.hpp"

namespace polhode {

// f of every lane, one by one: for functions that the processor has no instruction for.
template <class T, std::size_t N, std::size_t W, class Function>
[[gnu::always_inline]] constexpr Lanes<T, N, W> each_lane(const Lanes<T, N, W>& a, const Function& f) {
  Lanes<T, N, W> made;
  for (std::size_t i = 0; i < N; ++i) made.set(i, T(f(a[i])));
  return made;
}
template <class T, std::size_t N, std::size_t W>
[[gnu::always_inline]] constexpr Lanes<T, N, W> sqrt(const Lanes<T, N, W>& a) {
  if constexpr (W > 1) {
    Lanes<T, N, W> made;
    for (std::size_t i = 0; i < a.parts; ++i) detail::root_part(made.part[i], a.part[i]);
    return made;
  } else {
    return each_lane(a, [](const T& x) { return sqrt(x); });
  }
}
template <class T, std::size_t N, std::size_t W>
constexpr Lanes<T, N, W> sin(const Lanes<T, N, W>& a) {
  return each_lane(a, [](const T& x) { return sin(x); });
}
template <class T, std::size_t N, std::size_t W>
constexpr Lanes<T, N, W> cos(const Lanes<T, N, W>& a) {
  return each_lane(a, [](const T& x) { return cos(x); });
}
template <class T, std::size_t N, std::size_t W>
constexpr Lanes<T, N, W> exp(const Lanes<T, N, W>& a) {
  return each_lane(a, [](const T& x) { return exp(x); });
}
template <class T, std::size_t N, std::size_t W>
constexpr Lanes<T, N, W> log(const Lanes<T, N, W>& a) {
  return each_lane(a, [](const T& x) { return log(x); });
}
template <class T, std::size_t N, std::size_t W>
constexpr Lanes<T, N, W> atan2(const Lanes<T, N, W>& y, const Lanes<T, N, W>& x) {
  Lanes<T, N, W> made;
  for (std::size_t i = 0; i < N; ++i) made.set(i, T(atan2(y[i], x[i])));
  return made;
}

// What a comparison of lanes gives.
template <class T, std::size_t N, std::size_t W>
struct LaneMask {
  using Part = typename detail::LanePart<T, W>::Mask;
  static constexpr std::size_t parts = N / W;
  std::array<Part, parts> part;

  [[gnu::always_inline]] constexpr bool operator[](std::size_t i) const {
    if constexpr (W > 1) {
      return part[i / W][i % W] != 0;
    } else {
      return part[i];
    }
  }
  [[gnu::always_inline]] friend constexpr LaneMask operator&&(const LaneMask& a, const LaneMask& b) {
    LaneMask made;
    for (std::size_t i = 0; i < parts; ++i) made.part[i] = a.part[i] & b.part[i];
    return made;
  }
  [[gnu::always_inline]] friend constexpr LaneMask operator||(const LaneMask& a, const LaneMask& b) {
    LaneMask made;
    for (std::size_t i = 0; i < parts; ++i) made.part[i] = a.part[i] | b.part[i];
    return made;
  }
  [[gnu::always_inline]] friend constexpr LaneMask operator!(const LaneMask& a) {
    LaneMask made;
    for (std::size_t i = 0; i < parts; ++i) made.part[i] = a.part[i] == 0;
    return made;
  }
};

template <class T, std::size_t N, std::size_t W>
[[gnu::always_inline]] constexpr bool every(const LaneMask<T, N, W>& mask) {
  if constexpr (W > 1) {
    auto all = mask.part[0];
    for (std::size_t i = 1; i < mask.parts; ++i) all = all & mask.part[i];
    return detail::all_set(all);
  } else {
    bool all = true;
    for (const bool one : mask.part) all = all && one;
    return all;
  }
}

template <class T, std::size_t N, std::size_t W>
[[gnu::always_inline]] constexpr LaneMask<T, N, W> operator<(const Lanes<T, N, W>& a, const Lanes<T, N, W>& b) {
  LaneMask<T, N, W> made;
  for (std::size_t i = 0; i < a.parts; ++i) made.part[i] = a.part[i] < b.part[i];
  return made;
}
template <class T, std::size_t N, std::size_t W>
[[gnu::always_inline]] constexpr LaneMask<T, N, W> operator<=(const Lanes<T, N, W>& a, const Lanes<T, N, W>& b) {
  LaneMask<T, N, W> made;
  for (std::size_t i = 0; i < a.parts; ++i) made.part[i] = a.part[i] <= b.part[i];
  return made;
}
template <class T, std::size_t N, std::size_t W>
[[gnu::always_inline]] constexpr LaneMask<T, N, W> operator>(const Lanes<T, N, W>& a, const Lanes<T, N, W>& b) {
  LaneMask<T, N, W> made;
  for (std::size_t i = 0; i < a.parts; ++i) made.part[i] = a.part[i] > b.part[i];
  return made;
}
template <class T, std::size_t N, std::size_t W>
[[gnu::always_inline]] constexpr LaneMask<T, N, W> operator>=(const Lanes<T, N, W>& a, const Lanes<T, N, W>& b) {
  LaneMask<T, N, W> made;
  for (std::size_t i = 0; i < a.parts; ++i) made.part[i] = a.part[i] >= b.part[i];
  return made;
}
template <class T, std::size_t N, std::size_t W>
[[gnu::always_inline]] constexpr LaneMask<T, N, W> operator==(const Lanes<T, N, W>& a, const Lanes<T, N, W>& b) {
  LaneMask<T, N, W> made;
  for (std::size_t i = 0; i < a.parts; ++i) made.part[i] = a.part[i] == b.part[i];
  return made;
}

// every(a <= b).
template <class T, std::size_t N, std::size_t W>
[[gnu::always_inline]] constexpr bool every_at_most(const Lanes<T, N, W>& a, const Lanes<T, N, W>& b) {
  if constexpr (W > 1) {
    bool all = true;
    for (std::size_t i = 0; i < a.parts; ++i) all = all & detail::all_at_most(a.part[i], b.part[i]);
    return all;
  } else {
    return every(a <= b);
  }
}

// mask ? a : b, lane by lane.
template <class T, std::size_t N, std::size_t W>
[[gnu::always_inline]] constexpr Lanes<T, N, W> select(const LaneMask<T, N, W>& mask, const Same<Lanes<T, N, W>>& a,
                                                       const Same<Lanes<T, N, W>>& b) {
  Lanes<T, N, W> made;
  for (std::size_t i = 0; i < made.parts; ++i) made.part[i] = mask.part[i] ? a.part[i] : b.part[i];
  return made;
}
template <class T, std::size_t N, std::size_t W>
[[gnu::always_inline]] constexpr Vec3<Lanes<T, N, W>> select(const LaneMask<T, N, W>& mask,
                                                             const Vec3<Lanes<T, N, W>>& a,
                                                             const Vec3<Lanes<T, N, W>>& b) {
  return {select(mask, a.x, b.x), select(mask, a.y, b.y), select(mask, a.z, b.z)};
}
template <class T, std::size_t N, std::size_t W>
[[gnu::always_inline]] constexpr Rotation<Lanes<T, N, W>> select(const LaneMask<T, N, W>& mask,
                                                                 const Rotation<Lanes<T, N, W>>& a,
                                                                 const Rotation<Lanes<T, N, W>>& b) {
  return {select(mask, a.w, b.w), select(mask, a.v, b.v)};
}

// A pack's mask chooses among packs that stand in a row.
template <class Mask, class T, std::size_t N>
  requires is_lanes<T>
[[gnu::always_inline]] constexpr Lanes<T, N, 1> select(const Mask& mask, const Lanes<T, N, 1>& a,
                                                       const Lanes<T, N, 1>& b) {
  Lanes<T, N, 1> made;
  for (std::size_t i = 0; i < N; ++i) made.part[i] = select(mask, a.part[i], b.part[i]);
  return made;
}

// As std::min and std::max choose: the first of two that are equal, or where one is not a number.
template <class T, std::size_t N, std::size_t W>
[[gnu::always_inline]] constexpr Lanes<T, N, W> max(const Lanes<T, N, W>& a, const Lanes<T, N, W>& b) {
  return select(a < b, b, a);
}
template <class T, std::size_t N, std::size_t W>
[[gnu::always_inline]] constexpr Lanes<T, N, W> min(const Lanes<T, N, W>& a, const Lanes<T, N, W>& b) {
  return select(b < a, b, a);
}

template <class T, std::size_t N, std::size_t W>
[[gnu::always_inline]] constexpr Lanes<T, N, W> copysign(const Lanes<T, N, W>& a, const Lanes<T, N, W>& sign) {
  Lanes<T, N, W> made;
  if constexpr (W > 1) {
    using Bits = typename LaneMask<T, N, W>::Part;
    using Part = typename Lanes<T, N, W>::Part;
    using Bit = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;
    const Bits sign_bit = Bits{} + std::numeric_limits<Bit>::min();
    for (std::size_t i = 0; i < a.parts; ++i)
      made.part[i] = (Part)(((Bits)a.part[i] & ~sign_bit) | ((Bits)sign.part[i] & sign_bit));
  } else {
    for (std::size_t i = 0; i < N; ++i) made.part[i] = copysign(a.part[i], sign.part[i]);
  }
  return made;
}
template <class T, std::size_t N, std::size_t W>
[[gnu::always_inline]] constexpr Lanes<T, N, W> abs(const Lanes<T, N, W>& a) {
  return copysign(a, Lanes<T, N, W>(T(1)));
}
template <class T, std::size_t N, std::size_t W>
[[gnu::always_inline]] constexpr LaneMask<T, N, W> isfinite(const Lanes<T, N, W>& a) {
  return a - a == Lanes<T, N, W>(T(0));
}

// Whether |x| <= bound in every lane. By the bits, which are in the order of the numbers: where code for a wider instruction
// set is made within a unit for a narrower one, GCC compares the lanes of doubles one by one.
template <class T, std::size_t N, std::size_t W>
[[gnu::always_inline]] constexpr bool all_within(const Lanes<T, N, W>& x, const T& bound) {
  if constexpr (W > 1 && std::is_same_v<T, double>) {
    if (!(bound >= 0)) return false;
    using Bits = typename LaneMask<T, N, W>::Part;
    const Bits size = Bits{} + std::numeric_limits<std::int64_t>::max(),
               most = Bits{} + std::bit_cast<std::int64_t>(bound);
    Bits left{};
    for (std::size_t i = 0; i < x.parts; ++i) left |= most - ((Bits)x.part[i] & size);
    std::int64_t least = 0;
    for (std::size_t i = 0; i < W; ++i) least |= left[i];
    return least >= 0;
  } else {
    return every(x <= Lanes<T, N, W>(bound) && x >= Lanes<T, N, W>(T(-bound)));
  }
}

// Vectors of lanes are inlined as well.
template <class T, std::size_t N, std::size_t W, class U>
[[gnu::always_inline]] constexpr Vec3<Lanes<T, N, W>> cross(const Vec3<Lanes<T, N, W>>& a, const Vec3<U>& b) {
  return inlined::cross(a, b);
}
template <class T, std::size_t N, std::size_t W>
[[gnu::always_inline]] constexpr Rotation<Lanes<T, N, W>> inverse(const Rotation<Lanes<T, N, W>>& q) {
  return {q.w, {-q.v.x, -q.v.y, -q.v.z}};
}
template <class T, std::size_t N, std::size_t W, class U>
[[gnu::always_inline]] constexpr Vec3<Lanes<T, N, W>> operator*(const Rotation<Lanes<T, N, W>>& q, const Vec3<U>& a) {
  return inlined::product(q, a);
}

// One body of a pack.
template <class T, std::size_t N, std::size_t W>
[[gnu::always_inline]] constexpr Vec3<T> lane(const Vec3<Lanes<T, N, W>>& v, std::size_t i) {
  return {v.x[i], v.y[i], v.z[i]};
}
template <class T, std::size_t N, std::size_t W>
[[gnu::always_inline]] constexpr Rotation<T> lane(const Rotation<Lanes<T, N, W>>& q, std::size_t i) {
  return {q.w[i], lane(q.v, i)};
}
template <class T, std::size_t N, std::size_t W>
[[gnu::always_inline]] constexpr void set_lane(Vec3<Lanes<T, N, W>>& v, std::size_t i, const Vec3<T>& one) {
  v.x.set(i, one.x);
  v.y.set(i, one.y);
  v.z.set(i, one.z);
}
template <class T, std::size_t N, std::size_t W>
[[gnu::always_inline]] constexpr void set_lane(Rotation<Lanes<T, N, W>>& q, std::size_t i, const Rotation<T>& one) {
  q.w.set(i, one.w);
  set_lane(q.v, i, one.v);
}

// How many lanes go in one register of every processor.
template <class T>
inline constexpr std::size_t plain_width = detail::has_vectors<T> ? 16 / sizeof(T) : 1;

// Four numbers in a row of memory, at a multiple of their size: a vector across two lines of the cache is slow to read.
template <class T>
struct alignas(detail::widest<T, 4> > 1 ? 4 * sizeof(T) : alignof(T)) Row4 : std::array<T, 4> {};

}  // namespace polhode
