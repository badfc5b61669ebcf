// The motion at the nodes of a step, side by side (picard_lobatto.hpp): its rates, one sweep, and what sweeps and
// collocation leave.
#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include "polhode/core/lanes.hpp"
#include "polhode/methods/picard_tables.hpp"
#include "polhode/model/field.hpp"

namespace polhode::picard {

// (q, v) or its rate of change: the four numbers of the quaternion, the three of half the body velocity.
template <class S>
using Motion = std::array<S, 7>;

template <class S>
[[gnu::always_inline]] constexpr Rotation<S> attitude(const Motion<S>& y) {
  return {y[0], {y[1], y[2], y[3]}};
}
template <class S>
[[gnu::always_inline]] constexpr Vec3<S> half_velocity(const Motion<S>& y) {
  return {y[4], y[5], y[6]};
}
template <class S>
[[gnu::always_inline]] constexpr Motion<S> motion(const Rotation<S>& q, const Vec3<S>& v) {
  return {q.w, q.v.x, q.v.y, q.v.z, v.x, v.y, v.z};
}

// The last node is where the next step begins.
template <class T, std::size_t N>
struct Memory {
  static constexpr bool carries_momentum = true;
  Vec3<T> momentum_S{};
  std::array<AtNodes<T, N>, 7> motion{}, rate{};  // of the last step
  std::array<AtNodes<T, N>, 3> torque_S{};
  std::array<AtNodes<T, N>, 7> first_rate{};  // at its beginning, the same in all lanes
  std::array<T, 7> lost{};                    // of the motion at the last node, in rounding
  Vec3<T> momentum_lost_S{};
  Tables<T, N> tables;
  T past_h{};              // how long that was
  bool knows_end = false;  // the last node is where the body is
  bool has_past = false;   // and the polynomial leads there
  int since_velocity_set = 0;
  int sweeps_made = 0;  // in the last step, taken or not

  T tolerance{};  // attitude error of each of its own steps [rad]; zero: steps and sweeps as they come
  T own_step{};   // [s], positive; zero: yet to be found
  T longest{};    // that sweeps can be expected to settle
  int sweeps = 0;
  T contraction{1};        // of changes from sweep to sweep
  T collocation_error{};   // of the last step [rad]
  bool step_taken = true;  // or it was too long

  constexpr void attitude_changed() { knows_end = false; }
  // The polynomial runs on in one direction of time only.
  constexpr Memory reversed() const {
    Memory other = *this;
    other.has_past = false;
    return other;
  }
};

template <std::size_t N>
struct Nodes {
  // tau_B at every lane: in one call, or lane by lane where the field knows single attitudes only.
  template <class S, class T, class F>
  [[gnu::always_inline]] static constexpr Vec3<S> torque(const F& field, const Rotation<S>& R_SB, const Vec3<S>& w_B,
                                                         const S& t) {
    if constexpr (is_free<F>) {
      return {S(T(0)), S(T(0)), S(T(0))};
    } else if constexpr (TorqueField<F, S>) {
      return torque_of(field, R_SB, w_B, t);
    } else {
      return torque_lane_by_lane<T>(field, R_SB, w_B, t);
    }
  }

  template <class S>
  struct Rates {
    Motion<S> of_motion;
    Vec3<S> torque_B;
  };

  template <class S, class T, class F>
  [[gnu::always_inline]] static constexpr Rates<S> rates(const Body<T>& body, const F& field, const Motion<S>& y,
                                                         const S& t) {
    const Vec3<T> g = T(2) * body.gyroscopic(), &J = body.inverse_inertia;
    const Rotation<S> q = attitude(y);
    const Vec3<S> v = half_velocity(y);
    Vec3<S> acceleration{S(g.x) * (v.y * v.z), S(g.y) * (v.z * v.x), S(g.z) * (v.x * v.y)};
    Vec3<S> tau_B{};
    if constexpr (!is_free<F>) {
      tau_B = torque<S, T>(field, q, v + v, t);
      acceleration = {acceleration.x + S(T(T(0.5) * J.x)) * tau_B.x, acceleration.y + S(T(T(0.5) * J.y)) * tau_B.y,
                      acceleration.z + S(T(T(0.5) * J.z)) * tau_B.z};
    }
    return {motion(inlined::rate(q, v), acceleration), tau_B};
  }

  static constexpr std::make_index_sequence<N / 2> pairs{};

