// Multistep methods that combine how the attitude changed in earlier steps [B01, Sec. 3]: Adams-Bashforth-Moulton with
// several ways to combine rotations, and the explicit method of Simo and Wong. Two of them also in the form
// that gives the paper's numbers, which we inferred (docs/errata.md).
//
// The history holds what was left behind; the present entry is computed from the present state at the beginning of each
// step, so that a projection between steps enters the history by itself.
#pragma once

#include <array>
#include <string_view>

#include "polhode/methods/munthe_kaas.hpp"
#include "polhode/methods/rotation_mean.hpp"
#include "polhode/methods/taylor.hpp"

namespace polhode {

template <class T, std::size_t Past, class Rate = Vec3<T>>
struct History : CarriedMomentum<T> {
  std::array<Rate, Past> rate{};  // newest first: angular velocities, in the axes that the method says, or quaternions
  std::array<Vec3<T>, Past> torque_S_past{};
  std::size_t filled = 0;

  static constexpr History of(const State<T>& s) { return of_momentum(spatial_momentum(s)); }
  // A history of one direction of time is of no use in the other: start anew.
  constexpr History reversed() const { return of_momentum(this->momentum_S); }

  constexpr void push(const Rate& newest, const Vec3<T>& t_S) {
    for (std::size_t i = Past; i-- > 1;) {
      rate[i] = rate[i - 1];
      torque_S_past[i] = torque_S_past[i - 1];
    }
    rate[0] = newest;
    torque_S_past[0] = t_S;
    if (filled < Past) ++filled;
  }

 private:
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

// Adams-Bashforth predicts, Adams-Moulton corrects once; both weights are over 24.
inline constexpr MeanWeights bashforth_weights{{55, -59, 37, -9}}, moulton_weights{{9, 19, -5, 1}};

template <class T>
constexpr Vec3<T> combined(const MeanWeights& weights, const std::array<Vec3<T>, 4>& values) {
  const auto& w = weights.over;
  return T(T(1) / T(24)) * (T(w[0]) * values[0] + T(w[1]) * values[1] + T(w[2]) * values[2] + T(w[3]) * values[3]);
}

// What ABM4 does with the rates of four times, newest first, is one of these. Those of the first kind are angular
// velocities in spatial axes, of bodies at different attitudes: whatever mean is taken of them, the order is 2.
struct CombinesVelocities {
  template <class T>
  using Rate = Vec3<T>;
  static constexpr int order = 2;
  static constexpr bool as_printed = false;

  template <class T>
  static constexpr Vec3<T> rate(const Rotation<T>& R_SB, const Vec3<T>& w_B) {
    return R_SB * w_B;
  }
};

// One turn by their mean.
struct TurnByMeanVelocity : CombinesVelocities {
  static constexpr std::string_view cite = "B01, Sec. 3";
  static constexpr std::string_view about = "Adams-Bashforth-Moulton predictor-corrector on spatial velocities";
  static constexpr std::string_view good_for = "seeing what averaging velocities of different attitudes costs";
  static constexpr std::string_view not_for =
      "anything else: second order for four values of history, and equal steps only";

  template <class T>
  static constexpr Rotation<T> turned(const Rotation<T>& R_SB, const std::array<Vec3<T>, 4>& w_S,
                                      const MeanWeights& weights, const T& h, Work&) {
    return exp(h * combined(weights, w_S)) * R_SB;
  }
};

// The same with the predicted body velocity carried to space by the old attitude, and begun with five first-order
// substeps per step: that is what reproduces the paper's rows.
struct TurnAsPrinted : TurnByMeanVelocity {
  static constexpr bool as_printed = true;
  static constexpr std::string_view about =
      "Adams predictor-corrector in the form, inferred, that gives the paper's AB-AM rows";
  static constexpr std::string_view good_for = "reproducing the paper's AB-AM rows";
};

// The four turns as quaternions, averaged in R^4 and normalised: what the text of the paper describes.
struct MeanTurnInSpace : CombinesVelocities {
  static constexpr std::string_view cite = "B01, Sec. 3";
  static constexpr std::string_view about = "Adams-Bashforth-Moulton, four rotations averaged as quaternions in R^4";
  static constexpr std::string_view good_for = "seeing that averaged quaternions keep second order only";
  static constexpr std::string_view not_for = TurnByMeanVelocity::not_for;

