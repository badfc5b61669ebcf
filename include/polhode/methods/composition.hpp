// Symmetric compositions: steps of c_1 h, ..., c_s h of a symmetric base method raise its order and keep what a
// composition keeps (symmetry, symplecticity, momentum).
#pragma once

#include <array>
#include <string_view>
#include <vector>

#include "polhode/core/decimal.hpp"
#include "polhode/core/root.hpp"
#include "polhode/core/table.hpp"
#include "polhode/methods/method.hpp"

namespace polhode {

// Triple jump [Y90; HLW06, Sec. II.4]: a, b, a with 2a + b = 1, 2a^(p+1) + b^(p+1) = 0: order p + 2.
template <class T>
constexpr std::array<T, 3> triple_jump(int order) {
  const T a = T(1) / (T(2) - root_of<T>(2, order + 1));
  return {a, T(1) - T(2) * a, a};
}

// Suzuki's fractal [S90; HLW06, Sec. II.4]: a, a, 1 - 4a, a, a: order p + 2 with smaller steps.
template <class T>
constexpr std::array<T, 5> suzuki(int order) {
  const T a = T(1) / (T(4) - root_of<T>(4, order + 1));
  return {a, a, T(1) - T(4) * a, a, a};
}

namespace detail {
// A symmetric sequence from its first half; the middle makes the sum exactly one.
template <class T, std::size_t Half>
constexpr std::array<T, 2 * Half + 1> mirrored(const std::array<std::string_view, Half>& digits) {
  std::array<T, 2 * Half + 1> c{};
  T middle(1);
  for (std::size_t i = 0; i < Half; ++i) {
    c[i] = c[2 * Half - i] = decimal<T>(digits[i]);
    middle = middle - T(2) * c[i];
  }
  c[Half] = middle;
  return c;
}
}  // namespace detail

// Kahan & Li's optimal sequences [KL97; HLW06, Sec. V.3.2] for a base of order 2: order 6 in 9 steps, 8 in 17.
template <class T>
constexpr std::array<T, 9> kahan_li_6() {
  return detail::mirrored<T, 4>({"0.39216144400731413927925056", "0.33259913678935943859974864",
                                 "-0.70624617255763935980996482", "0.08221359629355080023149045"});
}
template <class T>
constexpr std::array<T, 17> kahan_li_8() {
  return detail::mirrored<T, 8>({"0.13020248308889008087881763", "0.56116298177510838456196441",
                                 "-0.38947496264484728640807860", "0.15884190655515560089621075",
                                 "-0.39590389413323757733623154", "0.18453964097831570709183254",
                                 "0.25837438768632204729397911", "0.29501172360931029887096624"});
}

// Claims of a composition of `stages` steps that raises the order by `gain`. In a torque that depends on the angular
// velocity most methods are no longer symmetric (see Gains).
constexpr Claims composed(Claims base, int gain, int stages) {
  if (base.gains_with_velocity != Gains::all) {
    base.order_with_velocity = orders_with_velocity(base);
    if (base.gains_with_velocity == Gains::one) {
      ++base.order_with_velocity.attitude;
      ++base.order_with_velocity.momentum;
    }
    base.gains_with_velocity = Gains::nothing;
  }
  base.order_attitude += gain;
  base.order_momentum += gain;
  if (base.order_free != Orders{}) {
    // The sequence is made for the order with torque; terms of higher order it leaves.
    base.order_free.attitude = std::max(base.order_free.attitude, base.order_attitude);
    base.order_free.momentum = std::max(base.order_free.momentum, base.order_momentum);
  }
  base.torque_evaluations *= stages;
  return base;
}

template <Method Base>
struct TripleJump {
  static_assert(Base::claims.symmetric, "the triple jump raises the order of symmetric methods only");
  static constexpr std::string_view family = Base::family;
  static constexpr std::string_view cite = "Y90; M93; R94";
  static constexpr std::string_view about = Base::cayley ? "triple jump of the Cayley splitting"
                                                         : "triple jump of the axis splitting, 13 rotations when free";
  static constexpr std::string_view good_for =
      "long runs in a conservative field at moderate accuracy, without drift of energy";
  static constexpr std::string_view not_for =
      "large steps: its middle step goes back by 1.7 h; @suzuki of the same splitting is 14 times as accurate for "
      "equal work";
  static constexpr Claims claims = composed(Base::claims, 2, 3);

  template <class T>
  using Memory = typename Base::template Memory<T>;

  template <class T, class F>
  static constexpr Memory<T> start(const System<T, F>& sys, const State<T>& s, const T& h, Work& work) {
    return Base::start(sys, s, h, work);
  }

  template <class T, class F>
  POLHODE_INLINED static constexpr State<T> step(const System<T, F>& sys, const State<T>& s, Memory<T>& memory,
                                                 const T& h, Work& work) {
    const auto& c = table_of<Shares, value_of<T>>();
    return Base::steps(sys, s, memory, std::array<T, 3>{T(c[0]) * h, T(c[1]) * h, T(c[2]) * h}, work);
  }

 private:
  struct Shares {
    template <class T>
    static constexpr std::array<T, 3> make() {
      return triple_jump<T>(Base::claims.order_attitude);
    }
  };
};

}  // namespace polhode
