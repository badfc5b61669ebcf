// A free body as the symmetric body next to it and a correction: exact where two moments are equal [TW94; F03].
//
// With J = I^-1 and c the middle axis,
//
//   T = J_c |pi|^2/2 + g_a pi_a^2/2 + g_b pi_b^2/2,   g_a = J_a - J_c,   g_b = J_b - J_c.
//
// |pi|^2 is in involution with every function of pi. Its flow turns the body about the momentum and leaves pi alone: all
// such turns of a step are one, wherever they stand. Two terms are left, each a turn about its own axis; together with the
// first, either is the free precession of a symmetric body. They do not commute by g_a g_b, and so c is the axis for which
// this product is least, the middle one. If two moments are equal one of the turns is none, and the step is exact.
//
// Order 2: half of b, a, half of b. Order 4 without a step backwards: b, a/2, b, a/2, b for lambda, 1/2, 1 - 2 lambda, 1/2,
// lambda of the step makes, by the formula of Baker, Campbell and Hausdorff, an error in T of h^2 times
//
//   g_a g_b (u g_b E_b + v g_a E_a),   u = (1 - 6 lambda + 6 lambda^2)/12,   v = (6 lambda - 1)/24,
//   E_a = pi_a^2 (pi_c^2 - pi_b^2),   E_b = pi_b^2 (pi_c^2 - pi_a^2).
//
// With |pi|^2 = C both hold -2 pi_a^2 pi_b^2, and for the rest a function of one component and of C. So let
// u g_b = -v g_a: what couples the two cancels, and h^2 k (f(pi_a) - f(pi_b)) is left, k = g_a^2 g_b v, f(x) = x^2 (C - x^2).
// That can be taken away beforehand: the turn about a gets the rate of g_a pi_a^2/2 - h^2 k f(pi_a), that about b of
// g_b pi_b^2/2 + h^2 k f(pi_b), and since f has C in it each turns a little about the momentum as well. It stays symmetric
// and symplectic, whatever the step. g_a and g_b have opposite signs, and the quadratic equation for lambda has a root
// between 1/6 and 0.2114 for every body, so that no share of the step is negative. Shares that depend on the moments are
// an idea of [LV18]; there they stand between turns about all three axes.
#pragma once

#include <array>
#include <string_view>

#include "polhode/methods/axis_splitting.hpp"
#include "polhode/methods/kicked_turn.hpp"

namespace polhode {

namespace detail {

// The axes renamed in a circle, so that the middle moment is the third; and back.
template <class T>
struct MiddleLast {
  using Mask = decltype(std::declval<const T&>() <= std::declval<const T&>());
  Mask x_is_middle, y_is_middle;

  explicit constexpr MiddleLast(const Vec3<T>& J)
      : x_is_middle(((J.y <= J.x) && (J.x <= J.z)) || ((J.z <= J.x) && (J.x <= J.y))),
        y_is_middle(((J.x <= J.y) && (J.y <= J.z)) || ((J.z <= J.y) && (J.y <= J.x))) {}

  [[gnu::always_inline]] constexpr Vec3<T> renamed(const Vec3<T>& v) const {
    return {one_of(v.y, v.z, v.x), one_of(v.z, v.x, v.y), one_of(v.x, v.y, v.z)};
  }
  [[gnu::always_inline]] constexpr Vec3<T> back(const Vec3<T>& v) const {
    return {one_of(v.z, v.y, v.x), one_of(v.x, v.z, v.y), one_of(v.y, v.x, v.z)};
  }

 private:
  constexpr T one_of(const T& if_x, const T& if_y, const T& if_z) const {
    return select(x_is_middle, if_x, T(select(y_is_middle, if_y, if_z)));
  }
};

// What a step needs to know of a body, in the new names.
template <class T>
struct NearlySymmetric {
  MiddleLast<T> axes;
  T J_c, g_a, g_b, lambda, k;

