// The gyroscopic term, and the equation of the methods that take it implicitly and the torque at a known attitude:
//
//   pi - a pi x I^-1 pi = b,   or, with pi = I W,   I W + a W x I W = b.
//
// The term is orthogonal to pi: on a sphere with |pi| > |b| the left-hand side less b points outwards, so that there is
// a root for every a. All roots have |pi| <= |b|, and there is one alone if |a| |b| (I_max - I_min) < 2 I_min^2.
#pragma once

#include "polhode/methods/solver.hpp"

namespace polhode {

// c with (pi x I^-1 pi)_1 = c_1 pi_2 pi_3, and so on around: half the products of a cross product.
template <class T>
[[gnu::always_inline]] constexpr Vec3<T> gyration(const Body<T>& body) {
  const Vec3<T>& J = body.inverse_inertia;
  return {J.z - J.y, J.x - J.z, J.y - J.x};
}

template <class T>
[[gnu::always_inline]] constexpr Vec3<T> gyroscopic(const Vec3<T>& c, const Vec3<T>& pi) {
  return {c.x * (pi.y * pi.z), c.y * (pi.z * pi.x), c.z * (pi.x * pi.y)};
}

template <class T>
struct GyroscopicEquation {
  Vec3<T> ac;  // a times gyration
  Vec3<T> b;   // the root of a = 0

  constexpr Equation<T> operator()(const Vec3<T>& pi, const T& share) const {
    const Vec3<T> c = share * ac;
    const Mat3<T> jacobian{{{T(1), -(c.x * pi.z), -(c.x * pi.y)},
                            {-(c.y * pi.z), T(1), -(c.y * pi.x)},
                            {-(c.z * pi.y), -(c.z * pi.x), T(1)}}};
    return {(pi - b) - gyroscopic(c, pi), jacobian, detail::size_of(b)};
  }

  // The change of one iteration, by the cofactors of the Jacobian, which with ones on the diagonal are short.
  [[gnu::always_inline]] constexpr Vec3<T> newton_change(const Vec3<T>& pi) const {
    const T xy = ac.x * pi.z, xz = ac.x * pi.y, yx = ac.y * pi.z, yz = ac.y * pi.x, zx = ac.z * pi.y, zy = ac.z * pi.x;
    const Vec3<T> f{(pi.x - b.x) - xy * pi.y, (pi.y - b.y) - yz * pi.z, (pi.z - b.z) - zx * pi.x};
    const T xx = T(1) - yz * zy, xx_y = yx + yz * zx, xx_z = zx + zy * yx;
    const T scale = T(1) / (xx - xy * xx_y - xz * xx_z);
    return scale * Vec3<T>{xx * f.x + (xy + xz * zy) * f.y + (xz + xy * yz) * f.z,
                           xx_y * f.x + (T(1) - xz * zx) * f.y + (yz + xz * yx) * f.z,
                           xx_z * f.x + (zy + xy * zx) * f.y + (T(1) - xy * yx) * f.z};
  }
};

namespace detail {
// By value: what is passed by reference to a call passes through memory in all cases, not only in this rare one.
template <class T>
[[gnu::noinline]] constexpr Vec3<T> solve_far(GyroscopicEquation<T> equation, Vec3<T> guess, Work& work) {
  return solve(equation, guess, equation.b, work);
}
}  // namespace detail

// From a guess good to h^3 two iterations reach the root of an ordinary step. They are inlined and without the
// solver's safeguards; it takes over where they do not get there, or where derivatives are carried along.
template <class T>
[[gnu::always_inline]] constexpr Vec3<T> solve_near(const GyroscopicEquation<T>& equation, const Vec3<T>& guess,
                                                    Work& work) {
  if constexpr (derivatives_of<T> == 0) {
    const Vec3<T> first = equation.newton_change(guess), nearer = guess - first;
    const Vec3<T> second = equation.newton_change(nearer), root = nearer - second;
    work.solver_iterations += 2;
    const T change = detail::size_of(second);
    if (change <= detail::last_change<T>() * detail::size_of(root)) [[likely]]
      return root;
    const bool converges = T(4) * change < detail::size_of(first);
    return detail::solve_far(equation, converges ? root : guess, work);
  } else {
    return detail::solve_far(equation, guess, work);
  }
}

}  // namespace polhode
