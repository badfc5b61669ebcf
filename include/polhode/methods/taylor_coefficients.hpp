// What a Taylor method of higher order needs of a motion: the coefficients of the body velocity, the impulse of the torque
// over a step and its work. The order is a number, so that one kernel serves all orders of a scalar and a field.
//
// A body without torque has a recursion for its momentum alone. For a heavy top
//   pi' = pi x w + m g l u x axis,   u' = u x w,   r_i' = r_i x w
// with u = R^T up and rows r_i = R^T e_i of the attitude: four vectors turn side by side. With P the integral of R axis,
// of which u gives one component and two rows two more, the impulse is m g l up x P, at right angles to the field whatever
// P is; the work is what the potential m g l u . axis has lost.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <type_traits>

#include "polhode/core/lanes.hpp"
#include "polhode/core/rotation_vector_series.hpp"
#include "polhode/methods/carried_momentum.hpp"
#include "polhode/methods/field_series.hpp"
#include "polhode/methods/rotor_series.hpp"
#include "polhode/methods/step_series.hpp"
#include "polhode/methods/taylor_expansion.hpp"
#include "polhode/model/lane_state.hpp"

namespace polhode::taylor {

inline constexpr std::size_t lowest_order = 5, highest_order = 12;

// Element n multiplies s^n.
template <class T>
struct Coefficients {
  std::array<Vec3<T>, highest_order> w_B;
  Vec3<T> impulse_S{};
  T work{};
};

// (pi x w)_1 = (1/I_3 - 1/I_2) pi_2 pi_3, and so on around: half the products of a cross product.
template <class T>
constexpr Vec3<T> gyroscopic_factors(const Body<T>& body) {
  const Vec3<T>& J = body.inverse_inertia;
  return {J.z - J.y, J.x - J.z, J.y - J.x};
}

template <class T>
constexpr void expand_free(const Body<T>& body, const State<T>& s, std::size_t order, Coefficients<T>& c) {
  const Vec3<T> factors = gyroscopic_factors(body);
  std::array<Vec3<T>, highest_order> pi;
  pi[0] = s.pi_B;
  for (std::size_t k = 0; k < order; ++k) {
    c.w_B[k] = body.velocity(pi[k]);
    if (k + 1 == order) break;
    const auto term = [&pi, k](std::size_t j) {
      const Vec3<T>&a = pi[j], &b = pi[k - j];
      return Vec3<T>{a.y * b.z, a.z * b.x, a.x * b.y};
    };
    Vec3<T> sum{};
    for (std::size_t j = 1; j < k; ++j) sum += term(j);
    // The newest coefficients last, which the sum of the others need not wait for.
    sum += k > 0 ? term(0) + term(k) : term(0);
    pi[k + 1] = times(T(T(1) / T(static_cast<int>(k + 1))) * factors, sum);
  }
}

template <class T>
constexpr std::size_t axis_next_to_field(const Vec3<T>& up) {
  std::size_t axis = 2;
  if (every(abs(up.x) > abs(up[axis]))) axis = 0;
  if (every(abs(up.y) > abs(up[axis]))) axis = 1;
  return axis;
}

template <class T>
class HeavyTopSeries {
  using Lane4 = Lanes<T, 4, plain_width<T>>;

 public:
  [[gnu::always_inline]] constexpr HeavyTopSeries(const Body<T>& body, const AxisWeight<T>& top)
      : body_(body), top_(top), last_(axis_next_to_field(top.up_spatial)) {}

  [[gnu::always_inline]] constexpr void expand(const State<T>& s, const T& h, std::size_t order, Coefficients<T>& c) {
    begin(s);
    for (std::size_t k = 0; k < order; ++k) {
      const Vec3<T> pi{x_[k][0], y_[k][0], z_[k][0]}, up{x_[k][1], y_[k][1], z_[k][1]};
      c.w_B[k] = body_.velocity(pi);
      const Vec3<T> weight = top_.weight_times_arm * cross(up, top_.axis_body);
      Lane4 x{}, y{}, z{};
      for (std::size_t j = 1; j < k; ++j) add_product(x, y, z, j, c.w_B[k - j]);
      if (k > 0) add_product(x, y, z, k, c.w_B[0]);
      add_product(x, y, z, 0, c.w_B[k]);
      const Lane4 fraction(T(T(1) / T(static_cast<int>(k + 1))));
      (fraction * (x + in_first(weight.x))).store(x_[k + 1]);
      (fraction * (y + in_first(weight.y))).store(y_[k + 1]);
      (fraction * (z + in_first(weight.z))).store(z_[k + 1]);
    }
    sum_up(h, order, c);
  }