  explicit constexpr NearlySymmetric(const Vec3<T>& inverse_inertia) : axes(inverse_inertia) {
    const Vec3<T> J = axes.renamed(inverse_inertia);
    J_c = J.z;
    g_a = J.x - J.z;
    g_b = J.y - J.z;
    // The smaller root of 12 g_b x^2 + (6 g_a - 12 g_b) x + 2 g_b - g_a, with nothing that cancels.
    const T a = abs(g_a), b = abs(g_b), some = a + b + b;
    const auto ball = some <= T(0);
    const T ratio = select(ball, T(1), T((a + a + some) / T(select(ball, T(1), some))));
    lambda = T(1) / (T(3) + sqrt(T(T(3) * ratio)));
    k = g_a * g_a * g_b * T(T(0.25) * lambda - T(1) / T(24));
  }
};

}  // namespace detail

template <int Order>
struct SymmetricSplitting : KickedTurn<SymmetricSplitting<Order>> {
  static_assert(Order == 2 || Order == 4);
  static constexpr bool corrected = Order == 4;
  static constexpr std::string_view family = "engine";
  static constexpr std::string_view cite = corrected ? "TW94; F03; LV18" : "TW94; F03; Avian993";
  static constexpr std::string_view about =
      corrected
          ? "symmetric body and correction, the turns set right for the moments: five turns, order 4 of a free body"
          : "free precession of the nearest symmetric body and a turn about one axis: exact for two equal moments";
  static constexpr std::string_view good_for =
      corrected ? "free bodies and weak torques at large steps: no equation to solve, symplectic, hardly any error"
                : "bodies that are nearly symmetric, and everything mclachlan-reich is for, at less error and cost";
  static constexpr std::string_view not_for =
      corrected ? "strong torques: they are kicks, and of order 2" : "high accuracy: engine-symmetric-splitting-4";
  static constexpr Claims claims{.order_attitude = 2,
                                 .order_momentum = 2,
                                 .order_free = corrected ? Orders{4, 4} : Orders{},
                                 .gains_with_velocity = Gains::one,
                                 .symmetric = true,
                                 .symplectic = true,
                                 .momentum_free = Keeps::exact,
                                 .momentum_along_field = Keeps::exact,
                                 .energy_free = Keeps::bounded,
                                 .energy = Keeps::bounded,
                                 .wheels = !corrected,  // with them the free motion would be of order 2
                                 .batch = true};

  template <class T>
  [[gnu::always_inline]] static constexpr void turn_free(const Body<T>& body, State<T>& s, const T& h, Work&) {
    const detail::NearlySymmetric<T> known(body.inverse_inertia);
    const detail::MiddleLast<T>& axes = known.axes;
    State<T> r{{s.R_SB.w, axes.renamed(s.R_SB.v)}, axes.renamed(s.pi_B), s.t};
    T about_momentum = h * known.J_c;
    const T half = T(0.5) * h;
    if constexpr (corrected) {
      const T C = squared_norm(s.pi_B), hk = h * h * known.k;
      const auto turn = [&]<int Axis>(std::integral_constant<int, Axis>, const T& g, const T& correction,
                                      const T& tau) {
        const T x = r.pi_B[Axis], x2 = x * x, change = tau * correction;
        detail::turn_by_half<ExponentialMap, Axis>(r, T(x * (T(0.5) * tau * g + change * (C - (x2 + x2)))));
        about_momentum = about_momentum + T(2) * change * x2;
      };
      constexpr std::integral_constant<int, 0> about_a;
      constexpr std::integral_constant<int, 1> about_b;
      const T outer = known.lambda * h;
      turn(about_b, known.g_b, hk, outer);
      turn(about_a, known.g_a, T(-hk), half);
      turn(about_b, known.g_b, hk, T(h - (outer + outer)));
      turn(about_a, known.g_a, T(-hk), half);
      turn(about_b, known.g_b, hk, outer);
    } else {
      detail::turn_by_half<ExponentialMap, 1>(r, T(T(0.5) * half * known.g_b * r.pi_B.y));
      detail::turn_by_half<ExponentialMap, 0>(r, T(half * known.g_a * r.pi_B.x));
      detail::turn_by_half<ExponentialMap, 1>(r, T(T(0.5) * half * known.g_b * r.pi_B.y));
    }
    s.pi_B = axes.back(r.pi_B);
    const Rotation<T> turned{r.R_SB.w, axes.back(r.R_SB.v)};
    s.R_SB = renormalised(inlined::product(turned, exp(about_momentum * s.pi_B)));
  }
};

}  // namespace polhode
