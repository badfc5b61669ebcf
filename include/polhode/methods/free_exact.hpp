// The free rigid body without error, at any step.
//
// A short step continues from the last state (model/free_step.hpp), which costs a third of the closed form. Its
// rounding would change energy and momentum by 1e-16 a step at random, and the attitude by the integral of that; so
// every 32nd step, like every long one, is read off the closed form that belongs to the state the motion began with, and
// nothing adds up however many steps there are. A state changed from outside (turned, pushed) begins a new motion.
#pragma once

#include <cassert>
#include <memory>
#include <string_view>

#include "polhode/methods/method.hpp"
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
                                 .torque_evaluations = 0};

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

  template <class T, class F>
  static constexpr Memory<T> start(const System<T, F>&, const State<T>& s, const T&, Work&) {
    return {s, s};
  }

  template <class T, class F>
  static constexpr State<T> step(const System<T, F>& sys, const State<T>& s, Memory<T>& memory, const T& h,
                                 Work& work) {
    static_assert(is_free<F> || SumAtRunTime<F>, "free-exact takes no torque");
    if constexpr (!is_free<F>) assert(sys.field.empty());
    if (!(s.R_SB == memory.reached.R_SB && s.pi_B == memory.reached.pi_B)) memory = start(sys, s, h, work);
    const T t = s.t + h;
    memory.reached = s;
    if (goes_on(sys.body, s, memory, h)) {
      drift(sys.body, memory.reached, h);
    } else {
      // One long step is set up for its own length; when another follows, for any. In place: a copy would cost a tenth.
      const T elapsed = t - memory.begun.t;
      if (!memory.known || !memory.rotor.wide())
        std::construct_at(&memory.rotor, sys.body.inertia, memory.begun, memory.known ? unlimited<T>() : elapsed);
      memory.known = true;
      memory.reached = memory.rotor.after(elapsed);
    }
    memory.reached.t = t;
    return memory.reached;
  }

 private:
  static constexpr int most_short_steps = 31;

  template <class T>
  static constexpr T unlimited() {
    return T(std::numeric_limits<value_of<T>>::infinity());
  }

  // Single and double precision continue; wider scalars, and those that carry derivatives, are after every digit.
  template <class T>
  static constexpr bool goes_on(const Body<T>& body, const State<T>& s, Memory<T>& memory, const T& h) {
    if constexpr (std::is_same_v<T, double> || std::is_same_v<T, float>) {
      if (memory.short_steps < most_short_steps && takes_free_step(body, s.pi_B, h)) {
        ++memory.short_steps;
        return true;
      }
      memory.short_steps = 0;
    }
    return false;
  }
};

}  // namespace polhode
