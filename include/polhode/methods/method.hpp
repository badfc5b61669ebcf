// What a method is: a struct with its claims, its sources and a pure step.
//
//   struct SomeMethod {
//     static constexpr std::string_view family, cite, about, good_for, not_for;
//     static constexpr Claims claims{...};
//     template <class T> struct Memory { void attitude_changed(); Memory reversed() const; };   // trivially copyable
//     template <class T, class F> static Memory<T> start(const System<T, F>&, const State<T>&, T h, Work&);
//     template <class T, class F> static State<T> step(const System<T, F>&, State<T>, Memory<T>&, T h, Work&);
//   };
//
// The step takes a state and returns one; it allocates nothing, throws nothing and knows of no files, threads or time
// loops. It is written for any scalar T. Memory is what passes from one step to the next (a carried momentum, the last
// torque, a multistep history); a method that needs none leaves Memory and start out and takes no memory argument.
// attitude_changed() tells the memory that someone (a projection) turned the body between two steps at unchanged
// spatial momentum. The memory of a method that takes a tolerance has a member `tolerance` [rad]: the attitude error that
// each of its own steps may make, zero for one step as it comes.
#pragma once

#include <algorithm>
#include <limits>
#include <string_view>
#include <type_traits>

#include "polhode/model/field.hpp"

namespace polhode {

enum class Keeps { no, bounded, exact };
enum class Needs { values, series, no_torque, uniform_field };

// The order of a method without error but rounding.
inline constexpr int exact_order = std::numeric_limits<int>::max();

struct Orders {
  int attitude = 0, momentum = 0;

  friend constexpr bool operator==(const Orders&, const Orders&) = default;
};

// What a composition makes of a method's order in a torque that depends on the angular velocity: as much as in any other
// torque, where its step stays symmetric; one more than two, where it is a step of second order like any other, since the
// fractions of a composition have cubes that add up to nothing; or nothing, where what one step leaves to the next was
// taken at a velocity that is good to second order only.
enum class Gains { nothing, one, all };

// Each claim is a test, in both directions: keeping more than claimed fails like keeping less.
struct Claims {
  int order_attitude = 0;
  int order_momentum = 0;
  Orders order_free{};                     // of a body without torque, where higher than with one
  Orders order_with_velocity{};            // in a torque that depends on the angular velocity, where lower
  Gains gains_with_velocity = Gains::all;  // by compositions, in such a torque
  bool symmetric = false;                  // step(-h) undoes step(h)
  bool symplectic = false;                 // on the cotangent bundle of its space, in a conservative field
  Keeps momentum_free = Keeps::no;         // spatial momentum of a free body
  Keeps momentum_along_field = Keeps::no;  // its component along the axis of a heavy top's field
  Keeps energy_free = Keeps::no;           // energy of a free body
  Keeps energy = Keeps::no;                // energy in a conservative field
  Needs needs = Needs::values;             // what the field must offer; no_torque: only a free body will do
  double torque_evaluations = 1;           // calls of the field per step, in the long run
  bool implicit_torque = false;            // the equation of a step holds the torque: the calls vary about their number
  bool variable_steps = true;              // steps may differ from one another
  bool composes = true;                    // compositions raise the order as they do for one-step methods
  bool dissipative = false;                // loses energy and momentum, on purpose
  bool takes_tolerance = false;            // a step can be taken in as many steps of its own as a tolerance asks for
  bool knows_work = false;                 // of the torque in a step, to its own order, for +energy without a potential

  friend constexpr bool operator==(const Claims&, const Claims&) = default;
};

constexpr Orders orders_of(const Claims& claims, bool free_body) {
  const Orders in_a_field{claims.order_attitude, claims.order_momentum};
  return free_body && claims.order_free != Orders{} ? claims.order_free : in_a_field;
}

// In a torque that depends on the angular velocity, where the method can take one.
constexpr Orders orders_with_velocity(const Claims& claims) {
  return claims.order_with_velocity != Orders{} ? claims.order_with_velocity : orders_of(claims, false);
}

// Whether a torque of any kind will do, if it offers what the method needs.
constexpr bool takes_any_torque(const Claims& claims) {
  return claims.needs == Needs::values || claims.needs == Needs::series;
}

// A method that moves a direction says so with a member `space`.
template <class M>
constexpr Space space_of() {
  if constexpr (requires { M::space; }) {
    return M::space;
  } else {
    return Space::rotations;
  }
}

struct NoMemory {
  void attitude_changed() {}
  NoMemory reversed() const { return {}; }
};

template <class M>
concept Remembers = requires {
  typename M::template Memory<double>;
};

template <class M, class T>
struct MemoryFor {
  using type = NoMemory;
};
template <Remembers M, class T>
struct MemoryFor<M, T> {
  using type = typename M::template Memory<T>;
};
template <class M, class T>
using MemoryOf = typename MemoryFor<M, T>::type;

template <class M, class T, class F>
MemoryOf<M, T> start(const System<T, F>& sys, const State<T>& s, const T& h, Work& work) {
  if constexpr (Remembers<M>) {
    return M::start(sys, s, h, work);
  } else {
    return {};
  }
}

// In line: a state returned through a call is copied through memory, a quarter of the cost of a short step.
template <class M, class T, class F>
[[gnu::always_inline]] inline State<T> advance(const System<T, F>& sys, const State<T>& s, MemoryOf<M, T>& memory,
                                               const T& h, Work& work) {
  if constexpr (Remembers<M>) {
    return M::step(sys, s, memory, h, work);
  } else {
    return M::step(sys, s, h, work);
  }
}

// What is left of a method's claims in a field of type F. Symplecticity and energy are claims about conservative
// fields; a torque that depends on the angular velocity is no kick of a Hamiltonian, and the order may be lower there.
template <class M, class T, class F>
constexpr Claims claims_in() {
  Claims claims = M::claims;
  if constexpr (!Conservative<F, T>) {
    claims.symplectic = false;
    claims.energy = Keeps::no;
    claims.momentum_along_field = Keeps::no;
  }
  if constexpr (!AttitudeTorqueField<F, T>) {
    claims.symmetric = claims.symmetric && claims.gains_with_velocity == Gains::all;
    const Orders orders = orders_with_velocity(claims);
    claims.order_attitude = orders.attitude;
    claims.order_momentum = orders.momentum;
  }
  return claims;
}

}  // namespace polhode
