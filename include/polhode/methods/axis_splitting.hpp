// Splittings of H = T(pi) + V(R) into exactly solvable rotations and kicks [M93; R94; TW94; DLM97; B01, Sec. 3].
//
// Split the kinetic energy by principal axes, T = sum_i pi_i^2 / (2 I_i). Each term turns the body about its own axis i
// at the constant rate pi_i / I_i:
//   R <- R exp(+a e_i),   pi <- exp(-a e_i) pi,   a = tau pi_i / I_i.
// One step turns about axes A, B, C, B, A for times h/2, h/2, h, h/2, h/2. V kicks the momentum, pi <- pi + h/2 tau_B,
// before and after. A step costs one evaluation (kick.hpp).
#pragma once

#include <array>
#include <concepts>
#include <string_view>

#include "polhode/methods/kick.hpp"

namespace polhode {

// How an angle becomes a rotation about a coordinate axis. With b half the angle the quaternion is (cosine, b sinc);
// the rotation of vectors is made of the products cosine sinc and sinc^2.
template <class T>
struct HalfTurn {
  T cosine, sinc, mixed, square;
};

struct ExponentialMap {
  template <class T>
  [[gnu::always_inline]] static HalfTurn<T> half(const T& b) {
    const CosSinc<T> f = cos_sinc_sqrt(T(b * b));
    return {f.cosine, f.sinc, f.cosine * f.sinc, f.sinc * f.sinc};
  }
};

// tan(a/2) replaced by a/2: no trigonometry. Still a rotation about the same axis by an angle that depends on pi_i
// alone, so that the step stays symplectic and symmetric; the attitude pays. Only the attitude waits for the root.
struct CayleyMap {
  template <class T>
  [[gnu::always_inline]] static HalfTurn<T> half(const T& b) {
    const T square = T(1) / (T(1) + b * b), cosine = sqrt(square);
    return {cosine, cosine, square, square};
  }
};

template <int A, int B, int C, class Map = ExponentialMap>
struct AxisSplitting : KeepsTorque {
  static_assert(A + B + C == 6 && A * B * C == 6, "the three axes in some order");
  static constexpr bool cayley = std::is_same_v<Map, CayleyMap>;

  static constexpr std::string_view family = "mclachlan-reich";
  static constexpr std::string_view cite = "M93; R94; TW94; DLM97";
  static constexpr std::string_view about =
      cayley ? "rotations about the principal axes through the Cayley map: no trigonometry, larger attitude error"
             : "exact rotations about the principal axes and kicks: symplectic, energy stays bounded";
  static constexpr std::string_view good_for =
      cayley ? "long runs where trigonometric functions are dear and the attitude's phase does not matter"
             : "long runs in a conservative field: cheap, explicit, no drift of energy, one torque call a step";
  static constexpr std::string_view not_for =
      cayley ? "attitudes: 2 to 6 times the error of the exact rotations, 300 times on some bodies"
             : "high accuracy without composition; the best order of the axes depends on the body, by up to 28 times";
  static constexpr Claims claims{.order_attitude = 2,
                                 .order_momentum = 2,
                                 .gains_with_velocity = Gains::one,
                                 .symmetric = true,
                                 .symplectic = true,
                                 .momentum_free = Keeps::exact,
                                 .momentum_along_field = Keeps::exact,
                                 .energy_free = Keeps::bounded,
                                 .energy = Keeps::bounded};

  template <class T, class F>
  [[gnu::always_inline]] static State<T> step(const System<T, F>& sys, const State<T>& s, KeptTorque<T>& memory,
                                              const T& h, Work& work) {
    return steps(sys, s, memory, std::array<T, 1>{h}, work);
  }

  // Several steps in a row, for compositions. Without torque the turns about axis A at a joint are merged into one; not
  // so with the Cayley map, whose turns by a and b are not one turn by a + b: merging them would cost the order.
  template <class T, class F, std::size_t S>
  [[gnu::always_inline]] static State<T> steps(const System<T, F>& sys, State<T> s, KeptTorque<T>& memory,
                                               const std::array<T, S>& h, Work& work) {
    for (std::size_t i = 0; i < S; ++i) {
      const T half = T(0.5) * h[i];
      constexpr bool merges = is_free<F> && !cayley;
      const bool joins = merges && i > 0, joined = merges && i + 1 < S;
      kick(sys, s, memory, half, work);
      turn<A - 1>(sys.body, s, joins ? T(T(0.5) * (h[i - 1] + h[i])) : half);
      turn<B - 1>(sys.body, s, half);
      turn<C - 1>(sys.body, s, h[i]);
      turn<B - 1>(sys.body, s, half);
      if (!joined) turn<A - 1>(sys.body, s, half);
      s.t = s.t + h[i];
      s.R_SB = renormalised(s.R_SB);
      memory.torque_known = false;
      kick(sys, s, memory, half, work);
    }
    return s;
  }

 private:
  // Five turns of a plain number are put in line, or the state would pass through memory at each. Five turns of a
  // scalar whose products are calls would only be a lot of code.
  template <int Axis, class T>
  static void turn(const Body<T>& body, State<T>& s, const T& tau) {
    inlined_turn<Axis>(body, s, tau);
  }
  template <int Axis, std::floating_point T>
  [[gnu::always_inline]] static void turn(const Body<T>& body, State<T>& s, const T& tau) {
    inlined_turn<Axis>(body, s, tau);
  }

  template <int Axis, class T>
  [[gnu::always_inline]] static void inlined_turn(const Body<T>& body, State<T>& s, const T& tau) {
    constexpr int j = (Axis + 1) % 3, k = (Axis + 2) % 3;
    const T b = T(0.5) * tau * body.inverse_inertia[Axis] * s.pi_B[Axis];
    const HalfTurn<T> half = Map::half(b);
    // Right multiplication by the quaternion (c, d e_i).
    const T c = half.cosine, d = b * half.sinc;
    const Rotation<T> q = s.R_SB;
    s.R_SB.w = c * q.w - d * q.v[Axis];
    s.R_SB.v[Axis] = c * q.v[Axis] + d * q.w;
    s.R_SB.v[j] = c * q.v[j] + d * q.v[k];
    s.R_SB.v[k] = c * q.v[k] - d * q.v[j];
    // sin a = 2 c d, cos a - 1 = -2 d^2, with the factors grouped so that few of them wait for the angle's functions.
    const T pj = s.pi_B[j], pk = s.pi_B[k], a = b + b, ab = a * b;
    s.pi_B[j] = pj + (half.mixed * (a * pk) - half.square * (ab * pj));
    s.pi_B[k] = pk - (half.mixed * (a * pj) + half.square * (ab * pk));
  }
};

}  // namespace polhode