  template <class T>
  static constexpr Rotation<T> turned(const Rotation<T>& R_SB, const std::array<Vec3<T>, 4>& w_S,
                                      const MeanWeights& weights, const T& h, Work&) {
    return mean_of_quaternions(turns_of(w_S, h), weights) * R_SB;
  }
};

// The same on the sphere, as a footnote of the paper mentions.
struct MeanTurnOnSphere : CombinesVelocities {
  static constexpr std::string_view cite = "B01, Sec. 3; BF01";
  static constexpr std::string_view about = "Adams-Bashforth-Moulton, four rotations averaged on the sphere S^3";
  static constexpr std::string_view good_for = "the same with the average taken on the sphere";
  static constexpr std::string_view not_for = TurnByMeanVelocity::not_for;

  template <class T>
  static constexpr Rotation<T> turned(const Rotation<T>& R_SB, const std::array<Vec3<T>, 4>& w_S,
                                      const MeanWeights& weights, const T& h, Work& work) {
    return mean_on_sphere(turns_of(w_S, h), weights, work) * R_SB;
  }
};

// The quaternion of the attitude as four numbers that obey q' = q w_B/2, normalised after each formula: what is combined
// lies in one linear space, and order 4 stays.
struct QuaternionRates {
  template <class T>
  using Rate = Rotation<T>;
  static constexpr int order = 4;
  static constexpr bool as_printed = false;
  static constexpr std::string_view cite = "HNW93, Sec. III.1";
  static constexpr std::string_view about =
      "Adams-Bashforth-Moulton on the components of the quaternion, normalised: order 4, unlike the averages";
  static constexpr std::string_view good_for = "fourth order with two torque calls, at small steps of equal length";
  static constexpr std::string_view not_for =
      "steps that change or are longer than a tenth of a radian, long runs: energy drifts";

  template <class T>
  static constexpr Rotation<T> rate(const Rotation<T>& R_SB, const Vec3<T>& w_B) {
    return inlined::rate(R_SB, Vec3<T>(T(0.5) * w_B));
  }
  template <class T>
  static constexpr Rotation<T> turned(const Rotation<T>& q, const std::array<Rotation<T>, 4>& rates,
                                      const MeanWeights& weights, const T& h, Work&) {
    Rotation<T> sum{T(0), {}};
    for (std::size_t i = 0; i < 4; ++i) {
      sum.w = sum.w + T(weights.over[i]) * rates[i].w;
      sum.v += T(weights.over[i]) * rates[i].v;
    }
    const T share = h / T(24);
    return normalised(Rotation<T>{q.w + share * sum.w, q.v + share * sum.v});
  }
};

// The torque in space is combined by the same weights, and moves the carried momentum.
template <class Combination = TurnByMeanVelocity>
struct AdamsBashforthMoulton4 {
  static constexpr std::string_view family = "multistep";
  static constexpr std::string_view cite = Combination::cite;
  static constexpr std::string_view about = Combination::about;
  static constexpr std::string_view good_for = Combination::good_for;
  static constexpr std::string_view not_for = Combination::not_for;
  static constexpr Claims claims{.order_attitude = Combination::order,
                                 .order_momentum = Combination::order,
                                 .momentum_free = Keeps::exact,
                                 .momentum_along_field = Keeps::exact,
                                 .torque_evaluations = 2,
                                 .variable_steps = false,
                                 .multistep = true,
                                 .wheels = true};

  template <class T>
  using Rate = typename Combination::template Rate<T>;
  template <class T>
  using Memory = History<T, 3, Rate<T>>;

  template <class T, class F>
  static constexpr Memory<T> start(const System<T, F>&, const State<T>& s, const T&, Work&) {
    return Memory<T>::of(s);
  }

  template <class T, class F>
  static constexpr State<T> step(const System<T, F>& sys, const State<T>& s, Memory<T>& memory, const T& h,
                                 Work& work) {
    const Vec3<T> w_B = velocity_at(sys, s.pi_B, s.t);
    const Rate<T> rate = Combination::rate(s.R_SB, w_B);
    const Vec3<T> t_S = spatial_torque_at_velocity(sys, s.R_SB, w_B, s.t, work);
    State<T> next;
    if (memory.filled < 3) {
      next = Combination::as_printed ? start_step<Taylor<1>, 5>(sys, s, memory, h, work)
                                     : start_step<MuntheKaas4, 1>(sys, s, memory, h, work);
    } else {
      next = predict_and_correct(sys, s, memory, rate, t_S, h, work);
    }
    memory.push(rate, t_S);
    return next;
  }

