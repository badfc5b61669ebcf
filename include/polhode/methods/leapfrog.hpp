// Leapfrogs of molecular dynamics: the quaternion q of the attitude at whole steps, the spatial momentum l at half
// steps [F92; S97; O99].
//
//   l_1/2 = l_-1/2 + h t_0,   q_1 = q_0 + h q'_1/2,   q' = q (0, w)/2
//
// Given out is the momentum at whole steps, l_0 = l_-1/2 + h/2 t_0, so that a step begins and ends with half a kick.
// The two differ in the rate q' of the quaternion half-way, for which both solve an equation; where the codes repeat a
// substitution until a tolerance is met, Newton's method solves it to rounding.
#pragma once

#include <string_view>

#include "polhode/methods/carried_momentum.hpp"
#include "polhode/methods/kicked_turn.hpp"
#include "polhode/methods/turn_equation.hpp"

namespace polhode {

// Fincham [F92]: the mean of the rates at both ends, with the momentum at the far one extrapolated to l_0 + h t_0, and
// the quaternion normalised,
//
//   n q_1 = q_0 + h/4 (q_0 w_0 + q_1 w_1),   w_1 = I^-1 R_1^T (l_0 + h t_0).
//
// With a = h/4 w_0 and b = h/4 w_1 this is q_1 (n - b) = q_0 (1 + a): the turn is that of the quaternion 1 + a followed
// by that of n + b, n^2 + |b|^2 = 1 + |a|^2 = N. Let c be h/4 R_0^T (l_0 + h t_0), turned back by 1 + a. Then
//
//   N I b = (N - 2 |b|^2) c + 2 (b . c) b - 2 n b x c.
//
// A torque that depends on the angular velocity finds the extrapolated one at the end of the step.
template <class T>
[[gnu::always_inline]] constexpr Equation<T> fincham_equation(const Vec3<T>& inertia, const T& N, const Vec3<T>& c,
                                                              const Vec3<T>& b) {
  const T square = squared_norm(b), n = sqrt(N - square), b_c = dot(b, c);
  const Vec3<T> b_x_c = cross(b, c), Ib = times(inertia, b);
  const T shift = T(-2) * b_c;
  const Vec3<T> diagonal{N * inertia.x + shift, N * inertia.y + shift, N * inertia.z + shift};
  Mat3<T> jacobian{{{diagonal.x, T(0), T(0)}, {T(0), diagonal.y, T(0)}, {T(0), T(0), diagonal.z}}};
  jacobian = plus_hat(jacobian, T(T(-2) * n) * c);
  jacobian = plus_product(jacobian, T(4) * c - T(T(2) / n) * b_x_c, b);
  jacobian = plus_product(jacobian, T(-2) * b, c);
  return {N * Ib - (N - T(2) * square) * c + shift * b + T(n + n) * b_x_c, jacobian, N * detail::size_of(c)};
}

struct LeapfrogFincham : CarriesMomentum {
  static constexpr std::string_view family = "leapfrog";
  static constexpr std::string_view cite = "F92";
  static constexpr std::string_view about =
      "Fincham's implicit leapfrog of quaternions: mean of the rates at both ends, the far momentum extrapolated";
  static constexpr std::string_view good_for = "comparison with older molecular dynamics codes";
  static constexpr std::string_view not_for = "new code: neither symmetric nor symplectic, its energy drifts";
  static constexpr Claims claims{
      .order_attitude = 2, .order_momentum = 2, .momentum_free = Keeps::exact, .momentum_along_field = Keeps::exact};

  template <class T, class F>
  static constexpr State<T> step(const System<T, F>& sys, const State<T>& s, CarriedMomentum<T>& memory, const T& h,
                                 Work& work) {
    const Vec3<T> w_B = sys.body.velocity(s.pi_B);
    Vec3<T> t_S{}, t_B{};
    if constexpr (!is_free<F>) {
      t_S = memory.torque_at(sys, s, work);
      t_B = inverse(s.R_SB) * t_S;
    }
    // What is known of the equation when a step of this length is taken.
    struct Known {
      Rotation<T> first;  // 1 + a, not normalised
      T N;
      Vec3<T> c;
    };
    const auto known = [w_B, pi_B = s.pi_B, t_B](const T& step) {
      const T quarter = T(0.25) * step;
      const Rotation<T> first{T(1), quarter * w_B};
      return Known{first, squared_norm(first), inverse(normalised(first)) * (quarter * (pi_B + step * t_B))};
    };
    const Known whole = known(h);
    const auto equation = [inertia = sys.body.inertia, N = whole.N, c = whole.c, known, h](const Vec3<T>& b,
                                                                                           const T& share) {
      if (share == T(1)) return fincham_equation(inertia, N, c, b);
      const Known at = known(T(share * h));
      return fincham_equation(inertia, at.N, at.c, b);
    };
    const Vec3<T> b = solve_from_rest(equation, guess(sys.body, whole.N, whole.c), work);
    const Rotation<T> second{sqrt(whole.N - squared_norm(b)), b};
    const Rotation<T> R_SB = normalised(s.R_SB * (whole.first * second));
    const T t = s.t + h;
    if constexpr (!is_free<F>) {
      const Vec3<T> extrapolated = inverse(R_SB) * (memory.momentum_S + h * t_S);
      const Vec3<T> t1_S = torque_spatial(sys, R_SB, extrapolated, t, work);
      memory.momentum_S += T(T(0.5) * h) * (t_S + t1_S);
      memory.keep_torque(t1_S);
    }
    return {R_SB, inverse(R_SB) * memory.momentum_S, t};
  }

