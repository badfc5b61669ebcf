// The equations that implicit methods solve for the turn of a free body, I x + ... = h pi: their gyroscopic term, and
// the root that begins with x = 0 at h = 0.
#pragma once

#include <limits>
#include <utility>

#include "polhode/methods/lane_solver.hpp"

namespace polhode {

// The cross product of x and I x by differences of moments, component i being g_i x_j x_k: it vanishes to the bit where
// the moments are equal.
template <class T>
class GyroscopicTerm {
 public:
  explicit constexpr GyroscopicTerm(const Vec3<T>& I) : g_{I.z - I.y, I.x - I.z, I.y - I.x} {}

  constexpr Vec3<T> operator()(const Vec3<T>& x) const {
    return {g_.x * (x.y * x.z), g_.y * (x.z * x.x), g_.z * (x.x * x.y)};
  }

  // scale times the derivative of the term at x, plus a diagonal matrix.
  constexpr Mat3<T> derivative(const Vec3<T>& x, const T& scale, const Vec3<T>& diagonal) const {
    const Vec3<T> a = scale * x;
    return {{{diagonal.x, g_.x * a.z, g_.x * a.y},
             {g_.y * a.z, diagonal.y, g_.y * a.x},
             {g_.z * a.y, g_.z * a.x, diagonal.z}}};
  }

 private:
  Vec3<T> g_;
};

template <class T>
[[gnu::always_inline]] constexpr T determinant(const Mat3<T>& m) {
  return dot(Vec3<T>{m[0][0], m[0][1], m[0][2]},
             cross(Vec3<T>{m[1][0], m[1][1], m[1][2]}, Vec3<T>{m[2][0], m[2][1], m[2][2]}));
}

// m + a b^T.
template <class T>
[[gnu::always_inline]] constexpr Mat3<T> plus_product(Mat3<T> m, const Vec3<T>& a, const Vec3<T>& b) {
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k) m[i][k] = m[i][k] + a[i] * b[k];
  return m;
}

// m + hat(a).
template <class T>
[[gnu::always_inline]] constexpr Mat3<T> plus_hat(Mat3<T> m, const Vec3<T>& a) {
  m[0][1] = m[0][1] - a.z;
  m[0][2] = m[0][2] + a.y;
  m[1][0] = m[1][0] + a.z;
  m[1][2] = m[1][2] - a.x;
  m[2][0] = m[2][0] - a.y;
  m[2][1] = m[2][1] + a.x;
  return m;
}

// An equation without a derivative is where Newton's method stops.
template <class T>
constexpr Equation<T> without_derivative(Equation<T> at) {
  at.jacobian[0][0] = T(std::numeric_limits<value_of<T>>::quiet_NaN());
  return at;
}

namespace detail {
// By value, the equation with what it captures as well: what is passed by reference to a call passes through memory in all
// cases, not only in this rare one.
template <class T, class F>
[[gnu::noinline, gnu::cold]] constexpr Vec3<T> solve_far_from_rest(F equation, Vec3<T> guess, Work& work) {
  const auto on_branch = [&](const Vec3<T>& x, const T& share) {
    const Equation<T> at = equation(x, share);
    return determinant(at.jacobian) > T(0) ? at : without_derivative(at);
  };
  return solve(on_branch, guess, Vec3<T>{}, work);
}
}  // namespace detail

// The root that begins at rest. The determinant of the Jacobian is the product of the moments there; it stays positive
// along the root and vanishes where the root ends. Beyond lie other roots, which are no motion of the body.
//
// At ordinary steps two or three iterations from a good guess suffice, inlined and without a line search; all else
// is left to solve().
template <class T, class F>
[[gnu::always_inline]] constexpr Vec3<T> solve_from_rest(const F& equation, const Vec3<T>& guess, Work& work) {
  constexpr int few_iterations = 5;
  if constexpr (is_lanes<T>) {
    const auto step = [&](const Vec3<T>& x) {
      const Equation<T> at = equation(x, T(1));
      const auto [change, determinant] = solve_by_cofactors(at.jacobian, at.value);
      return std::pair{change, determinant > T(0) && all_finite(change)};
    };
    return solve_lanes(step, guess, few_iterations, work, [&](std::size_t i) {
      return solve_from_rest(equation_of_lane<T>(equation, i), lane(guess, i), work);
    });
  } else if constexpr (derivatives_of<T> == 0) {
    Vec3<T> x = guess;
    for (int n = 1; n <= few_iterations; ++n) {
      const Equation<T> at = equation(x, T(1));
      const auto [change, determinant] = solve_by_cofactors(at.jacobian, at.value);
      if (!(determinant > T(0)) || !all_finite(change)) break;
      x = x - change;
      if (detail::size_of(change) <= detail::last_change<T>() * detail::size_of(x)) [[likely]] {
        work.solver_iterations += n;
        return x;
      }
    }
  }
  if constexpr (!is_lanes<T>) return detail::solve_far_from_rest(equation, guess, work);
}

// A number with its first derivatives.
template <class T>
concept WithFirstDerivatives = derivatives_of<T>
== 1 && requires(const T& x) {
  T(plain(x));
  x.d;
};

template <WithFirstDerivatives T>
[[gnu::always_inline]] constexpr auto values_of(const Vec3<T>& v) {
  return Vec3<value_of<T>>{plain(v.x), plain(v.y), plain(v.z)};
}

// The root of an equation whose value `root` is known, with its derivatives: `at` is the equation there, as if the root had
// none, and they meet a linear equation with its Jacobian.
template <WithFirstDerivatives T, class V>
[[gnu::always_inline]] constexpr Vec3<T> with_derivatives(const Vec3<V>& root, const Equation<T>& at) {
  Mat3<V> jacobian{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t k = 0; k < 3; ++k) jacobian[i][k] = plain(at.jacobian[i][k]);
  const Vec3<V> r0{jacobian[0][0], jacobian[0][1], jacobian[0][2]}, r1{jacobian[1][0], jacobian[1][1], jacobian[1][2]},
      r2{jacobian[2][0], jacobian[2][1], jacobian[2][2]};
  const Vec3<V> c0 = cross(r1, r2), c1 = cross(r2, r0), c2 = cross(r0, r1);
  const V scale = V(1) / dot(r0, c0);
  Vec3<T> x;
  for (std::size_t i = 0; i < 3; ++i)
    x[i] = T(root[i]) - scale * (c0[i] * at.value.x + c1[i] * at.value.y + c2[i] * at.value.z);
  return x;
}

}  // namespace polhode
