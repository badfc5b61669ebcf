// The equations of several bodies side by side: Newton's method for all of them at once, each as if it were alone.
//
// A body that has arrived, or that Newton's method without safeguards cannot help, stays where it is while the others go
// on; those of the second kind are solved afterwards, one by one, as a single body would be.
#pragma once

#include "polhode/core/lanes.hpp"
#include "polhode/methods/solver.hpp"

namespace polhode {

template <class T, std::size_t N, std::size_t W>
constexpr Equation<T> lane(const Equation<Lanes<T, N, W>>& at, std::size_t i) {
  Equation<T> one{lane(at.value, i), {}, at.size[i]};
  for (std::size_t k = 0; k < 3; ++k)
    for (std::size_t n = 0; n < 3; ++n) one.jacobian[k][n] = at.jacobian[k][n][i];
  return one;
}

// The equation of body i, asked of all.
template <class T, class F>
constexpr auto equation_of_lane(const F& equation, std::size_t i) {
  using V = typename T::Scalar;
  return [&equation, i](const Vec3<V>& x, const V& share) {
    return lane(equation(Vec3<T>{T(x.x), T(x.y), T(x.z)}, T(share)), i);
  };
}

// `step` returns for a point the change that leads on, and a mask of those for which it is sound. What `alone(i)` returns
// is the root of a body that did not arrive.
template <class T, class Step, class Alone>
[[gnu::always_inline]] constexpr Vec3<T> solve_lanes(const Step& step, const Vec3<T>& guess, int most_iterations,
                                                     Work& work, const Alone& alone) {
  Vec3<T> x = guess;
  auto under_way = guess.x == guess.x || !(guess.x == guess.x);  // all
  auto arrived = !under_way;
  for (int n = 1; n <= most_iterations && any(under_way); ++n) {
    const auto [change, sound] = step(x);
    ++work.solver_iterations;
    under_way = under_way && sound;
    x = select(under_way, x - change, x);
    const auto settled = under_way && detail::size_of(change) <= T(detail::last_change<T>()) * detail::size_of(x);
    arrived = arrived || settled;
    under_way = under_way && !settled;
  }
  if (every(arrived)) [[likely]]
    return x;
  for (std::size_t i = 0; i < T::size; ++i)
    if (!arrived[i]) set_lane(x, i, alone(i));
  return x;
}

}  // namespace polhode
