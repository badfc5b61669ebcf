// Hulbert's staggered method [H92; KE05, App. A]: two copies of the body half a step apart, each turned with the
// velocity and kicked with the torque of the other one.
//
//   R_1   = R_0   exp(h W_1/2),   l_1   = l_0   + h t_1/2
//   R_3/2 = R_1/2 exp(h W_1),     l_3/2 = l_1/2 + h t_1
//
// It begins with Theta = h/2 W_0 + h^2/8 A_0, R_1/2 = R_0 exp(Theta), l_1/2 = l_0 + h/2 t(R_0 exp(Theta/2)), and begins
// anew when the body is turned from outside. Steps must be equal. In the other direction of time the copy that was
// ahead is behind, and moves first. A torque that depends on the angular velocity finds it at hand.
#pragma once

#include <string_view>

#include "polhode/methods/carried_momentum.hpp"

namespace polhode {

struct HulbertStaggered {
  static constexpr std::string_view family = "momentum-conserving";
  static constexpr std::string_view cite = "H92; KE05, App. A";
  static constexpr std::string_view about =
      "Hulbert's explicit method on two staggered copies of the body: momentum exact";
  static constexpr std::string_view good_for = "comparison: an explicit method with the momentum exact";
  static constexpr std::string_view not_for =
      "slow tops, on which the two copies part, steps that change, and a budget: two torque calls a step";
  static constexpr Claims claims{.order_attitude = 2,
                                 .order_momentum = 2,
                                 .symmetric = true,
                                 .momentum_free = Keeps::exact,
                                 .momentum_along_field = Keeps::exact,
                                 .energy_free = Keeps::bounded,
                                 .torque_evaluations = 2,
                                 .variable_steps = false,
                                 .composes = false};

  template <class T>
  struct Memory : CarriedMomentum<T> {
    State<T> other{};  // the copy half a step away
    Vec3<T> other_momentum_S{};
    bool known = false;
    bool ahead = true;

    constexpr void attitude_changed() { known = false; }
    constexpr Memory reversed() const {
      Memory m = *this;
      m.ahead = !ahead;
      return m;
    }
  };

  template <class T, class F>
  static constexpr Memory<T> start(const System<T, F>&, const State<T>& s, const T&, Work&) {
    return {CarriedMomentum<T>::of(s), {}, {}};
  }

  template <class T, class F>
  static constexpr State<T> step(const System<T, F>& sys, State<T> s, Memory<T>& memory, const T& h, Work& work) {
    if (!memory.known) begin(sys, s, memory, h, work);
    if (!memory.ahead) move_other(sys, memory, s, h, work);
    move(sys, s, memory.momentum_S, memory.other, h, work);
    s.t = s.t + h;
    if (memory.ahead) move_other(sys, memory, s, h, work);
    return s;
  }

 private:
  // One copy by a whole step, over the other in its middle.
  template <class T, class F>
  static constexpr void move(const System<T, F>& sys, State<T>& s, Vec3<T>& momentum_S, const State<T>& middle,
                             const T& h, Work& work) {
    if constexpr (!is_free<F>) momentum_S += h * torque_spatial(sys, middle.R_SB, middle.pi_B, middle.t, work);
    s.R_SB = renormalised(s.R_SB * exp(h * sys.body.velocity(middle.pi_B)));
    s.pi_B = inverse(s.R_SB) * momentum_S;
  }

  template <class T, class F>
  static constexpr void move_other(const System<T, F>& sys, Memory<T>& memory, const State<T>& s, const T& h,
                                   Work& work) {
    move(sys, memory.other, memory.other_momentum_S, s, h, work);
    memory.other.t = s.t + T(0.5) * h;
  }

  template <class T, class F>
  static constexpr void begin(const System<T, F>& sys, const State<T>& s, Memory<T>& memory, const T& h, Work& work) {
    const Vec3<T> w_B = sys.body.velocity(s.pi_B);
    const Vec3<T> rate_B = cross(s.pi_B, w_B) + torque_body(sys, s.R_SB, s.pi_B, s.t, work);
    const T half = T(0.5) * h, quarter = T(0.25) * h;
    const Vec3<T> pi_quarter = s.pi_B + quarter * rate_B;
    const Vec3<T> turn = half * sys.body.velocity(pi_quarter);
    memory.other_momentum_S = memory.momentum_S;
    if constexpr (!is_free<F>) {
      const Rotation<T> R_quarter = s.R_SB * exp(T(0.5) * turn);
      memory.other_momentum_S += half * torque_spatial(sys, R_quarter, pi_quarter, T(s.t + quarter), work);
    }
    memory.other.R_SB = renormalised(s.R_SB * exp(turn));
    memory.other.pi_B = inverse(memory.other.R_SB) * memory.other_momentum_S;
    memory.other.t = s.t + half;
    memory.known = memory.ahead = true;
  }
};

}  // namespace polhode
