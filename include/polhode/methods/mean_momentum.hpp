// What the methods share whose unknown is the mean momentum of a step, pi_m = (pi_0 + pi_1)/2 = I W_m: the torque
// midway between R_0 and R_1 = R_0 turn_by(h W_m), and a first guess.
#pragma once

#include "polhode/methods/gyroscopic_equation.hpp"
#include "polhode/methods/implicit_torque.hpp"
#include "polhode/methods/increment.hpp"

namespace polhode {

// Adds h/2 pi_m x I^-1 k, for wheels of momentum k at time t + h/2, to an equation that has -h/2 pi_m x I^-1 pi_m.
template <class T, class F>
constexpr void add_wheels(const System<T, F>& sys, const State<T>& s, const Vec3<T>& pi_m, const T& h,
                          Equation<T>& at) {
  const T half = T(0.5) * h;
  const Vec3<T> turn = half * sys.body.velocity(sys.body.wheels.at(T(s.t + half)));
  at.value += cross(pi_m, turn);
  for (std::size_t k = 0; k < 3; ++k) {
    Vec3<T> e_k{};
    e_k[k] = T(1);
    const Vec3<T> column = cross(e_k, turn);
    for (std::size_t i = 0; i < 3; ++i) at.jacobian[i][k] = at.jacobian[i][k] + column[i];
  }
}

// Adds - h/2 T_m, at time t + h/2, to an equation for pi_m.
template <Increment map, class T, class F>
constexpr void subtract_impulse(const System<T, F>& sys, const State<T>& s, const Vec3<T>& pi_m, const T& h,
                                Equation<T>& at, Work& work) {
  if constexpr (!is_free<F>) {
    const T half = T(0.5) * h;
    const Vec3<T> w_m = velocity_at(sys, pi_m, T(s.t + half));
    const HalfIncrement<map, T> midway(h * w_m);
    TorquePlace<T> place{s.R_SB * midway.turn(), w_m, {}, {}};
    for (std::size_t k = 0; k < 3; ++k) {
      place.velocity[k][k] = sys.body.inverse_inertia[k];
      place.turn[k] = midway.rate(h * place.velocity[k]);
    }
    const TorqueAndSlope<T> at_m = torque_and_slope(sys, place, T(s.t + half), work);
    const Vec3<T> impulse = half * at_m.torque_B;
    at.value -= impulse;
    at.size = max(at.size, detail::size_of(impulse));
    for (std::size_t k = 0; k < 3; ++k)
      for (std::size_t i = 0; i < 3; ++i) at.jacobian[i][k] = at.jacobian[i][k] - half * at_m.slope[k][i];
  }
}

// pi_m with an error of order h^3, from the torque where W_0 takes the body in half the time.
template <Increment map, class T, class F>
constexpr Vec3<T> guess_mean_momentum(const System<T, F>& sys, const State<T>& s, const T& h, Work& work) {
  const T half = T(0.5) * h;
  const Vec3<T> c = half * gyration(sys.body);
  Vec3<T> pushed = s.pi_B;
  if constexpr (!is_free<F>) {
    const HalfIncrement<map, T> midway(h * velocity_at(sys, s.pi_B, s.t));
    pushed += half * torque_body(sys, Rotation<T>(s.R_SB * midway.turn()), s.pi_B, T(s.t + half), work);
  }
  const auto turned = [&](const Vec3<T>& pi_B) {
    Vec3<T> change = gyroscopic(c, pi_B);
    if (carries_wheels(sys)) change -= half * cross(pi_B, sys.body.velocity(sys.body.wheels.at(T(s.t + half))));
    return change;
  };
  return pushed + turned(Vec3<T>(pushed + turned(s.pi_B)));
}

}  // namespace polhode
