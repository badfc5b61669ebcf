// The dual of a Lie algebra, and how the group moves it: momenta, and Euler's equations on any group.
//
// A covector m takes a generator x to the number <m, x> = sum m_i x_i. A group element moves it by the coadjoint action
//
//   <g m, x> = <m, Ad_(g^-1) x>,   so that   <g m, Ad_g x> = <m, x>,
//
// and y' = W y is then <m', x> = -<m, [W, x]>. The orbits of this action carry the Casimir functions: |m|^2 on SO(3),
// |p|^2 and p . l on SE(3).
//
// The Lie-Poisson equations of a left-invariant Hamiltonian H(m), m the momentum in body axes, are <m', x> =
// <m, [dH/dm, x]> (Euler's m' = m x w on SO(3)): the flow of the generator W(t, m) = -dH/dm in the spatial form. Every
// method of lie_flow.hpp keeps the orbit to rounding. With m in space and a right-invariant H the sign is the other one.
#pragma once

#include <array>
#include <cstddef>

#include "polhode/core/lie_group.hpp"

namespace polhode {

template <class G, class T>
struct Covector {
  std::array<T, G::dimension> m{};

  constexpr T& operator[](std::size_t i) { return m[i]; }
  constexpr const T& operator[](std::size_t i) const { return m[i]; }

  friend constexpr Covector operator*(const ElementOf<G, T>& g, const Covector& covector) {
    const ElementOf<G, T> back = inverse(g);
    Covector made;
    for (std::size_t i = 0; i < G::dimension; ++i) {
      AlgebraOf<G, T> unit{};
      unit[i] = T(1);
      made[i] = pairing(covector, adjoint(back, unit));
    }
    return made;
  }
  friend constexpr T pairing(const Covector& covector, const AlgebraOf<G, T>& x) {
    T sum(0);
    for (std::size_t i = 0; i < G::dimension; ++i) sum = sum + covector[i] * x[i];
    return sum;
  }
  friend constexpr bool operator==(const Covector&, const Covector&) = default;
};

template <class To, class G, class From>
constexpr Covector<G, To> cast(const Covector<G, From>& covector) {
  Covector<G, To> made;
  for (std::size_t i = 0; i < G::dimension; ++i) made[i] = static_cast<To>(covector[i]);
  return made;
}

}  // namespace polhode