 private:
  [[gnu::always_inline]] constexpr void begin(const State<T>& s) {
    const Rotation<T> to_body = inverse(s.R_SB);
    const Vec3<T> up = inlined::product(to_body, top_.up_spatial);
    Vec3<T> first{}, second{};
    first[(last_ + 1) % 3] = second[(last_ + 2) % 3] = T(1);
    const Vec3<T> r_1 = inlined::product(to_body, first), r_2 = inlined::product(to_body, second);
    lanes(s.pi_B.x, up.x, r_1.x, r_2.x).store(x_[0]);
    lanes(s.pi_B.y, up.y, r_1.y, r_2.y).store(y_[0]);
    lanes(s.pi_B.z, up.z, r_1.z, r_2.z).store(z_[0]);
  }

  [[gnu::always_inline]] constexpr void add_product(Lane4& x, Lane4& y, Lane4& z, std::size_t j,
                                                    const Vec3<T>& w) const {
    const Lane4 a = Lane4::load(x_[j]), b = Lane4::load(y_[j]), c = Lane4::load(z_[j]), w_x(w.x), w_y(w.y), w_z(w.z);
    x = x + (b * w_z - c * w_y);
    y = y + (c * w_x - a * w_z);
    z = z + (a * w_y - b * w_x);
  }
  // Lane by lane, and not from memory: a vector read from there waits for numbers that were stored one by one.
  [[gnu::always_inline]] static constexpr Lane4 lanes(const T& a, const T& b, const T& c, const T& d) {
    Lane4 made;
    made.set(0, a);
    made.set(1, b);
    made.set(2, c);
    made.set(3, d);
    return made;
  }
  [[gnu::always_inline]] static constexpr Lane4 in_first(const T& value) {
    Lane4 made{};
    made.set(0, value);
    return made;
  }

  [[gnu::always_inline]] constexpr void sum_up(const T& h, std::size_t order, Coefficients<T>& c) const {
    const Lane4 a_x(top_.axis_body.x), a_y(top_.axis_body.y), a_z(top_.axis_body.z), step(h);
    // Of axis . (u, r_1, r_2): its integral over the step, and without the first term its change.
    const auto along = [&](std::size_t n) {
      return a_x * Lane4::load(x_[n]) + a_y * Lane4::load(y_[n]) + a_z * Lane4::load(z_[n]);
    };
    Lane4 integral{}, change = step * along(order);
    for (std::size_t n = order; n-- > 0;) {
      const Lane4 now = along(n);
      integral = Lane4(T(h / T(static_cast<int>(n + 1)))) * now + step * integral;
      if (n > 0) change = step * (now + change);
    }
    const Vec3<T>& up = top_.up_spatial;
    const std::size_t first = (last_ + 1) % 3, second = (last_ + 2) % 3;
    Vec3<T> P;
    P[first] = integral[2];
    P[second] = integral[3];
    P[last_] = (integral[1] - up[first] * P[first] - up[second] * P[second]) / up[last_];
    c.impulse_S = top_.weight_times_arm * cross(up, P);
    c.work = -top_.weight_times_arm * change[1];
  }

