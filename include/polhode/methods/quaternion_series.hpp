// Power series of the attitude's quaternion, of fixed order [JZ05].
//
// With w the body velocity, u = R^T up and the constants g of Euler's equations,
//   q' = q w/2,   w_1' = g_1 w_2 w_3 + m g l (u x axis)_1 / I_1 and so on around,   u' = u x w,
// the last two for a heavy top only. Each coefficient is a sum of products of those before it. They are kept times powers of
// h: a series is then summed by adding, and no power of h overflows where its coefficient does not.
//
// The series is that of the quaternion itself, made a unit one at the end of a step: O(N^2) products and not a branch on
// values, so that packs of bodies and the threads of a card go through it side by side. A field of any other kind gives the
// velocity by the means of taylor_coefficients.hpp.
//
// In space the momentum is carried: it moves by the impulse of the torque and by nothing else. That of a weight is m g l
// up x P with P the integral of R axis, at right angles to the field whatever P is; the work is what the potential
// m g l u . axis has lost.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <type_traits>
#include <utility>

#include "polhode/core/table.hpp"
#include "polhode/methods/taylor_coefficients.hpp"

namespace polhode {

namespace quaternion_series {

// Whether loops over coefficients are written out. In packs of bodies that is faster, and on a card the coefficients of
// a body then stay in registers. The code of a single body would leave the cache of instructions, and of a
// scalar whose products are calls it would only be a lot, as it is where nothing is optimised.
#ifdef __CUDACC__
template <class T>
inline constexpr bool written_out = std::is_same_v<T, double> || std::is_same_v<T, float>;
#elif defined(__OPTIMIZE__)
template <class T>
inline constexpr bool written_out = is_lanes<T>;
#else
template <class T>
inline constexpr bool written_out = false;
#endif

// Whether each product is added to the sum by itself, in one operation where both are fused. Elsewhere three products are
// added up beside the sum, which they then need not wait for.
#if defined(__CUDACC__) && defined(POLHODE_CARD_FUSED)
inline constexpr bool one_by_one = true;
#else
inline constexpr bool one_by_one = false;
#endif

template <std::size_t K>
using Constant = std::integral_constant<std::size_t, K>;

template <class T, std::size_t K>
constexpr auto length() {
  if constexpr (written_out<T>) {
    return Constant<K>{};
  } else {
    return K;
  }
}

// f(0), ..., f(k - 1), of numbers or of constants.
template <class Function, std::size_t... I>
[[gnu::always_inline]] constexpr void write_out(const Function& f, std::index_sequence<I...>) {
  (f(Constant<I>{}), ...);
}
template <std::size_t K, class Function>
[[gnu::always_inline]] constexpr void repeat(Constant<K>, const Function& f) {
  write_out(f, std::make_index_sequence<K>{});
}
template <class Function>
[[gnu::always_inline]] constexpr void repeat(std::size_t k, const Function& f) {
  for (std::size_t i = 0; i < k; ++i) f(i);
}

// add(i, j) for all i + j = k, the newest coefficients last, which the sums of the others need not wait for.
template <class Index, class Function>
[[gnu::always_inline]] constexpr void for_products(Index k, const Function& add) {
  repeat(
      k, [&](std::size_t n) __attribute__((always_inline)) { add(n + 1, k - (n + 1)); });
  add(0, k);
}

// 1/n, from a table where the division would be made in every step.
struct Reciprocals {
  template <class V>
  static constexpr std::array<V, taylor::highest_order + 1> make() {
    std::array<V, taylor::highest_order + 1> made{};
    for (std::size_t n = 1; n < made.size(); ++n) made[n] = V(1) / static_cast<V>(n);
    return made;
  }
};
template <class T>
[[gnu::always_inline]] constexpr T one_over(std::size_t n) {
  using V = value_of<T>;
  if constexpr (std::is_floating_point_v<V>) {
    return T(table_of<Reciprocals, V>()[n]);
  } else {
    return T(V(1) / V(static_cast<int>(n)));
  }
}

// Not initialised where T is not: what was not written is not read.
template <class T>
struct Three {
  T x, y, z;
};
template <class T>
struct Four {
  T w, x, y, z;
};

// Coefficient n of the velocity and of what it depends on, times h^n. extend(k) finds number k + 1. It is left to the
// compiler to inline it: where it must, GCC takes minutes over a pack of bodies.
template <class T, std::size_t N>
struct FreeVelocity {
  Vec3<T> gyroscopic;
  T h;
  std::array<Three<T>, N + 1> w;

  [[gnu::always_inline]] constexpr FreeVelocity(const Body<T>& body, const State<T>& s, const T& step)
      : gyroscopic(body.gyroscopic()), h(step) {
    const Vec3<T> w_B = body.velocity(s.pi_B);
    w[0] = {w_B.x, w_B.y, w_B.z};
  }

