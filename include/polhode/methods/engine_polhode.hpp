// The step for games as a method of the catalogue: a free body moved along its polhode by the addition theorem
// (model/addition_turn.hpp), between two halves of a kick.
#pragma once

#include "polhode/methods/kicked_turn.hpp"
#include "polhode/model/addition_turn.hpp"
#include "polhode/model/free_step.hpp"

namespace polhode {

struct EnginePolhode : KickedTurn<EnginePolhode> {
  static constexpr std::string_view family = "engine";
  static constexpr std::string_view cite = "M91; HLW06, Sec. VII.5";
  static constexpr std::string_view about =
      "free body along its polhode by the addition theorem of elliptic functions, between two halves of a kick";
  static constexpr std::string_view good_for =
      "games: no step is too long, energy and momentum of a free body stay whatever the step";
  static constexpr std::string_view not_for =
      "accuracy where the body turns by more than a radian a step: it then nutates too slowly; rotor-verlet does not";
  // Wheels are not taken: with them the free motion would be of order 2, and its energy not kept.
  static constexpr Claims claims{.order_attitude = 2,
                                 .order_momentum = 2,
                                 .order_free = {4, 6},
                                 .order_with_velocity = {2, 2},
                                 .gains_with_velocity = Gains::one,
                                 .symmetric = true,
                                 .momentum_free = Keeps::exact,
                                 .momentum_along_field = Keeps::exact,
                                 .energy_free = Keeps::exact,
                                 .batch = true};

  template <class T>
  [[gnu::always_inline]] static constexpr void turn_free(const Body<T>& body, State<T>& s, const T& h, Work&) {
    const T square = squared_norm(s.pi_B);
    const auto moves = square > T(0);
    const T scale = select(moves, T(T(1) / T(sqrt(T(select(moves, square, T(1)))))), T(0)), length = square * scale;
    const Vec3<T> n = scale * s.pi_B;
    const AdditionTurn<T> moved =
        addition_turn(body.inverse_inertia, n, T(h * length), dot(n, times(body.inverse_inertia, n)));
    s.pi_B = s.pi_B + T(length / moved.N) * moved.d;
    s.R_SB = turned(s.R_SB, normalised(Rotation<T>{select(moves, moved.turn.w, T(1)), moved.turn.v}));
  }
};

}  // namespace polhode
