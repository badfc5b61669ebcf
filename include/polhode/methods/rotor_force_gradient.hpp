// The force-gradient splitting of order 4 with forward steps only [C97; OMF02], with the exact free rotor for the drift:
// a kick of h/6, half the motion, a kick of 2h/3 by a modified torque, half the motion, a kick of h/6.
//
// As vector fields, V kicks by tau(R) and [V, [T, V]] kicks by 2 (D tau a - tau x a), where a = I^-1 tau is the
// acceleration and D tau a the change of the torque as the body turns along it, which is run on a series of one term.
// The middle kick is by tau + h^2/48 of that.
#pragma once

#include <string_view>

#include "polhode/core/series.hpp"
#include "polhode/methods/rotor_splitting.hpp"

namespace polhode {

struct RotorForceGradient4 : KeepsTorque {
  static constexpr std::string_view family = "rotor splitting";
  static constexpr std::string_view cite = "C97; OMF02";
  static constexpr std::string_view about =
      "kicks with the gradient of the torque, exact free rotor: order 4, all steps forward";
  static constexpr std::string_view good_for = "long runs in a conservative field at medium accuracy, with few drifts";
  static constexpr std::string_view not_for =
      "torques known by values only; drag: in a torque that depends on the velocity the order is 2";
  static constexpr Claims claims = [] {
    Claims c = rotor_claims(4, 3);
    c.needs = Needs::series;
    return c;
  }();

  template <class T, class F>
  static constexpr State<T> step(const System<T, F>& sys, State<T> s, KeptTorque<T>& memory, const T& h, Work& work) {
    if constexpr (is_free<F>) {
      drift(sys.body, s, h);
    } else {
      const T t = s.t + h, half = T(0.5) * h;
      kick(sys, s, memory, T(h / T(6)), work);
      drift(sys.body, s, half);
      memory.torque_known = false;
      kick(sys, s, memory, T(h / T(1.5)), work);
      if (memory.torque_known) s.pi_B += T(h * h * h / T(36)) * gradient(sys, s, memory.torque_B, work);
      drift(sys.body, s, half);
      s.t = t;
      memory.torque_known = false;
      kick(sys, s, memory, T(h / T(6)), work);
    }
    return s;
  }

 private:
  // Half of [V, [T, V]].
  template <class T, class F>
  static constexpr Vec3<T> gradient(const System<T, F>& sys, const State<T>& s, const Vec3<T>& torque_B, Work& work) {
    static_assert(
        SeriesField<F, T> || requires(const F& f) { f.offers_series(); },
        "rotor-force-gradient-4 needs the torque on power series");
    using S = Series<T, 1>;
    const auto line = [](const T& value, const T& slope) {
      S x(value);
      x.c[1] = slope;
      return x;
    };
    const Vec3<T> a = sys.body.velocity(torque_B), w = sys.body.velocity(s.pi_B);
    const Rotation<T>&q = s.R_SB, dq = q * Rotation<T>{T(0), T(0.5) * a};
    const Rotation<S> R{line(q.w, dq.w), {line(q.v.x, dq.v.x), line(q.v.y, dq.v.y), line(q.v.z, dq.v.z)}};
    ++work.torque_evaluations;
    const Vec3<S> torque = torque_of(sys.field, R, Vec3<S>{S(w.x), S(w.y), S(w.z)}, S(s.t));
    return Vec3<T>{torque.x.c[1], torque.y.c[1], torque.z.c[1]} - cross(torque_B, a);
  }
};

}  // namespace polhode
