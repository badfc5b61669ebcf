// Methods that are taught for any differential equation, applied to the quaternion of the attitude and the angular
// velocity as to seven numbers:
//
//   q' = q w/2,   I w' = T - w x I w
//
// The quaternion is divided by its length at the end of each step, and nothing else is known of rotations. The momentum
// stands for the velocity, pi = I w, which changes nothing: the formulas are linear in both.
#pragma once

#include <array>
#include <string_view>

#include "polhode/methods/method.hpp"

namespace polhode {

namespace textbook {

// The seven numbers, or their rates.
template <class T>
struct Numbers {
  Rotation<T> q;
  Vec3<T> pi;
};

template <class T>
constexpr Numbers<T> moved(const Numbers<T>& from, const T& h, const Numbers<T>& rate) {
  return {{from.q.w + h * rate.q.w, from.q.v + h * rate.q.v}, from.pi + h * rate.pi};
}

template <class T, class F>
constexpr Vec3<T> momentum_rate(const System<T, F>& sys, const Rotation<T>& q, const Vec3<T>& pi, const Vec3<T>& w,
                                const T& t, Work& work) {
  const Vec3<T> gyroscopic = cross(pi, w);
  if constexpr (is_free<F>) {
    return gyroscopic;
  } else {
    return gyroscopic + torque_at_velocity(sys, normalised(q), w, t, work);
  }
}

template <class T>
constexpr Rotation<T> attitude_rate(const Rotation<T>& q, const Vec3<T>& w) {
  return inlined::rate(q, Vec3<T>(T(0.5) * w));
}

}  // namespace textbook

// Velocity first, then the quaternion with the new velocity: what many courses begin with.
struct TextbookEuler {
  static constexpr std::string_view family = "textbook";
  static constexpr std::string_view cite = "HLW06, Sec. I.1";
  static constexpr std::string_view about =
      "semi-implicit Euler: velocity by its rate, then the quaternion by the new velocity, normalised";
  static constexpr std::string_view good_for = "seeing what it costs: the loop that many courses begin with";
  static constexpr std::string_view not_for =
      "anything that is to last: first order, a spinning body gains energy and momentum until it flies apart; taylor-2 "
      "costs little more";
  static constexpr Claims claims{
      .order_attitude = 1, .order_momentum = 1, .gains_momentum = true, .wheels = true, .batch = true};

  template <class T, class F>
  static constexpr State<T> step(const System<T, F>& sys, const State<T>& s, const T& h, Work& work) {
    const Vec3<T> w_B = velocity_at(sys, s.pi_B, s.t);
    const Vec3<T> pi = s.pi_B + h * textbook::momentum_rate(sys, s.R_SB, s.pi_B, w_B, s.t, work);
    const Rotation<T> rate = textbook::attitude_rate(s.R_SB, velocity_at(sys, pi, T(s.t + h)));
    return {normalised(Rotation<T>{s.R_SB.w + h * rate.w, s.R_SB.v + h * rate.v}), pi, s.t + h};
  }
};

// The classical Runge-Kutta method. In its stages the quaternion is off unit length by h^2. The torque is asked at the
// rotation that it stands for: with the numbers as they are, the result would depend on the choice of the axes.
struct TextbookRungeKutta4 {
  static constexpr std::string_view family = "textbook";
  static constexpr std::string_view cite = "HNW93, Sec. II.1";
  static constexpr std::string_view about =
      "classical Runge-Kutta on quaternion and velocity, normalised at the end of the step";
  static constexpr std::string_view good_for =
      "a check by a method that shares nothing with those for rotations, at small steps";
  static constexpr std::string_view not_for =
      "long runs: momentum and energy are not kept, and drift; rkmk-4 keeps the momentum at the same torque calls";
  static constexpr Claims claims{
      .order_attitude = 4, .order_momentum = 4, .torque_evaluations = 4, .wheels = true, .batch = true};

  template <class T, class F>
  static constexpr State<T> step(const System<T, F>& sys, const State<T>& s, const T& h, Work& work) {
    using textbook::Numbers;
    const T half = T(0.5) * h;
    const auto rate = [&](const Numbers<T>& x, const T& t) -> Numbers<T> {
      const Vec3<T> w_B = velocity_at(sys, x.pi, t);
      return {textbook::attitude_rate(x.q, w_B), textbook::momentum_rate(sys, x.q, x.pi, w_B, t, work)};
    };
    const Numbers<T> x{s.R_SB, s.pi_B};
    const Numbers<T> k1 = rate(x, s.t), k2 = rate(moved(x, half, k1), T(s.t + half));
    const Numbers<T> k3 = rate(moved(x, half, k2), T(s.t + half)), k4 = rate(moved(x, h, k3), T(s.t + h));
    const Numbers<T> mean{{k1.q.w + T(2) * (k2.q.w + k3.q.w) + k4.q.w, k1.q.v + T(2) * (k2.q.v + k3.q.v) + k4.q.v},
                          k1.pi + T(2) * (k2.pi + k3.pi) + k4.pi};
    const Numbers<T> next = moved(x, T(h / T(6)), mean);
    return {normalised(next.q), next.pi, s.t + h};
  }
};

}  // namespace polhode
