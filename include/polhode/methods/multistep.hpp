// Multistep methods that combine earlier angular velocities [B01, Sec. 3]: Adams-Bashforth-Moulton and the explicit
// method of Simo and Wong. Two of each: as the formulas read, and as the paper's numbers were computed.
//
// The history holds what was left behind; the present entry is computed from the present state at the beginning of each
// step, so that a projection between steps enters the history by itself. Steps must be equal.
#pragma once

#include <array>
#include <string_view>

#include "polhode/methods/munthe_kaas.hpp"
#include "polhode/methods/taylor.hpp"

namespace polhode {

template <class T, std::size_t Past>
struct History : CarriedMomentum<T> {
  std::array<Vec3<T>, Past> velocity{};  // newest first; spatial or body axes as the method says
  std::array<Vec3<T>, Past> torque_S_past{};
  std::size_t filled = 0;

  static constexpr History of(const State<T>& s) { return {CarriedMomentum<T>::of(s), {}, {}, 0}; }
  constexpr History reversed() const { return of_momentum(this->momentum_S); }

  constexpr void push(const Vec3<T>& w, const Vec3<T>& t_S) {
    for (std::size_t i = Past; i-- > 1;) {
      velocity[i] = velocity[i - 1];
      torque_S_past[i] = torque_S_past[i - 1];
    }
    velocity[0] = w;
    torque_S_past[0] = t_S;
    if (filled < Past) ++filled;
  }

 private:
  // A history of one direction of time is of no use in the other: start anew.
  static constexpr History of_momentum(const Vec3<T>& l_S) {
    History h;
    h.momentum_S = l_S;
    return h;
  }
};

// A step of another method on the same carried momentum: how the first entries of a history are made.
template <class Starter, int Substeps, class T, class F>
constexpr State<T> start_step(const System<T, F>& sys, State<T> s, CarriedMomentum<T>& carried, const T& h,
                              Work& work) {
  carried.torque_known = false;
  for (int i = 0; i < Substeps; ++i) s = Starter::step(sys, s, carried, T(h / T(Substeps)), work);
  return s;
}

// Adams-Bashforth predictor (55, -59, 37, -9)/24 and one Adams-Moulton corrector (9, 19, -5, 1)/24 on spatial
// velocities. `AsPrinted` carries the predicted body velocity to space with the old attitude and starts with five
// first-order substeps per step: that is what reproduces the paper's rows.
template <bool AsPrinted>
struct AdamsBashforthMoulton4 {
  static constexpr std::string_view family = "multistep";
  static constexpr std::string_view cite = "B01, Sec. 3";
  static constexpr std::string_view about = AsPrinted
                                                ? "Adams predictor-corrector as the paper's AB-AM rows were computed"
                                                : "Adams-Bashforth-Moulton predictor-corrector on spatial velocities";
  static constexpr std::string_view good_for = AsPrinted
                                                   ? "reproducing the paper's AB-AM rows"
                                                   : "seeing what averaging velocities of different attitudes costs";
  static constexpr std::string_view not_for =
      "anything else: second order for four values of history, and equal steps only";
  static constexpr Claims claims{.order_attitude = 2,
                                 .order_momentum = 2,
                                 .momentum_free = Keeps::exact,
                                 .momentum_along_field = Keeps::exact,
                                 .torque_evaluations = 2,
                                 .variable_steps = false};

  template <class T>
  using Memory = History<T, 3>;

  template <class T, class F>
  static constexpr Memory<T> start(const System<T, F>&, const State<T>& s, const T&, Work&) {
    return Memory<T>::of(s);
  }

  template <class T, class F>
  static constexpr State<T> step(const System<T, F>& sys, const State<T>& s, Memory<T>& memory, const T& h,
                                 Work& work) {
    const Vec3<T> w_S = s.R_SB * sys.body.velocity(s.pi_B);
    const Vec3<T> t_S = torque_spatial(sys, s.R_SB, s.pi_B, s.t, work);
    State<T> next;
    if (memory.filled < 3) {
      next = AsPrinted ? start_step<Taylor<1>, 5>(sys, s, memory, h, work)
                       : start_step<MuntheKaas4, 1>(sys, s, memory, h, work);
    } else {
      next = predict_and_correct(sys, s, memory, w_S, t_S, h, work);
    }
    memory.push(w_S, t_S);
    return next;
  }