  template <class Index>
  constexpr void extend(Index k) {
    T x(0), y(0), z(0);
    for_products(
        k, [&](std::size_t i, std::size_t j) __attribute__((always_inline)) {
          x = x + w[i].y * w[j].z;
          y = y + w[i].z * w[j].x;
          z = z + w[i].x * w[j].y;
        });
    const T share = h * one_over<T>(k + 1);
    w[k + 1] = {share * (gyroscopic.x * x), share * (gyroscopic.y * y), share * (gyroscopic.z * z)};
  }
};

template <class T, std::size_t N>
struct TopVelocity {
  Vec3<T> gyroscopic, pull, push;  // I^-1 m g l u x axis = pull times (u_2, u_3, u_1) - push times (u_3, u_1, u_2)
  T h;
  std::array<Three<T>, N + 1> w, u;

  [[gnu::always_inline]] constexpr TopVelocity(const Body<T>& body, const AxisWeight<T>& weight, const State<T>& s,
                                               const T& step)
      : gyroscopic(body.gyroscopic()), h(step) {
    const Vec3<T>&a = weight.axis_body, &J = body.inverse_inertia;
    const T& m = weight.weight_times_arm;
    pull = {m * J.x * a.z, m * J.y * a.x, m * J.z * a.y};
    push = {m * J.x * a.y, m * J.y * a.z, m * J.z * a.x};
    const Vec3<T> w_B = body.velocity(s.pi_B), u_B = inlined::product(inverse(s.R_SB), weight.up_spatial);
    w[0] = {w_B.x, w_B.y, w_B.z};
    u[0] = {u_B.x, u_B.y, u_B.z};
  }

  template <class Index>
  constexpr void extend(Index k) {
    T x(0), y(0), z(0), u_x(0), u_y(0), u_z(0);
    for_products(
        k, [&](std::size_t i, std::size_t j) __attribute__((always_inline)) {
          const Three<T>&a = w[i], &b = w[j], &c = u[j];
          x = x + a.y * b.z;
          y = y + a.z * b.x;
          z = z + a.x * b.y;
          u_x = one_by_one ? u_x + c.y * a.z - c.z * a.y : u_x + (c.y * a.z - c.z * a.y);
          u_y = one_by_one ? u_y + c.z * a.x - c.x * a.z : u_y + (c.z * a.x - c.x * a.z);
          u_z = one_by_one ? u_z + c.x * a.y - c.y * a.x : u_z + (c.x * a.y - c.y * a.x);
        });
    const T share = h * one_over<T>(k + 1);
    const Three<T>& c = u[k];
    w[k + 1] = {share * (gyroscopic.x * x + (pull.x * c.y - push.x * c.z)),
                share * (gyroscopic.y * y + (pull.y * c.z - push.y * c.x)),
                share * (gyroscopic.z * z + (pull.z * c.x - push.z * c.y))};
    u[k + 1] = {share * u_x, share * u_y, share * u_z};
  }

  // axis . (u(h) - u(0))
  [[gnu::always_inline]] constexpr T change_along(const Vec3<T>& axis) const {
    Three<T> sum = u[N];
    repeat(
        length<T, N - 1>(), [&](std::size_t n) __attribute__((always_inline)) {
          const Three<T>& c = u[N - 1 - n];
          sum = {c.x + sum.x, c.y + sum.y, c.z + sum.z};
        });
    return axis.x * sum.x + axis.y * sum.y + axis.z * sum.z;
  }
};

// Of a field that was asked already.
template <class T, std::size_t N>
struct GivenVelocity {
  T h;
  std::array<Three<T>, N> w;

  [[gnu::always_inline]] constexpr GivenVelocity(const taylor::Coefficients<T>& c, const T& step) : h(step) {
    T power(1);
    for (std::size_t n = 0; n < N; ++n) {
      w[n] = {power * c.w_B[n].x, power * c.w_B[n].y, power * c.w_B[n].z};
      power = power * h;
    }
  }

  template <class Index>
  constexpr void extend(Index) {}
};

// The attitude, from any of these.
template <class T, std::size_t N>
struct Attitude {
  std::array<Four<T>, N + 1> q;

  template <class Velocity>
  [[gnu::always_inline]] constexpr Attitude(Velocity& velocity, const State<T>& s) {
    q[0] = {s.R_SB.w, s.R_SB.v.x, s.R_SB.v.y, s.R_SB.v.z};
    repeat(
        length<T, N>(), [&](auto k) __attribute__((always_inline)) {
          extend(k, velocity);
          velocity.extend(k);
        });
  }

