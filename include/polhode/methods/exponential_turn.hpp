// The turn R <- R exp(q) of a free body by a vector q that solves
//
//   I q + a(|q|) q x I q + b(|q|) q x (q x I q) = h pi.
//
// A Rule has the two functions. For equal moments q = h I^-1 pi, whatever they are.
#pragma once

#include "polhode/methods/turn_equation.hpp"

namespace polhode {

// a and b and their derivatives by the squared angle.
template <class T>
struct TurnCoefficients {
  T a, b, a_slope, b_slope;
};

// p is h pi. With u = q x I q the derivative of q x u is (q . I q) - |q|^2 I - 2 hat(u).
template <class Rule, class T>
[[gnu::always_inline]] constexpr Equation<T> exponential_turn_equation(const Vec3<T>& inertia, const Vec3<T>& p,
                                                                       const Vec3<T>& q) {
  const GyroscopicTerm<T> gyroscopic(inertia);
  const Vec3<T> Iq = times(inertia, q), u = gyroscopic(q), q_u = cross(q, u);
  const T y = squared_norm(q);
  const TurnCoefficients<T> c = Rule::coefficients(y);
  const T stretch = T(1) - c.b * y, shift = c.b * dot(q, Iq);
  const Vec3<T> diagonal{stretch * inertia.x + shift, stretch * inertia.y + shift, stretch * inertia.z + shift};
  const Mat3<T> fixed = plus_hat(gyroscopic.derivative(q, c.a, diagonal), T(T(-2) * c.b) * u);
  return {Iq + c.a * u + c.b * q_u - p, plus_product(fixed, T(2) * (c.a_slope * u + c.b_slope * q_u), q),
          detail::size_of(p)};
}

template <class Rule, class T>
[[gnu::always_inline]] constexpr Vec3<T> exponential_turn(const Body<T>& body, const Vec3<T>& p, Work& work) {
  const Vec3<T>& I = body.inertia;
  const Vec3<T> straight = body.velocity(p);
  const auto spherical = I.x == I.y && I.y == I.z;
  if (every(spherical)) return straight;
  Vec3<T> guess = straight;
  // The equation solved for I q, repeated, with the coefficients near rest: right to fifth order in h, so that at
  // ordinary steps one iteration of Newton's method is enough.
  const GyroscopicTerm<T> gyroscopic(I);
  const TurnCoefficients<T> at_rest = Rule::coefficients(T(0));
  const T y = squared_norm(guess), a = at_rest.a + at_rest.a_slope * y, b = at_rest.b + at_rest.b_slope * y;
  for (int i = 0; i < 5; ++i) {
    const Vec3<T> u = gyroscopic(guess);
    guess = body.velocity(p - a * u - b * cross(guess, u));
  }
  const auto equation = [I, p](const Vec3<T>& q, const T& share) {
    return exponential_turn_equation<Rule>(I, Vec3<T>(share * p), q);
  };
  const Vec3<T> root = solve_from_rest(equation, guess, work);
  return any(spherical) ? select(spherical, straight, root) : root;
}

}  // namespace polhode
