// A torque that begins and ends, and a blow.
#pragma once

#include "polhode/model/fields/constant.hpp"

namespace polhode {

// A torque fixed in space for from <= t < until, and at t = until an impulse, by which the spatial momentum jumps.
//
// A step across a jump of the torque would lose its order, and an impulse is not a torque at all. So a stepper made by
// name ends a step where a pulse begins or ends, gives the impulse and starts its method again. At that moment the
// state is the one after the impulse; what ends at the start or before it has no effect. Kernels that are called
// directly see the torque alone.
template <class T>
struct Pulse {
  static constexpr std::string_view kind = "pulse";
  static constexpr std::string_view about = "a torque fixed in space for some time, and an impulse at its end";

  Vec3<T> torque_S{};   // [N m]
  T from{0}, until{0};  // [s]
  Vec3<T> impulse_S{};  // [N m s]

  static constexpr auto keys() {
    return std::tuple{
        Key{"torque", &Pulse::torque_S, Quantity::torque_spatial, false, "in spatial axes, from its beginning [N m]"},
        Key{"from", &Pulse::from, Quantity::time, false, "when it begins [s]"},
        Key{"until", &Pulse::until, Quantity::time, true, "when it ends [s]"},
        Key{"impulse", &Pulse::impulse_S, Quantity::impulse_spatial, false, "in spatial axes, at its end [N m s]"}};
  }

  template <class Report>
  void check(const Report& report) const {
    if (!(from <= until))
      report("until", until, " s is before the beginning at ", from,
             " s; a pulse lasts from 'from', which is 0 where it is not given, until 'until'");
  }

  // Times at which it begins and ends.
  constexpr std::array<T, 2> cuts() const { return {from, until}; }
  // What it is from a cut on, or before the first, until the next: smooth for all times.
  constexpr ConstantSpatial<T> smooth_from(const std::optional<T>& cut) const {
    return {cut && from <= *cut && *cut < until ? torque_S : Vec3<T>{}};
  }
  constexpr Vec3<T> impulse_at(const T& cut) const { return cut == until ? impulse_S : Vec3<T>{}; }

  template <class S>
  constexpr Vec3<S> torque(const Rotation<S>& R_SB, const S& t) const {
    if (every(t < S(from)) || every(t >= S(until))) return {};
    return inverse(R_SB) * torque_S;
  }
};

}  // namespace polhode
