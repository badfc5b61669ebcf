// The conserving method of Simo and Wong [SW91; LS94; R08, App. A.2]. With the mean momentum
// pi_m = (pi_0 + pi_1)/2 = I W_m,
//
//   l_1 = l_0 + h t_m,   R_1 = R_0 exp(h W_m)
//
// where t_m is the torque midway, at R_0 exp(h/2 W_m), at W_m and at t + h/2. In the axes of the body there this is
// exp(y) pi_1 = exp(-y) pi_0 + h T_m with y = h/2 W_m, and half of it
//
//   d + (sin f/f) y x pi_m + ((1 - cos f)/f^2) y x (y x d) = h/2 T_m,   d = pi_m - pi_0,   f = |y|
//
// Along W_m it says W_m . d = h/2 W_m . T_m: the torque's work is all that changes the kinetic energy.
#pragma once

#include <string_view>

#include "polhode/methods/mean_momentum.hpp"
#include "polhode/methods/method.hpp"

namespace polhode {

template <class T, class F>
struct EnergyMomentumEquation {
  const System<T, F>& sys;
  const State<T>& s;
  T h;
  Work& work;

  constexpr Equation<T> operator()(const Vec3<T>& pi_m, const T& share) const {
    const T step = share * h;
    const Vec3<T> dy = T(T(0.5) * step) * sys.body.inverse_inertia;  // y by pi_m, a diagonal matrix
    const Vec3<T> y = times(dy, carried_momentum(sys, pi_m, T(s.t + T(0.5) * step))), d = pi_m - s.pi_B;
    // sin f/f, (1 - cos f)/f^2 and their derivatives by f^2, from cos x, sin x/x and (sin x - x cos x)/x^3, x = f/2.
    const T quarter = T(0.25) * squared_norm(y), g = sinc2_sqrt(quarter);
    const CosSinc<T> of_half = cos_sinc_sqrt(quarter);
    const T sinc = of_half.cosine * of_half.sinc, cosc = T(0.5) * of_half.sinc * of_half.sinc;
    const T sinc_slope = T(-0.125) * (of_half.sinc * of_half.sinc + of_half.cosine * g);
    const T cosc_slope = T(-0.125) * of_half.sinc * g;

    const Vec3<T> y_pi = cross(y, pi_m), y_d = cross(y, d), y_y_d = cross(y, y_d);
    Equation<T> at{d + (sinc * y_pi + cosc * y_y_d), {}, detail::size_of(s.pi_B)};
    const Vec3<T> by_square = sinc_slope * y_pi + cosc_slope * y_y_d;
    for (std::size_t k = 0; k < 3; ++k) {
      Vec3<T> e_k{};
      e_k[k] = T(1);
      const Vec3<T> dy_k = dy[k] * e_k, y_e = cross(y, e_k);
      const Vec3<T> column = e_k + T(T(2) * y[k] * dy[k]) * by_square + sinc * (cross(dy_k, pi_m) + y_e) +
                             cosc * (cross(dy_k, y_d) + cross(y, Vec3<T>(cross(dy_k, d) + y_e)));
      for (std::size_t i = 0; i < 3; ++i) at.jacobian[i][k] = column[i];
    }
    subtract_impulse<Increment::exponential>(sys, s, pi_m, step, at, work);
    return at;
  }
};

struct EnergyMomentum {
  static constexpr std::string_view family = "momentum-conserving";
  static constexpr std::string_view cite = "SW91; LS94; R08, App. A.2";
  static constexpr std::string_view about = "implicit: momentum exact in any field, and the energy of a free body";
  static constexpr std::string_view good_for =
      "large steps with the momentum along any field exact, and the energy of a free body";
  static constexpr std::string_view not_for =
      "costly torques, called about three times a step, and long runs in a field, where the energy drifts";
  static constexpr Claims claims{.order_attitude = 2,
                                 .order_momentum = 2,
                                 .symmetric = true,
                                 .momentum_free = Keeps::exact,
                                 .momentum_along_field = Keeps::exact,
                                 .energy_free = Keeps::exact,
                                 .torque_evaluations = 3,  // a guess and two iterations, at ordinary steps
                                 .implicit_torque = true,
                                 .wheels = true};

  template <class T, class F>
  [[gnu::always_inline]] static constexpr State<T> step(const System<T, F>& sys, const State<T>& s, const T& h,
                                                        Work& work) {
    const Vec3<T> guess = guess_mean_momentum<Increment::exponential>(sys, s, h, work);
    const EnergyMomentumEquation<T, F> equation{sys, s, h, work};
    const Vec3<T> pi_m = solve(equation, guess, s.pi_B, work);
    Vec3<T> half_change = pi_m - s.pi_B;
    // Less what rounding left of the equation it has no error along W_m, and the energy does not wander.
    if constexpr (is_free<F>) half_change -= equation(pi_m, T(1)).value;
    const Rotation<T> turn = exp(h * velocity_at(sys, pi_m, T(s.t + T(0.5) * h)));
    return {renormalised(s.R_SB * turn), s.pi_B + (half_change + half_change), s.t + h};
  }
};

}  // namespace polhode
