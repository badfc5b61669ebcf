// Magnus's and Fer's expansions for R' = hat(w_S) R, l_S' = t_S, where w_S and t_S depend on the motion itself.
//
// The pair (w_S, t_S) lies in the Lie algebra of rotations and shifts of l_S. Its bracket is that of the rotations,
// [a, b] = a x b, alone: shifts commute, and l_S is advanced by quadrature.
#pragma once

#include <array>
#include <string_view>

#include "polhode/core/root.hpp"
#include "polhode/core/table.hpp"
#include "polhode/methods/carried_momentum.hpp"

namespace polhode {

// Velocity and torque at a place of the step, and combinations of them.
template <class T>
struct Rates {
  Vec3<T> w_S{}, t_S{};

  friend constexpr Rates operator+(const Rates& a, const Rates& b) { return {a.w_S + b.w_S, a.t_S + b.t_S}; }
  friend constexpr Rates operator-(const Rates& a, const Rates& b) { return {a.w_S - b.w_S, a.t_S - b.t_S}; }
  friend constexpr Rates operator*(const T& x, const Rates& a) { return {x * a.w_S, x * a.t_S}; }
};

template <class T, class F>
constexpr Rates<T> rates_at(const System<T, F>& sys, const Rotation<T>& R, const Vec3<T>& l_S, const T& t, Work& work) {
  const Vec3<T> pi_B = inverse(R) * l_S;
  const Vec3<T> w_B = velocity_at(sys, pi_B, t);
  return {R * w_B, spatial_torque_at_velocity(sys, R, w_B, t, work)};
}

struct ExpansionMethod : CarriesMomentum {
  static constexpr std::string_view family = "magnus";
  static constexpr std::string_view not_for =
      "long runs: the energy drifts; and costly torques, of which it takes more than commutator-free-4";
};

// The explicit method of order 4 for nonlinear equations of Casas and Iserles [CI06], six stages: the expansion is
// built up one order at a time, each from quadratures of the one before.
struct Magnus4 : ExpansionMethod {
  static constexpr std::string_view cite = "M54; CI06";
  static constexpr std::string_view about = "Magnus expansion of order 4, explicit with six stages";
  static constexpr std::string_view good_for = "fourth order in one exponential with values of the torque only";
  static constexpr Claims claims{.order_attitude = 4,
                                 .order_momentum = 4,
                                 .momentum_free = Keeps::exact,
                                 .momentum_along_field = Keeps::exact,
                                 .torque_evaluations = 6,
                                 .wheels = true,
                                 .batch = true};

  template <class T, class F>
  static constexpr State<T> step(const System<T, F>& sys, const State<T>& s, Memory<T>& memory, const T& h,
                                 Work& work) {
    // h times the rates at the point with the logarithm u, a share c of the step from its beginning.
    const auto rates = [&](const Rates<T>& u, double c) {
      return h * rates_at(sys, Rotation<T>(exp(u.w_S) * s.R_SB), Vec3<T>(memory.momentum_S + u.t_S), T(s.t + T(c) * h),
                          work);
    };
    const auto bracket = [](const Rates<T>& a, const Rates<T>& b) { return Rates<T>{cross(a.w_S, b.w_S), {}}; };
    const T third = T(1) / T(3), sixth = T(1) / T(6);
    const Rates<T> k1 = h * rates_at(sys, s.R_SB, memory.momentum_S, s.t, work), &Q1 = k1;
    const Rates<T> k2 = rates(T(0.5) * Q1, 0.5), Q2 = k2 - k1, middle = T(0.5) * Q1 + T(0.25) * Q2;
    const Rates<T> Q3 = rates(middle, 0.5) - k2, whole = Q1 + Q2, bracket_12 = bracket(Q1, Q2);
    const Rates<T> bend = k1 - T(2) * k2, Q4 = rates(whole, 1) + bend;
    const Rates<T> Q5 =
        rates(middle + third * Q3 - T(third * T(0.125)) * Q4 - T(sixth * T(0.125)) * bracket_12, 0.5) - k2;
    const Rates<T> Q6 = rates(whole + T(third + third) * Q3 + sixth * (Q4 - bracket_12), 1) + bend;
    const Rates<T> v = whole + T(third + third) * Q5 + sixth * (Q6 - bracket(Q1, Q2 - Q3 + Q5 + T(0.5) * Q6));
    if constexpr (!is_free<F>) memory.momentum_S += v.t_S;
    return memory.arrived(Rotation<T>(exp(v.w_S) * s.R_SB), T(s.t + h));
  }
};

// The polynomial a + b u + c u^2 in the share u of the step through the rates at the nodes of Gauss.
template <class T>
struct RatesOverStep {
  Rates<T> a, b, c;

  constexpr Rates<T> integral(const T& u) const {
    const T half = T(0.5) * u * u, third = u * u * u / T(3);
    return {u * a.w_S + half * b.w_S + third * c.w_S, u * a.t_S + half * b.t_S + third * c.t_S};
  }
};

template <class T>
struct TwoNodes {
  static constexpr std::size_t count = 2;
  std::array<T, 2> at;
  T root_3;

  constexpr TwoNodes() : root_3(root_of<T>(3, 2)) { at = {T(0.5) - root_3 / T(6), T(0.5) + root_3 / T(6)}; }

  constexpr RatesOverStep<T> through(const std::array<Rates<T>, 2>& k) const {
    const Rates<T> slope = root_3 * (k[1] - k[0]);
    return {T(0.5) * (k[0] + k[1]) - T(0.5) * slope, slope, {}};
  }
};

template <class T>
struct ThreeNodes {
  static constexpr std::size_t count = 3;
  std::array<T, 3> at;
  T root_15;

