// Newton's method in R^3, for the one equation that an implicit method solves in a step.
//
// The equation is a function of the unknown x and of the share s of the step that is taken, 0 <= s <= 1: its value at
// x, its Jacobian there, and the size of the terms that cancel in it, by which rounding is judged. At s = 0 the root is
// known. Newton's method with a line search starts from the method's own guess at s = 1; where it does not get there
// the root is followed from s = 0, and where that ends too the step has failed: the work says so, with the share
// of the step that could be reached and the residual that was left.
#pragma once

#include "polhode/model/field.hpp"

namespace polhode {

template <class T>
struct Equation {
  Vec3<T> value;
  Mat3<T> jacobian;
  T size;  // of the terms of the value
};

template <class T>
struct LinearSolution {
  Vec3<T> x;      // not finite if the matrix is singular
  T determinant;  // of the matrix
};

// The solution of m x = b by Cramer's rule.
template <class T>
[[gnu::always_inline]] constexpr LinearSolution<T> solve_by_cofactors(const Mat3<T>& m, const Vec3<T>& b) {
  const Vec3<T> r0{m[0][0], m[0][1], m[0][2]}, r1{m[1][0], m[1][1], m[1][2]}, r2{m[2][0], m[2][1], m[2][2]};
  const Vec3<T> c0 = cross(r1, r2), c1 = cross(r2, r0), c2 = cross(r0, r1);
  const T determinant = dot(r0, c0);
  return {T(T(1) / determinant) * (b.x * c0 + b.y * c1 + b.z * c2), determinant};
}

template <class T>
constexpr Vec3<T> solve_linear(const Mat3<T>& m, const Vec3<T>& b) {
  return solve_by_cofactors(m, b).x;
}

namespace detail {

// Below this change relative to the unknown the next one would be below rounding: the root of the rounding unit, over 8.
template <class T>
constexpr value_of<T> last_change() {
  using V = value_of<T>;
  constexpr int bits = std::numeric_limits<V>::digits - 1;
  V root = bits % 2 == 0 ? V(1) : V(1.41421356237309504880168872420969808L) / 2;
  for (int i = 0; i < bits / 2; ++i) root = root / 2;
  return root / 8;
}

// Of a vector with a NaN, NaN: max alone would drop it.
template <class T>
constexpr T size_of(const Vec3<T>& v) {
  const T x = abs(v.x), y = abs(v.y), z = abs(v.z), largest = max(x, max(y, z)), sum = x + y + z;
  return select(sum >= largest, largest, sum);
}

// From x at a fixed share; true if the root was reached. `left` is the residual relative to the terms.
template <class T, class F>
constexpr bool newton(const F& equation, Vec3<T>& x, const T& share, Work& work, double& left) {
  constexpr int most_iterations = 20, most_halvings = 8;
  const value_of<T> rounding = value_of<T>(64) * epsilon<T>();
  Equation<T> at = equation(x, share);
  for (int n = 0; n < most_iterations; ++n) {
    const T misfit = size_of(at.value);
    left = static_cast<double>(plain(misfit) / plain(at.size));
    if (misfit == T(0)) return true;
    ++work.solver_iterations;
    const Vec3<T> change = solve_linear(at.jacobian, at.value);
    if (!all_finite(change)) return false;
    if (size_of(change) <= last_change<T>() * size_of(x)) {
      x = x - change;
      return true;
    }
    T fraction(1);
    Vec3<T> next = x - change;
    Equation<T> there = equation(next, share);
    for (int i = 0; i < most_halvings && !(size_of(there.value) < misfit); ++i) {
      fraction = T(0.5) * fraction;
      next = x - fraction * change;
      there = equation(next, share);
    }
    if (!(size_of(there.value) < misfit)) return misfit <= rounding * at.size;
    x = next;
    at = there;
  }
  return false;
}

}  // namespace detail

// The root near `guess`, continued from `root_at_rest` (that of s = 0) where Newton's method fails from the guess. On
// failure work.converged is false and the last point reached is returned.
template <class T, class F>
constexpr Vec3<T> solve(const F& equation, const Vec3<T>& guess, const Vec3<T>& root_at_rest, Work& work) {
  Vec3<T> x = guess;
  double left = 0;
  if (!detail::newton(equation, x, T(1), work, left)) {
    constexpr double smallest_advance = 1e-4;
    double reached = 0, advance = 0.25;
    x = root_at_rest;
    while (reached < 1) {
      const double share = std::min(1.0, reached + advance);
      Vec3<T> next = x;
      if (detail::newton(equation, next, T(share), work, left)) {
        x = next;
        reached = share;
        advance *= 2;
      } else if ((advance *= 0.5) < smallest_advance) {
        work.converged = false;
        work.residual = left;
        work.share_reached = reached;
        return x;
      }
    }
  }
  // A derivative carried along is one iteration behind the value.
  if constexpr (derivatives_of<T> != 0) {
    const Equation<T> at = equation(x, T(1));
    x = x - solve_linear(at.jacobian, at.value);
  }
  return x;
}

}  // namespace polhode
