// The Taylor series of a body that is free or a heavy top, all components side by side: with u = R^T up,
//   q' = q w/2,   u' = u x w,   w_1' = ((I_2 - I_3) w_2 w_3 + m g l (u x axis)_1)/I_1 and so on around.
#pragma once

#include <array>
#include <cmath>
#include <type_traits>

#include "polhode/core/growing_series.hpp"
#include "polhode/core/lanes.hpp"
#include "polhode/core/lobatto.hpp"
#include "polhode/core/table.hpp"
#include "polhode/core/wider.hpp"
#include "polhode/model/weight_on_axis.hpp"

namespace polhode {

// A field without torque by its type, or as it was put together at run time.
template <class F>
constexpr bool has_no_torque(const F& field) {
  if constexpr (SumAtRunTime<F>) {
    return field.empty();
  } else {
    return is_free<F>;
  }
}

// Whether a body in it may be free or a heavy top.
template <class T, class F>
inline constexpr bool may_be_rotor = is_free<F> || WeightOnAxis<F, T> || SumAtRunTime<F>;

namespace detail {

// Where a heavy top's axis is looked at to integrate the torque over a step: the nodes of a Lobatto quadrature, but for
// the first, which is the beginning. With N of them it is exact up to degree 2 N - 1. For double eight are enough up to
// order 20: what they do to the terms of higher degree is below 1e-9 of them, and those are within e^8 of the tolerance.
template <class T>
struct Nodes {
  static constexpr int digits = std::numeric_limits<value_of<T>>::digits;
  static constexpr std::size_t N = digits > 64 ? (longest_series<T> + 1) / 2 : digits > 24 ? 8 : 5;

  std::array<T, N> times{}, weights{};
  T first_weight{};

  constexpr Nodes() {
    using V = value_of<T>;
    using W = wider_built_in<V>;
    const Lobatto<W, N> lobatto;
    for (std::size_t i = 0; i < N; ++i) {
      times[i] = T(static_cast<V>(lobatto.node[i + 1]));
      weights[i] = T(static_cast<V>(lobatto.integral[N][i + 1]));
    }
    first_weight = T(static_cast<V>(lobatto.integral[N][0]));
  }
};
struct NodesOfLobatto {
  template <class T>
  static constexpr Nodes<T> make() {
    return {};
  }
};

// The mean of R over a step, from the mean products of the components of q.
template <class T, std::size_t Width>
class MeanRotation {
  using Lane4 = Lanes<T, 4, Width>;

 public:
  [[gnu::always_inline]] constexpr void add(const T& weight, const Lane4& q) {
    const Lane4 weighted = Lane4(weight) * q;
    squares_ = squares_ + weighted * q;
    x_ = x_ + weighted * q.template permuted<1, 0, 3, 2>();
    y_ = y_ + weighted * q.template permuted<2, 3, 0, 1>();
    z_ = z_ + weighted * q.template permuted<3, 2, 1, 0>();
  }
  [[gnu::always_inline]] constexpr Vec3<T> operator*(const Vec3<T>& a) const {
    Row4<T> s, x, y, z;
    squares_.store(s);
    x_.store(x);
    y_.store(y);
    z_.store(z);
    const T wx = x[0] + x[0], yz = x[2] + x[2], wy = y[0] + y[0], xz = y[1] + y[1], wz = z[0] + z[0], xy = z[1] + z[1];
    return {(s[0] + s[1] - s[2] - s[3]) * a.x + (xy - wz) * a.y + (xz + wy) * a.z,
            (xy + wz) * a.x + (s[0] - s[1] + s[2] - s[3]) * a.y + (yz - wx) * a.z,
            (xz - wy) * a.x + (yz + wx) * a.y + (s[0] - s[1] - s[2] + s[3]) * a.z};
  }