  const Body<T>& body_;
  const AxisWeight<T>& top_;
  std::size_t last_;  // the axis next to the field, which has no row
  // Lanes are pi, u and two rows. Not initialised: what was not written is not read.
  std::array<Row4<T>, highest_order + 1> x_, y_, z_;
};

// By truncated series while they are short; by growing ones where they win, in wide scalars at once. Growing ones may
// allocate, which is not for a device.
#if defined(__CUDACC__)
template <class T>
inline constexpr std::size_t longest_truncated = highest_order;
#else
template <class T>
inline constexpr std::size_t longest_truncated =
    std::is_same_v<T, double> || std::is_same_v<T, float> || is_lanes<T> ? lowest_order + 3 : lowest_order - 1;
#endif

template <class T, class F>
constexpr void expand_truncated(const System<T, F>& sys, const State<T>& s, const T& h, std::size_t order,
                                Coefficients<T>& c) {
  constexpr std::size_t N = longest_truncated<T>;
  Expansion<T, N> e;
  begin(e, s);
  detail::expand_from<0>(sys, s.t, order, e);
  std::copy_n(e.w_B.begin(), order, c.w_B.begin());
  // R tau_B = tau_B + q_w u + q_v x u with u = 2 q_v x tau_B, and w_B . tau_B.
  std::array<Vec3<T>, N> u;
  Vec3<T> impulse{};
  T work(0), share = h;
  for (std::size_t n = 0; n < order; ++n) {
    Vec3<T> half_u{}, torque_S = e.torque_B[n];
    T power(0);
    for (std::size_t j = 0; j <= n; ++j) {
      half_u += cross(e.R_SB[j].v, e.torque_B[n - j]);
      power = power + dot(e.w_B[j], e.torque_B[n - j]);
    }
    u[n] = half_u + half_u;
    for (std::size_t j = 0; j <= n; ++j) torque_S += e.R_SB[j].w * u[n - j] + cross(e.R_SB[j].v, u[n - j]);
    const T weight = share / T(static_cast<int>(n + 1));
    impulse += weight * torque_S;
    work = work + weight * power;
    share = share * h;
  }
  c.impulse_S = impulse;
  c.work = work;
}

template <class T, class F>
constexpr void expand_growing(const System<T, F>& sys, const State<T>& s, const T& h, std::size_t order,
                              Coefficients<T>& c) {
  static_assert(highest_order <= series_capacity<T>);
  FieldSeries<T, F> series(sys.body, sys.field);
  series.expand(s, order);
  for (std::size_t n = 0; n < order; ++n) c.w_B[n] = series.velocity(n);
  c.impulse_S = series.impulse(h);
  c.work = series.work(h);
}

// Of bodies side by side whose fields are next to different axes, one by one.
template <class T>
constexpr void expand_top(const Body<T>& body, const AxisWeight<T>& top, const State<T>& s, const T& h,
                          std::size_t order, Coefficients<T>& c) {
  if constexpr (is_lanes<T>) {
    using V = typename T::Scalar;
    bool agree = true;
    for (std::size_t i = 0; i < T::size; ++i)
      agree = agree && axis_next_to_field(lane(top.up_spatial, i)) == axis_next_to_field(top.up_spatial);
    if (!agree) {
      for (std::size_t i = 0; i < T::size; ++i) {
        Coefficients<V> one;
        const AxisWeight<V> weight{top.weight_times_arm[i], lane(top.axis_body, i), lane(top.up_spatial, i)};
        HeavyTopSeries<V>(lane(body, i), weight).expand(lane(s, i), h[i], order, one);
        for (std::size_t n = 0; n < order; ++n) set_lane(c.w_B[n], i, one.w_B[n]);
        set_lane(c.impulse_S, i, one.impulse_S);
        c.work.set(i, one.work);
      }
      return;
    }
  }
  HeavyTopSeries<T>(body, top).expand(s, h, order, c);
}

template <class T, class F>
constexpr void expand_in_field(const System<T, F>& sys, const State<T>& s, const T& h, std::size_t order,
                               Coefficients<T>& c) {
  if constexpr (may_be_rotor<T, F>) {
    if (!carries_wheels(sys)) {
      if (const auto weight = lone_weight<T>(sys.field)) return expand_top(sys.body, *weight, s, h, order, c);
    }
  }
  if constexpr (!WeightOnAxis<F, T>) {
    if constexpr (longest_truncated<T> >= lowest_order) {
      if (order <= longest_truncated<T>) return expand_truncated(sys, s, h, order, c);
    }
    if constexpr (longest_truncated<T> < highest_order) expand_growing(sys, s, h, order, c);
  }
}

template <class T, class F>
constexpr State<T> step(const System<T, F>& sys, const State<T>& s, CarriedMomentum<T>& memory, const T& h,
                        std::size_t order, Work& work, StepSeries<T>* kept = nullptr) {
  Coefficients<T> c;
  const bool free_body = has_no_torque(sys.field) && !carries_wheels(sys);
  if (free_body) {
    expand_free(sys.body, s, order, c);
  } else if constexpr (!is_free<F>) {
    expand_in_field(sys, s, h, order, c);
    work.torque_evaluations += static_cast<long long>(order);
    memory.momentum_S += c.impulse_S;
    memory.work_of_torque = c.work;
    memory.work_known = true;
  }
  const auto y = rotation_vector_series(c.w_B, order);
  if (is_kept(kept)) kept->keep(s, h, order, free_body, c.w_B, y);
  // From the largest term down: the last coefficient comes out of the longest chain and must not be waited for first.
  Vec3<T> Y = h * y[1];
  T power = h;
  for (std::size_t n = 2; n <= order; ++n) {
    power = power * h;
    Y += power * y[n];
  }
  return memory.turned(s, Y, T(s.t + h));
}

}  // namespace polhode::taylor
