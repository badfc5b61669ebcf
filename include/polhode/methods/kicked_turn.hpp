// Methods that turn a free body and kick it.
//
// The torque kicks the momentum at fixed attitude, pi <- pi + h/2 tau_B, before and after a turn of the free body,
// R <- R F, pi <- F^-1 pi, with a rotation F that the method finds from pi and h. The spatial momentum R pi of a free
// body is thereby kept however F is found. A step costs one evaluation (kick.hpp).
//
// Wheels of momentum k add - k . I^-1 pi to the kinetic energy of a body without them. Such a term, linear in the momentum,
// turns the body at a constant rate: for half the step before the turn of the free body, and for half of it after. Order 2,
// symmetry, symplecticity and the whole momentum stay.
#pragma once

#include "polhode/methods/kick.hpp"

namespace polhode {

// R <- R exp(q), pi <- exp(-q) pi.
template <class T>
POLHODE_INLINED constexpr void turn(State<T>& s, const Vec3<T>& q) {
  const CosSinc<T> half = cos_sinc_sqrt(T(T(0.25) * squared_norm(q)));
  const Vec3<T> q_pi = cross(q, s.pi_B);
  const Vec3<T> first = T(half.cosine * half.sinc) * q_pi;                      // sin f / f
  const Vec3<T> second = T(half.sinc * half.sinc) * (T(0.5) * cross(q, q_pi));  // (1 - cos f) / f^2
  s.pi_B = s.pi_B - (first - second);
  s.R_SB = renormalised(inlined::product(s.R_SB, Rotation<T>{half.cosine, T(T(0.5) * half.sinc) * q}));
}

// The same by cay(2 y), whose quaternion is (1, y) / sqrt(1 + |y|^2): y is tan(f/2) times the axis.
template <class T>
POLHODE_INLINED constexpr void turn_by_cayley(State<T>& s, const Vec3<T>& y) {
  const T weight = T(1) / (T(1) + squared_norm(y));
  const Vec3<T> y_pi = cross(y, s.pi_B), bracket = cross(y, y_pi) - y_pi;
  s.pi_B = s.pi_B + T(weight + weight) * bracket;
  s.R_SB = normalised(inlined::product(s.R_SB, Rotation<T>{T(1), y}));
}

template <class T>
[[gnu::noinline, gnu::cold]] constexpr State<T> turned_by_wheels(const Body<T>& body, T t, State<T> s, T h) {
  turn(s, Vec3<T>(-h * body.velocity(body.wheels.at(t))));
  return s;
}

// A method is a KickedTurn of itself if it has a static turn_free(body, state, h, work) that turns the free body.
template <class M>
struct KickedTurn : KeepsTorque {
  template <class T, class F>
  POLHODE_INLINED static constexpr State<T> step(const System<T, F>& sys, State<T> s, KeptTorque<T>& memory, const T& h,
                                                 Work& work) {
    const T half = T(0.5) * h;
    kick(sys, s, memory, half, work);
    const T middle = s.t + half;
    if constexpr (SumAtRunTime<F> && M::claims.wheels) {
      if (sys.body.carries_wheels) [[unlikely]]
        s = turned_by_wheels(sys.body, middle, s, half);
    }
    M::turn_free(sys.body, s, h, work);
    if constexpr (SumAtRunTime<F> && M::claims.wheels) {
      if (sys.body.carries_wheels) [[unlikely]]
        s = turned_by_wheels(sys.body, middle, s, half);
    }
    s.t = s.t + h;
    memory.torque_known = false;
    kick(sys, s, memory, half, work);
    return s;
  }
};

}  // namespace polhode
