// The step for games as a method of the catalogue: a free body moved along its polhode by the addition theorem
// (model/addition_turn.hpp), between two halves of a kick.
#pragma once

#include "polhode/methods/kicked_turn.hpp"
#include "polhode/model/addition_turn.hpp"

namespace polhode {

namespace detail {

// Components renamed so that the axis of the middle moment comes second, by a cyclic exchange; and back.
template <class T, class Mask>
struct MiddleSecond {
  Mask from_first, from_third;  // where the middle one is

  [[gnu::always_inline]] constexpr Vec3<T> operator()(const Vec3<T>& a) const {
    return {select(from_first, a.z, select(from_third, a.y, a.x)),
            select(from_first, a.x, select(from_third, a.z, a.y)),
            select(from_first, a.y, select(from_third, a.x, a.z))};
  }
  [[gnu::always_inline]] constexpr Vec3<T> back(const Vec3<T>& a) const {
    return {select(from_first, a.y, select(from_third, a.z, a.x)),
            select(from_first, a.z, select(from_third, a.x, a.y)),
            select(from_first, a.x, select(from_third, a.y, a.z))};
  }
};

template <class T>
[[gnu::always_inline]] constexpr auto middle_second(const Vec3<T>& m) {
  const auto second = (m.x - m.y) * (m.y - m.z) >= T(0), first = (m.y - m.x) * (m.x - m.z) >= T(0);
  return MiddleSecond<T, std::remove_cv_t<decltype(first)>>{!second && first, !second && !first};
}

}  // namespace detail

struct EnginePolhode : KickedTurn<EnginePolhode> {
  static constexpr std::string_view family = "engine";
  static constexpr std::string_view cite = "M91; HLW06, Sec. VII.5";
  static constexpr std::string_view about =
      "free body along its polhode by the addition theorem of elliptic functions, between two halves of a kick";
  static constexpr std::string_view good_for =
      "games: no step is too long, energy and momentum of a free body stay whatever the step";
  static constexpr std::string_view not_for =
      "accuracy where the body turns by more than a radian a step: it then nutates too slowly; rotor-verlet does not";
  static constexpr Claims claims{.order_attitude = 2,
                                 .order_momentum = 2,
                                 .order_free = {4, 4},
                                 .order_with_velocity = {2, 2},
                                 .gains_with_velocity = Gains::one,
                                 .symmetric = true,
                                 .momentum_free = Keeps::exact,
                                 .momentum_along_field = Keeps::exact,
                                 .energy_free = Keeps::exact,
                                 .wheels = true,
                                 .batch = true};

  template <class T>
  [[gnu::always_inline]] static constexpr void turn_free(const Body<T>& body, State<T>& s, const T& h, Work&) {
    const auto renamed = detail::middle_second(body.inverse_inertia);
    const T square = squared_norm(s.pi_B);
    const auto moves = square > T(0);
    const T scale = select(moves, T(T(1) / T(sqrt(T(select(moves, square, T(1)))))), T(0));
    const Vec3<T> n = renamed(Vec3<T>(scale * s.pi_B));
    const AdditionTurn<T> moved = addition_turn(renamed(body.inverse_inertia), n, T(h * (square * scale)));
    const T share = T(1) / moved.N;
    // The addition theorem keeps the length to rounding, which would add up.
    const Vec3<T> next = n + share * moved.d;
    const T length = square * scale, shorter = T(1.5) - T(0.5) * squared_norm(next);
    s.pi_B = T(length * shorter) * renamed.back(next);
    Rotation<T> turn{moved.turn.w, renamed.back(moved.turn.v)};
    turn.w = select(moves, turn.w, T(1));
    s.R_SB = normalised(inlined::product(s.R_SB, turn));
  }
};

}  // namespace polhode
