// NO_SQUISH [MEPN02], the splitting of molecular dynamics codes: rotations of the quaternion q of the attitude and of
// its conjugate momentum p = 2 q (0, pi), both in R^4.
//
// The kinetic energy is sum_k (p . q e_k)^2 / (8 I_k), where e_k is the k-th imaginary unit and q e_k a product of
// quaternions. Each term turns both by the same angle in the planes that e_k spans,
//
//   q <- cos(a) q + sin(a) q e_k,   p <- cos(a) p + sin(a) p e_k,   a = tau (p . q e_k) / (4 I_k),
//
// for times h/2, h/2, h, h/2, h/2 about axes 3, 2, 1, 2, 3. A torque kicks p by h (q (0, tau_B)), half of it before and
// half after. On a rigid body this is mclachlan-reich-321 in other variables: the same to rounding. The codes carry p
// from step to step; here it is made of the body momentum at the beginning of each.
#pragma once

#include <string_view>

#include "polhode/methods/kick.hpp"

namespace polhode {

struct NoSquish : KeepsTorque {
  static constexpr std::string_view family = "mclachlan-reich";
  static constexpr std::string_view cite = "MEPN02";
  static constexpr std::string_view about =
      "rotations of the quaternion and its conjugate momentum, as in LAMMPS and HOOMD: mclachlan-reich-321 to rounding";
  static constexpr std::string_view good_for =
      "comparison with molecular dynamics codes: symplectic, explicit, one torque call a step";
  static constexpr std::string_view not_for =
      "new code: mclachlan-reich-321 is the same at less cost, and another order of the axes may be better";
  static constexpr Claims claims{.order_attitude = 2,
                                 .order_momentum = 2,
                                 .gains_with_velocity = Gains::one,
                                 .symmetric = true,
                                 .symplectic = true,
                                 .momentum_free = Keeps::exact,
                                 .momentum_along_field = Keeps::exact,
                                 .energy_free = Keeps::bounded,
                                 .energy = Keeps::bounded,
                                 .wheels = true,
                                 .batch = true};

  template <class T, class F>
  static constexpr State<T> step(const System<T, F>& sys, State<T> s, KeptTorque<T>& memory, const T& h, Work& work) {
    const T half = T(0.5) * h;
    kick(sys, s, memory, half, work);
    if (carries_wheels(sys)) [[unlikely]] {
      if constexpr (SumAtRunTime<F>) s = turned_with_wheels(sys.body, s, h);
    } else {
      s = turned(sys.body, s, h);
    }
    memory.torque_known = false;
    kick(sys, s, memory, half, work);
    return s;
  }

  // Without torque the turns about axis 3 at a joint are merged, with one the kicks; n steps evaluate it n + 1 times.
  template <class T, class F>
  static constexpr State<T> chain(const System<T, F>& sys, State<T> s, const T& h, std::size_t n, Work& work) {
    if (!kicks_merge<T>(sys.field) || carries_wheels(sys)) return one_by_one<NoSquish>(sys, s, h, n, work);
    if (n == 0) return s;
    const T half = T(0.5) * h;
    if constexpr (is_free<F>) {
      Rotation<T> q = s.R_SB, p = momentum_of(s);
      turn<2>(sys.body, q, p, half);
      for (std::size_t i = 1; i <= n; ++i) {
        inner_turns(sys.body, q, p, h);
        turn<2>(sys.body, q, p, i < n ? h : half);
        // Both by the same factor, added as below.
        const T excess = T(0.5) * (T(1) - squared_norm(q));
        q = {q.w + excess * q.w, q.v + excess * q.v};
        p = {p.w + excess * p.w, p.v + excess * p.v};
        s.t = s.t + h;
      }
      return state_of(q, p, s.t);
    } else {
      KeptTorque<T> memory;
      kick(sys, s, memory, half, work);
      for (std::size_t i = 1; i <= n; ++i) {
        s = turned(sys.body, s, h);
        memory.torque_known = false;
        kick(sys, s, memory, i < n ? h : half, work);
      }
      return s;
    }
  }

 private:
  template <class T>
  static constexpr Rotation<T> momentum_of(const State<T>& s) {
    return s.R_SB * Rotation<T>{T(0), s.pi_B + s.pi_B};
  }
  // Rounding lengthens q and p alike, and pi is half of q^-1 p, q^-1 being the conjugate of q over |q|^2. The
  // difference is added: a factor 1 + defect would be rounded with a bias.
  template <class T>
  static constexpr State<T> state_of(const Rotation<T>& q, const Rotation<T>& p, const T& t) {
    const T defect = T(1) - squared_norm(q);
    const Vec3<T> pi_B = T(0.5) * (inverse(q) * p).v;
    return {renormalised(q), pi_B + defect * pi_B, t};
  }

  // The five turns of a step.
  template <class T>
  static constexpr State<T> turned(const Body<T>& body, const State<T>& s, const T& h) {
    const T half = T(0.5) * h;
    Rotation<T> q = s.R_SB, p = momentum_of(s);
    turn<2>(body, q, p, half);
    inner_turns(body, q, p, h);
    turn<2>(body, q, p, half);
    return state_of(q, p, T(s.t + h));
  }
  // With wheels of momentum k a turn is by pi_k less k_k, half of p . q e_k less that.
  template <class T>
  [[gnu::noinline, gnu::cold]] static constexpr State<T> turned_with_wheels(const Body<T>& body, State<T> s, T h) {
    const T half = T(0.5) * h;
    const Vec3<T> k_B = body.wheels.at(T(s.t + half)), shift = times(T(T(-0.5)) * body.inverse_inertia, k_B);
    Rotation<T> q = s.R_SB, p = momentum_of(s);
    turn<2>(body, q, p, half, T(half * shift.z));
    turn<1>(body, q, p, half, T(half * shift.y));
    turn<0>(body, q, p, h, T(h * shift.x));
    turn<1>(body, q, p, half, T(half * shift.y));
    turn<2>(body, q, p, half, T(half * shift.z));
    return state_of(q, p, T(s.t + h));
  }
  template <class T>
  static constexpr void inner_turns(const Body<T>& body, Rotation<T>& q, Rotation<T>& p, const T& h) {
    const T half = T(0.5) * h;
    turn<1>(body, q, p, half);
    turn<0>(body, q, p, h);
    turn<1>(body, q, p, half);
  }

  // q e_k.
  template <int Axis, class T>
  static constexpr Rotation<T> times_unit(const Rotation<T>& q) {
    constexpr int j = (Axis + 1) % 3, k = (Axis + 2) % 3;
    Rotation<T> r;
    r.w = -q.v[Axis];
    r.v[Axis] = q.w;
    r.v[j] = q.v[k];
    r.v[k] = -q.v[j];
    return r;
  }

  // `shift`, of the angle, is what wheels take from it; there is none without them.
  template <int Axis, class T, class... Shift>
  static constexpr void turn(const Body<T>& body, Rotation<T>& q, Rotation<T>& p, const T& tau, const Shift&... shift) {
    const Rotation<T> qe = times_unit<Axis>(q), pe = times_unit<Axis>(p);
    const T of_body = T(0.25) * tau * body.inverse_inertia[Axis] * (p.w * qe.w + dot(p.v, qe.v));
    const T a = T((of_body + ... + shift));
    const CosSinc<T> f = cos_sinc_sqrt(T(a * a));
    const T c = f.cosine, d = a * f.sinc;
    q = {c * q.w + d * qe.w, c * q.v + d * qe.v};
    p = {c * p.w + d * pe.w, c * p.v + d * pe.v};
  }
};

}  // namespace polhode