 private:
  Lane4 squares_{}, x_{}, y_{}, z_{};
};

}  // namespace detail

// The motion of a body that is free or a heavy top, four components side by side.
template <class T, std::size_t Width, class Field>
class RotorSeries {
  using Lane4 = Lanes<T, 4, Width>;
  static constexpr bool heavy = !is_free<Field>;

 public:
  static constexpr bool asks_field = heavy;

  [[gnu::always_inline]] constexpr RotorSeries(const Body<T>& body, const Field& field) : body_(body), field_(field) {
    const Vec3<T> g = body.gyroscopic();
    gyroscopic_ = of({g.x, g.y, g.z, T(0)});
    if constexpr (heavy) {
      const Vec3<T>& a = field.axis_body;
      const Vec3<T> m = field.weight_times_arm * body.inverse_inertia;
      pull_ = of({m.x * a.z, m.y * a.x, m.z * a.y, T(0)});
      push_ = of({m.x * a.y, m.y * a.z, m.z * a.x, T(0)});
    }
  }

  [[gnu::always_inline]] constexpr void expand(const State<T>& s, std::size_t order) {
    order_ = order;
    const Vec3<T> w = body_.velocity(s.pi_B);
    keep_attitude(coefficients_[0], of({s.R_SB.w, s.R_SB.v.x, s.R_SB.v.y, s.R_SB.v.z}));
    keep_velocity(coefficients_[0], of({w.x, w.y, w.z, T(0)}));
    [[maybe_unused]] Lane4 weight_rate{};
    if constexpr (heavy) {
      const Vec3<T> up_B = inlined::product(inverse(s.R_SB), field_.up_spatial);
      weight_rate = keep_up(coefficients_[0], of({up_B.x, up_B.y, up_B.z, T(0)}));
    }
    for (std::size_t k = 0; k < order; ++k) {
      // The newest coefficients last, which the sums of the others need not wait for.
      Sums sums;
      for (std::size_t j = 1; j < k; ++j) add_products(sums, coefficients_[j], coefficients_[k - j]);
      add_products(sums, coefficients_[k], coefficients_[0]);
      if (k > 0) add_products(sums, coefficients_[0], coefficients_[k]);
      const Lane4 fraction(T(T(1) / T(static_cast<int>(k + 1))));
      Coefficients& next = coefficients_[k + 1];
      Lane4 rate = gyroscopic_ * sums.velocities;
      if constexpr (heavy) {
        rate = rate + weight_rate;
        weight_rate = keep_up(next, fraction * (sums.up_gain - sums.up_loss));
      }
      keep_velocity(next, fraction * rate);
      keep_attitude(next, fraction * ((sums.q_x + sums.q_y) + sums.q_z));
    }
  }

  // Coefficient n of the quaternion.
  [[gnu::always_inline]] constexpr Rotation<T> attitude(std::size_t n) const {
    const auto& q = coefficients_[n].q;
    return {q[0], {q[1], q[2], q[3]}};
  }

  // With the weight's impulse, m g l up x integral of R axis: at right angles to the field whatever the integral.
  [[gnu::always_inline]] constexpr Rotation<T> attitude_after(const T& h, Vec3<T>& momentum_S) const {
    Lane4 q;
    if constexpr (heavy) {
      const auto& at = table_of<detail::NodesOfLobatto, T>();
      constexpr std::size_t count = detail::Nodes<T>::N;
      std::array<Lane4, count> t, sum;
      for (std::size_t i = 0; i < count; ++i) {
        t[i] = Lane4(T(h * at.times[i]));
        sum[i] = Lane4::load(coefficients_[order_].q);
      }
      for (std::size_t n = order_; n-- > 0;) {
        const Lane4 c = Lane4::load(coefficients_[n].q);
#pragma GCC unroll 8
        for (std::size_t i = 0; i < count; ++i) sum[i] = c + t[i] * sum[i];
      }
      detail::MeanRotation<T, Width> mean;
      mean.add(at.first_weight, Lane4::load(coefficients_[0].q));
#pragma GCC unroll 8
      for (std::size_t i = 0; i < count; ++i) mean.add(at.weights[i], sum[i]);
      momentum_S += T(h * field_.weight_times_arm) * cross(field_.up_spatial, mean * field_.axis_body);
      q = sum[count - 1];
    } else {
      const Lane4 step(h);
      q = Lane4::load(coefficients_[order_].q);
      for (std::size_t n = order_; n-- > 0;) q = Lane4::load(coefficients_[n].q) + step * q;
    }
    return {q[0], {q[1], q[2], q[3]}};
  }

