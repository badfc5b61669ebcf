// The free rigid body over a short time, |w t| <= 1, attitude included: exact to rounding, at a sixth of the cost of the
// closed form, with no axis to choose, no cases to distinguish and no inverse function.
//
// The momentum in body axes obeys pi_1' = a_1 pi_2 pi_3 and cyclic, a_1 = 1/I_3 - 1/I_2. With
//   P = a_1 a_3 pi_2^2 - a_1 a_2 pi_3^2,   M = a_1 a_3 pi_2^2 - a_2 a_3 pi_1^2,
// the squares of the two frequencies of Jacobi's functions, S = sn / sqrt(P), C = cn and D = dn are entire in P and M
// whatever their signs, and the addition theorem takes the momentum from 0 to t. S and S' = C D come from one Maclaurin
// series at a fraction of t; doublings in projective form (S : C : D : W) take it to t. They carry C - W and D - W, and
// the momentum is increased by what is small with t: rounding is that of one sum.
//
// The attitude is the shortest turn between the two momenta, combined with a turn about the momentum by
//   |pi| int (pi_0 + pi) . w / ((pi_0 + pi) . pi) dt,
// the angle 2 E t / |pi| less the area between polhode and chord [M91]. The area is of third order and its integrand
// vanishes twice at the start: a Radau rule that knows this needs 8 nodes, or 4 for a small step, of which the last is
// t itself.
#pragma once

#include <concepts>

#include "polhode/core/instruction_set.hpp"
#include "polhode/core/table.hpp"
#include "polhode/model/free_rotor.hpp"
#include "polhode/model/lane_state.hpp"

