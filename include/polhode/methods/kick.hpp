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
POLHODE_INLINED constexpr void kick(const System<T, F>& sys, State<T>& s, KeptTorque<T>& memory, const T& h,
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

// Whether half a kick at the end of a step and half a kick at the beginning of the next are one whole kick. Two midpoint
// rules in a row are not one.
template <class T, class F>
constexpr bool kicks_merge(const F& field) {
  return is_free<F> || !depends_on_velocity<T>(field);
}

// n steps as they are, for a chain that must not merge them.
template <class M, class T, class F>
constexpr State<T> one_by_one(const System<T, F>& sys, State<T> s, const T& h, std::size_t n, Work& work) {
  auto memory = start<M>(sys, s, h, work);
  for (std::size_t i = 0; i < n; ++i) s = advance<M>(sys, s, memory, h, work);
  return s;
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