 private:
  // Of one order: the quaternion, itself and times i/2, j/2, k/2; the components of the velocity, each in all lanes; and
  // what cross products need, the components moved on by one and by two.
  struct Coefficients {
    Row4<T> q, q_i, q_j, q_k, w_x, w_y, w_z, w_next, w_after, up_next, up_after;
  };
  struct Sums {
    Lane4 q_x{}, q_y{}, q_z{}, velocities{}, up_gain{}, up_loss{};
  };

  [[gnu::always_inline]] static constexpr Lane4 of(const std::array<T, 4>& four) { return Lane4::load(four); }
  [[gnu::always_inline]] static constexpr Lane4 next(const Lane4& a) { return a.template permuted<1, 2, 0, 3>(); }
  [[gnu::always_inline]] static constexpr Lane4 after(const Lane4& a) { return a.template permuted<2, 0, 1, 3>(); }

  // Velocity of one order, attitude of the other.
  [[gnu::always_inline]] static constexpr void add_products(Sums& sums, const Coefficients& a, const Coefficients& b) {
    const Lane4 w_next = Lane4::load(a.w_next);
    sums.q_x = sums.q_x + Lane4::load(a.w_x) * Lane4::load(b.q_i);
    sums.q_y = sums.q_y + Lane4::load(a.w_y) * Lane4::load(b.q_j);
    sums.q_z = sums.q_z + Lane4::load(a.w_z) * Lane4::load(b.q_k);
    sums.velocities = sums.velocities + w_next * Lane4::load(b.w_after);
    if constexpr (heavy) {
      sums.up_gain = sums.up_gain + Lane4::load(a.w_after) * Lane4::load(b.up_next);
      sums.up_loss = sums.up_loss + w_next * Lane4::load(b.up_after);
    }
  }

  [[gnu::always_inline]] static constexpr void keep_attitude(Coefficients& c, const Lane4& q) {
    const T half(0.5);
    q.store(c.q);
    (of({-half, half, half, -half}) * q.template permuted<1, 0, 3, 2>()).store(c.q_i);
    (of({-half, -half, half, half}) * q.template permuted<2, 3, 0, 1>()).store(c.q_j);
    (of({-half, half, -half, half}) * q.template permuted<3, 2, 1, 0>()).store(c.q_k);
  }
  [[gnu::always_inline]] static constexpr void keep_velocity(Coefficients& c, const Lane4& w) {
    w.template spread<0>().store(c.w_x);
    w.template spread<1>().store(c.w_y);
    w.template spread<2>().store(c.w_z);
    next(w).store(c.w_next);
    after(w).store(c.w_after);
  }
  // Returns what the weight adds to the rate of the velocity, I^-1 m g l up x axis.
  [[gnu::always_inline]] constexpr Lane4 keep_up(Coefficients& c, const Lane4& up) const {
    const Lane4 up_next = next(up), up_after = after(up);
    up_next.store(c.up_next);
    up_after.store(c.up_after);
    return pull_ * up_next - push_ * up_after;
  }

  const Body<T>& body_;
  const Field& field_;
  std::size_t order_ = 0;
  Lane4 gyroscopic_{}, pull_{}, push_{};
  // Not initialised: what was not written is not read.
  std::array<Coefficients, longest_series<T> + 1> coefficients_;
};

}  // namespace polhode