namespace polhode {

// What a free body does in a time t.
template <class T>
struct FreeTurn {
  Rotation<T> turn;  // R(0)^-1 R(t)
  Vec3<T> pi_B;      // at t
};

template <class Mask, class T>
  requires(!std::is_same_v<Mask, bool>)
[[gnu::always_inline]] constexpr FreeTurn<T> select(const Mask& mask, const FreeTurn<T>& a, const FreeTurn<T>& b) {
  return {select(mask, a.turn, b.turn), select(mask, a.pi_B, b.pi_B)};
}

namespace detail {

// int_0^1 f = sum weight f(node), for f = t^2 times a polynomial of degree 2N - 2.
template <std::size_t N>
struct AreaRule {
  std::array<double, N> node, weight;
  std::array<std::array<double, N>, 3> power;  // node^2, node^4, node^8
};

template <std::size_t N>
constexpr AreaRule<N> area_rule(const std::array<double, N>& node, const std::array<double, N>& weight) {
  AreaRule<N> rule{node, weight, {}};
  for (std::size_t i = 0; i < N; ++i) {
    double power = node[i];
    for (auto& row : rule.power) row[i] = power = power * power;
  }
  return rule;
}

template <std::size_t N>
inline constexpr AreaRule<N> area_rule_of = area_rule<N>({}, {});
template <>
inline constexpr AreaRule<4> area_rule_of<4> = area_rule<4>({0.2461061852208425420325, 0.5661504103886616137855,
                                                             0.8544100710571625108487, 1.0},
                                                            {0.2942395518231702140711, 0.3250039017795494456045,
                                                             0.232423213063947006991, 0.04166666666666666666667});
template <>
inline constexpr AreaRule<8> area_rule_of<8> = area_rule<8>(
    {0.07970492770320144835911, 0.2044093256043351777086, 0.3640531057831504413362, 0.5394915027558011599199,
     0.7095868999613166417439, 0.8538285255283105766529, 0.9548080656050610248675, 1.0},
    {0.1019051002859432602766, 0.1450660686307606995096, 0.1709858549526857265006, 0.1763241281976510169006,
     0.1604061945053493199065, 0.125140810488826908034, 0.0747500322391945915059, 0.0125});

template <std::size_t N>
struct AreaRuleOf {
  template <class>
  static constexpr AreaRule<N> make() {
    return area_rule_of<N>;
  }
};

// A short step needs fewer nodes, and shorter series.
template <std::size_t Nodes>
struct FreeStepReach {
  // |w t|^2; P t^2 and M t^2 with one doubling, with each more four times as much.
  static constexpr double turned2 = Nodes == 4 ? 1.0 / 16 : 1, frequency2 = Nodes == 4 ? 1.0 / 64 : 1.0 / 16;
  static constexpr int most_doublings = Nodes == 4 ? 2 : 3;
  static constexpr std::size_t sine_terms = Nodes == 4 ? 6 : 8;
  // Of half the angle, squared.
  static constexpr double angle_limit = Nodes == 4 ? near_limit : series_limit;
};

// Coefficients of S = t sum s_n t^2n, S'' = -e1 S + 2 e2 S^3 with e1 = P + M, e2 = P M; those of S' are (2n + 1) s_n.
template <std::size_t Terms, class T>
[[gnu::always_inline]] constexpr std::array<T, Terms> sine_coefficients(const T& e1, const T& e2) {
  using V = value_of<T>;
  const T g = e1 * e1, f = e2, ff = f * f;
  std::array<T, Terms> s{
      T(1),
      T(V(-1.0 / 6) * e1),
      T(V(1.0 / 120) * g + V(1.0 / 10) * f),
      T(e1 * (V(-1.0 / 5040) * g - V(132.0 / 5040) * f)),
      T(g * (V(1.0 / 362880) * g + V(1224.0 / 362880) * f) + V(3024.0 / 362880) * ff),
      T(e1 * (g * (V(-1.0 / 39916800) * g - V(11064.0 / 39916800) * f) - V(132624.0 / 39916800) * ff))};
  if constexpr (Terms == 8) {
    s[6] = (g * g) * (V(1.0 / 6227020800) * g + V(99636.0 / 6227020800) * f) +
           ff * (V(4095792.0 / 6227020800) * g + V(4390848.0 / 6227020800) * f);
    s[7] = e1 * ((g * g) * (V(-1.0 / 1307674368000) * g - V(896796.0 / 1307674368000) * f) -
                 ff * (V(111810672.0 / 1307674368000) * g + V(490287168.0 / 1307674368000) * f));
  }
  return s;
}

// s_0 + s_1 z + ... in a tree.
template <class L, std::size_t Terms, class T>
[[gnu::always_inline]] constexpr L sine_polynomial(const std::array<T, Terms>& s, const L& z, const L& z2,
                                                   const L& z4) {
  const L low = (s[0] + s[1] * z) + z2 * (s[2] + s[3] * z);
  if constexpr (Terms == 8) {
    return low + z4 * ((s[4] + s[5] * z) + z2 * (s[6] + s[7] * z));
  } else {
    return low + z4 * (s[4] + s[5] * z);
  }
}

template <class L, class T>
[[gnu::always_inline]] constexpr FreeTurn<T> free_step(const Vec3<T>& inertia, const Vec3<T>& inverse_inertia,
                                                       const Vec3<T>& pi_B, const T& t) {
  using V = value_of<T>;
  using Reach = FreeStepReach<L::size>;
  const AreaRule<L::size>& rule = table_of<AreaRuleOf<L::size>, double>();
  const Vec3<T>&I = inertia, &J = inverse_inertia, &p = pi_B;

  // Rates for the whole step; after them all times are in units of the one at which the series stands.
  Vec3<T> a{(I.y - I.z) * J.y * (J.z * t), (I.z - I.x) * J.z * (J.x * t), (I.x - I.y) * J.x * (J.y * t)};
  T A2 = (a.x * p.y) * (a.z * p.y);
  T P = A2 - (a.x * p.z) * (a.y * p.z), M = A2 - (a.y * p.x) * (a.z * p.x);
  T scale(V(0.5)), reach = max(T(abs(P)), T(abs(M)));
  std::array<decltype(reach > reach), Reach::most_doublings - 1> doubles{};  // of bodies side by side, each for itself
  for (auto& again : doubles) {
    again = reach > T(V(Reach::frequency2));
    reach = select(again, T(V(0.25) * reach), reach);
    scale = select(again, T(V(0.5) * scale), scale);
  }
  const T scale2 = scale * scale;
  P = scale2 * P;
  M = scale2 * M;
  A2 = scale2 * A2;

  const auto sine = sine_coefficients<Reach::sine_terms>(T(P + M), T(P * M));
  auto slope = sine;
  for (std::size_t n = 1; n < slope.size(); ++n) slope[n] = V(static_cast<int>(2 * n + 1)) * sine[n];
  const L c = L::load(rule.node), z = L::load(rule.power[0]), z2 = L::load(rule.power[1]), z4 = L::load(rule.power[2]);
  const L s = c * sine_polynomial(sine, z, z2, z4), x = s * s, Px = P * x, Mx = M * x;
  L S = (s + s) * sine_polynomial(slope, z, z2, z4);
  L C_W = T(-2) * (Px * (T(1) - Mx)), D_W = T(-2) * (Mx * (T(1) - Px)), W = T(1) - Px * Mx;
  for (const auto& again : doubles) {
    if (!any(again)) break;
    const L C = W + C_W, D = W + D_W, S2 = S * S, PS = P * S2, MS = M * S2, W2 = W * W;
    C_W = select(again, L(T(-2) * (PS * (D * D))), C_W);
    D_W = select(again, L(T(-2) * (MS * (C * C))), D_W);
    S = select(again, L(T(2) * ((S * W) * (C * D))), S);
    W = select(again, L(W2 * W2 - PS * MS), W);
  }

  // W^2 - A2 S^2 times the increase of each component.
  const L AS = A2 * (S * S), N = W * W - AS;
  const L dx = p.x * (W * C_W + AS) + T(scale * a.x * (p.y * p.z)) * (S * (W + D_W));
  const L dy = p.y * (W * (C_W + D_W) + C_W * D_W + AS) + T(scale * a.y * (p.z * p.x)) * (S * W);
  const L dz = p.z * (W * D_W + AS) + T(scale * a.z * (p.x * p.y)) * (S * (W + C_W));

  const T inverse_N = T(1) / T(N.back());
  const Vec3<T> d{T(dx.back()) * inverse_N, T(dy.back()) * inverse_N, T(dz.back()) * inverse_N};
  FreeTurn<T> moved{{}, p + d};

  // A body at rest: nothing is divided by zero, and nothing else feels it.
  const Vec3<T> w = times(J, p);
  const T length2 = squared_norm(p) + T(std::numeric_limits<V>::min()), length = sqrt(length2);
  const T inverse_length = T(1) / length, twice_energy = dot(w, p);
  const T rate = twice_energy * inverse_length;
  const Vec3<T> across = w - T(rate * inverse_length) * p;
  const L area =
      (across.x * dx + across.y * dy + across.z * dz) / (T(length2 + length2) * N + (p.x * dx + p.y * dy + p.z * dz));
  const T half_angle = (V(0.5) * t) * (rate + length * (L::load(rule.weight) * area).sum());

  const T y = half_angle * half_angle;
  constexpr std::size_t terms = angle_terms<T>(Reach::angle_limit);
  const T cosine = polynomial(table_of<AngleTable<terms, 0, 0>, V>(), y);
  const T sine_of_half = half_angle * polynomial(table_of<AngleTable<terms, 1, 0>, V>(), y);
  const Vec3<T> both = p + moved.pi_B;
  const T both_length2 = squared_norm(both) + T(std::numeric_limits<V>::min()), both_length = sqrt(both_length2);
  const T inverse_both = T(1) / both_length;
  const Vec3<T> normal = inlined::cross(moved.pi_B, p);
  const T along = sine_of_half * inverse_both, sideways = cosine * inverse_length * inverse_both;
  moved.turn.w = cosine * (V(0.5) * both_length * inverse_length);
  moved.turn.v = along * both + sideways * normal;
  return moved;
}

template <template <std::size_t> class LanesOf, class T>
[[gnu::always_inline]] constexpr FreeTurn<T> free_step(const Vec3<T>& inertia, const Vec3<T>& inverse_inertia,
                                                       const Vec3<T>& pi_B, const T& t) {
  const T turned2 = t * t * squared_norm(times(inverse_inertia, pi_B));
  const auto few = turned2 <= T(value_of<T>(FreeStepReach<4>::turned2));
  if (every(few)) return free_step<LanesOf<4>>(inertia, inverse_inertia, pi_B, t);
  const FreeTurn<T> moved = free_step<LanesOf<8>>(inertia, inverse_inertia, pi_B, t);
  if (!any(few)) return moved;
  return select(few, free_step<LanesOf<4>>(inertia, inverse_inertia, pi_B, t), moved);
}

template <class T>
struct LanesOver {
  template <std::size_t N>
  using Of = Lanes<T, N, 1>;
};

template <class T>
constexpr FreeTurn<T> free_step_of(const Body<T>& body, const Vec3<T>& pi_B, const T& t) {
  return free_step<LanesOver<T>::template Of>(body.inertia, body.inverse_inertia, pi_B, t);
}

#if !defined(__CUDACC__)
// In double the nodes are lanes of vectors. Without flags for one machine the compiler may use pairs only; the same
// code once more in functions that are allowed wider ones, of which the machine picks its own. The lanes are the same
// in all of them, and so is the result.
using FreeStepKernel = void (*)(FreeTurn<double>&, const Body<double>&, const Vec3<double>&, double);

template <std::size_t N>
using Pairs = Lanes<double, N, 2>;
template <std::size_t N>
using Fours = Lanes<double, N, 4>;
template <std::size_t N>
using Eights = Lanes<double, N, N>;

[[gnu::flatten]] inline void free_step_in_pairs(FreeTurn<double>& moved, const Body<double>& body,
                                                const Vec3<double>& pi_B, double t) {
  moved = free_step<Pairs>(body.inertia, body.inverse_inertia, pi_B, t);
}
#if defined(__x86_64__)
[[gnu::flatten, gnu::target("avx2")]] inline void free_step_in_fours(FreeTurn<double>& moved, const Body<double>& body,
                                                                     const Vec3<double>& pi_B, double t) {
  moved = free_step<Fours>(body.inertia, body.inverse_inertia, pi_B, t);
}
[[gnu::flatten, gnu::target("avx2,avx512f,avx512dq,avx512vl")]] inline void free_step_in_eights(
    FreeTurn<double>& moved, const Body<double>& body, const Vec3<double>& pi_B, double t) {
  moved = free_step<Eights>(body.inertia, body.inverse_inertia, pi_B, t);
}
#endif

inline FreeStepKernel free_step_kernel() {
#if defined(__x86_64__)
  switch (instruction_set()) {
    case InstructionSet::avx512: return &free_step_in_eights;
    case InstructionSet::avx2: return &free_step_in_fours;
    case InstructionSet::baseline: break;
  }
#endif
  return &free_step_in_pairs;
}

inline FreeTurn<double> free_step_of(const Body<double>& body, const Vec3<double>& pi_B, const double& t) {
  FreeTurn<double> moved;
  free_step_kernel()(moved, body, pi_B, t);
  return moved;
}
#endif

// About its axis K a body of revolution spins at a constant rate, and that axis precesses about the momentum.
template <std::size_t K, class T>
constexpr FreeTurn<T> symmetric_turn(const Body<T>& body, const Vec3<T>& pi_B, const T& t) {
  constexpr std::size_t i = (K + 1) % 3, j = (K + 2) % 3;
  const T J = body.inverse_inertia[i];
  const T half_spin = T(0.5) * t * pi_B[K] * ((body.inertia[i] - body.inertia[K]) * J * body.inverse_inertia[K]);
  const CosSinc<T> half = cos_sinc_sqrt(T(half_spin * half_spin));
  const T sine = half_spin * half.sinc, mixed = T(2) * half.cosine * sine, square = T(2) * sine * sine;
  Rotation<T> spin{half.cosine, {}};
  spin.v[K] = sine;
  FreeTurn<T> moved{inlined::product(exp(Vec3<T>(T(t * J) * pi_B)), spin), pi_B};
  moved.pi_B[i] = pi_B[i] + (mixed * pi_B[j] - square * pi_B[i]);
  moved.pi_B[j] = pi_B[j] - (mixed * pi_B[i] + square * pi_B[j]);
  return moved;
}

// The closed form: in the next wider scalar where that is built in.
template <class T>
[[gnu::noinline]] constexpr FreeTurn<T> closed_turn(const Body<T>& body, const Vec3<T>& pi_B, const T& t) {
  using W = typename std::conditional_t<(std::numeric_limits<value_of<T>>::digits > 53), std::type_identity<T>,
                                        Wider<T>>::type;
  const auto moved = FreeMotion<W>(cast<W>(body.inertia), cast<W>(pi_B)).after(static_cast<W>(t));
  return {cast<T>(moved.turn), cast<T>(moved.pi_B)};
}

// The series and the nodes are made for the digits of double.
template <class T>
inline constexpr bool has_free_step = std::numeric_limits<value_of<T>>::digits <= 53;

}  // namespace detail

// Whether the short step is exact to rounding. Its series know the frequencies of the momentum, which for three moments
// that no body can have may be higher than |w|.
template <class T>
[[gnu::always_inline]] constexpr auto free_step_reaches(const Body<T>& body, const Vec3<T>& pi_B, const T& t) {
  const Vec3<T> g = body.gyroscopic();
  const T reach = max(max(T(abs(g.x)), max(T(abs(g.y)), T(abs(g.z)))), T(1)) * t;
  return reach * reach * squared_norm(body.velocity(pi_B)) <= T(1);
}

// A free body after any time of either sign: turning at a constant rate about two axes if it has two equal moments, by
// the short step where that is exact, by the closed form otherwise.
template <class T>
constexpr FreeTurn<T> free_turn(const Body<T>& body, const Vec3<T>& pi_B, const T& t) {
  const Vec3<T>& I = body.inertia;
  if (I.x == I.y) return detail::symmetric_turn<2>(body, pi_B, t);
  if (I.y == I.z) return detail::symmetric_turn<0>(body, pi_B, t);
  if (I.z == I.x) return detail::symmetric_turn<1>(body, pi_B, t);
  if constexpr (detail::has_free_step<T>) {
    if (free_step_reaches(body, pi_B, t)) [[likely]]
      return detail::free_step_of(body, pi_B, t);
  }
  return detail::closed_turn(body, pi_B, t);
}
// In single precision every digit of the double step is for free.
template <std::same_as<float> T>
constexpr FreeTurn<T> free_turn(const Body<T>& body, const Vec3<T>& pi_B, const T& t) {
  const FreeTurn<double> moved = free_turn(cast<double>(body), cast<double>(pi_B), static_cast<double>(t));
  return {cast<float>(moved.turn), cast<float>(moved.pi_B)};
}

// Bodies side by side, each with its own moments and its own time, and with the bits that it has alone. Those that the
// short step does not reach are turned one by one.
template <std::size_t N, std::size_t W>
constexpr FreeTurn<Lanes<double, N, W>> free_turn(const Body<Lanes<double, N, W>>& body,
                                                  const Vec3<Lanes<double, N, W>>& pi_B, const Lanes<double, N, W>& t) {
  using namespace detail;
  const auto& I = body.inertia;
  const auto about_z = I.x == I.y, about_x = I.y == I.z, about_y = I.z == I.x;
  const auto symmetric = about_z || about_x || about_y, reached = free_step_reaches(body, pi_B, t);
  FreeTurn<Lanes<double, N, W>> moved = free_step_of(body, pi_B, t);
  if (any(symmetric)) {
    moved = select(about_y, symmetric_turn<1>(body, pi_B, t), moved);
    moved = select(about_x, symmetric_turn<0>(body, pi_B, t), moved);
    moved = select(about_z, symmetric_turn<2>(body, pi_B, t), moved);
  }
  if (every(symmetric || reached)) [[likely]]
    return moved;
  for (std::size_t i = 0; i < N; ++i) {
    if (symmetric[i] || reached[i]) continue;
    const FreeTurn<double> alone = free_turn(lane(body, i), lane(pi_B, i), t[i]);
    set_lane(moved.turn, i, alone.turn);
    set_lane(moved.pi_B, i, alone.pi_B);
  }
  return moved;
}
template <std::size_t N, std::size_t W>
constexpr FreeTurn<Lanes<float, N, W>> free_turn(const Body<Lanes<float, N, W>>& body,
                                                 const Vec3<Lanes<float, N, W>>& pi_B, const Lanes<float, N, W>& t) {
  using Narrow = Lanes<float, N, W>;
  using Wide = Lanes<double, N>;
  const FreeTurn<Wide> moved = free_turn(cast<Wide>(body), cast<Wide>(pi_B), static_cast<Wide>(t));
  return {cast<Narrow>(moved.turn), cast<Narrow>(moved.pi_B)};
}

// q turn, of length one: q plus what is added to it, with what |q| lacks of one, so that each component is rounded once.
// To scale the product afterwards by 1 - 1e-16 would move each component by a whole unit of its last digit, which is a
// larger share of one with a small mantissa: spatial momentum then drifts, 20 times as far in a million steps.
template <class T>
[[gnu::always_inline]] constexpr Rotation<T> turned(const Rotation<T>& q, const Rotation<T>& turn) {
  const T sign = copysign(T(1), turn.w);
  const Vec3<T> v = sign * turn.v;
  const T less = T(0.5) * (T(1) - squared_norm(q)) - squared_norm(v) / (T(1) + sign * turn.w);
  return {q.w + (q.w * less - dot(q.v, v)), q.v + (less * q.v + (q.w * v + inlined::cross(q.v, v)))};
}

// The state of a free body a time t later. The driver sets the time.
template <class T>
[[gnu::always_inline]] constexpr void drift(const Body<T>& body, State<T>& s, const T& t) {
  const FreeTurn<T> moved = free_turn(body, s.pi_B, t);
  s.R_SB = turned(s.R_SB, moved.turn);
  s.pi_B = moved.pi_B;
  s.t = s.t + t;
}

}  // namespace polhode
