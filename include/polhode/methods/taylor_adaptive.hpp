// Taylor series of the motion, with order and step from a tolerance [JZ05].
//
// The last two coefficients of the attitude's series, of orders p - 1 and p, tell its radius of convergence rho. After a
// step h = x rho the terms left out are about x^(p+1) + x^(p+2) + ..., and x^(p+1) = tol/8 keeps them within the tolerance:
// half of it would do for the sum, and the rest is for coefficients that do not fall evenly, near the wall of a potential.
// The coefficients are known before the step is chosen, so that no step is ever taken back. [JZ05] are more careful, with
// x = 1/e^2, which takes twice the steps for errors a thousand times smaller than was asked for.
//
// The order 1 - ln(tol)/2 is the cheapest where all the cost of a step is in the products of its series, which grow like
// p^2 [JZ05]. A step has costs besides, and the best order is higher by about two. Rounding sets the highest.
//
// The series is that of the quaternion itself, made a unit one at the end of a step. A Lie series of the rotation vector
// would cost more, O(N^3) in place of O(N^2), would not be more accurate once both are within the tolerance, and would
// converge less far: it has a singularity where the body has turned by 2 pi, the quaternion none but those of the
// velocity.
//
// In space the momentum is carried: it moves by the integral of the spatial torque and by nothing else. Without torque it
// is constant to the bit; along the axis of a heavy top's field it is kept to rounding, whatever the tolerance.
//
// A field of any kind is run on growing series (growing_series.hpp). A body without torque and a heavy top have
// recursions of their own, all components side by side: with u = R^T up,
//   q' = q w/2,   u' = u x w,   w_1' = ((I_2 - I_3) w_2 w_3 + m g l (u x axis)_1)/I_1 and so on around.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <type_traits>
#include <variant>

#include "polhode/core/growing_series.hpp"
#include "polhode/core/instruction_set.hpp"
#include "polhode/core/lanes.hpp"
#include "polhode/core/lobatto.hpp"
#include "polhode/methods/carried_momentum.hpp"
#include "polhode/model/weight_on_axis.hpp"

namespace polhode {

namespace taylor_adaptive {

template <class T>
double as_double(const T& x) {
  return static_cast<double>(plain(x));
}

// An upper bound of the angle of a small change of the quaternion.
template <class T>
double angle_of(const T& w, const T& x, const T& y, const T& z) {
  return 2 * (std::abs(as_double(w)) + std::abs(as_double(x)) + std::abs(as_double(y)) + std::abs(as_double(z)));
}

// Where a heavy top's axis is looked at to integrate the torque over a step: the nodes of a Lobatto quadrature, but for
// the first, which is the beginning. With N of them it is exact up to degree 2 N - 1. For double eight are enough up to
// order 20: what they do to the terms of higher degree is below 1e-9 of them, and those are within e^8 of the tolerance.
template <class T>
struct Nodes {
  static constexpr int digits = std::numeric_limits<value_of<T>>::digits;
  static constexpr std::size_t N = digits > 64 ? (longest_series<T> + 1) / 2 : digits > 24 ? 8 : 5;

  std::array<T, N> times{}, weights{};
  T first_weight{};

  Nodes() {
    using V = value_of<T>;
    using W = std::conditional_t<std::is_same_v<V, double>, long double,
                                 std::conditional_t<std::is_same_v<V, float>, double, V>>;
    const Lobatto<W, N> lobatto;
    for (std::size_t i = 0; i < N; ++i) {
      times[i] = T(static_cast<V>(lobatto.node[i + 1]));
      weights[i] = T(static_cast<V>(lobatto.integral[N][i + 1]));
    }
    first_weight = T(static_cast<V>(lobatto.integral[N][0]));
  }
};
template <class T>
const Nodes<T>& nodes() {
  static const Nodes<T> made;
  return made;
}

template <class T, std::size_t Width>
using Four = Lanes<T, 4, Width>;

// What every processor has.
template <class T>
inline constexpr std::size_t plain_width = std::is_same_v<T, double>  ? 2
                                           : std::is_same_v<T, float> ? 4
                                                                      : 1;

// Four numbers in a row of memory, at a multiple of their size: a vector across two lines of the cache is slow to read.
template <class T>
struct alignas(detail::widest<T, 4> > 1 ? 4 * sizeof(T) : alignof(T)) Row4 : std::array<T, 4> {};

// The mean of R over a step, from the mean products of the components of q.
template <class T, std::size_t Width>
class MeanRotation {
  using Lane4 = Four<T, Width>;

