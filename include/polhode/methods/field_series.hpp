// The Taylor series of the motion in any field that can be run on growing series (growing_series.hpp).
#pragma once

#include <array>

#include "polhode/core/growing_series.hpp"
#include "polhode/model/field.hpp"

namespace polhode {

template <class T, class F>
class FieldSeries {
  using S = GrowingSeries<T>;
  using Row = typename SeriesTape<T>::Row;

 public:
  static constexpr bool asks_field = true;

  constexpr FieldSeries(const Body<T>& body, const F& field) : body_(body), field_(field), tape_(inputs) {}

  constexpr void expand(const State<T>& s, std::size_t order) {
    order_ = order;
    const Vec3<T>& J = body_.inverse_inertia;
    const bool wheels = SumAtRunTime<F> && body_.carries_wheels;
    const Vec3<T> gyroscopic = body_.gyroscopic(), w_B = wheels ? body_.velocity(s.pi_B, s.t) : body_.velocity(s.pi_B);
    const Rotation<S> R_SB{series(0), {series(1), series(2), series(3)}};
    const Vec3<S> velocity{series(4), series(5), series(6)};
    const S time = series(7);
    Row &q_w = row(0), &q_x = row(1), &q_y = row(2), &q_z = row(3);
    Row &w_x = row(4), &w_y = row(5), &w_z = row(6), &t = row(7);
    q_w.set(0, s.R_SB.w);
    q_x.set(0, s.R_SB.v.x);
    q_y.set(0, s.R_SB.v.y);
    q_z.set(0, s.R_SB.v.z);
    w_x.set(0, w_B.x);
    w_y.set(0, w_B.y);
    w_z.set(0, w_B.z);
    t.set(0, s.t);
    for (std::size_t k = 0; k < order; ++k) {
      if (k > 0) t.set(k, T(k == 1 ? 1 : 0));
      tape_.begin_run(k);
      const Vec3<S> torque = torque_of(field_, R_SB, velocity, time);
      const Vec3<T> tau{torque.x.coefficient(k), torque.y.coefficient(k), torque.z.coefficient(k)};
      keep_torque(k, tau);
      const auto product = [k](const Row& a, const Row& b) { return Row::product(a, b, k); };
      const T fraction = T(1) / T(static_cast<int>(k + 1)), half = T(0.5) * fraction;
      Vec3<T> rate{gyroscopic.x * product(w_y, w_z) + J.x * tau.x, gyroscopic.y * product(w_z, w_x) + J.y * tau.y,
                   gyroscopic.z * product(w_x, w_y) + J.z * tau.z};
      if (wheels) rate += body_.velocity(torque_of_wheels(s.t, k));
      const Rotation<T> turn{-product(q_x, w_x) - product(q_y, w_y) - product(q_z, w_z),
                             {product(q_w, w_x) + product(q_y, w_z) - product(q_z, w_y),
                              product(q_w, w_y) + product(q_z, w_x) - product(q_x, w_z),
                              product(q_w, w_z) + product(q_x, w_y) - product(q_y, w_x)}};
      w_x.set(k + 1, fraction * rate.x);
      w_y.set(k + 1, fraction * rate.y);
      w_z.set(k + 1, fraction * rate.z);
      q_w.set(k + 1, half * turn.w);
      q_x.set(k + 1, half * turn.v.x);
      q_y.set(k + 1, half * turn.v.y);
      q_z.set(k + 1, half * turn.v.z);
    }
  }

  // Coefficient n of the quaternion, and of the body velocity.
  constexpr Rotation<T> attitude(std::size_t n) const { return {q(0, n), {q(1, n), q(2, n), q(3, n)}}; }
  constexpr Vec3<T> velocity(std::size_t n) const {
    return {tape_.input(4).c[n], tape_.input(5).c[n], tape_.input(6).c[n]};
  }

  constexpr Rotation<T> attitude_after(const T& h, Vec3<T>& momentum_S) const {
    Rotation<T> sum = attitude(order_);
    for (std::size_t n = order_; n-- > 0;) {
      const Rotation<T> c = attitude(n);
      sum = {c.w + h * sum.w, c.v + h * sum.v};
    }
    momentum_S += impulse(h);
    return sum;
  }

  // Integral of R tau_B over a step, and the work of the torque, that of w_B . tau_B.
  constexpr Vec3<T> impulse(const T& h) const {
    Vec3<T> sum{};
    for (std::size_t n = order_; n-- > 0;) sum = T(T(1) / T(static_cast<int>(n + 1))) * torque_S_[n] + h * sum;
    return h * sum;
  }
  constexpr T work(const T& h) const {
    T sum(0);
    for (std::size_t n = order_; n-- > 0;) {
      const auto product = [this, n](std::size_t a, std::size_t b) {
        return Row::product(tape_.input(a), tape_.input(b), n);
      };
      sum = (product(4, 8) + product(5, 9) + product(6, 10)) / T(static_cast<int>(n + 1)) + h * sum;
    }
    return h * sum;
  }

 private:
  // Coefficient k of what wheels do to the body that carries them, k_B x w_B - dk_B/dt.
  constexpr Vec3<T> torque_of_wheels(const T& t, std::size_t k) const {
    const Vec3<T> of_momentum = cross(body_.wheels.at(t), velocity(k));
    return of_momentum + (k == 0 ? -body_.wheels.rate : cross(body_.wheels.rate, velocity(k - 1)));
  }

  static constexpr std::size_t inputs = 14;  // q, w_B, t; then tau_B, and twice q_v x tau_B

  constexpr Row& row(std::size_t i) { return tape_.input(i); }
  constexpr const T& q(std::size_t i, std::size_t n) const { return tape_.input(i).c[n]; }
  constexpr S series(std::size_t i) { return {tape_, tape_.input(i)}; }

  // Coefficient k of R tau_B = tau_B + q_w u + q_v x u with u = 2 q_v x tau_B. Series and not a quadrature of R tau_B: what
  // the torque leaves alone vanishes in every coefficient, but not where truncated series are multiplied.
  constexpr void keep_torque(std::size_t k, const Vec3<T>& tau) {
    const auto product = [this, k](std::size_t a, std::size_t b) { return Row::product(row(a), row(b), k); };
    row(8).set(k, tau.x);
    row(9).set(k, tau.y);
    row(10).set(k, tau.z);
    row(11).set(k, T(2) * (product(2, 10) - product(3, 9)));
    row(12).set(k, T(2) * (product(3, 8) - product(1, 10)));
    row(13).set(k, T(2) * (product(1, 9) - product(2, 8)));
    torque_S_[k] = {tau.x + product(0, 11) + (product(2, 13) - product(3, 12)),
                    tau.y + product(0, 12) + (product(3, 11) - product(1, 13)),
                    tau.z + product(0, 13) + (product(1, 12) - product(2, 11))};
  }

  const Body<T>& body_;
  const F& field_;
  std::size_t order_ = 0;
  std::array<Vec3<T>, series_capacity<T>> torque_S_;
  SeriesTape<T> tape_;
};

}  // namespace polhode
