// The free rigid body without error, at any step.
//
// A short step continues from the last state (model/free_step.hpp), which costs a third of the closed form. Its
// rounding would change energy and momentum by 1e-16 a step at random, and the attitude by the integral of that; so
// every 32nd step, like every long one, is read off the closed form that belongs to the state the motion began with, and
// nothing adds up however many steps there are. A state changed from outside (turned, pushed) begins a new motion.
#pragma once

#include <array>
#include <cassert>
#include <memory>
#include <string_view>

#include "polhode/methods/method.hpp"
#include "polhode/model/free_rotors.hpp"
#include "polhode/model/free_step.hpp"

namespace polhode {

struct FreeExact {
  static constexpr std::string_view family = "exact";
  static constexpr std::string_view cite = "J50; ZS07; CFSZ08";
  static constexpr std::string_view about = "a free body in Jacobi's elliptic functions: exact at any step";
  static constexpr std::string_view good_for = "a body without torque, at any step and for any time: one step suffices";
  static constexpr std::string_view not_for = "torques of any kind";
  static constexpr Claims claims{.order_attitude = exact_order,
                                 .order_momentum = exact_order,
                                 .symmetric = true,
                                 .symplectic = true,
                                 .momentum_free = Keeps::exact,
                                 .energy_free = Keeps::exact,
                                 .needs = Needs::no_torque,
                                 .torque_evaluations = 0,
                                 .batch = true};

  template <class T>
  struct Memory {
    static constexpr bool carries_momentum = false;
    State<T> begun{};    // where the motion began
    State<T> reached{};  // the state given out last
    int short_steps = 0;
    bool known = false;  // whether the closed form has been set up
    FreeRotor<T> rotor{};

    constexpr void attitude_changed() {}
    constexpr Memory reversed() const { return *this; }
  };

  // Of bodies side by side, each for itself.
  template <class T, std::size_t N, std::size_t W>
  struct Memory<Lanes<T, N, W>> {
    static constexpr bool carries_momentum = false;
    std::array<Memory<T>, N> of_lane{};

    constexpr void attitude_changed() {}
    constexpr Memory reversed() const { return *this; }
  };

  template <class T, class F>
  static constexpr Memory<T> start(const System<T, F>&, const State<T>& s, const T&, Work&) {
    if constexpr (is_lanes<T>) {
      Memory<T> memory;
      for (std::size_t i = 0; i < T::size; ++i) memory.of_lane[i].begun = memory.of_lane[i].reached = lane(s, i);
      return memory;
    } else {
      return {s, s};
    }
  }

  template <class T, class F>
  static constexpr State<T> step(const System<T, F>& sys, const State<T>& s, Memory<T>& memory, const T& h,
                                 Work& work) {
    static_assert(is_free<F> || SumAtRunTime<F>, "free-exact takes no torque");
    if constexpr (!is_free<F>) assert(sys.field.empty());
    if constexpr (is_lanes<T>) {
      return step_lanes(sys.body, s, memory, h, work);
    } else {
      return step_alone(sys, s, memory, h, work);
    }
  }

 private:
  template <class T, class F>
  static constexpr State<T> step_alone(const System<T, F>& sys, const State<T>& s, Memory<T>& memory, const T& h,
                                       Work& work) {
    if (!(s.R_SB == memory.reached.R_SB && s.pi_B == memory.reached.pi_B)) memory = start(sys, s, h, work);
    const T t = s.t + h;
    goes_on(sys.body, s, memory, h) ? go_on(sys.body, s, memory, h, t) : read_off(sys.body, memory, t);
    return memory.reached;
  }

  template <class T>
  static constexpr void go_on(const Body<T>& body, const State<T>& s, Memory<T>& memory, const T& h, const T& t) {
    memory.reached = s;
    drift(body, memory.reached, h);
    memory.reached.t = t;
  }

  // One long step is set up for its own length; when another follows, for any. In place: a copy would cost a tenth.
  template <class T>
  static constexpr void set_up(const Body<T>& body, Memory<T>& memory, const T& elapsed) {
    if (!memory.known || !memory.rotor.wide())
      std::construct_at(&memory.rotor, body.inertia, memory.begun, memory.known ? unlimited<T>() : elapsed);
    memory.known = true;
  }
  template <class T>
  static constexpr void read_off(const Body<T>& body, Memory<T>& memory, const T& t) {
    const T elapsed = t - memory.begun.t;
    set_up(body, memory, elapsed);
    memory.reached = memory.rotor.after(elapsed);
    memory.reached.t = t;
  }

  // Long steps are read off side by side where all bodies take one. Short ones, of which a method that is exact at any step
  // has no need, are taken one by one: side by side they would compile for ten seconds.
  template <class T>
  static constexpr State<T> step_lanes(const Body<T>& body, const State<T>& s, Memory<T>& memory, const T& h,
                                       Work& work) {
    using V = typename T::Scalar;
    State<T> moved = s;
    moved.t = s.t + h;
    std::array<bool, T::size> goes{};
    bool any_goes = !std::is_same_v<V, double>;
    for (std::size_t i = 0; i < T::size; ++i) {
      const System<V, Free> one{lane(body, i), {}};
      const State<V> state = lane(s, i);
      Memory<V>& own = memory.of_lane[i];
      if (!(state.R_SB == own.reached.R_SB && state.pi_B == own.reached.pi_B)) own = start(one, state, h[i], work);
      goes[i] = goes_on(one.body, state, own, h[i]);
      any_goes = any_goes || goes[i];
    }
    if constexpr (std::is_same_v<V, double>) {
      if (!any_goes) return read_off_lanes(body, memory, moved.t);
    }
    for (std::size_t i = 0; i < T::size; ++i) {
      Memory<V>& own = memory.of_lane[i];
      const V t = moved.t[i];
      goes[i] ? go_on(lane(body, i), lane(s, i), own, h[i], t) : read_off(lane(body, i), own, t);
      set_lane(moved, i, own.reached);
    }
    return moved;
  }

  template <std::size_t N, std::size_t W, class T = Lanes<double, N, W>>
  static constexpr State<T> read_off_lanes(const Body<T>& body, Memory<T>& memory, const Lanes<double, N, W>& t) {
    FreeRotorRows<N, W> rows;
    T elapsed = t;
    for (std::size_t i = 0; i < N; ++i) {
      Memory<double>& own = memory.of_lane[i];
      elapsed.set(i, t[i] - own.begun.t);
      set_up(lane(body, i), own, elapsed[i]);
      rows.set(i, own.rotor);
    }
    State<T> s = rows.after(
        elapsed, [&](std::size_t i) -> const auto& { return memory.of_lane[i].rotor; });
    s.t = t;
    for (std::size_t i = 0; i < N; ++i) memory.of_lane[i].reached = lane(s, i);
    return s;
  }

  static constexpr int most_short_steps = 31;

  template <class T>
  static constexpr T unlimited() {
    return T(std::numeric_limits<value_of<T>>::infinity());
  }

  // Single and double precision continue; wider scalars, and those that carry derivatives, are after every digit.
  template <class T>
  static constexpr bool goes_on(const Body<T>& body, const State<T>& s, Memory<T>& memory, const T& h) {
    if constexpr (std::is_same_v<T, double> || std::is_same_v<T, float>) {
      if (memory.short_steps < most_short_steps && free_step_reaches(body, s.pi_B, h)) {
        ++memory.short_steps;
        return true;
      }
      memory.short_steps = 0;
    }
    return false;
  }
};

}  // namespace polhode