  // From one end to the other [rad]; a change of velocity counts as what it turns in a step.
  template <class S, class T>
  [[gnu::always_inline]] static constexpr T turn_between(const Motion<S>& a, const Motion<S>& b, const T& h) {
    T of_attitude(0), of_velocity(0);
    for (std::size_t k = 0; k < 4; ++k) of_attitude = of_attitude + square(T(b[k].back() - a[k].back()));
    for (std::size_t k = 4; k < 7; ++k) of_velocity = of_velocity + square(T(b[k].back() - a[k].back()));
    return T(2) * T(sqrt(T(of_attitude + h * h * of_velocity)));
  }
  template <class T>
  [[gnu::always_inline]] static constexpr T square(const T& x) {
    return x * x;
  }

  // [rad], from the last Legendre coefficient of the rates; see picard_lobatto.hpp.
  template <class S, class T>
  [[gnu::always_inline]] static constexpr T collocation_error(const Motion<S>& rate, const Motion<S>& Y,
                                                              const Memory<T, N>& memory) {
    const UnitTables<T, N>& unit = UnitTables<T, N>::get();
    const S coefficient = S::load(unit.last_coefficient);
    const T& h = memory.tables.h;
    T of_attitude(0), of_velocity(0), speed(0);
    for (std::size_t k = 0; k < 7; ++k) {
      const T a = (coefficient * rate[k]).sum() + unit.first_in_last_coefficient * memory.rate[k][N - 1];
      (k < 4 ? of_attitude : of_velocity) = (k < 4 ? of_attitude : of_velocity) + a * a;
      if (k >= 4) speed = speed + square(T(Y[k].back()));
    }
    const T squared = h * h * (of_attitude + h * h * of_velocity);
    const T z = max(T(abs(h) * T(sqrt(speed))), T(sqrt(squared)));
    return z > T(0) ? T(T(2 * (N == 4 ? 0.0557 : 0.0294)) * squared / z) : T(0);
  }

  // At high accuracy the sweeps work on D = Y - y_0: next to y_0 it would be rounded in every step, and the motion spreads
  // what is lost. Otherwise D is Y itself.
  static constexpr bool carries_rounding = N > 4;

  template <class S>
  [[gnu::always_inline]] static constexpr Motion<S> there(const Motion<S>& y_0, const Motion<S>& D) {
    if constexpr (carries_rounding) {
      Motion<S> Y;
#pragma GCC unroll 7
      for (std::size_t k = 0; k < 7; ++k) Y[k] = y_0[k] + D[k];
      return Y;
    } else {
      return D;
    }
  }
  // a + b = sum + lost, whichever is larger.
  template <class S>
  [[gnu::always_inline]] static constexpr S lost_in_sum(const S& a, const S& b, const S& sum) {
    const S part = sum - a;
    return (a - (sum - part)) + (b - part);
  }

  // After a long step the length is off by more than rounding: q/sqrt(1 + e), to the fourth power of e.
  template <class T, class S>
  [[gnu::always_inline]] static constexpr Motion<S> of_unit_length(const Motion<S>& y_0, Motion<S>& D) {
    const Motion<S> Y = there(y_0, D);
    const S e = (Y[0] * Y[0] + Y[1] * Y[1]) + (Y[2] * Y[2] + Y[3] * Y[3]) - S(T(1));
    const S growth = -e * (S(T(0.5)) - e * (S(T(0.375)) - e * (S(T(0.3125)) - e * S(T(0.2734375)))));
#pragma GCC unroll 4
    for (std::size_t k = 0; k < 4; ++k) D[k] = D[k] + Y[k] * growth;
    return there(y_0, D);
  }

  // In a scalar without vectors, whose products may be calls, the nodes are a lot of code: a sweep is then called.
  template <class S, class T, class F>
    requires(S::width == 1)
  [[gnu::noinline]] static constexpr void sweep(const Body<T>& body, const F& field, const Motion<S>& y_0,
                                                const Motion<S>& g, const S& t, const Tables<T, N>& tables,
                                                Motion<S>& D) {
    inlined_sweep(body, field, y_0, g, t, tables, D);
  }
  template <class S, class T, class F>
    requires(S::width > 1)
  [[gnu::always_inline]] static constexpr void sweep(const Body<T>& body, const F& field, const Motion<S>& y_0,
                                                     const Motion<S>& g, const S& t, const Tables<T, N>& tables,
                                                     Motion<S>& D) {
    inlined_sweep(body, field, y_0, g, t, tables, D);
  }
  template <class S, class T, class F>
  [[gnu::always_inline]] static constexpr void inlined_sweep(const Body<T>& body, const F& field, const Motion<S>& y_0,
                                                             const Motion<S>& g, const S& t, const Tables<T, N>& tables,
                                                             Motion<S>& D) {
    const Motion<S> f = rates<S>(body, field, there(y_0, D), t).of_motion;
#pragma GCC unroll 7
    for (std::size_t k = 0; k < 7; ++k) D[k] = integrated(g[k], tables.collocation, f[k], pairs);
  }
};

}  // namespace polhode::picard
