// The midpoint rule [AKW93; R08, App. A.1]. With the mean momentum pi_m = (pi_0 + pi_1)/2 = I W_m,
//
//   pi_1 = pi_0 + h (pi_m x W_m + T_m),   R_1 = R_0 cay(h W_m)
//
// where T_m is the torque at the rotation midway between R_0 and R_1, at W_m and at t + h/2. The energy of a free body
// is exact, as every quadratic invariant, and (1 + h/2 hat(W_m)) pi_1 = (1 - h/2 hat(W_m)) pi_0 says that with the
// Cayley map its spatial momentum is, too. With exp it is not; the attitude is more accurate.
#pragma once

#include <string_view>

#include "polhode/methods/mean_momentum.hpp"
#include "polhode/methods/method.hpp"

namespace polhode {

// pi_m - h/2 (pi_m x W_m + T_m) = pi_0
template <Increment map, class T, class F>
struct MidpointEquation {
  const System<T, F>& sys;
  const State<T>& s;
  T h;
  Work& work;

  constexpr Equation<T> operator()(const Vec3<T>& pi_m, const T& share) const {
    const T step = share * h;
    Equation<T> at = GyroscopicEquation<T>{T(T(0.5) * step) * gyration(sys.body), s.pi_B}(pi_m, T(1));
    if (carries_wheels(sys)) add_wheels(sys, s, pi_m, step, at);
    subtract_impulse<map>(sys, s, pi_m, step, at, work);
    return at;
  }
};

template <Increment map = Increment::cayley>
struct ImplicitMidpoint {
  static constexpr bool cayley = map == Increment::cayley;
  static constexpr std::string_view family = "midpoint";
  static constexpr std::string_view cite = cayley ? "AKW93; R08, App. A.1" : "AKW93";
  static constexpr std::string_view about =
      cayley ? "implicit midpoint rule: energy and momentum of a free body are exact"
             : "implicit midpoint rule with the exponential map: more accurate attitude, momentum not exact";
  static constexpr std::string_view good_for =
      cayley ? "large steps of a free body with energy and momentum exact, whatever the step"
             : "telling the map from the method: the momenta of implicit-midpoint, a better attitude";
  static constexpr std::string_view not_for =
      "costly torques: the equation of a step holds the torque, which is called about three times";
  static constexpr Claims claims{.order_attitude = 2,
                                 .order_momentum = 2,
                                 .symmetric = true,
                                 .momentum_free = cayley ? Keeps::exact : Keeps::no,
                                 .energy_free = Keeps::exact,
                                 .torque_evaluations = 3,  // a guess and two iterations, at ordinary steps
                                 .implicit_torque = true,
                                 .wheels = true};

  template <class T, class F>
  static constexpr State<T> step(const System<T, F>& sys, const State<T>& s, const T& h, Work& work) {
    const Vec3<T> guess = guess_mean_momentum<map>(sys, s, h, work);
    Vec3<T> pi_m, half_change;
    if constexpr (is_free<F>) {
      // The change from the gyroscopic term, and not by a difference, has no error along W_m: energy does not wander.
      const GyroscopicEquation<T> equation{T(T(0.5) * h) * gyration(sys.body), s.pi_B};
      pi_m = solve_near(equation, guess, work);
      half_change = gyroscopic(equation.ac, pi_m);
    } else {
      pi_m = solve(MidpointEquation<map, T, F>{sys, s, h, work}, guess, s.pi_B, work);
      half_change = pi_m - s.pi_B;
    }
    const Rotation<T> turn = turn_by<map>(h * velocity_at(sys, pi_m, T(s.t + T(0.5) * h)));
    return {renormalised(s.R_SB * turn), s.pi_B + (half_change + half_change), s.t + h};
  }
};

}  // namespace polhode
