// Numbers of several bodies, as they stand in memory one body after the other, as packs and back: of the numbers of each body
// the first ones are pack 0, the second ones pack 1, and so on.
//
// Vectors of 32 bytes are loaded and stored whole and put together in registers: one that is read back from parts waits for
// all of them. And without loops, which GCC leaves as they are at -O2, with all rows in memory.
#pragma once

#include "polhode/core/lanes.hpp"

namespace polhode {

// As many numbers of a kind as 32 bytes hold: eight floats, four doubles.
template <class T>
inline constexpr std::size_t pack_width = 32 / sizeof(T);
template <class T>
using Pack = Lanes<T, pack_width<T>>;

namespace detail {

// 32 bytes of each body.
template <class Place, class... Part>
[[gnu::always_inline]] inline void load_rows(const Place& place, Part&... rows) {
  std::size_t i = 0;
  (__builtin_memcpy(&rows, place(i++), 32), ...);
}

// Four rows in each half of four vectors of floats, turned.
template <class Part>
[[gnu::always_inline]] inline void turn_halves(Part& p0, Part& p1, Part& p2, Part& p3, const Part& r0, const Part& r1,
                                               const Part& r2, const Part& r3) {
  Part a0, a1, a2, a3;
  shuffle<0, 8, 1, 9, 4, 12, 5, 13>(a0, r0, r1);
  shuffle<2, 10, 3, 11, 6, 14, 7, 15>(a1, r0, r1);
  shuffle<0, 8, 1, 9, 4, 12, 5, 13>(a2, r2, r3);
  shuffle<2, 10, 3, 11, 6, 14, 7, 15>(a3, r2, r3);
  shuffle<0, 1, 8, 9, 4, 5, 12, 13>(p0, a0, a2);
  shuffle<2, 3, 10, 11, 6, 7, 14, 15>(p1, a0, a2);
  shuffle<0, 1, 8, 9, 4, 5, 12, 13>(p2, a1, a3);
  shuffle<2, 3, 10, 11, 6, 7, 14, 15>(p3, a1, a3);
}
template <class Part>
[[gnu::always_inline]] inline void low_halves(Part& to, const Part& a, const Part& b) {
  shuffle<0, 1, 2, 3, 8, 9, 10, 11>(to, a, b);
}
template <class Part>
[[gnu::always_inline]] inline void high_halves(Part& to, const Part& a, const Part& b) {
  shuffle<4, 5, 6, 7, 12, 13, 14, 15>(to, a, b);
}

// Four rows of four doubles, turned.
template <class Part>
[[gnu::always_inline]] inline void turn_four(Part& p0, Part& p1, Part& p2, Part& p3, const Part& r0, const Part& r1,
                                             const Part& r2, const Part& r3) {
  Part a0, a1, a2, a3;
  shuffle<0, 4, 2, 6>(a0, r0, r1);
  shuffle<1, 5, 3, 7>(a1, r0, r1);
  shuffle<0, 4, 2, 6>(a2, r2, r3);
  shuffle<1, 5, 3, 7>(a3, r2, r3);
  shuffle<0, 1, 4, 5>(p0, a0, a2);
  shuffle<0, 1, 4, 5>(p1, a1, a3);
  shuffle<2, 3, 6, 7>(p2, a0, a2);
  shuffle<2, 3, 6, 7>(p3, a1, a3);
}

}  // namespace detail

// The first four numbers of every body. Body i's 32 bytes begin at `place(i)`.
template <std::same_as<float> T, class Place>
[[gnu::always_inline]] inline void load_four(std::array<Pack<T>, 4>& packs, const Place& place) {
  typename Pack<T>::Part r0, r1, r2, r3, r4, r5, r6, r7;
  detail::load_rows(place, r0, r1, r2, r3, r4, r5, r6, r7);
  detail::low_halves(r0, r0, r4);
  detail::low_halves(r1, r1, r5);
  detail::low_halves(r2, r2, r6);
  detail::low_halves(r3, r3, r7);
  detail::turn_halves(packs[0].part[0], packs[1].part[0], packs[2].part[0], packs[3].part[0], r0, r1, r2, r3);
}
template <std::same_as<double> T, class Place>
[[gnu::always_inline]] inline void load_four(std::array<Pack<T>, 4>& packs, const Place& place) {
  typename Pack<T>::Part r0, r1, r2, r3;
  detail::load_rows(place, r0, r1, r2, r3);
  detail::turn_four(packs[0].part[0], packs[1].part[0], packs[2].part[0], packs[3].part[0], r0, r1, r2, r3);
}

// Eight numbers of every body.
template <std::same_as<float> T, class Place>
[[gnu::always_inline]] inline void load_eight(std::array<Pack<T>, 8>& packs, const Place& place) {
  typename Pack<T>::Part r0, r1, r2, r3, r4, r5, r6, r7, a0, a1, a2, a3;
  detail::load_rows(place, r0, r1, r2, r3, r4, r5, r6, r7);
  detail::low_halves(a0, r0, r4);
  detail::low_halves(a1, r1, r5);
  detail::low_halves(a2, r2, r6);
  detail::low_halves(a3, r3, r7);
  detail::turn_halves(packs[0].part[0], packs[1].part[0], packs[2].part[0], packs[3].part[0], a0, a1, a2, a3);
  detail::high_halves(a0, r0, r4);
  detail::high_halves(a1, r1, r5);
  detail::high_halves(a2, r2, r6);
  detail::high_halves(a3, r3, r7);
  detail::turn_halves(packs[4].part[0], packs[5].part[0], packs[6].part[0], packs[7].part[0], a0, a1, a2, a3);
}
template <std::same_as<double> T, class Place>
[[gnu::always_inline]] inline void load_eight(std::array<Pack<T>, 8>& packs, const Place& place) {
  std::array<Pack<T>, 4> first, second;
  load_four<T>(first, place);
  load_four<T>(
      second, [&](std::size_t i) __attribute__((always_inline)) { return place(i) + 32; });
  packs = {first[0], first[1], first[2], first[3], second[0], second[1], second[2], second[3]};
}

// And back: `put(i, row, offset)` with 32 bytes of body i's numbers, which begin `offset` bytes into them.
template <std::same_as<float> T, class Put>
[[gnu::always_inline]] inline void store_eight(const std::array<Pack<T>, 8>& packs, const Put& put) {
  typename Pack<T>::Part a0, a1, a2, a3, b0, b1, b2, b3, row;
  detail::turn_halves(a0, a1, a2, a3, packs[0].part[0], packs[1].part[0], packs[2].part[0], packs[3].part[0]);
  detail::turn_halves(b0, b1, b2, b3, packs[4].part[0], packs[5].part[0], packs[6].part[0], packs[7].part[0]);
  const auto both = [&](std::size_t i, const auto& a, const auto& b) __attribute__((always_inline)) {
    detail::low_halves(row, a, b);
    put(i, row, 0);
    detail::high_halves(row, a, b);
    put(i + 4, row, 0);
  };
  both(0, a0, b0);
  both(1, a1, b1);
  both(2, a2, b2);
  both(3, a3, b3);
}
template <std::same_as<double> T, class Put>
[[gnu::always_inline]] inline void store_eight(const std::array<Pack<T>, 8>& packs, const Put& put) {
  typename Pack<T>::Part r0, r1, r2, r3;
  detail::turn_four(r0, r1, r2, r3, packs[0].part[0], packs[1].part[0], packs[2].part[0], packs[3].part[0]);
  put(0, r0, 0);
  put(1, r1, 0);
  put(2, r2, 0);
  put(3, r3, 0);
  detail::turn_four(r0, r1, r2, r3, packs[4].part[0], packs[5].part[0], packs[6].part[0], packs[7].part[0]);
  put(0, r0, 32);
  put(1, r1, 32);
  put(2, r2, 32);
  put(3, r3, 32);
}

}  // namespace polhode