 public:
  [[gnu::always_inline]] void add(const T& weight, const Lane4& q) {
    const Lane4 weighted = Lane4(weight) * q;
    squares_ = squares_ + weighted * q;
    x_ = x_ + weighted * q.template permuted<1, 0, 3, 2>();
    y_ = y_ + weighted * q.template permuted<2, 3, 0, 1>();
    z_ = z_ + weighted * q.template permuted<3, 2, 1, 0>();
  }
  [[gnu::always_inline]] Vec3<T> operator*(const Vec3<T>& a) const {
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
  Lane4 squares_, x_, y_, z_;
};

// The motion of a body that is free or a heavy top, four components side by side.
template <class T, std::size_t Width, class Field>
class RotorSeries {
  using Lane4 = Four<T, Width>;
  static constexpr bool heavy = !is_free<Field>;

 public:
  static constexpr bool asks_field = heavy;

  [[gnu::always_inline]] RotorSeries(const Body<T>& body, const Field& field) : body_(body), field_(field) {
    const Vec3<T>&I = body.inertia, &J = body.inverse_inertia;
    gyroscopic_ = of({(I.y - I.z) * J.x, (I.z - I.x) * J.y, (I.x - I.y) * J.z, T(0)});
    if constexpr (heavy) {
      const Vec3<T>& a = field.axis_body;
      const Vec3<T> m = field.weight_times_arm * J;
      pull_ = of({m.x * a.z, m.y * a.x, m.z * a.y, T(0)});
      push_ = of({m.x * a.y, m.y * a.z, m.z * a.x, T(0)});
    }
  }

  [[gnu::always_inline]] bool expand(const State<T>& s, std::size_t order) {
    order_ = order;
    const Vec3<T> w = body_.velocity(s.pi_B);
    keep_attitude(coefficients_[0], of({s.R_SB.w, s.R_SB.v.x, s.R_SB.v.y, s.R_SB.v.z}));
    keep_velocity(coefficients_[0], of({w.x, w.y, w.z, T(0)}));
    [[maybe_unused]] Lane4 weight_rate;
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
    return true;
  }

  [[gnu::always_inline]] double size(std::size_t n) const {
    const auto& q = coefficients_[n].q;
    return angle_of(q[0], q[1], q[2], q[3]);
  }

