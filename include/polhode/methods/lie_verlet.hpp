// The Lie-Verlet method [BM09; BOS09, eq. (5)]: variational, with the Cayley map for the rotation of a step.
//
// Half a kick gives b = I W + h/2 tau_B; the velocity V of the step solves
//
//   I V + h/2 V x I V + h^2/4 (V . I V) V = b,   R <- R cay(h V).
//
// The left side is dcayinv(-h V) I V. The momentum after the turn, printed as I V + h/2 (I V x V + h/2 (V . I V) V), is
// dcayinv(h V) I V = cay(-h V) b: turned back with the body, it conserves the spatial momentum however V is found.
#pragma once

#include <string_view>

#include "polhode/methods/kicked_turn.hpp"
#include "polhode/methods/turn_equation.hpp"

namespace polhode {

// In y = h/2 V; b is h/2 times the kicked momentum.
template <class T>
[[gnu::always_inline]] constexpr Equation<T> lie_verlet_equation(const Vec3<T>& inertia, const Vec3<T>& b,
                                                                 const Vec3<T>& y) {
  const GyroscopicTerm<T> gyroscopic(inertia);
  const Vec3<T> Iy = times(inertia, y);
  const T y_Iy = dot(y, Iy);
  const Vec3<T> diagonal{inertia.x + y_Iy, inertia.y + y_Iy, inertia.z + y_Iy};
  return {Iy + gyroscopic(y) + y_Iy * y - b, plus_product(gyroscopic.derivative(y, T(1), diagonal), T(2) * y, Iy),
          detail::size_of(b)};
}

struct LieVerlet : KickedTurn<LieVerlet> {
  static constexpr std::string_view family = "lie-verlet";
  static constexpr std::string_view cite = "BM09; BOS09, eq. (5)";
  static constexpr std::string_view about = "variational with the Cayley map: symplectic, no trigonometry";
  static constexpr std::string_view good_for = "long runs in a conservative field without trigonometric functions";
  static constexpr std::string_view not_for =
      "attitudes at large steps: the Cayley map turns too little, and the error shows in the phase";
  static constexpr Claims claims{.order_attitude = 2,
                                 .order_momentum = 2,
                                 .gains_with_velocity = Gains::one,
                                 .symmetric = true,
                                 .symplectic = true,
                                 .momentum_free = Keeps::exact,
                                 .momentum_along_field = Keeps::exact,
                                 .energy_free = Keeps::bounded,
                                 .energy = Keeps::bounded,
                                 .wheels = true,
                                 .batch = true};

  template <class T>
  [[gnu::always_inline]] static constexpr void turn_free(const Body<T>& body, State<T>& s, const T& h, Work& work) {
    const Vec3<T> b = T(T(0.5) * h) * s.pi_B;
    turn_by_cayley(s, root(body, b, work));
  }

 private:
  template <class T>
  [[gnu::always_inline]] static constexpr Vec3<T> root(const Body<T>& body, const Vec3<T>& b, Work& work) {
    const auto equation = [inertia = body.inertia, b](const Vec3<T>& y, const T& share) {
      return lie_verlet_equation(inertia, Vec3<T>(share * b), y);
    };
    return solve_from_rest(equation, guess(body, b), work);
  }
  template <WithFirstDerivatives T>
  [[gnu::always_inline]] static constexpr Vec3<T> root(const Body<T>& body, const Vec3<T>& b, Work& work) {
    const auto y = root(Body(values_of(body.inertia)), values_of(b), work);
    return with_derivatives(y, lie_verlet_equation(body.inertia, b, Vec3<T>{T(y.x), T(y.y), T(y.z)}));
  }

  // The equation solved for I y, repeated: right to fourth order in h.
  template <class T>
  static constexpr Vec3<T> guess(const Body<T>& body, const Vec3<T>& b) {
    const GyroscopicTerm<T> gyroscopic(body.inertia);
    Vec3<T> y = body.velocity(b);
    for (int i = 0; i < 3; ++i) y = body.velocity(b - gyroscopic(y) - dot(y, body.momentum(y)) * y);
    return y;
  }
};

}  // namespace polhode
