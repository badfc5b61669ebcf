// Memory of the methods that carry the spatial momentum: l_S moves by the torque alone, never by the rotation.
#pragma once

#include "polhode/methods/method.hpp"

namespace polhode {

template <class T>
struct CarriedMomentum {
  static constexpr bool carries_momentum = true;
  Vec3<T> momentum_S{};
  Vec3<T> torque_S{};  // at the present state, where the method keeps it
  T work_of_torque{};  // in the last step, where the method knows it
  bool torque_known = false;
  bool work_known = false;

  static constexpr CarriedMomentum of(const State<T>& s) {
    CarriedMomentum m;
    m.momentum_S = spatial_momentum(s);
    return m;
  }

  constexpr void attitude_changed() { torque_known = false; }
  constexpr CarriedMomentum reversed() const { return *this; }

  template <class F>
  constexpr Vec3<T> torque_at(const System<T, F>& sys, const State<T>& s, Work& work) const {
    return torque_known ? torque_S : torque_spatial(sys, s.R_SB, s.pi_B, s.t, work);
  }
  constexpr void keep_torque(const Vec3<T>& t_S) {
    torque_S = t_S;
    torque_known = true;
  }

  // The state after the turn exp(Y) of the body, f = |Y|. The momentum exp(-Y) R_0^T l = R_1^T l is found beside the
  // new attitude and not from it: that chain of operations is a third shorter.
  [[gnu::always_inline]] constexpr State<T> turned(const State<T>& s, const Vec3<T>& Y, const T& t) const {
    const CosSinc<T> half = cos_sinc_sqrt(T(T(0.25) * squared_norm(Y)));
    const Vec3<T> pi_0 = inlined::product(inverse(s.R_SB), momentum_S);
    const Vec3<T> Y_pi = cross(Y, pi_0);
    const Vec3<T> first = T(half.cosine * half.sinc) * Y_pi;                      // sin f / f
    const Vec3<T> second = T(half.sinc * half.sinc) * (T(0.5) * cross(Y, Y_pi));  // (1 - cos f) / f^2
    const Rotation<T> turn{half.cosine, T(T(0.5) * half.sinc) * Y};
    return {renormalised(inlined::product(s.R_SB, turn)), pi_0 - (first - second), t};
  }

  // The state at the new attitude; body momentum follows from the carried one.
  constexpr State<T> arrived(const Rotation<T>& R_SB, const T& t) const {
    return {renormalised(R_SB), inverse(R_SB) * momentum_S, t};
  }
};

// What the methods with this memory begin with.
struct CarriesMomentum {
  template <class T>
  using Memory = CarriedMomentum<T>;

  template <class T, class F>
  static constexpr Memory<T> start(const System<T, F>&, const State<T>& s, const T&, Work&) {
    return Memory<T>::of(s);
  }
};

}  // namespace polhode