  constexpr ThreeNodes() : root_15(root_of<T>(15, 2)) {
    at = {T(0.5) - root_15 / T(10), T(0.5), T(0.5) + root_15 / T(10)};
  }

  constexpr RatesOverStep<T> through(const std::array<Rates<T>, 3>& k) const {
    const Rates<T> slope = T(root_15 / T(3)) * (k[2] - k[0]);  // in the middle
    const Rates<T> bend = T(T(10) / T(3)) * (k[0] - T(2) * k[1] + k[2]);
    return {k[1] - T(0.5) * slope + T(0.25) * bend, slope - bend, bend};
  }
};

// Y' = (a + b t + c t^2) Y from Y = 1 over a time u, times h. In the moments about the middle, x1 = u (a + b u/2 +
// c u^2/4), x2 = u^2 (b + c u), x3 = u^3 c, the logarithm is right to order 6 [BCR00]:
//   x1 + x3/12 + [-20 x1 - x3 + C1, x2 + C2]/240,   C1 = [x1, x2],   C2 = -[x1, 2 x3 + C1]/60.
struct MagnusOfOrder6 {
  static constexpr std::string_view cite = "M54; Z99; BCR00";
  static constexpr std::string_view about = "Magnus expansion of order 6 at three points of Gauss, in five sweeps";
  static constexpr std::string_view good_for = "sixth order in one exponential with values of the torque only";
  template <class T>
  using Nodes = ThreeNodes<T>;
  static constexpr int order = 6;

  template <class T>
  static constexpr Rotation<T> flow(const RatesOverStep<T>& k, const T& h, const T& u) {
    const T v = h * u, v2 = v * u, v3 = v2 * u;
    const Vec3<T> x1 = v * k.a.w_S + T(T(0.5) * v2) * k.b.w_S + T(T(0.25) * v3) * k.c.w_S;
    const Vec3<T> x2 = v2 * k.b.w_S + v3 * k.c.w_S, x3 = v3 * k.c.w_S;
    const Vec3<T> C1 = cross(x1, x2), C2 = T(T(-1) / T(60)) * cross(x1, T(2) * x3 + C1);
    const Vec3<T> brackets = cross(C1 - T(20) * x1 - x3, x2 + C2);
    return exp(x1 + T(T(1) / T(12)) * x3 + T(T(1) / T(240)) * brackets);
  }
};

// Fer's product exp(F1) exp(F2) [F58], F1 the integral and F2 = h^2 u^3/12 ([b, a] + h u/2 [a, [a, b]]) to order 4.
struct FerOfOrder4 {
  static constexpr std::string_view cite = "F58; Z99";
  static constexpr std::string_view about = "Fer expansion of order 4 at two points of Gauss, in three sweeps";
  static constexpr std::string_view good_for = "comparison: two exponentials where Magnus has one";
  template <class T>
  using Nodes = TwoNodes<T>;
  static constexpr int order = 4;

  template <class T>
  static constexpr Rotation<T> flow(const RatesOverStep<T>& k, const T& h, const T& u) {
    const Vec3<T>&a = k.a.w_S, &b = k.b.w_S;
    const T v = h * u;
    const Vec3<T> a_b = cross(a, b);
    const Vec3<T> F1 = v * a + T(T(0.5) * v * u) * b;
    const Vec3<T> F2 = T(v * v * u / T(12)) * (T(T(0.5) * v) * cross(a, a_b) - a_b);
    return exp(F1) * exp(F2);
  }
};

// Relaxed collocation at the nodes of Gauss [Z99]: the rates at the nodes are those of the motion that the polynomial
// through them gives. From the rates at the beginning each sweep over the nodes gains one order; as many are made as
// the order of the quadrature asks for, and the method is explicit.
template <class Expansion>
struct GaussExpansion : ExpansionMethod {
  static constexpr int sweeps = Expansion::order - 1;
  static constexpr std::string_view cite = Expansion::cite;
  static constexpr std::string_view about = Expansion::about;
  static constexpr std::string_view good_for = Expansion::good_for;
  static constexpr Claims claims{.order_attitude = Expansion::order,
                                 .order_momentum = Expansion::order,
                                 .momentum_free = Keeps::exact,
                                 .momentum_along_field = Keeps::exact,
                                 .torque_evaluations = 1 + sweeps * (Expansion::order / 2),
                                 .wheels = true};

  template <class T, class F>
  static constexpr State<T> step(const System<T, F>& sys, const State<T>& s, Memory<T>& memory, const T& h,
                                 Work& work) {
    using Nodes = typename Expansion::template Nodes<T>;
    const Nodes& nodes = table_of<NodesOfGauss, T>();
    RatesOverStep<T> k{rates_at(sys, s.R_SB, memory.momentum_S, s.t, work), {}, {}};
    for (int sweep = 0; sweep < sweeps; ++sweep) {
      std::array<Rates<T>, Nodes::count> at;
      for (std::size_t i = 0; i < Nodes::count; ++i) {
        const Rotation<T> R = Expansion::flow(k, h, nodes.at[i]) * s.R_SB;
        at[i] = rates_at(sys, R, Vec3<T>(memory.momentum_S + h * k.integral(nodes.at[i]).t_S), T(s.t + nodes.at[i] * h),
                         work);
      }
      k = nodes.through(at);
    }
    if constexpr (!is_free<F>) memory.momentum_S += h * k.integral(T(1)).t_S;
    return memory.arrived(Rotation<T>(Expansion::flow(k, h, T(1)) * s.R_SB), T(s.t + h));
  }

 private:
  struct NodesOfGauss {
    template <class T>
    static constexpr typename Expansion::template Nodes<T> make() {
      return {};
    }
  };
};

}  // namespace polhode