  template <class Index, class Velocity>
  constexpr void extend(Index k, const Velocity& velocity) {
    T w(0), x(0), y(0), z(0);
    for_products(
        k, [&](std::size_t i, std::size_t j) __attribute__((always_inline)) {
          const Three<T>& a = velocity.w[i];
          const Four<T>& b = q[j];
          w = one_by_one ? w + b.x * a.x + b.y * a.y + b.z * a.z : w + (b.x * a.x + b.y * a.y + b.z * a.z);
          x = one_by_one ? x + b.w * a.x + b.y * a.z - b.z * a.y : x + (b.w * a.x + b.y * a.z - b.z * a.y);
          y = one_by_one ? y + b.w * a.y + b.z * a.x - b.x * a.z : y + (b.w * a.y + b.z * a.x - b.x * a.z);
          z = one_by_one ? z + b.w * a.z + b.x * a.y - b.y * a.x : z + (b.w * a.z + b.x * a.y - b.y * a.x);
        });
    const T share = T(0.5) * (velocity.h * one_over<T>(k + 1));
    q[k + 1] = {-(share * w), share * x, share * y, share * z};
  }

  // q(h)
  [[gnu::always_inline]] constexpr Rotation<T> at_end() const {
    Four<T> sum = q[N];
    repeat(
        length<T, N>(), [&](std::size_t n) __attribute__((always_inline)) {
          const Four<T>& c = q[N - 1 - n];
          sum = {c.w + sum.w, c.x + sum.x, c.y + sum.y, c.z + sum.z};
        });
    return {sum.w, {sum.x, sum.y, sum.z}};
  }

  // The integral of R a over the step, the sum of q_i a q_j* / (i + j + 1). The products of i and j and of j and i have the
  // same vector part, and those with one i in common are one product.
  [[gnu::always_inline]] constexpr Vec3<T> integral(const Vec3<T>& a, const T& h) const {
    T x(0), y(0), z(0);
    repeat(
        length<T, (N + 1) / 2>(), [&](auto n) __attribute__((always_inline)) {
          constexpr std::size_t last = (N - 1) / 2;
          const Four<T>& c = q[last - n];
          const Four<T> r = partners(n, last - n);
          const Four<T> p{-(c.x * a.x) - c.y * a.y - c.z * a.z, c.w * a.x + c.y * a.z - c.z * a.y,
                          c.w * a.y + c.z * a.x - c.x * a.z, c.w * a.z + c.x * a.y - c.y * a.x};
          x = x + (p.x * r.w - p.w * r.x - (p.y * r.z - p.z * r.y));
          y = y + (p.y * r.w - p.w * r.y - (p.z * r.x - p.x * r.z));
          z = z + (p.z * r.w - p.w * r.z - (p.x * r.y - p.y * r.x));
        });
    return {h * x, h * y, h * z};
  }

 private:
  // q_i / (2 i + 1) and twice the q_j / (i + j + 1) with i < j < N - i. There are 2 n more of them than N - 1 - 2 last.
  template <class Index>
  [[gnu::always_inline]] constexpr Four<T> partners(Index n, std::size_t i) const {
    Four<T> sum{T(0), T(0), T(0), T(0)};
    repeat(
        others(n), [&](std::size_t m) __attribute__((always_inline)) {
          const std::size_t j = N - 1 - i - m;
          const T share = one_over<T>(i + j + 1), weight = share + share;
          const Four<T>& c = q[j];
          sum = {sum.w + weight * c.w, sum.x + weight * c.x, sum.y + weight * c.y, sum.z + weight * c.z};
        });
    const T weight = one_over<T>(2 * i + 1);
    const Four<T>& c = q[i];
    return {sum.w + weight * c.w, sum.x + weight * c.x, sum.y + weight * c.y, sum.z + weight * c.z};
  }
  static constexpr std::size_t others(std::size_t n) { return N - 1 - 2 * ((N - 1) / 2) + 2 * n; }
  template <std::size_t K>
  static constexpr auto others(Constant<K>) {
    return Constant<others(std::size_t(K))>{};
  }
};

}  // namespace quaternion_series

template <std::size_t N>
struct QuaternionSeries : CarriesMomentum {
  static_assert(N <= taylor::highest_order);
  static constexpr std::string_view family = "taylor";
  static constexpr std::string_view cite = "JZ05; B01, Sec. 3";
  static constexpr std::string_view about =
      "the power series of the quaternion truncated at this order, made a unit one: no branch";
  static constexpr std::string_view good_for =
      "high accuracy over some hundred turns, of many bodies side by side above all";
  static constexpr std::string_view not_for = "torques known by their values only, and torques that jump";
  static constexpr Claims claims{.order_attitude = static_cast<int>(N),
                                 .order_momentum = static_cast<int>(N),
                                 .momentum_free = Keeps::exact,
                                 .momentum_along_field = Keeps::exact,
                                 .needs = Needs::series,
                                 .torque_evaluations = static_cast<double>(N),
                                 .knows_work = true,
                                 .wheels = true,
                                 .batch = true};

