// A torque as kicks of the momentum at fixed attitude, pi <- pi + h tau_B. The last torque is kept, so that a step that
// begins and ends with a kick costs one evaluation.
//
// A torque that depends on the angular velocity is not a kick of a Hamiltonian. It is applied at frozen attitude by the
// explicit midpoint rule in pi: order 2 stays, symmetry and symplecticity do not, and
// compositions gain one order of what they gain elsewhere (Gains::one).
#pragma once

#include "polhode/methods/method.hpp"

namespace polhode {

template <class T>
struct KeptTorque {
  static constexpr bool carries_momentum = false;
  Vec3<T> torque_B{};
  bool torque_known = false;
  constexpr void attitude_changed() { torque_known = false; }
  constexpr KeptTorque reversed() const { return *this; }
};

template <class T, class F>
[[gnu::always_inline]] constexpr void kick(const System<T, F>& sys, State<T>& s, KeptTorque<T>& memory, const T& h,
                                           Work& work) {
  if constexpr (!is_free<F>) {
    if (depends_on_velocity<T>(sys.field)) {
      const Vec3<T> slope = torque_body(sys, s.R_SB, s.pi_B, s.t, work);
      s.pi_B += h * torque_body(sys, s.R_SB, Vec3<T>(s.pi_B + T(T(0.5) * h) * slope), s.t, work);
    } else {
      if (!memory.torque_known) memory.torque_B = torque_body(sys, s.R_SB, s.pi_B, s.t, work);
      memory.torque_known = true;
      s.pi_B += h * memory.torque_B;
    }
  }
}

// Memory and start of a method that keeps the last torque and nothing else.
struct KeepsTorque {
  template <class T>
  using Memory = KeptTorque<T>;

  template <class T, class F>
  static constexpr KeptTorque<T> start(const System<T, F>&, const State<T>&, const T&, Work&) {
    return {};
  }
};

}  // namespace polhode
