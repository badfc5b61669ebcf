// Energy and momentum of a state.
#pragma once

#include "polhode/model/field.hpp"

namespace polhode {

template <class T, class F>
T energy(const Body<T>& body, const F& field, const State<T>& s) {
  return body.kinetic_energy(s.pi_B, s.t) + potential_energy(field, s.R_SB, s.t);
}

}  // namespace polhode
