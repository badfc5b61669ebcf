// The discrete rigid body of Moser and Veselov [MV91], and its corrections to higher order [MZ05; HV06].
//
// A step of the free body is R <- R F, pi <- F^T pi with F J - J F^T = h hat(pi), where I_i = J_j + J_k. With
// F = cay(2 y), y = tan(f/2) times the axis of F, this is an equation of second degree without trigonometry,
//
//   I y + y x I y = (1 + |y|^2) h/2 pi.
//
// Its root of smallest norm begins at y = 0 for h = 0 and ends at a critical step, about one radian: beyond it there is
// none. The discrete body keeps energy and momentum of the free body, and its momentum runs on the exact orbit, only at
// a pace of its own: to order h^6 it is the exact flow of a body that moves with the velocity
//
//   (1 + a3 h^2 + a5 h^4) I^-1 pi + (b3 h^2 + b5 h^4) pi.
//
// The coefficients depend on constants of the motion alone; so the pace can be made good, by another step for the
// momentum, or by another body for momentum and attitude.
#pragma once

#include <array>
#include <string_view>

#include "polhode/methods/kicked_turn.hpp"
#include "polhode/methods/turn_equation.hpp"

namespace polhode {

// The body and the step that are put into the equation. Beyond the steps for which a correction is meant it is unsound.
template <class T>
struct DiscreteBody {
  Vec3<T> inertia, inverse_inertia;
  T h;
  bool sound = true;
};

// a3, b3, a5, b5 from the inverse moments m, the energy H and C = |pi|^2 / 2.
template <class T>
struct PaceOfMoserVeselov {
  T a3, b3, a5, b5;

  constexpr PaceOfMoserVeselov(const Vec3<T>& m, const Vec3<T>& pi_B) {
    const T H = T(0.5) * dot(pi_B, times(m, pi_B)), C = T(0.5) * squared_norm(pi_B);
    const T s1 = m.x + m.y + m.z, s2 = m.x * m.y + m.y * m.z + m.z * m.x, s3 = m.x * m.y * m.z;
    const T third = T(1) / T(3), tenth = T(1) / T(10), half = T(0.5);
    a3 = third * (H * s1 - half * C * s2);
    b3 = third * (C * s3 - half * H * s2);
    a5 = tenth * (H * H * (T(3) * s1 * s1 - T(1.5) * s2) + H * C * (T(2) * s3 - T(3) * s1 * s2) +
                  C * C * (half * s2 * s2 + s1 * s3));
    b5 = tenth * (H * H * (s3 - T(1.5) * s1 * s2) + H * C * (s2 * s2 + T(2) * s1 * s3) - T(1.5) * C * C * s2 * s3);
  }
};

struct Uncorrected {
  static constexpr std::string_view cite = "MV91";
  static constexpr std::string_view about = "the discrete rigid body: integrable like the free body itself";
  static constexpr std::string_view good_for =
      "long runs of a free body that must keep its polhode: energy, momentum and orbit are exact, the pace is not";
  static constexpr std::string_view not_for = "steps of a radian and more, where its equation has no solution";
  static constexpr Orders order_free{};
  static constexpr bool symplectic = true;

  template <class T>
  static constexpr DiscreteBody<T> of(const Body<T>& body, const Vec3<T>&, const T& h) {
    return {body.inertia, body.inverse_inertia, h};
  }
};

// The step h~ = h (1 - a3 h^2 + ...) that takes the discrete momentum as far as the exact one goes in h. It is sound as
// long as h~ grows with h.
template <int Order>
struct RescaledStep {
  static_assert(Order == 4 || Order == 6);
  static constexpr std::string_view cite = "MV91; MZ05";
  static constexpr std::string_view about = Order == 4 ? "discrete rigid body, rescaled step: free momentum of order 4"
                                                       : "discrete rigid body, rescaled step: free momentum of order 6";
  static constexpr std::string_view good_for =
      "the momentum of a free body: on the exact orbit at nearly the exact pace";
  static constexpr std::string_view not_for =
      "attitudes, which stay of order 2, and torques, with which all is of order 2";
  static constexpr Orders order_free{2, Order};
  static constexpr bool symplectic = false;

  template <class T>
  static constexpr DiscreteBody<T> of(const Body<T>& body, const Vec3<T>& pi_B, const T& h) {
    const PaceOfMoserVeselov<T> pace(body.inverse_inertia, pi_B);
    const T x = h * h, second = -pace.a3, fourth = Order == 4 ? T(0) : T(T(3) * pace.a3 * pace.a3 - pace.a5);
    const T slope = T(1) + x * (T(3) * second + x * (T(5) * fourth));
    return {body.inertia, body.inverse_inertia, h * (T(1) + x * (second + x * fourth)), slope > T(0)};
  }
};

// The body I~ whose discrete motion is the exact one of I, I~^-1 = lambda I^-1 + delta: the series of lambda and delta
// in h^2, cut off before h^Order. Of the inverse moments only the symmetric polynomials s occur; x = h^2, E = x H, and
// C has its factor x as well. tools/moser-veselov-coefficients derives the numbers.
template <int Order, class T>
struct ModifiedInertiaSeries {
  static_assert(Order == 8 || Order == 10);
  T lambda, delta;