  template <class T, class F>
  static constexpr State<T> step(const System<T, F>& sys, const State<T>& s, Memory<T>& memory, const T& h, Work& work,
                                 StepSeries<T>* kept = nullptr) {
    if (has_no_torque(sys.field) && !carries_wheels(sys)) return of_free(sys.body, s, memory, h, kept);
    if constexpr (!is_free<F>) {
      work.torque_evaluations += static_cast<long long>(N);
      if constexpr (WeightOnAxis<F, T>) {
        return of_top(sys.body, {sys.field.weight_times_arm, sys.field.axis_body, sys.field.up_spatial}, s, memory, h,
                      kept);
      } else {
        if constexpr (SumAtRunTime<F>) {
          const auto weight = carries_wheels(sys) ? std::nullopt : lone_weight<T>(sys.field);
          if (weight) return of_top(sys.body, *weight, s, memory, h, kept);
        }
        if constexpr (SeriesField<F, T>) {
          if (offers_series<T>(sys.field)) return in_field(sys, s, memory, h, kept);
        } else {
          static_assert(SumAtRunTime<F>, "this method needs a field that can be run on power series");
        }
        work.converged = false;
      }
    }
    return s;
  }

 private:
  // Functions of their own for a body that is free or a heavy top: all types of fields share them.
  template <class T>
  static constexpr State<T> of_free(const Body<T>& body, const State<T>& s, const Memory<T>& memory, const T& h,
                                    StepSeries<T>* kept) {
    quaternion_series::FreeVelocity<T, N> velocity(body, s, h);
    const quaternion_series::Attitude<T, N> attitude(velocity, s);
    if (is_kept(kept)) kept->keep_scaled(s, h, N, true, velocity.w, attitude.q);
    return arrived(attitude, memory, T(s.t + h));
  }

  template <class T>
  static constexpr State<T> of_top(const Body<T>& body, const AxisWeight<T>& weight, const State<T>& s,
                                   Memory<T>& memory, const T& h, StepSeries<T>* kept) {
    quaternion_series::TopVelocity<T, N> velocity(body, weight, s, h);
    const quaternion_series::Attitude<T, N> attitude(velocity, s);
    if (is_kept(kept)) kept->keep_scaled(s, h, N, false, velocity.w, attitude.q);
    const Vec3<T> P = attitude.integral(weight.axis_body, h);
    return moved_by(weight.weight_times_arm * inlined::cross(weight.up_spatial, P),
                    -(weight.weight_times_arm * velocity.change_along(weight.axis_body)), attitude, memory, T(s.t + h));
  }

  template <class T, class F>
  static constexpr State<T> in_field(const System<T, F>& sys, const State<T>& s, Memory<T>& memory, const T& h,
                                     StepSeries<T>* kept) {
    taylor::Coefficients<T> c;
    taylor::expand_in_field(sys, s, h, N, c);
    quaternion_series::GivenVelocity<T, N> velocity(c, h);
    const quaternion_series::Attitude<T, N> attitude(velocity, s);
    if (is_kept(kept)) kept->keep_scaled(s, h, N, false, velocity.w, attitude.q);
    return moved_by(c.impulse_S, c.work, attitude, memory, T(s.t + h));
  }

  template <class T>
  [[gnu::always_inline]] static constexpr State<T> moved_by(const Vec3<T>& impulse_S, const T& work_of_torque,
                                                            const quaternion_series::Attitude<T, N>& attitude,
                                                            Memory<T>& memory, const T& t) {
    memory.momentum_S += impulse_S;
    memory.work_of_torque = work_of_torque;
    memory.work_known = true;
    return arrived(attitude, memory, t);
  }

  // Not by memory.arrived(), which takes an attitude that is off by rounding only. The change to length one is added: a
  // factor near one would be rounded itself.
  template <class T>
  [[gnu::always_inline]] static constexpr State<T> arrived(const quaternion_series::Attitude<T, N>& attitude,
                                                           const Memory<T>& memory, const T& t) {
    const Rotation<T> q = attitude.at_end();
    const T square = squared_norm(q), length = sqrt(square);
    const T change = (T(1) - square) / (length + square);  // 1/|q| - 1
    const Rotation<T> R_SB{q.w + change * q.w,
                           {q.v.x + change * q.v.x, q.v.y + change * q.v.y, q.v.z + change * q.v.z}};
    return {R_SB, inlined::product(inverse(R_SB), memory.momentum_S), t};
  }
};

}  // namespace polhode
