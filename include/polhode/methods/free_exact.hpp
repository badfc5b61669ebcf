// The free rigid body without error: every step is read off the closed form that belongs to the state it began with.
//
// As long as nobody touches the state between two steps they all count from the same start, so that rounding does not
// add up; a state that was changed (turned, pushed) begins a new motion.
#pragma once

#include <cassert>
#include <string_view>

#include "polhode/methods/method.hpp"
#include "polhode/model/free_rotor.hpp"

namespace polhode {

struct FreeExact {
  static constexpr std::string_view family = "exact";
  static constexpr std::string_view cite = "J50; ZS07; CFSZ08";
  static constexpr std::string_view about = "a free body in Jacobi's elliptic functions: exact at any step";
  static constexpr std::string_view good_for = "a body without torque, at any step and for any time: one step will do";
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
    FreeRotor<T> rotor;
    T begin{};           // when the motion began
    State<T> reached{};  // the state given out last

    void attitude_changed() {}
    Memory reversed() const { return *this; }
  };

  template <class T, class F>
  static Memory<T> start(const System<T, F>& sys, const State<T>& s, const T&, Work&) {
    return {FreeRotor<T>(sys.body.inertia, s), s.t, s};
  }

  template <class T, class F>
  static State<T> step(const System<T, F>& sys, const State<T>& s, Memory<T>& memory, const T& h, Work& work) {
    static_assert(
        is_free<F> || requires(const F& f) { f.empty(); }, "free-exact takes no torque");
    if constexpr (!is_free<F>) assert(sys.field.empty());
    if (!(s.R_SB == memory.reached.R_SB && s.pi_B == memory.reached.pi_B)) memory = start(sys, s, h, work);
    const T t = s.t + h;
    memory.reached = memory.rotor.after(T(t - memory.begin));
    memory.reached.t = t;
    return memory.reached;
  }
};

}  // namespace polhode