 private:
  template <class T>
  static constexpr Vec3<T> combine(const std::array<int, 4>& weights, const Vec3<T>& newest, const Vec3<T>& second,
                                   const Vec3<T>& third, const Vec3<T>& oldest) {
    return T(T(1) / T(24)) *
           (T(weights[0]) * newest + T(weights[1]) * second + T(weights[2]) * third + T(weights[3]) * oldest);
  }

  template <class T, class F>
  static constexpr State<T> predict_and_correct(const System<T, F>& sys, const State<T>& s, Memory<T>& memory,
                                                const Vec3<T>& w_S, const Vec3<T>& t_S, const T& h, Work& work) {
    constexpr std::array<int, 4> bashforth{55, -59, 37, -9}, moulton{9, 19, -5, 1};
    const auto& w = memory.velocity;
    const auto& t = memory.torque_S_past;
    const Rotation<T> R_p = exp(h * combine(bashforth, w_S, w[0], w[1], w[2])) * s.R_SB;
    const Vec3<T> l_p = memory.momentum_S + h * combine(bashforth, t_S, t[0], t[1], t[2]);
    const Vec3<T> pi_p = inverse(R_p) * l_p;
    const Vec3<T> w_p = (AsPrinted ? s.R_SB : R_p) * sys.body.velocity(pi_p);
    const Vec3<T> t_p = torque_spatial(sys, R_p, pi_p, T(s.t + h), work);
    if constexpr (!is_free<F>) memory.momentum_S += h * combine(moulton, t_p, t_S, t[0], t[1]);
    return memory.arrived(Rotation<T>(exp(h * combine(moulton, w_p, w_S, w[0], w[1])) * s.R_SB), T(s.t + h));
  }
};

// The explicit method of Simo and Wong as Buss states it: R <- R exp(h (nu + h/2 a)) with the acceleration a from the
// last two body velocities, a = (nu_i - nu_(i-1))/h. `AsPrinted` leaves out the 1/h, which reproduces the paper's row,
// costs one order and makes the result depend on the unit of time: the second is meant.
template <bool AsPrinted>
struct SimoWongExplicit {
  static constexpr std::string_view family = "multistep";
  static constexpr std::string_view cite = "SW91; B01, Sec. 3";
  static constexpr std::string_view about =
      AsPrinted ? "Simo and Wong's explicit method as the paper's row was computed: the 1/h is missing"
                : "Simo and Wong's explicit method: acceleration from the last two body velocities";
  static constexpr std::string_view good_for =
      AsPrinted ? "reproducing the paper's row" : "second order with one torque call where a history is at hand";
  static constexpr std::string_view not_for = AsPrinted
                                                  ? "anything else: first order, and it depends on the unit of time"
                                                  : "steps that change, impulses, long runs";
  static constexpr int order = AsPrinted ? 1 : 2;
  static constexpr Claims claims{.order_attitude = order,
                                 .order_momentum = order,
                                 .momentum_free = Keeps::exact,
                                 .momentum_along_field = Keeps::exact,
                                 .variable_steps = false};

  template <class T>
  using Memory = History<T, 1>;

  template <class T, class F>
  static constexpr Memory<T> start(const System<T, F>&, const State<T>& s, const T&, Work&) {
    return Memory<T>::of(s);
  }

  template <class T, class F>
  static constexpr State<T> step(const System<T, F>& sys, const State<T>& s, Memory<T>& memory, const T& h,
                                 Work& work) {
    const Vec3<T> nu_B = sys.body.velocity(s.pi_B);
    const Vec3<T> t_S = torque_spatial(sys, s.R_SB, s.pi_B, s.t, work);
    State<T> next;
    if (memory.filled == 0) {
      next = AsPrinted ? start_step<Taylor<1>, 5>(sys, s, memory, h, work)
                       : start_step<Taylor<2>, 1>(sys, s, memory, h, work);
    } else {
      const Vec3<T> change = nu_B - memory.velocity[0];
      const Vec3<T> mean_B = nu_B + T(AsPrinted ? T(T(0.5) * h / sys.body.second) : T(0.5)) * change;
      if constexpr (!is_free<F>) memory.momentum_S += T(T(0.5) * h) * (T(3) * t_S - memory.torque_S_past[0]);
      next = memory.arrived(Rotation<T>(s.R_SB * exp(h * mean_B)), T(s.t + h));
    }
    memory.push(nu_B, t_S);
    return next;
  }
};

}  // namespace polhode
