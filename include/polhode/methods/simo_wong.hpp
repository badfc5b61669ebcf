// The explicit momentum-conserving method of Simo and Wong [SW91; KE05, App. A]. The acceleration is an unknown of its
// own, with the trapezoidal rule for its equation of motion:
//
//   R_1 = R_0 exp(h W_0 + h^2/2 A_0),   l_1 = l_0 + h/2 (t_0 + t_1),   I W_1 = R_1^T l_1,   A_0 + A_1 = 2/h (W_1 - W_0)
//
// It begins with A from the equation of motion, and begins anew when the body is turned from outside. An error of A
// changes sign from step to step and does not fade, so that steps of several lengths in turn compose to order 4 and no
// more. Of a torque that depends on the angular velocity t_1 is taken at the velocity W_0 + h A_0: order 2 stays,
// symmetry does not.
#pragma once

#include <string_view>

#include "polhode/methods/carried_momentum.hpp"

namespace polhode {

struct SimoWong {
  static constexpr std::string_view family = "momentum-conserving";
  static constexpr std::string_view cite = "SW91; KE05, App. A";
  static constexpr std::string_view about = "Simo and Wong's explicit method: momentum exact, acceleration remembered";
  static constexpr std::string_view good_for = "explicit steps with one torque call and the momentum exact";
  static constexpr std::string_view not_for =
      "long runs in a field, where the energy drifts, and compositions, which its memory rules out";
  static constexpr Claims claims{.order_attitude = 2,
                                 .order_momentum = 2,
                                 .gains_with_velocity = Gains::nothing,
                                 .symmetric = true,
                                 .momentum_free = Keeps::exact,
                                 .momentum_along_field = Keeps::exact,
                                 .energy_free = Keeps::bounded,
                                 .composes = false};

  template <class T>
  struct Memory : CarriedMomentum<T> {
    Vec3<T> acceleration_B{};

    constexpr Memory reversed() const { return *this; }
  };

  template <class T, class F>
  static constexpr Memory<T> start(const System<T, F>&, const State<T>& s, const T&, Work&) {
    return {CarriedMomentum<T>::of(s), {}};
  }

  template <class T, class F>
  POLHODE_INLINED static constexpr State<T> step(const System<T, F>& sys, const State<T>& s, Memory<T>& memory,
                                                 const T& h, Work& work) {
    const T t = s.t + h;
    const Vec3<T> w_B = sys.body.velocity(s.pi_B);
    if (!memory.torque_known) {
      const Vec3<T> torque_B = torque_body(sys, s.R_SB, s.pi_B, s.t, work);
      memory.keep_torque(s.R_SB * torque_B);
      memory.acceleration_B = sys.body.velocity(cross(s.pi_B, w_B) + torque_B);
    }
    const Vec3<T> half_change = T(T(0.5) * h) * memory.acceleration_B;
    const Vec3<T> turn = h * (w_B + half_change);
    State<T> next;
    if constexpr (is_free<F>) {
      next = memory.turned(s, turn, t);
    } else {
      const Rotation<T> R1_SB = renormalised(s.R_SB * exp(turn));
      const Vec3<T> predicted_B = sys.body.momentum(w_B + (half_change + half_change));
      const Vec3<T> t1_S = torque_spatial(sys, R1_SB, predicted_B, t, work);
      memory.momentum_S += T(T(0.5) * h) * (memory.torque_S + t1_S);
      memory.keep_torque(t1_S);
      next = {R1_SB, inverse(R1_SB) * memory.momentum_S, t};
    }
    const Vec3<T> change = sys.body.velocity(next.pi_B) - w_B;
    memory.acceleration_B = T(T(2) / h) * change - memory.acceleration_B;
    return next;
  }
};

}  // namespace polhode