  constexpr ModifiedInertiaSeries(const Vec3<T>& m, const Vec3<T>& pi_B, const T& x) {
    const T E = T(0.5) * x * dot(pi_B, times(m, pi_B)), C = T(0.5) * x * squared_norm(pi_B), CC = C * C;
    const T s1 = m.x + m.y + m.z, s2 = m.x * m.y + m.y * m.z + m.z * m.x, s3 = m.x * m.y * m.z;
    const T s11 = s1 * s1, s22 = s2 * s2, s33 = s3 * s3, s12 = s1 * s2, s13 = s1 * s3, s23 = s2 * s3;
    lambda = T(1) + (C * s2 - T(2) * E * s1) / T(6) +
             (E * (E * (T(2) * s11 - s2) + C * (T(8) * s3 - T(2) * s12)) + CC * (T(2) * s22 - T(6) * s13)) / T(60) +
             (E * (E * (E * (T(72) * s3 + T(4) * s12 - T(4) * s11 * s1) +
                        C * (T(6) * s11 * s2 + T(41) * s22 - T(212) * s13)) +
                   CC * (T(132) * s11 * s3 - T(36) * s12 * s2 - T(30) * s23)) +
              CC * C * (T(17) * s22 * s2 - T(66) * s12 * s3 + T(100) * s33)) /
                 T(2520);
    delta = (E * s2 - T(2) * C * s3) / T(6) +
            (E * (C * (T(8) * s13 - s22) - E * (s12 + T(6) * s3)) - CC * s23) / T(60) +
            (E * (E * (E * (T(2) * s11 * s2 - T(26) * s22 + T(60) * s13) +
                       C * (T(13) * s12 * s2 - T(64) * s11 * s3 + T(110) * s23)) +
                  CC * (T(2) * s22 * s2 - T(2) * s12 * s3 - T(176) * s33)) +
             CC * C * (T(72) * s13 * s3 - T(19) * s22 * s3)) /
                T(2520);
    if constexpr (Order == 10) {
      lambda =
          lambda + (E * (E * (E * (E * (T(2) * s11 * s11 - T(3) * s11 * s2 + T(153) * s22 - T(486) * s13) +
                                   C * (T(1104) * s11 * s3 - T(4) * s11 * s12 - T(264) * s12 * s2 - T(828) * s23)) +
                              CC * (T(156) * s11 * s22 + T(18) * s22 * s2 - T(612) * s11 * s13 + T(180) * s12 * s3 +
                                    T(1908) * s33)) +
                         CC * C * (T(612) * s11 * s23 - T(154) * s12 * s22 + T(282) * s22 * s3 - T(2256) * s13 * s3)) +
                    CC * CC * (T(62) * s22 * s22 - T(342) * s12 * s23 + T(378) * s11 * s33 + T(291) * s2 * s33)) /
                       T(45360);
      delta =
          delta + (E * (E * (E * (E * (T(459) * s23 - s11 * s12 - T(6) * s12 * s2 - T(126) * s11 * s3) +
                                  C * (T(194) * s22 * s2 - T(30) * s11 * s22 + T(128) * s11 * s13 - T(552) * s12 * s3 -
                                       T(1296) * s33)) +
                             CC * (T(114) * s11 * s23 - T(30) * s12 * s22 - T(798) * s22 * s3 + T(2136) * s13 * s3)) +
                        CC * C * (T(222) * s12 * s23 - s22 * s22 - T(864) * s11 * s33 + T(684) * s2 * s33)) +
                   CC * CC * (T(243) * s12 * s33 - T(61) * s22 * s23 - T(610) * s33 * s3)) /
                      T(45360);
    }
  }
};

// The same body from sigma I~^-1 + rho = I^-1, sigma = 1 + a3 h^2 + ..., rho = b3 h^2 + ... at I~, which is solved by
// repetition up to order 6: each pass from I~ = I gains two orders. Beyond that the series is the shorter way.
template <int Order>
struct ModifiedInertia {
  static_assert(Order == 4 || Order == 6 || Order == 8 || Order == 10);
  static constexpr std::string_view cite = "MV91; HV06";
  static constexpr std::string_view about =
      Order == 4   ? "discrete rigid body, modified moments: order 4 without torque"
      : Order == 6 ? "discrete rigid body, modified moments: order 6 without torque"
      : Order == 8 ? "discrete rigid body, modified moments: order 8 without torque"
                   : "discrete rigid body, modified moments: order 10 without torque";
  static constexpr std::string_view good_for =
      "a free body: attitude and momentum of high order with energy and momentum exact";
  static constexpr std::string_view not_for =
      "long runs in a field: with torque it is of order 2, not symplectic, and its energy drifts";
  static constexpr Orders order_free{Order, Order};
  static constexpr bool symplectic = false;

