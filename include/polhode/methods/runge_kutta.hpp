// The classical Runge-Kutta method carried over to rotations as engines do it: four stages by exact rotations from the
// start of the step, then one rotation by some average [B01, Sec. 3].
//
// The spatial momentum is advanced by the Runge-Kutta weights. Rotations do not commute, so that whatever average is
// taken the order is 2, not 4.
#pragma once

#include <array>
#include <string_view>

#include "polhode/methods/carried_momentum.hpp"
#include "polhode/methods/rotation_mean.hpp"

namespace polhode {

inline constexpr MeanWeights runge_kutta_weights{{1, 2, 2, 1}};

// Rotation by the mean of the spatial velocities.
struct MeanVelocity {
  static constexpr std::string_view about = "classical Runge-Kutta, one rotation by the mean of four velocities";
  static constexpr std::string_view good_for = "reproducing the paper's Runge-Kutta rows";
  static constexpr std::string_view not_for = "anything else: four torque calls for second order";
  template <class T>
  static constexpr Rotation<T> average(const std::array<Vec3<T>, 4>& w_S, const T& h, Work&) {
    return exp(T(h / T(6)) * (w_S[0] + T(2) * (w_S[1] + w_S[2]) + w_S[3]));
  }
};

// The four rotations averaged as quaternions in R^4 and normalised: what the text of the paper describes.
struct MeanQuaternion {
  static constexpr std::string_view about = "classical Runge-Kutta, four rotations averaged as quaternions in R^4";
  static constexpr std::string_view good_for = "seeing that averaged quaternions keep second order only";
  static constexpr std::string_view not_for = "anything else: four torque calls for second order";
  template <class T>
  static constexpr Rotation<T> average(const std::array<Vec3<T>, 4>& w_S, const T& h, Work&) {
    return mean_of_quaternions(turns_of(w_S, h), runge_kutta_weights);
  }
};

// The same four averaged on the sphere S^3.
struct MeanOnSphere {
  static constexpr std::string_view about = "classical Runge-Kutta, four rotations averaged on the sphere S^3";
  static constexpr std::string_view good_for = "the same with the average taken on the sphere, a small gain";
  static constexpr std::string_view not_for = "anything else: four torque calls for second order";
  template <class T>
  static constexpr Rotation<T> average(const std::array<Vec3<T>, 4>& w_S, const T& h, Work& work) {
    return mean_on_sphere(turns_of(w_S, h), runge_kutta_weights, work);
  }
};

template <class Average>
struct RungeKutta4 : CarriesMomentum {
  static constexpr std::string_view family = "runge-kutta";
  static constexpr std::string_view cite = "B01, Sec. 3";
  static constexpr std::string_view about = Average::about;
  static constexpr std::string_view good_for = Average::good_for;
  static constexpr std::string_view not_for = Average::not_for;
  static constexpr Claims claims{.order_attitude = 2,
                                 .order_momentum = 2,
                                 .momentum_free = Keeps::exact,
                                 .momentum_along_field = Keeps::exact,
                                 .torque_evaluations = 4,
                                 .wheels = true};

  template <class T, class F>
  POLHODE_INLINED static constexpr State<T> step(const System<T, F>& sys, const State<T>& s, Memory<T>& memory,
                                                 const T& h, Work& work) {
    std::array<Vec3<T>, 4> w_S, t_S;
    const std::array<T, 4> reach{T(0), T(T(0.5) * h), T(T(0.5) * h), h};
    for (std::size_t i = 0; i < 4; ++i) {
      const Rotation<T> R = i == 0 ? s.R_SB : exp(reach[i] * w_S[i - 1]) * s.R_SB;
      const Vec3<T> l_S = i == 0 ? memory.momentum_S : memory.momentum_S + reach[i] * t_S[i - 1];
      const Vec3<T> pi_B = inverse(R) * l_S;
      const T t = s.t + reach[i];
      const Vec3<T> w_B = velocity_at(sys, pi_B, t);
      w_S[i] = R * w_B;
      t_S[i] = spatial_torque_at_velocity(sys, R, w_B, t, work);
    }
    if constexpr (!is_free<F>) memory.momentum_S += T(h / T(6)) * (t_S[0] + T(2) * (t_S[1] + t_S[2]) + t_S[3]);
    return memory.arrived(Rotation<T>(Average::average(w_S, h, work) * s.R_SB), T(s.t + h));
  }
};

}  // namespace polhode