  // With the weight's impulse, m g l up x integral of R axis: at right angles to the field whatever the integral.
  [[gnu::always_inline]] Rotation<T> attitude_after(const T& h, Vec3<T>& momentum_S) const {
    Lane4 q;
    if constexpr (heavy) {
      const Nodes<T>& at = nodes<T>();
      constexpr std::size_t count = Nodes<T>::N;
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
      MeanRotation<T, Width> mean;
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
    Lane4 q_x, q_y, q_z, velocities, up_gain, up_loss;
  };

  [[gnu::always_inline]] static Lane4 of(const std::array<T, 4>& four) { return Lane4::load(four); }
  [[gnu::always_inline]] static Lane4 next(const Lane4& a) { return a.template permuted<1, 2, 0, 3>(); }
  [[gnu::always_inline]] static Lane4 after(const Lane4& a) { return a.template permuted<2, 0, 1, 3>(); }

  // Velocity of one order, attitude of the other.
  [[gnu::always_inline]] static void add_products(Sums& sums, const Coefficients& a, const Coefficients& b) {
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

  [[gnu::always_inline]] static void keep_attitude(Coefficients& c, const Lane4& q) {
    const T half(0.5);
    q.store(c.q);
    (of({-half, half, half, -half}) * q.template permuted<1, 0, 3, 2>()).store(c.q_i);
    (of({-half, -half, half, half}) * q.template permuted<2, 3, 0, 1>()).store(c.q_j);
    (of({-half, half, -half, half}) * q.template permuted<3, 2, 1, 0>()).store(c.q_k);
  }
  [[gnu::always_inline]] static void keep_velocity(Coefficients& c, const Lane4& w) {
    w.template spread<0>().store(c.w_x);
    w.template spread<1>().store(c.w_y);
    w.template spread<2>().store(c.w_z);
    next(w).store(c.w_next);
    after(w).store(c.w_after);
  }
  // Returns what the weight adds to the rate of the velocity, I^-1 m g l up x axis.
  [[gnu::always_inline]] Lane4 keep_up(Coefficients& c, const Lane4& up) const {
    const Lane4 up_next = next(up), up_after = after(up);
    up_next.store(c.up_next);
    up_after.store(c.up_after);
    return pull_ * up_next - push_ * up_after;
  }

  const Body<T>& body_;
  const Field& field_;
  std::size_t order_ = 0;
  Lane4 gyroscopic_, pull_, push_;
  // Not initialised: what was not written is not read.
  std::array<Coefficients, longest_series<T> + 1> coefficients_;
};

// The motion in any field that can be run on growing series.
template <class T, class F>
class FieldSeries {
  using S = GrowingSeries<T>;
  using Row = typename SeriesTape<T>::Row;

 public:
  static constexpr bool asks_field = true;

  FieldSeries(const Body<T>& body, const F& field) : body_(body), field_(field), tape_(inputs) {}

  bool expand(const State<T>& s, std::size_t order) {
    order_ = order;
    const Vec3<T>&I = body_.inertia, &J = body_.inverse_inertia;
    const Vec3<T> gyroscopic{(I.y - I.z) * J.x, (I.z - I.x) * J.y, (I.x - I.y) * J.z}, w_B = body_.velocity(s.pi_B);
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
      if (tape_.too_short()) return false;
      const Vec3<T> tau{torque.x.coefficient(k), torque.y.coefficient(k), torque.z.coefficient(k)};
      keep_torque(k, tau);
      const auto product = [k](const Row& a, const Row& b) { return Row::product(a, b, k); };
      const T fraction = T(1) / T(static_cast<int>(k + 1)), half = T(0.5) * fraction;
      const Vec3<T> rate{gyroscopic.x * product(w_y, w_z) + J.x * tau.x, gyroscopic.y * product(w_z, w_x) + J.y * tau.y,
                         gyroscopic.z * product(w_x, w_y) + J.z * tau.z};
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
    return true;
  }

  double size(std::size_t n) const { return angle_of(q(0, n), q(1, n), q(2, n), q(3, n)); }

  Rotation<T> attitude_after(const T& h, Vec3<T>& momentum_S) const {
    Vec3<T> impulse{};
    Rotation<T> sum{q(0, order_), {q(1, order_), q(2, order_), q(3, order_)}};
    for (std::size_t n = order_; n-- > 0;) {
      impulse = T(T(1) / T(static_cast<int>(n + 1))) * torque_S_[n] + h * impulse;
      sum = {q(0, n) + h * sum.w, Vec3<T>{q(1, n), q(2, n), q(3, n)} + h * sum.v};
    }
    momentum_S += h * impulse;
    return sum;
  }

 private:
  static constexpr std::size_t inputs = 14;  // q, w_B, t; then tau_B, and twice q_v x tau_B

  Row& row(std::size_t i) { return tape_.input(i); }
  const T& q(std::size_t i, std::size_t n) const { return tape_.input(i).c[n]; }
  S series(std::size_t i) { return {tape_, tape_.input(i)}; }

  // Coefficient k of R tau_B = tau_B + q_w u + q_v x u with u = 2 q_v x tau_B. Series and not a quadrature of R tau_B: what
  // the torque leaves alone vanishes in every coefficient, but not where truncated series are multiplied.
  void keep_torque(std::size_t k, const Vec3<T>& tau) {
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
  std::array<Vec3<T>, longest_series<T>> torque_S_;
  SeriesTape<T> tape_;
};

}  // namespace taylor_adaptive

struct TaylorAdaptive {
  static constexpr std::string_view family = "taylor";
  static constexpr std::string_view cite = "JZ05; B01, Sec. 3";
  static constexpr std::string_view about = "Taylor series with order and step from a tolerance, down to rounding";
  static constexpr std::string_view good_for =
      "a known accuracy in any smooth field without choosing a step, and references to compare with";
  static constexpr std::string_view not_for = "torques known by their values only, and torques that jump";
  static constexpr Claims claims{.order_attitude = exact_order,
                                 .order_momentum = exact_order,
                                 .momentum_free = Keeps::exact,
                                 .momentum_along_field = Keeps::exact,
                                 .needs = Needs::series,
                                 .torque_evaluations = static_cast<double>(longest_series<double>),
                                 .takes_tolerance = true};

  template <class T>
  struct Memory : CarriedMomentum<T> {
    T tolerance{epsilon<T>()};

    Memory reversed() const { return *this; }
  };

  template <class T, class F>
  static Memory<T> start(const System<T, F>&, const State<T>& s, const T&, Work&) {
    Memory<T> memory;
    memory.momentum_S = spatial_momentum(s);
    return memory;
  }

  // The order for a tolerance [rad].
  template <class T>
  static std::size_t order_for(const T& tolerance) {
    return order_from(logarithm_of(tolerance), longest_series<T>);
  }

  template <class T, class F>
  static State<T> step(const System<T, F>& sys, const State<T>& s, Memory<T>& memory, const T& h, Work& work) {
    if constexpr (SumAtRunTime<F>) {
      if (sys.field.empty()) return step_of_rotor(sys.body, Free{}, s, memory, h, work);
      return with_weight_or_sum<T>(sys.field,
                                   [&](const auto& field) { return step_in(sys.body, field, s, memory, h, work); });
    } else {
      return step_in(sys.body, sys.field, s, memory, h, work);
    }
  }

 private:
  static constexpr double orders_besides = 2;

  template <class T>
  static double logarithm_of(const T& tolerance) {
    return std::log(std::max(taylor_adaptive::as_double(tolerance), static_cast<double>(epsilon<T>())));
  }
  static std::size_t order_from(double ln_tolerance, std::size_t longest) {
    const double order = std::ceil(1 - std::min(0.0, ln_tolerance) / 2) + orders_besides;
    return std::min(static_cast<std::size_t>(order), longest);
  }

  template <class T, class F>
  static State<T> step_in(const Body<T>& body, const F& field, const State<T>& s, Memory<T>& memory, const T& h,
                          Work& work) {
    if constexpr (is_free<F> || WeightOnAxis<F, T>) {
      return step_of_rotor(body, field, s, memory, h, work);
    } else {
      if constexpr (TorqueField<F, GrowingSeries<T>>) {
        if (offers_series<T>(field)) {
          taylor_adaptive::FieldSeries<T, F> series(body, field);
          return steps(series, s, memory, h, work);
        }
      } else {
        static_assert(SumAtRunTime<F>, "this method needs a field that can be run on power series");
      }
      work.converged = false;
      return s;
    }
  }

  template <class T, class Field>
  static State<T> step_of_rotor(const Body<T>& body, const Field& field, const State<T>& s, Memory<T>& memory,
                                const T& h, Work& work) {
    if constexpr (std::is_same_v<T, double>) {
      if (instruction_set() != InstructionSet::baseline) return step_avx2(body, field, s, memory, h, work);
    }
    taylor_adaptive::RotorSeries<T, taylor_adaptive::plain_width<T>, Field> series(body, field);
    return steps(series, s, memory, h, work);
  }
  // Four doubles are a register of AVX2: wider ones would gain nothing.
  template <class Field>
  POLHODE_AVX2 POLHODE_FUSED static State<double> step_avx2(const Body<double>& body, const Field& field,
                                                            const State<double>& s, Memory<double>& memory,
                                                            const double& h, Work& work) {
    taylor_adaptive::RotorSeries<double, 4, Field> series(body, field);
    return steps(series, s, memory, h, work);
  }

  // The longest step within the tolerance.
  template <class Expansion>
  [[gnu::always_inline]] static double longest_step(const Expansion& series, std::size_t order, double ln_tolerance) {
    constexpr double ln_8 = 2.0794415416798357;
    const auto p = static_cast<double>(order);
    const double ln_share = (ln_tolerance - ln_8) / (p + 1);  // ln x
    return std::exp(ln_share - std::max(std::log(series.size(order)) / p, std::log(series.size(order - 1)) / (p - 1)));
  }

  template <class T, class Expansion>
  [[gnu::always_inline]] static State<T> steps(Expansion& series, const State<T>& s, Memory<T>& memory, const T& h,
                                               Work& work) {
    const double ln_tolerance = logarithm_of(memory.tolerance);
    const std::size_t order = order_from(ln_tolerance, longest_series<T>);
    const double shortest = as_length(h) * static_cast<double>(epsilon<T>());
    State<T> now = s;
    Vec3<T> momentum_S = memory.momentum_S;
    for (T left = h; plain(left) != 0;) {
      ++work.own_steps;
      work.torque_evaluations += Expansion::asks_field ? static_cast<long long>(order) : 0;
      if (!series.expand(now, order)) {
        work.torque_too_long = true;
        return given_up(s, work);
      }
      const double longest = longest_step(series, order, ln_tolerance);
      if (!(longest > shortest)) return given_up(s, work);
      // The last two are equal.
      const double ahead = as_length(left);
      T step = left;
      if (longest < ahead) step = 2 * longest > ahead ? T(T(0.5) * left) : copysign(T(longest), left);
      const Rotation<T> R_SB = normalised(series.attitude_after(step, momentum_S));
      left = left - step;
      now = {R_SB, inlined::product(inverse(R_SB), momentum_S), s.t + (h - left)};
      if (!(all_finite(R_SB) && all_finite(momentum_S))) return given_up(s, work);
    }
    memory.momentum_S = momentum_S;
    now.t = s.t + h;
    return now;
  }

  template <class T>
  static double as_length(const T& h) {
    return std::abs(taylor_adaptive::as_double(h));
  }
  template <class T>
  static State<T> given_up(const State<T>& s, Work& work) {
    work.converged = false;
    return s;
  }
};

}  // namespace polhode
