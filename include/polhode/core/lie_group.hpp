// What the library asks of a Lie group.
//
// A Lie group is a group of transformations with small ones among them. The small ones are generated: for each
// generator x the equation y' = x y has the solution y = exp(t x) y(0), and the generators form a vector space, the Lie
// algebra. What the group adds to that vector space is the bracket, which says how far two generators are from
// commuting:
//
//   exp(s x) exp(t z) exp(-s x) exp(-t z) = exp(s t [x, z] + terms of third order).
//
// A group G is described by a struct with its dimension and three types for any scalar T,
//
//   G::dimension     how many coordinates a generator has
//   G::Algebra<T>    generators: x + z, s * x, bracket(x, z), coordinates x[i]; Algebra<T>{} is zero
//   G::Element<T>    group elements: g * h, inverse(g); Element<T>{} is the identity
//   G::Vector<T>     what the group moves: its natural representation; g * v
//
// and two functions that join them,
//
//   exp(x)           the element that the generator x leads to in unit time
//   adjoint(g, x)    Ad_g x = g x g^-1: the generator x as it is seen from the other side of g. Where y' = W y = y V,
//                    W = Ad_y V. Its derivative is the bracket: (Ad_exp(t x) z)' = [x, z] at t = 0.
//
// All functions are found by argument-dependent lookup. A group whose elements are stored with more numbers than its
// dimension may offer renormalised(g), which takes an element that rounding has moved off the group back onto it.
//
// The models are in core/groups/; core/product_integral.hpp integrates y' = W(t) y on any of them, core/lie_flow.hpp
// y' = W(t, y) y.
#pragma once

#include <concepts>
#include <cstddef>

#include "polhode/core/scalar.hpp"

namespace polhode {

template <class G, class T>
using AlgebraOf = typename G::template Algebra<T>;
template <class G, class T>
using ElementOf = typename G::template Element<T>;
template <class G, class T>
using VectorOf = typename G::template Vector<T>;

// Enough for the Lie series: y' = W y turns into Y' = dexpinv_Y(W) in the algebra alone.
template <class A, class T>
concept LieAlgebra = std::default_initializable<A> && requires(A x, const A& z, const T& s, std::size_t i) {
  { z + z } -> std::same_as<A>;
  { (s * z) } -> std::same_as<A>;
  { bracket(z, z) } -> std::same_as<A>;
  { x[i] } -> std::same_as<T&>;
  { z[i] } -> std::same_as<const T&>;
};

template <class G, class T>
concept LieGroup = LieAlgebra<AlgebraOf<G, T>, T> && std::default_initializable<ElementOf<G, T>> &&
                   !std::same_as<ElementOf<G, T>, VectorOf<G, T>> &&
                   requires(const AlgebraOf<G, T>& x, const ElementOf<G, T>& g, const VectorOf<G, T>& v) {
  { G::dimension } -> std::convertible_to<std::size_t>;
  { exp(x) } -> std::same_as<ElementOf<G, T>>;
  { (g * g) } -> std::same_as<ElementOf<G, T>>;
  { inverse(g) } -> std::same_as<ElementOf<G, T>>;
  { adjoint(g, x) } -> std::same_as<AlgebraOf<G, T>>;
  { (g * v) } -> std::same_as<VectorOf<G, T>>;
};

// What rounding has left of g, or of anything else that a group moves, back on its group where that can be done.
template <class Y>
constexpr Y kept_in_group(const Y& y) {
  if constexpr (requires { renormalised(y); }) {
    return renormalised(y);
  } else {
    return y;
  }
}

}  // namespace polhode
