// The product integral on any Lie group: y' = W(t) y, or y' = y W(t), by a Taylor method of order N [B01, Sec. 5; S11].
//
// W is a callable that takes a time of any scalar and returns a generator of that scalar. Run on a power series of time
// it returns its own Taylor coefficients; the Lie series makes of them Y(h) = y_1 h + ... + y_N h^N, and one step is
//
//   y(t + h) = exp(Y(h)) y(t)   (spatial),   y(t) exp(Y(h))   (body).
//
// The result is a product of exponentials and so in the group, whatever the step. taylor.hpp does the same on SO(3),
// with a W that comes from the torque.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>

#include "polhode/core/lie_group.hpp"
#include "polhode/core/lie_series.hpp"
#include "polhode/core/series.hpp"

namespace polhode {

// Generators as a function of time, one that can be run on power series.
template <class W, class G, class T, std::size_t N>
concept GeneratorOfTime = requires(const W& w, const Series<T, N - 1>& t) {
  { w(t) } -> std::convertible_to<AlgebraOf<G, Series<T, N - 1>>>;
};

// What can be moved: an element of the group or, from the left only, a vector of its representation.
template <class Y, class G, class T, Frame frame>
concept MovedBy = LieGroup<G, T> &&
    (std::same_as<Y, ElementOf<G, T>> || (std::same_as<Y, VectorOf<G, T>> && frame == Frame::spatial));

// The first N Taylor coefficients of W at t.
template <class G, std::size_t N, class T, class W>
std::array<AlgebraOf<G, T>, N> taylor_coefficients(const W& w, const T& t) {
  const AlgebraOf<G, Series<T, N - 1>> series = w(Series<T, N - 1>::variable(t));
  std::array<AlgebraOf<G, T>, N> coefficients{};
  for (std::size_t n = 0; n < N; ++n)
    for (std::size_t i = 0; i < G::dimension; ++i) coefficients[n][i] = series[i].c[n];
  return coefficients;
}

// Y(h), up to h^N, from the first N coefficients of W.
template <Frame frame, class T, class Algebra, std::size_t N>
constexpr Algebra exponent_of(const std::array<Algebra, N>& w, const T& h) {
  const auto y = lie_series<N, frame, T>(w);
  Algebra sum = y[N];
  for (std::size_t n = N; n-- > 1;) sum = y[n] + h * sum;
  return h * sum;
}
template <class G, std::size_t N, Frame frame = Frame::spatial, class T, class W>
AlgebraOf<G, T> product_exponent(const W& w, const T& t, const Same<T>& h) {
  return exponent_of<frame, T>(taylor_coefficients<G, N>(w, t), h);
}

// y(t + h) from y = y(t).
template <class G, std::size_t N, Frame frame = Frame::spatial, class T, GeneratorOfTime<G, T, N> W,
          MovedBy<G, T, frame> Y>
Y product_step(const W& w, const Y& y, const T& t, const Same<T>& h) {
  const ElementOf<G, T> step = exp(product_exponent<G, N, frame>(w, t, h));
  const Y next = [&] {
    if constexpr (frame == Frame::spatial) {
      return step * y;
    } else {
      return y * step;
    }
  }();
  if constexpr (std::same_as<Y, ElementOf<G, T>> && requires { renormalised(next); }) {
    return renormalised(next);
  } else {
    return next;
  }
}

// y(t1) from y0 = y(t0), in `steps` > 0 equal steps of order N.
template <class G, std::size_t N, Frame frame = Frame::spatial, class T, GeneratorOfTime<G, T, N> W,
          MovedBy<G, T, frame> Y>
Y integrate(const W& w, const Y& y0, const T& t0, const Same<T>& t1, int steps) {
  const T h = (t1 - t0) / T(steps);
  Y y = y0;
  for (int n = 0; n < steps; ++n) y = product_step<G, N, frame>(w, y, T(t0 + T(n) * h), h);
  return y;
}

}  // namespace polhode