  template <class T>
  static constexpr DiscreteBody<T> of(const Body<T>& body, const Vec3<T>& pi_B, const T& h) {
    const T x = h * h;
    const Vec3<T>& m = body.inverse_inertia;
    Vec3<T> modified = m;
    bool sound = true;
    const auto modify = [&](const T& lambda, const Vec3<T>& inverse) {
      modified = inverse;
      sound = sound && lambda > T(0) && modified.x > T(0) && modified.y > T(0) && modified.z > T(0);
    };
    if constexpr (Order <= 6) {
      constexpr int passes = Order / 2 - 1;
      for (int i = 0; i < passes; ++i) {
        const PaceOfMoserVeselov<T> pace(modified, pi_B);
        const T sigma = T(1) + x * (Order == 4 ? pace.a3 : T(pace.a3 + x * pace.a5));
        const T rho = x * (Order == 4 ? pace.b3 : T(pace.b3 + x * pace.b5));
        const T lambda = T(1) / sigma;
        modify(lambda, {lambda * (m.x - rho), lambda * (m.y - rho), lambda * (m.z - rho)});
      }
    } else {
      const auto [lambda, delta] = ModifiedInertiaSeries<Order, T>(m, pi_B, x);
      modify(lambda, {lambda * m.x + delta, lambda * m.y + delta, lambda * m.z + delta});
    }
    return {{T(1) / modified.x, T(1) / modified.y, T(1) / modified.z}, modified, h, sound};
  }
};

// b is h/2 pi.
template <class T>
[[gnu::always_inline]] constexpr Equation<T> moser_veselov_equation(const Vec3<T>& inertia, const Vec3<T>& b,
                                                                    const Vec3<T>& y) {
  const GyroscopicTerm<T> gyroscopic(inertia);
  const T scale = T(1) + squared_norm(y);
  const Mat3<T> linear = gyroscopic.derivative(y, T(1), inertia);
  return {times(inertia, y) + gyroscopic(y) - scale * b, plus_product(linear, T(-2) * b, y),
          scale * detail::size_of(b)};
}

template <class Correction>
struct MoserVeselov : KickedTurn<MoserVeselov<Correction>> {
  static constexpr std::string_view family = "moser-veselov";
  static constexpr std::string_view cite = Correction::cite;
  static constexpr std::string_view about = Correction::about;
  static constexpr std::string_view good_for = Correction::good_for;
  static constexpr std::string_view not_for = Correction::not_for;
  static constexpr Claims claims{.order_attitude = 2,
                                 .order_momentum = 2,
                                 .order_free = Correction::order_free,
                                 .gains_with_velocity = Gains::one,
                                 .symmetric = true,
                                 .symplectic = Correction::symplectic,
                                 .momentum_free = Keeps::exact,
                                 .momentum_along_field = Keeps::exact,
                                 .energy_free = Keeps::exact,
                                 .energy = Correction::symplectic ? Keeps::bounded : Keeps::no};

  template <class T>
  [[gnu::always_inline]] static constexpr void turn_free(const Body<T>& body, State<T>& s, const T& h, Work& work) {
    const DiscreteBody<T> whole = Correction::of(body, s.pi_B, h);
    const auto equation = [&](const Vec3<T>& y, const T& share) {
      const DiscreteBody<T> at = share == T(1) ? whole : Correction::of(body, s.pi_B, T(share * h));
      const Equation<T> e = moser_veselov_equation(at.inertia, Vec3<T>(T(T(0.5) * at.h) * s.pi_B), y);
      return at.sound ? e : without_derivative(e);
    };
    turn_by_cayley(s, solve_from_rest(equation, guess(whole, s.pi_B), work));
  }

 private:
  // The equation solved for I y, repeated: right to fourth order in h.
  template <class T>
  static constexpr Vec3<T> guess(const DiscreteBody<T>& body, const Vec3<T>& pi_B) {
    const GyroscopicTerm<T> gyroscopic(body.inertia);
    const Vec3<T> b = T(T(0.5) * body.h) * pi_B;
    Vec3<T> y = times(body.inverse_inertia, b);
    for (int i = 0; i < 3; ++i) y = times(body.inverse_inertia, T(T(1) + squared_norm(y)) * b - gyroscopic(y));
    return y;
  }
};

}  // namespace polhode
