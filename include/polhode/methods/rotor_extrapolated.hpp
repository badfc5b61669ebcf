// Extrapolation of rotor-verlet: the step taken in 1, 2, ..., k equal parts, and the results, whose errors are series in
// the square of the part's length, extrapolated to length zero: order 2k [G65; CM00].
//
// Momentum is extrapolated in space, attitude in the rotation vectors that lead there from the finest result: any fixed
// chart works. What every part conserves (the momentum along a field, a free motion altogether) is conserved.
#pragma once

#include <array>
#include <string_view>

#include "polhode/methods/rotor_splitting.hpp"

namespace polhode {

template <int Order>
struct RotorExtrapolated : KeepsTorque {
  static_assert(Order % 2 == 0 && Order >= 4);
  static constexpr int rows = Order / 2;

  static constexpr std::string_view family = "rotor splitting";
  static constexpr std::string_view cite = "G65; CM00";
  static constexpr std::string_view about = "extrapolated rotor-verlet: high order from kicks and the exact free rotor";
  static constexpr std::string_view good_for =
      "high accuracy on a body of revolution, or where the torque is expensive";
  static constexpr std::string_view not_for = "long runs: energy drifts, if slowly; drag: the order is 3";
  static constexpr Claims claims = [] {
    Claims c = rotor_claims(Order, 1 + rows * (rows + 1) / 2);
    c.symmetric = c.symplectic = false;
    // The errors of the rows are then no series in the square: only the leading one is removed.
    c.order_with_velocity = {3, 3};
    c.energy = Keeps::no;
    return c;
  }();

  template <class T, class F>
  static constexpr State<T> step(const System<T, F>& sys, State<T> s, KeptTorque<T>& memory, const T& h, Work& work) {
    if constexpr (is_free<F>) {
      drift(sys.body, s, h);
    } else {
      const std::array<T, rows>& weight = table_of<Weights, T>();
      // The first torque serves all rows.
      if (!depends_on_velocity<T>(sys.field)) memory = {torque_body(sys, s.R_SB, s.pi_B, s.t, work), true};
      const State<T> finest = in_parts(sys, s, memory, h, rows, work);
      const Vec3<T> L_finest = spatial_momentum(finest);
      Vec3<T> L = L_finest, turn{};
      for (int n = 1; n < rows; ++n) {
        const State<T> row = in_parts(sys, s, memory, h, n, work);
        const T& w = weight[static_cast<std::size_t>(n - 1)];
        L += w * (spatial_momentum(row) - L_finest);
        turn += w * log(inverse(finest.R_SB) * row.R_SB);
      }
      s.R_SB = turned(finest.R_SB, exp(turn));
      s.pi_B = inverse(s.R_SB) * L;
      s.t = s.t + h;
      memory.torque_known = false;
    }
    return s;
  }

 private:
  // Of a polynomial in 1/n^2 through n = 1 ... rows, at zero.
  struct Weights {
    template <class T>
    static constexpr std::array<T, rows> make() {
      std::array<T, rows> weight{};
      for (int n = 1; n <= rows; ++n) {
        T w(1);
        for (int m = 1; m <= rows; ++m)
          if (m != n) w = w * T(n * n) / T(n * n - m * m);
        weight[static_cast<std::size_t>(n - 1)] = w;
      }
      return weight;
    }
  };

  template <class T, class F>
  static constexpr State<T> in_parts(const System<T, F>& sys, State<T> s, KeptTorque<T> memory, const T& h, int n,
                                     Work& work) {
    const T part = h / T(n);
    for (int i = 0; i < n; ++i) s = RotorVerlet::step(sys, s, memory, part, work);
    return s;
  }
};

}  // namespace polhode
