// Runge-Kutta tables for the Lie algebra, by their order.
#pragma once

#include <array>
#include <cstddef>

#include "polhode/core/root.hpp"

namespace polhode::lie {

template <class T, std::size_t stages>
struct ButcherTable {
  std::array<std::array<T, stages>, stages> a{};
  std::array<T, stages> b{}, c{};
};

// The nodes c are the sums of the rows.
template <class T, std::size_t stages>
constexpr ButcherTable<T, stages> with_nodes(ButcherTable<T, stages> table) {
  for (std::size_t i = 0; i < stages; ++i)
    for (const T& weight : table.a[i]) table.c[i] = table.c[i] + weight;
  return table;
}

template <int order>
struct RungeKuttaTable;

template <>
struct RungeKuttaTable<1> {
  static constexpr std::size_t stages = 1;
  template <class T>
  static constexpr ButcherTable<T, stages> make() {
    return {{}, {T(1)}, {}};
  }
};

// Runge's midpoint.
template <>
struct RungeKuttaTable<2> {
  static constexpr std::size_t stages = 2;
  template <class T>
  static constexpr ButcherTable<T, stages> make() {
    return with_nodes<T, stages>({{{{}, {T(0.5)}}}, {T(0), T(1)}, {}});
  }
};

// Kutta's classical method.
template <>
struct RungeKuttaTable<4> {
  static constexpr std::size_t stages = 4;
  template <class T>
  static constexpr ButcherTable<T, stages> make() {
    const T sixth = T(1) / T(6), third = T(1) / T(3);
    return with_nodes<T, stages>(
        {{{{}, {T(0.5)}, {T(0), T(0.5)}, {T(0), T(0), T(1)}}}, {sixth, third, third, sixth}, {}});
  }
};

// Butcher's method with seven stages [B64].
template <>
struct RungeKuttaTable<6> {
  static constexpr std::size_t stages = 7;
  template <class T>
  static constexpr ButcherTable<T, stages> make() {
    const auto over = [](int a, int b) { return T(a) / T(b); };
    return with_nodes<T, stages>(
        {{{{},
           {over(1, 3)},
           {T(0), over(2, 3)},
           {over(1, 12), over(1, 3), over(-1, 12)},
           {over(25, 48), over(-55, 24), over(35, 48), over(15, 8)},
           {over(3, 20), over(-11, 24), over(-1, 8), over(1, 2), over(1, 10)},
           {over(-261, 260), over(33, 13), over(43, 156), over(-118, 39), over(32, 195), over(80, 39)}}},
         {over(13, 200), T(0), over(11, 40), over(11, 40), over(4, 25), over(4, 25), over(13, 200)},
         {}});
  }
};

// Cooper and Verner's method with eleven stages [CV72].
template <>
struct RungeKuttaTable<8> {
  static constexpr std::size_t stages = 11;
  template <class T>
  static constexpr ButcherTable<T, stages> make() {
    const T root = root_of<T>(21, 2), o(0);
    const auto of = [&root](int a, int b, int c) { return (T(a) + T(b) * root) / T(c); };
    return with_nodes<T, stages>(
        {{{{},
           {of(1, 0, 2)},
           {of(1, 0, 4), of(1, 0, 4)},
           {of(1, 0, 7), of(-7, -3, 98), of(21, 5, 49)},
           {of(11, 1, 84), o, of(18, 4, 63), of(21, -1, 252)},
           {of(5, 1, 48), o, of(9, 1, 36), of(-231, 14, 360), of(63, -7, 80)},
           {of(10, -1, 42), o, of(-432, 92, 315), of(633, -145, 90), of(-504, 115, 70), of(63, -13, 35)},
           {of(1, 0, 14), o, o, o, of(14, -3, 126), of(13, -3, 63), of(1, 0, 9)},
           {of(1, 0, 32), o, o, o, of(91, -21, 576), of(11, 0, 72), of(-385, -75, 1152), of(63, 13, 128)},
           {of(1, 0, 14), o, o, o, of(1, 0, 9), of(-733, -147, 2205), of(515, 111, 504), of(-51, -11, 56),
            of(132, 28, 245)},
           {o, o, o, o, of(-42, 7, 18), of(-18, 28, 45), of(-273, -53, 72), of(301, 53, 72), of(28, -28, 45),
            of(49, -7, 18)}}},
         {of(1, 0, 20), o, o, o, o, o, o, of(49, 0, 180), of(16, 0, 45), of(49, 0, 180), of(1, 0, 20)},
         {}});
  }
};

}  // namespace polhode::lie
