// Rows of numbers in memory as packs: eight floats or four doubles each of as many bodies, turned so that a pack has one
// number of every body.
#pragma once

#include "polhode/core/lanes.hpp"

namespace polhode {

// How many numbers of a kind are in 32 bytes.
template <class T>
inline constexpr std::size_t row_length = 32 / sizeof(T);

template <class T>
using RowPack = Lanes<T, row_length<T>>;
template <class T>
using Rows = std::array<RowPack<T>, row_length<T>>;

// The numbers of row i become number i of every pack, and back. Without loops: at -O2 GCC would leave them as they are, and all
// rows in memory.
template <std::same_as<float> T>
[[gnu::always_inline]] inline void transpose(Rows<T>& rows) {
  using Part = typename RowPack<T>::Part;
  const auto pairs =
      [](Part & low, Part & high, const RowPack<T>& x, const RowPack<T>& y) __attribute__((always_inline)) {
    detail::shuffle<0, 8, 1, 9, 4, 12, 5, 13>(low, x.part[0], y.part[0]);
    detail::shuffle<2, 10, 3, 11, 6, 14, 7, 15>(high, x.part[0], y.part[0]);
  };
  const auto fours = [](Part & low, Part & high, const Part& x, const Part& y) __attribute__((always_inline)) {
    detail::shuffle<0, 1, 8, 9, 4, 5, 12, 13>(low, x, y);
    detail::shuffle<2, 3, 10, 11, 6, 7, 14, 15>(high, x, y);
  };
  const auto halves =
      [](RowPack<T> & low, RowPack<T> & high, const Part& x, const Part& y) __attribute__((always_inline)) {
    detail::shuffle<0, 1, 2, 3, 8, 9, 10, 11>(low.part[0], x, y);
    detail::shuffle<4, 5, 6, 7, 12, 13, 14, 15>(high.part[0], x, y);
  };
  Part a0, a1, a2, a3, a4, a5, a6, a7, b0, b1, b2, b3, b4, b5, b6, b7;
  pairs(a0, a1, rows[0], rows[1]);
  pairs(a2, a3, rows[2], rows[3]);
  pairs(a4, a5, rows[4], rows[5]);
  pairs(a6, a7, rows[6], rows[7]);
  fours(b0, b1, a0, a2);
  fours(b2, b3, a1, a3);
  fours(b4, b5, a4, a6);
  fours(b6, b7, a5, a7);
  halves(rows[0], rows[4], b0, b4);
  halves(rows[1], rows[5], b1, b5);
  halves(rows[2], rows[6], b2, b6);
  halves(rows[3], rows[7], b3, b7);
}
template <std::same_as<double> T>
[[gnu::always_inline]] inline void transpose(Rows<T>& rows) {
  using Part = typename RowPack<T>::Part;
  Part a0, a1, a2, a3;
  detail::shuffle<0, 4, 2, 6>(a0, rows[0].part[0], rows[1].part[0]);
  detail::shuffle<1, 5, 3, 7>(a1, rows[0].part[0], rows[1].part[0]);
  detail::shuffle<0, 4, 2, 6>(a2, rows[2].part[0], rows[3].part[0]);
  detail::shuffle<1, 5, 3, 7>(a3, rows[2].part[0], rows[3].part[0]);
  detail::shuffle<0, 1, 4, 5>(rows[0].part[0], a0, a2);
  detail::shuffle<0, 1, 4, 5>(rows[1].part[0], a1, a3);
  detail::shuffle<2, 3, 6, 7>(rows[2].part[0], a0, a2);
  detail::shuffle<2, 3, 6, 7>(rows[3].part[0], a1, a3);
}

}  // namespace polhode