 private:
  // The equation solved for I b, repeated.
  template <class T>
  static constexpr Vec3<T> guess(const Body<T>& body, const T& N, const Vec3<T>& c) {
    const T inverse_N = T(1) / N;
    Vec3<T> b = body.velocity(c);
    for (int i = 0; i < 4; ++i) {
      const T square = min(squared_norm(b), N);
      const Vec3<T> turned = T(T(2) * dot(b, c)) * b - T(T(2) * T(sqrt(T(N - square)))) * cross(b, c);
      b = body.velocity(inverse_N * (T(N - T(2) * square) * c + turned));
    }
    return b;
  }
};

// Svanberg [S97]: the rate of the mean quaternion at the momentum half-way,
//
//   q_1 = q_0 + h/2 q_m w_m,   q_m = (q_0 + q_1)/2,   w_m = I^-1 R_m^T l_1/2,
//
// where R_m is the attitude of q_m brought to length 1. With x = h/4 w_m this is q_m ~ q_0 (1 + x), and the turn of the
// step is twice that of 1 + x: the midpoint rule lie-midpoint with the Cayley map of quaternions for its half turns,
//
//   (1 - |x|^2) I x + 2 x x I x + 2 (x . I x) x = (1 + |x|^2) b,   b = h/4 pi.
template <class T>
[[gnu::always_inline]] constexpr Equation<T> svanberg_equation(const Vec3<T>& inertia, const Vec3<T>& b,
                                                               const Vec3<T>& x) {
  const GyroscopicTerm<T> gyroscopic(inertia);
  const Vec3<T> Ix = times(inertia, x), u = gyroscopic(x);
  const T square = squared_norm(x), stretch = T(1) - square, shift = T(2) * dot(x, Ix), scale = T(1) + square;
  const Vec3<T> diagonal{stretch * inertia.x + shift, stretch * inertia.y + shift, stretch * inertia.z + shift};
  Mat3<T> jacobian = gyroscopic.derivative(x, T(2), diagonal);
  jacobian = plus_product(jacobian, T(-2) * (Ix + b), x);
  jacobian = plus_product(jacobian, T(4) * x, Ix);
  return {stretch * Ix + (u + u) + shift * x - scale * b, jacobian, scale * detail::size_of(b)};
}

struct LeapfrogSvanberg : KickedTurn<LeapfrogSvanberg> {
  static constexpr std::string_view family = "leapfrog";
  static constexpr std::string_view cite = "S97; O99";
  static constexpr std::string_view about =
      "Svanberg's implicit leapfrog of quaternions: the rate of the mean quaternion at the momentum half-way";
  static constexpr std::string_view good_for =
      "comparison with molecular dynamics codes: symmetric, one torque call, no trigonometry";
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
    const T quarter = T(0.25) * h;
    const Vec3<T> b = quarter * s.pi_B;
    const auto equation = [&](const Vec3<T>& x, const T& share) {
      return svanberg_equation(body.inertia, Vec3<T>(share * b), x);
    };
    const Vec3<T> x = solve_from_rest(equation, guess(body, b), work);
    turn_by_cayley(s, x);
    turn_by_cayley(s, x);
  }

 private:
  // x is I^-1 b turned back by 1 + x, repeated.
  template <class T>
  static constexpr Vec3<T> guess(const Body<T>& body, const Vec3<T>& b) {
    Vec3<T> x = body.velocity(b);
    for (int i = 0; i < 4; ++i) {
      const Vec3<T> x_b = cross(x, b), bracket = cross(x, x_b) - x_b;
      x = body.velocity(b + T(T(2) / (T(1) + squared_norm(x))) * bracket);
    }
    return x;
  }
};

}  // namespace polhode
