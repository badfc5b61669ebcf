// The motion on truncated power series: the field is run from the beginning for every coefficient, each time one order
// longer. For few coefficients nothing is faster, because every length is a type and its loops are unrolled.
#pragma once

#include <array>
#include <cstddef>

#include "polhode/core/series.hpp"
#include "polhode/model/field.hpp"

namespace polhode {

// Taylor coefficients in time of everything a step needs. Element n multiplies s^n.
template <class T, std::size_t N>
struct Expansion {
  std::array<Vec3<T>, N + 1> pi_B{};
  std::array<Vec3<T>, N> w_B{};
  std::array<Rotation<T>, N> R_SB{};  // of the quaternion; elements after the first are not rotations
  std::array<Vec3<T>, N> torque_B{};
};

namespace detail {

template <std::size_t K, class T, std::size_t N>
constexpr Vec3<Series<T, K>> leading(const std::array<Vec3<T>, N>& coefficients) {
  Vec3<Series<T, K>> v;
  for (std::size_t n = 0; n <= K; ++n) {
    v.x.c[n] = coefficients[n].x;
    v.y.c[n] = coefficients[n].y;
    v.z.c[n] = coefficients[n].z;
  }
  return v;
}

template <std::size_t K, class T, std::size_t N>
constexpr Rotation<Series<T, K>> leading(const std::array<Rotation<T>, N>& coefficients) {
  Rotation<Series<T, K>> q;
  for (std::size_t n = 0; n <= K; ++n) {
    q.w.c[n] = coefficients[n].w;
    q.v.x.c[n] = coefficients[n].v.x;
    q.v.y.c[n] = coefficients[n].v.y;
    q.v.z.c[n] = coefficients[n].v.z;
  }
  return q;
}

// Coefficient K of the products (pi_2 pi_3, pi_3 pi_1, pi_1 pi_2). The loop is left with the inner terms: in the low
// orders there is at most one, all indices are constants, and the coefficients stay in registers.
template <std::size_t K, class T, std::size_t N>
POLHODE_INLINED constexpr Vec3<T> products(const std::array<Vec3<T>, N>& pi) {
  const auto term = [&pi](std::size_t j) {
    const Vec3<T>&a = pi[j], &b = pi[K - j];
    return Vec3<T>{a.y * b.z, a.z * b.x, a.x * b.y};
  };
  Vec3<T> sum = term(0);
  if constexpr (K > 0) sum += term(K);
#pragma GCC unroll 16
  for (std::size_t j = 1; j < K; ++j) sum += term(j);
  return sum;
}

// What wheels take from coefficient K of the velocity and of pi x w: w = I^-1 (pi - k) with k = k(t) + rate s, which has one
// coefficient more than a constant.
template <class T>
struct OfWheels {
  Vec3<T> velocity, gyroscopic;
};
template <class T>
[[gnu::noinline, gnu::cold]] constexpr OfWheels<T> of_wheels(const Body<T>& body, T t, std::size_t K, Vec3<T> pi,
                                                             Vec3<T> pi_before) {
  const Vec3<T> w_k = body.velocity(body.wheels.at(t)), w_rate = body.velocity(body.wheels.rate);
  if (K == 0) return {w_k, cross(pi, w_k)};
  return {K == 1 ? w_rate : Vec3<T>{}, cross(pi, w_k) + cross(pi_before, w_rate)};
}

// Of a motion expanded to `order` <= N, coefficient K of the velocity, of the torque, and K + 1 of momentum and attitude: dq/dt = q (0, w_B) / 2.
template <std::size_t K, class T, class F, std::size_t N>
POLHODE_INLINED constexpr void expand_once(const System<T, F>& sys, const T& t, std::size_t order, Expansion<T, N>& e) {
  e.w_B[K] = sys.body.velocity(e.pi_B[K]);
  const T fraction = T(1) / T(static_cast<int>(K + 1));
  // (pi x w)_1 = (1/I_3 - 1/I_2) pi_2 pi_3, and so on around: half the products of a cross product.
  const Vec3<T>& J = sys.body.inverse_inertia;
  e.pi_B[K + 1] = times(fraction * Vec3<T>{J.z - J.y, J.x - J.z, J.y - J.x}, products<K>(e.pi_B));
  if (carries_wheels(sys)) [[unlikely]] {
    if constexpr (SumAtRunTime<F>) {
      const auto [velocity, gyroscopic] = of_wheels(sys.body, t, K, e.pi_B[K], e.pi_B[K > 0 ? K - 1 : 0]);
      e.w_B[K] -= velocity;
      e.pi_B[K + 1] -= fraction * gyroscopic;
    }
  }
  if constexpr (!is_free<F>) {
    if constexpr (K == 0) {
      e.torque_B[0] = torque_of(sys.field, e.R_SB[0], e.w_B[0], t);
    } else {
      const auto torque = torque_of(sys.field, leading<K>(e.R_SB), leading<K>(e.w_B), Series<T, K>::variable(t));
      e.torque_B[K] = {torque.x.c[K], torque.y.c[K], torque.z.c[K]};
    }
    e.pi_B[K + 1] += fraction * e.torque_B[K];
    if (K + 1 < order) {
      Rotation<T> sum{T(0), {}};
      for (std::size_t j = 0; j <= K; ++j) {
        const Rotation<T> product = e.R_SB[j] * Rotation<T>{T(0), e.w_B[K - j]};
        sum.w = sum.w + product.w;
        sum.v += product.v;
      }
      const T factor = T(0.5) * fraction;
      e.R_SB[K + 1] = {factor * sum.w, factor * sum.v};
    }
  }
}

template <std::size_t K, class T, class F, std::size_t N>
POLHODE_INLINED constexpr void expand_from(const System<T, F>& sys, const T& t, std::size_t order, Expansion<T, N>& e) {
  if constexpr (K < N) {
    if (K == order) return;
    expand_once<K>(sys, t, order, e);
    expand_from<K + 1>(sys, t, order, e);
  }
}

}  // namespace detail

// Number by number: a copy of the whole would read two numbers at once that were stored one by one a moment ago, and
// wait for them to reach the cache.
template <class T, std::size_t N>
POLHODE_INLINED constexpr void begin(Expansion<T, N>& e, const State<T>& s) {
  e.pi_B[0] = {s.pi_B.x, s.pi_B.y, s.pi_B.z};
  e.R_SB[0] = {s.R_SB.w, {s.R_SB.v.x, s.R_SB.v.y, s.R_SB.v.z}};
}

template <std::size_t N, class T, class F>
POLHODE_INLINED constexpr Expansion<T, N> expand(const System<T, F>& sys, const State<T>& s, Work& work) {
  Expansion<T, N> e;
  begin(e, s);
  detail::expand_from<0>(sys, s.t, N, e);
  if constexpr (!is_free<F>) work.torque_evaluations += N;
  return e;
}

}  // namespace polhode
