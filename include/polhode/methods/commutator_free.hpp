// The commutator-free method of order 4 with four stages [CMO03]: the classical Runge-Kutta method with a fourth stage
// and a step of two rotations each, in place of the brackets of rkmk-4. With k_i = h w_S at stage i,
//
//   R_2 = exp(k_1/2) R,   R_3 = exp(k_2/2) R,   R_4 = exp(k_3 - k_1/2) R_2,
//   R <- exp((-k_1 + 2 k_2 + 2 k_3 + 3 k_4)/12) exp((3 k_1 + 2 k_2 + 2 k_3 - k_4)/12) R.
//
// The spatial momentum, which lives in a linear space, is advanced as the classical method does it.
#pragma once

#include <array>
#include <string_view>

#include "polhode/methods/carried_momentum.hpp"

namespace polhode {

struct CommutatorFree4 : CarriesMomentum {
  static constexpr std::string_view family = "runge-kutta";
  static constexpr std::string_view cite = "CMO03";
  static constexpr std::string_view about =
      "Runge-Kutta of order 4 on rotations by products of exponentials, without brackets";
  static constexpr std::string_view good_for = "fourth order with values of the torque only, at any sequence of steps";
  static constexpr std::string_view not_for =
      "long runs: the energy drifts, as with any explicit method that is not symplectic";
  static constexpr Claims claims{.order_attitude = 4,
                                 .order_momentum = 4,
                                 .momentum_free = Keeps::exact,
                                 .momentum_along_field = Keeps::exact,
                                 .torque_evaluations = 4,
                                 .wheels = true,
                                 .batch = true};

  template <class T, class F>
  static constexpr State<T> step(const System<T, F>& sys, const State<T>& s, Memory<T>& memory, const T& h,
                                 Work& work) {
    const T half = T(0.5) * h, twelfth = h / T(12);
    std::array<Vec3<T>, 4> w_S, t_S;
    const auto evaluate = [&](std::size_t i, const Rotation<T>& R, const T& reach, const Vec3<T>& slope_S) {
      const Vec3<T> pi_B = inverse(R) * (memory.momentum_S + reach * slope_S);
      const T t = s.t + reach;
      const Vec3<T> w_B = velocity_at(sys, pi_B, t);
      w_S[i] = R * w_B;
      t_S[i] = spatial_torque_at_velocity(sys, R, w_B, t, work);
    };
    evaluate(0, s.R_SB, T(0), Vec3<T>{});
    const Rotation<T> second = exp(half * w_S[0]) * s.R_SB;
    evaluate(1, second, half, t_S[0]);
    evaluate(2, Rotation<T>(exp(half * w_S[1]) * s.R_SB), half, t_S[1]);
    evaluate(3, Rotation<T>(exp(h * (w_S[2] - T(0.5) * w_S[0])) * second), h, t_S[2]);
    if constexpr (!is_free<F>) memory.momentum_S += T(h / T(6)) * (t_S[0] + T(2) * (t_S[1] + t_S[2]) + t_S[3]);
    const Vec3<T> middle = T(2) * (w_S[1] + w_S[2]);
    const Rotation<T> first = exp(twelfth * (T(3) * w_S[0] + middle - w_S[3]));
    const Rotation<T> last = exp(twelfth * (middle - w_S[0] + T(3) * w_S[3]));
    return memory.arrived(Rotation<T>(last * (first * s.R_SB)), T(s.t + h));
  }
};

}  // namespace polhode
