// Runge-Kutta-Munthe-Kaas of order 4 [MK98]: the classical method applied to Y' = dexpinv_Y(w_S), R = exp(Y) R_0, which
// is a differential equation in a linear space. The spatial momentum is advanced by the same weights.
#pragma once

#include <array>
#include <string_view>

#include "polhode/core/tangent.hpp"
#include "polhode/methods/carried_momentum.hpp"

namespace polhode {

struct MuntheKaas4 : CarriesMomentum {
  static constexpr std::string_view family = "runge-kutta";
  static constexpr std::string_view cite = "MK98";
  static constexpr std::string_view about = "classical Runge-Kutta in the Lie algebra: keeps its order 4 on rotations";
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
    std::array<Vec3<T>, 4> slope, t_S;
    const std::array<T, 4> reach{T(0), T(T(0.5) * h), T(T(0.5) * h), h};
    for (std::size_t i = 0; i < 4; ++i) {
      const Vec3<T> y = i == 0 ? Vec3<T>{} : reach[i] * slope[i - 1];
      const Rotation<T> R = i == 0 ? s.R_SB : exp(y) * s.R_SB;
      const Vec3<T> l_S = i == 0 ? memory.momentum_S : memory.momentum_S + reach[i] * t_S[i - 1];
      const Vec3<T> pi_B = inverse(R) * l_S;
      const T t = s.t + reach[i];
      const Vec3<T> w_B = velocity_at(sys, pi_B, t);
      slope[i] = dexpinv(y, Vec3<T>(R * w_B));
      t_S[i] = spatial_torque_at_velocity(sys, R, w_B, t, work);
    }
    const T sixth = h / T(6);
    if constexpr (!is_free<F>) memory.momentum_S += sixth * (t_S[0] + T(2) * (t_S[1] + t_S[2]) + t_S[3]);
    const Vec3<T> y = sixth * (slope[0] + T(2) * (slope[1] + slope[2]) + slope[3]);
    return memory.arrived(Rotation<T>(exp(y) * s.R_SB), T(s.t + h));
  }
};

}  // namespace polhode