 private:
  template <class T, class F>
  static constexpr State<T> predict_and_correct(const System<T, F>& sys, const State<T>& s, Memory<T>& memory,
                                                const Rate<T>& rate, const Vec3<T>& t_S, const T& h, Work& work) {
    const auto& past = memory.rate;
    const auto& t = memory.torque_S_past;
    const Rotation<T> R_p = Combination::turned(s.R_SB, std::array<Rate<T>, 4>{rate, past[0], past[1], past[2]},
                                                bashforth_weights, h, work);
    const Vec3<T> l_p =
        memory.momentum_S + h * combined(bashforth_weights, std::array<Vec3<T>, 4>{t_S, t[0], t[1], t[2]});
    const Vec3<T> pi_p = inverse(R_p) * l_p;
    const Vec3<T> w_p = velocity_at(sys, pi_p, T(s.t + h));
    const Rate<T> rate_p = Combination::rate(Combination::as_printed ? s.R_SB : R_p, w_p);
    const Vec3<T> t_p = spatial_torque_at_velocity(sys, R_p, w_p, T(s.t + h), work);
    if constexpr (!is_free<F>)
      memory.momentum_S += h * combined(moulton_weights, std::array<Vec3<T>, 4>{t_p, t_S, t[0], t[1]});
    const Rotation<T> R_1 =
        Combination::turned(s.R_SB, std::array<Rate<T>, 4>{rate_p, rate, past[0], past[1]}, moulton_weights, h, work);
    return memory.arrived(R_1, T(s.t + h));
  }
};

// The explicit method of Simo and Wong as Buss states it: R <- R exp(h (nu + h/2 a)) with the acceleration a from the
// last two body velocities, a = (nu_i - nu_(i-1))/h_(i-1). The paper has equal steps in mind and says that the method
// "is easily modified to handle unequal time intervals": with the length of the step between the two velocities, and the
// torque by the Adams-Bashforth formula for that ratio of the steps. `AsPrinted` leaves out the 1/h, which reproduces the
// paper's row, costs one order and makes the result depend on the unit of time: the second is meant.
template <bool AsPrinted>
struct SimoWongExplicit {
  static constexpr std::string_view family = "multistep";
  static constexpr std::string_view cite = "SW91; B01, Sec. 3";
  static constexpr std::string_view about =
      AsPrinted ? "Simo and Wong's explicit method in the form, inferred, that gives the paper's row: without the 1/h"
                : "Simo and Wong's explicit method: acceleration from the last two body velocities";
  static constexpr std::string_view good_for =
      AsPrinted ? "reproducing the paper's row" : "second order with one torque call where a history is at hand";
  static constexpr std::string_view not_for = AsPrinted
                                                  ? "anything else: first order, and it depends on the unit of time"
                                                  : "torques that jump, long runs: energy drifts";
  static constexpr int order = AsPrinted ? 1 : 2;
  static constexpr Claims claims{.order_attitude = order,
                                 .order_momentum = order,
                                 .momentum_free = Keeps::exact,
                                 .momentum_along_field = Keeps::exact,
                                 .variable_steps = !AsPrinted,
                                 .multistep = true,
                                 .wheels = true};

  template <class T>
  struct Memory : History<T, 1> {
    T step_before{};  // between the past entry and the present

    constexpr Memory reversed() const { return {History<T, 1>::reversed(), T(0)}; }
  };

  template <class T, class F>
  static constexpr Memory<T> start(const System<T, F>&, const State<T>& s, const T&, Work&) {
    return {History<T, 1>::of(s), T(0)};
  }

  template <class T, class F>
  static constexpr State<T> step(const System<T, F>& sys, const State<T>& s, Memory<T>& memory, const T& h,
                                 Work& work) {
    const Vec3<T> nu_B = velocity_at(sys, s.pi_B, s.t);
    const Vec3<T> t_S = spatial_torque_at_velocity(sys, s.R_SB, nu_B, s.t, work);
    State<T> next;
    if (memory.filled == 0) {
      next = AsPrinted ? start_step<Taylor<1>, 5>(sys, s, memory, h, work)
                       : start_step<Taylor<2>, 1>(sys, s, memory, h, work);
    } else {
      const T ratio = AsPrinted ? T(1) : T(h / memory.step_before);
      const Vec3<T> change = nu_B - memory.rate[0];
      const Vec3<T> mean_B = nu_B + T(T(0.5) * (AsPrinted ? T(h / sys.body.second) : ratio)) * change;
      if constexpr (!is_free<F>)
        memory.momentum_S += T(T(0.5) * h) * (T(T(2) + ratio) * t_S - ratio * memory.torque_S_past[0]);
      next = memory.arrived(Rotation<T>(s.R_SB * exp(h * mean_B)), T(s.t + h));
    }
    memory.push(nu_B, t_S);
    memory.step_before = h;
    return next;
  }
};

}  // namespace polhode
