// What a method claims: order, symmetry, what it keeps and what it needs. Every claim is tested for every method.
#pragma once

#include <limits>

#include "polhode/model/state.hpp"

namespace polhode {

enum class Keeps { no, bounded, exact };
// no_torque: a free body alone; direction_potential: V(d) of the direction d of the third axis; uniform_field: V = -d . g.
enum class Needs { values, series, no_torque, direction_potential, uniform_field };

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
  Needs needs = Needs::values;             // what the field must offer; no_torque: only a free body is accepted
  Space space = Space::rotations;          // what it moves: an attitude, or a direction
  double torque_evaluations = 1;           // calls of the field per step, in the long run
  bool implicit_torque = false;            // the equation of a step holds the torque: the calls vary about their number
  bool variable_steps = true;              // steps may differ from one another
  bool multistep = false;        // goes on from values of earlier steps, which the present state does not hold
  bool composes = true;          // compositions raise the order as they do for one-step methods
  bool dissipative = false;      // loses energy and momentum, on purpose
  bool gains_momentum = false;   // and energy, without end: no turn of the body brings them back
  bool takes_tolerance = false;  // a step can be taken in as many steps of its own as a tolerance asks for
  bool chooses_steps = false;    // asks for steps of its own from one to the next: Stepper::own_step
  bool knows_work = false;       // of the torque in a step, to its own order, for +energy without a potential
  bool wheels = false;           // takes a body with wheels inside: their momentum is part of the kinetic energy
  bool batch = false;            // runs on bodies side by side (core/lanes.hpp), with each one's own bits

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

// Whether a torque of any kind is accepted, if it offers what the method needs.
constexpr bool takes_any_torque(const Claims& claims) {
  return claims.needs == Needs::values || claims.needs == Needs::series;
}

}  // namespace polhode
