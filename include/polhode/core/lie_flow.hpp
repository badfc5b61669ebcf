// y' = W(t, y) y on any Lie group: a generator that depends on the state.
//
// y is what the group acts on from the left: an element of the group, a vector of its representation, or any type with
// g * y, such as a covector on its coadjoint orbit (coadjoint.hpp) or a matrix with a fixed spectrum. In the body form,
// y' = y W(t, y), it is an element, or any type with y * g.
//
//   const auto W = [](const auto& t, const auto& y) { return ...; };                      // a generator
//   y = lie_step<SE3, lie::MuntheKaas<4>, Frame::body>(W, y, t, h);                       // one step
//   y = integrate<SO3, lie::Taylor<8>>(W, y0, t0, t1, steps);                             // equal steps
//
// A step multiplies y by exponentials and by nothing else. What the action keeps is therefore kept to rounding by every
// method and at every step size: the group, lengths, spectra, orbits. The methods are in lie_methods.hpp and
// lie_taylor.hpp.
#pragma once

#include <concepts>

#include "polhode/core/lie_group.hpp"
#include "polhode/core/lie_series.hpp"

namespace polhode {

template <class Y, class Element>
concept MovedFromTheLeft = requires(const Element& g, const Y& y) {
  { (g * y) } -> std::same_as<Y>;
};
template <class Y, class Element>
concept MovedFromTheRight = requires(const Element& g, const Y& y) {
  { (y * g) } -> std::same_as<Y>;
};

// What can be moved by the group from the side that the frame asks for.
template <class Y, class G, class T, Frame frame>
concept CarriedBy = LieGroup<G, T> &&((frame == Frame::spatial && MovedFromTheLeft<Y, ElementOf<G, T>>) ||
                                      (frame == Frame::body && MovedFromTheRight<Y, ElementOf<G, T>>));

// Generators as a function of time and state.
template <class W, class G, class T, class Y>
concept GeneratorOfState = requires(const W& w, const T& t, const Y& y) {
  { w(t, y) } -> std::convertible_to<AlgebraOf<G, T>>;
};

namespace lie {

// g y or y g: where y is after the motion g.
template <Frame frame, class Element, class Y>
constexpr Y moved(const Element& g, const Y& y) {
  if constexpr (frame == Frame::spatial) {
    return g * y;
  } else {
    return y * g;
  }
}

// The first terms of dexpinv, b_0 W + b_1 [Y, W] + ... + b_K [Y, [Y, ... W]] with b_k = B_k/k!; in the body form those of
// odd k have the other sign. Where Y is of the size of a step h the rest is of the size h^(K+1).
template <std::size_t K, Frame frame, class T, class Algebra>
constexpr Algebra truncated_dexpinv(const Algebra& y, const Algebra& w) {
  const auto& b = table_of<detail::Bernoulli<K>, value_of<T>>();
  Algebra sum = w, nested = w;
  for (std::size_t k = 1; k <= K; ++k) {
    nested = bracket(y, nested);
    if (k > 1 && k % 2 == 1) continue;
    sum = sum + T(frame == Frame::body && k == 1 ? value_of<T>(-b[k]) : b[k]) * nested;
  }
  return sum;
}

}  // namespace lie

// y(t + h) from y = y(t).
template <class G, class Method, Frame frame = Frame::spatial, class T, CarriedBy<G, T, frame> Y,
          GeneratorOfState<G, T, Y> W>
constexpr Y lie_step(const W& w, const Y& y, const T& t, const Same<T>& h) {
  return kept_in_group(Method::template step<G, frame>(w, y, t, h));
}

// y(t1) from y0 = y(t0), in `steps` > 0 equal steps.
template <class G, class Method, Frame frame = Frame::spatial, class T, CarriedBy<G, T, frame> Y,
          GeneratorOfState<G, T, Y> W>
constexpr Y integrate(const W& w, const Y& y0, const T& t0, const Same<T>& t1, int steps) {
  const T h = (t1 - t0) / T(steps);
  Y y = y0;
  for (int n = 0; n < steps; ++n) y = lie_step<G, Method, frame>(w, y, T(t0 + T(n) * h), h);
  return y;
}

}  // namespace polhode
