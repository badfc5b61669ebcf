// The midpoint rule on the rotation group [K05; R08, App. A.3]: the body turns by a constant velocity, that of the
// momentum half-way,
//
//   I q = h exp(-q/2) pi,   R <- R exp(q),   pi <- exp(-q) pi.
//
// It is the midpoint rule in exponential coordinates with the momentum fixed in space [M20, as we read it]: the rate of a
// coordinate x is dexpinv(-x) of the velocity, and half-way, at x = q/2, dexpinv(-q/2) leaves the velocity q/h what it is.
#pragma once

#include <string_view>

#include "polhode/methods/exponential_turn.hpp"
#include "polhode/methods/kicked_turn.hpp"

namespace polhode {

// The equation turned back, exp(q/2) I q = h pi. With x = |q|/2 its coefficients are a = sin(x)/(2 x) and
// b = (1 - cos x)/(4 x^2).
struct MidpointRule {
  template <class T>
  [[gnu::always_inline]] static constexpr TurnCoefficients<T> coefficients(const T& y) {
    const T square = T(0.25) * y, quarter = T(0.25) * square;
    const CosSinc<T> half = cos_sinc_sqrt(quarter);
    return {T(0.5) * half.cosine * half.sinc, T(0.125) * half.sinc * half.sinc, T(-0.0625) * sinc2_sqrt(square),
            T(T(-1) / T(128)) * half.sinc * sinc2_sqrt(quarter)};
  }
};

// One turn of the free body between two kicks, or two of half the length, which is Krysl's LIEMID[EA]: a half step of a
// first-order method and one of its adjoint [K05; BOS09, eq. (8)]. (8f) prints Theta_k for Theta_(k+1).
template <int Turns>
struct LieMidpoint : KickedTurn<LieMidpoint<Turns>> {
  static constexpr std::string_view family = "lie-midpoint";
  static constexpr std::string_view cite = Turns == 1 ? "K05; R08, App. A.3; M20" : "K05; BOS09, App. A";
  static constexpr std::string_view about =
      Turns == 1 ? "midpoint rule on the rotation group: the momentum of the half-way point"
                 : "two midpoint turns between kicks: Krysl's explicit method, LIEMID[EA]";
  static constexpr std::string_view good_for =
      Turns == 1 ? "small errors with the momentum exact, for one torque call and a small equation a step"
                 : "small errors, among the least of the second-order methods with one torque call a step";
  static constexpr std::string_view not_for =
      "long runs in a field: symmetric but not symplectic, its energy drifts slowly";
  static constexpr Claims claims{.order_attitude = 2,
                                 .order_momentum = 2,
                                 .gains_with_velocity = Gains::one,
                                 .symmetric = true,
                                 .momentum_free = Keeps::exact,
                                 .momentum_along_field = Keeps::exact,
                                 .energy_free = Keeps::bounded,
                                 .wheels = true};

  template <class T>
  static constexpr void turn_free(const Body<T>& body, State<T>& s, const T& h, Work& work) {
    const T part = h / T(Turns);
    for (int i = 0; i < Turns; ++i) turn(s, exponential_turn<MidpointRule>(body, Vec3<T>(part * s.pi_B), work));
  }
};

}  // namespace polhode
