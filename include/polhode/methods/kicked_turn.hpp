// Methods that turn a free body and kick it.
//
// The torque kicks the momentum at fixed attitude, pi <- pi + h/2 tau_B, before and after a turn of the free body,
// R <- R F, pi <- F^-1 pi, with a rotation F that the method finds from pi and h. The spatial momentum R pi of a free
// body is thereby kept however F is found. The last torque is kept too, so that a step costs one evaluation.
//
// A torque that depends on the angular velocity is no kick of a Hamiltonian. It is applied at frozen attitude by the
// explicit midpoint rule in pi: order 2 stays, symmetry and symplecticity do not.
#pragma once

#include "polhode/methods/method.hpp"

namespace polhode {

template <class T>
struct KeptTorque {
  Vec3<T> torque_B{};
  bool torque_known = false;
  void attitude_changed() { torque_known = false; }
  KeptTorque reversed() const { return *this; }
};

template <class T, class F>
[[gnu::always_inline]] inline void kick(const System<T, F>& sys, State<T>& s, KeptTorque<T>& memory, const T& h,
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

// R <- R exp(q), pi <- exp(-q) pi.
template <class T>
[[gnu::always_inline]] inline void turn(State<T>& s, const Vec3<T>& q) {
  const CosSinc<T> half = cos_sinc_sqrt(T(T(0.25) * squared_norm(q)));
  const Vec3<T> q_pi = cross(q, s.pi_B);
  const Vec3<T> first = T(half.cosine * half.sinc) * q_pi;                      // sin f / f
  const Vec3<T> second = T(half.sinc * half.sinc) * (T(0.5) * cross(q, q_pi));  // (1 - cos f) / f^2
  s.pi_B = s.pi_B - (first - second);
  s.R_SB = renormalised(inlined::product(s.R_SB, Rotation<T>{half.cosine, T(T(0.5) * half.sinc) * q}));
}

// The same by cay(2 y), whose quaternion is (1, y) / sqrt(1 + |y|^2): y is tan(f/2) times the axis.
template <class T>
[[gnu::always_inline]] inline void turn_by_cayley(State<T>& s, const Vec3<T>& y) {
  const T weight = T(1) / (T(1) + squared_norm(y));
  const Vec3<T> y_pi = cross(y, s.pi_B), bracket = cross(y, y_pi) - y_pi;
  s.pi_B = s.pi_B + T(weight + weight) * bracket;
  s.R_SB = normalised(inlined::product(s.R_SB, Rotation<T>{T(1), y}));
}

// A method is a KickedTurn of itself if it has a static turn_free(body, state, h, work) that turns the free body.
template <class M>
struct KickedTurn {
  static constexpr int order_with_velocity = 2;

  template <class T>
  using Memory = KeptTorque<T>;

  template <class T, class F>
  static Memory<T> start(const System<T, F>&, const State<T>&, const T&, Work&) {
    return {};
  }

  template <class T, class F>
  [[gnu::always_inline]] static State<T> step(const System<T, F>& sys, State<T> s, Memory<T>& memory, const T& h,
                                              Work& work) {
    const T half = T(0.5) * h;
    kick(sys, s, memory, half, work);
    M::turn_free(sys.body, s, h, work);
    s.t = s.t + h;
    memory.torque_known = false;
    kick(sys, s, memory, half, work);
    return s;
  }
};

}  // namespace polhode
