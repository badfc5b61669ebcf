// Newmark's method in spatial axes [KE05, Sec. 2.5]: with i = R I R^T and alpha = i^-1 (t - w x i w),
//
//   w_p = w_0 + h/2 alpha_0,   R_1 = exp(h w_p) R_0,   i_1 w_1 + h/2 w_1 x i_1 w_1 = i_1 w_p + h/2 t_1
//
// w_p lies along the axis of the turn and is not moved by it, so that the method is the one in body axes, to rounding.
// The equation is solved in principal axes, where the inertia is diagonal. A torque that depends on the angular
// velocity is taken at the velocity that belongs to the momentum l_0 + h t_0.
#pragma once

#include <string_view>

#include "polhode/methods/newmark.hpp"

namespace polhode {

struct NewmarkSpatial {
  static constexpr std::string_view family = "newmark";
  static constexpr std::string_view cite = "KE05, Sec. 2.5";
  static constexpr std::string_view about = "Newmark's method in spatial axes: the same as newmark, to rounding";
  static constexpr std::string_view good_for = "codes that keep velocities and torques in spatial axes";
  static constexpr std::string_view not_for = "anything that newmark in body axes, which is the same and cheaper, does";
  static constexpr Claims claims = newmark::claims;

  template <class T>
  struct Memory {
    static constexpr bool carries_momentum = false;
    Vec3<T> torque_S{};
    bool torque_known = false;

    constexpr void attitude_changed() { torque_known = false; }
    constexpr Memory reversed() const { return *this; }
  };

  template <class T, class F>
  static constexpr Memory<T> start(const System<T, F>&, const State<T>&, const T&, Work&) {
    return {};
  }

  template <class T, class F>
  static constexpr State<T> step(const System<T, F>& sys, const State<T>& s, Memory<T>& memory, const T& h,
                                 Work& work) {
    const T half = T(0.5) * h, t = s.t + h;
    const Rotation<T> R_BS = inverse(s.R_SB);
    const Vec3<T> l_S = spatial_momentum(s), w_S = s.R_SB * sys.body.velocity(s.pi_B);
    Vec3<T> moment_S = cross(l_S, w_S), predicted_S = l_S;
    if constexpr (!is_free<F>) {
      if (!memory.torque_known) memory.torque_S = torque_spatial(sys, s.R_SB, s.pi_B, s.t, work);
      moment_S += memory.torque_S;
      predicted_S += h * memory.torque_S;
    }
    const Vec3<T> wp_S = w_S + half * (s.R_SB * sys.body.velocity(R_BS * moment_S));
    const Rotation<T> R1_SB = renormalised(inlined::product(exp(h * wp_S), s.R_SB)), R1_BS = inverse(R1_SB);
    const Vec3<T> predicted_B = R1_BS * predicted_S;

    Vec3<T> b = sys.body.momentum(R1_BS * wp_S);
    if constexpr (!is_free<F>) {
      const Vec3<T> torque_B = torque_body(sys, R1_SB, predicted_B, t, work);
      memory.torque_S = R1_SB * torque_B;
      memory.torque_known = true;
      b += half * torque_B;
    }
    const GyroscopicEquation<T> equation{half * gyration(sys.body), b};
    return {R1_SB, solve_near(equation, Vec3<T>(b + gyroscopic(equation.ac, predicted_B)), work), t};
  }
};

}  // namespace polhode
