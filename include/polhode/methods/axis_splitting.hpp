// Splittings of H = T(pi) + V(R) into exactly solvable rotations and kicks [M93; R94; TW94; DLM97; B01, Sec. 3].
//
// Split the kinetic energy by principal axes, T = sum_i pi_i^2 / (2 I_i). Each term turns the body about its own axis i
// at the constant rate pi_i / I_i:
//   R <- R exp(+a e_i),   pi <- exp(-a e_i) pi,   a = tau pi_i / I_i.
// One step turns about axes A, B, C, B, A for times h/2, h/2, h, h/2, h/2. V kicks the momentum, pi <- pi + h/2 tau_B,
// before and after. A step costs one evaluation (kick.hpp). What motors of wheels change in time is taken half-way.
#pragma once

#include <array>
#include <string_view>

#include "polhode/methods/bounded_turns.hpp"
#include "polhode/methods/kick.hpp"

namespace polhode {

// The axes in the order of the turns, 1 to 3.
struct Axes {
  int a = 1, b = 2, c = 3;
};

template <class T>
struct AxisMemory : KeptTorque<T> {
  Axes axes{};
  constexpr AxisMemory reversed() const { return *this; }
};

namespace detail {

// How long the turns of a step are: about A, B, C, B, and about A again if no other step takes that over.
template <class T>
struct FiveTurns {
  T first, half, whole;
  bool last;
};

// About one axis by twice the angle b, in the body: R <- R exp(2 b e_i), pi <- exp(-2 b e_i) pi.
template <class Map, int Axis, class T>
POLHODE_INLINED constexpr void turn_by_half(State<T>& s, const T& b) {
  constexpr int j = (Axis + 1) % 3, k = (Axis + 2) % 3;
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

// Five turns of a plain number are inlined, or the state would pass through memory at each. Five turns of a
// scalar whose products are calls would only be a lot of code.
template <class Map, int Axis, class T>
POLHODE_INLINED constexpr void inlined_turn(const Vec3<T>& inverse_inertia, State<T>& s, const T& tau) {
  turn_by_half<Map, Axis>(s, T(T(0.5) * tau * inverse_inertia[Axis] * s.pi_B[Axis]));
}
template <class Map, int Axis, class T>
constexpr void turn(const Vec3<T>& inverse_inertia, State<T>& s, const T& tau) {
  inlined_turn<Map, Axis>(inverse_inertia, s, tau);
}
template <class Map, int Axis, class T>
requires has_inlined_products<T> POLHODE_INLINED constexpr void turn(const Vec3<T>& inverse_inertia, State<T>& s,
                                                                     const T& tau) {
  inlined_turn<Map, Axis>(inverse_inertia, s, tau);
}

// With wheels of momentum k the terms are (pi_i - k_i)^2 / (2 I_i): the turn is by what the body itself has about the axis.
template <class Map, class T>
[[gnu::noinline]] constexpr void turn_with_wheels(int axis, const Vec3<T>& inverse_inertia, const Vec3<T>& k_B,
                                                  State<T>& s, const T& tau) {
  const auto i = static_cast<std::size_t>(axis - 1);
  const T whole = s.pi_B[i];
  s.pi_B[i] = whole - k_B[i];
  if (axis == 1) turn<Map, 0>(inverse_inertia, s, tau);
  if (axis == 2) turn<Map, 1>(inverse_inertia, s, tau);
  if (axis == 3) turn<Map, 2>(inverse_inertia, s, tau);
  s.pi_B[i] = whole;
}

// In an order that is part of the type.
template <int A, int B, int C>
struct AxesByType {
  template <class Map, class T>
  POLHODE_INLINED static constexpr void make(const FiveTurns<T>& turns, const Vec3<T>& inverse_inertia, State<T>& s) {
    turn<Map, A - 1>(inverse_inertia, s, turns.first);
    turn<Map, B - 1>(inverse_inertia, s, turns.half);
    turn<Map, C - 1>(inverse_inertia, s, turns.whole);
    turn<Map, B - 1>(inverse_inertia, s, turns.half);
    if (turns.last) turn<Map, A - 1>(inverse_inertia, s, turns.half);
  }
};

// In an order that is a number: the axes get new names, A first, and the turns are those about axes 1, 2, 3. Names
// that are no cyclic change of the old ones make a left-handed frame, in which rotation vectors and momenta change
// their sign. No bit depends on the names.
struct AxesByNumber {
  Axes axes;

  template <class Map, class T>
  POLHODE_INLINED constexpr void make(const FiveTurns<T>& turns, const Vec3<T>& inverse_inertia, State<T>& s) const {
    const std::array<int, 3> old{axes.a - 1, axes.b - 1, axes.c - 1};
    const bool cyclic = (axes.a % 3) + 1 == axes.b;
    const auto renamed = [&](const Vec3<T>& v) {
      const Vec3<T> r{v[old[0]], v[old[1]], v[old[2]]};
      return cyclic ? r : -r;
    };
    const auto back = [&](const Vec3<T>& r) {
      Vec3<T> v;
      for (int i = 0; i < 3; ++i) v[i] = old[0] == i ? r.x : old[1] == i ? r.y : r.z;
      return cyclic ? v : -v;
    };
    State<T> r{{s.R_SB.w, renamed(s.R_SB.v)}, renamed(s.pi_B), s.t};
    AxesByType<1, 2, 3>::make<Map>(turns, {inverse_inertia[old[0]], inverse_inertia[old[1]], inverse_inertia[old[2]]},
                                   r);
    s.R_SB = {r.R_SB.w, back(r.R_SB.v)};
    s.pi_B = back(r.pi_B);
  }
};

}  // namespace detail

template <int A, int B, int C, class Map = ExponentialMap>
struct AxisSplitting {
  static_assert(A + B + C == 6 && A * B * C == 6, "the three axes in some order");
  static constexpr bool cayley = std::is_same_v<Map, CayleyMap>;

  static constexpr std::string_view family = "mclachlan-reich";
  static constexpr std::string_view cite = "M93; R94; TW94; DLM97";
  static constexpr std::string_view about =
      cayley ? "rotations about the principal axes through the Cayley map: no trigonometry, larger attitude error"
             : "exact rotations about the principal axes and kicks: symplectic, energy stays bounded";
  static constexpr std::string_view good_for =
      cayley ? "long runs where trigonometric functions are expensive and the attitude's phase does not matter"
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
                                 .energy = Keeps::bounded,
                                 .wheels = true,
                                 .batch = true};

  template <class T>
  using Memory = AxisMemory<T>;

  template <class T, class F>
  static constexpr Memory<T> start(const System<T, F>&, const State<T>&, const T&, Work&) {
    return {{}, {A, B, C}};
  }

  template <class T, class F>
  POLHODE_INLINED static constexpr State<T> step(const System<T, F>& sys, const State<T>& s, Memory<T>& memory,
                                                 const T& h, Work& work) {
    return steps(sys, s, memory, std::array<T, 1>{h}, work);
  }

  // Several steps in a row, for compositions.
  template <class T, class F, std::size_t S>
  POLHODE_INLINED static constexpr State<T> steps(const System<T, F>& sys, const State<T>& s, Memory<T>& memory,
                                                  const std::array<T, S>& h, Work& work) {
    return steps_about(detail::AxesByType<A, B, C>{}, sys, s, memory, h, work);
  }

  // Without torque the turns about axis A at a joint are merged, with one the kicks; n steps evaluate it n + 1 times. How
  // long turns can be is asked for once in as long as the momentum keeps its length.
  template <class T, class F>
  static constexpr State<T> chain(const System<T, F>& sys, State<T> s, const T& h, std::size_t n, Work& work) {
    if (!kicks_merge<T>(sys.field) || carries_wheels(sys)) return one_by_one<AxisSplitting>(sys, s, h, n, work);
    if (n == 0) return s;
    const Vec3<T>& J = sys.body.inverse_inertia;
    const T half = T(0.5) * h;
    if constexpr (is_free<F>) {
      detail::with_bounded<Map>(
          detail::longest_half_angle_squared(J, s.pi_B, h), [&](auto map) __attribute__((always_inline)) {
            using Bounded = decltype(map);
            detail::turn<Bounded, A - 1>(J, s, half);
            for (std::size_t i = 1; i <= n; ++i) {
              detail::turn<Bounded, B - 1>(J, s, half);
              detail::turn<Bounded, C - 1>(J, s, h);
              detail::turn<Bounded, B - 1>(J, s, half);
              if (i < n) detail::turn<typename Bounded::TwoHalves, A - 1>(J, s, h);
              s.t = s.t + h;
              if (detail::is_renormalised_after<T>(i, n)) s.R_SB = renormalised(s.R_SB);
            }
            detail::turn<Bounded, A - 1>(J, s, half);
          });
    } else {
      KeptTorque<T> memory;
      T longest = detail::longest_half_angle_squared(J, s.pi_B, h);
      kick(sys, s, memory, half, work);
      for (std::size_t i = 1; i <= n; ++i) {
        // What was long is taken for long for some steps more, though kicks may stop the body for one: its neighbours would
        // wait.
        longest = max(T(T(0.9) * longest), detail::longest_half_angle_squared(J, s.pi_B, h));
        detail::with_bounded<Map>(
            longest, [&](auto map) __attribute__((always_inline)) {
              detail::AxesByType<A, B, C>::template make<decltype(map), T>({half, half, h, true}, J, s);
            });
        s.t = s.t + h;
        if (detail::is_renormalised_after<T>(i, n)) s.R_SB = renormalised(s.R_SB);
        memory.torque_known = false;
        kick(sys, s, memory, i < n ? h : half, work);
      }
    }
    return s;
  }

 protected:
  template <class T>
  [[gnu::noinline, gnu::cold]] static constexpr State<T> turned_with_wheels(Axes axes, const Body<T>& body, State<T> s,
                                                                            T h) {
    const T half = T(0.5) * h;
    const Vec3<T> k_B = body.wheels.at(T(s.t + half));
    const auto turn_about = [&](int axis, const T& tau) {
      detail::turn_with_wheels<Map>(axis, body.inverse_inertia, k_B, s, tau);
    };
    turn_about(axes.a, half);
    turn_about(axes.b, half);
    turn_about(axes.c, h);
    turn_about(axes.b, half);
    turn_about(axes.a, half);
    return s;
  }

  // Without torque the turns about axis A at a joint are merged into one; not so with the Cayley map, whose turns
  // by a and b are not one turn by a + b: merging them would cost the order.
  template <class AxesAs, class T, class F, std::size_t S>
  POLHODE_INLINED static constexpr State<T> steps_about(const AxesAs& axes, const System<T, F>& sys, State<T> s,
                                                        Memory<T>& memory, const std::array<T, S>& h, Work& work) {
    for (std::size_t i = 0; i < S; ++i) {
      const T half = T(0.5) * h[i];
      constexpr bool merges = is_free<F> && !cayley;
      const bool joins = merges && i > 0, joined = merges && i + 1 < S;
      kick(sys, s, memory, half, work);
      if (carries_wheels(sys)) [[unlikely]] {
        if constexpr (SumAtRunTime<F>) s = turned_with_wheels(memory.axes, sys.body, s, h[i]);
      } else {
        axes.template make<Map, T>({joins ? T(T(0.5) * (h[i - 1] + h[i])) : half, half, h[i], !joined},
                                   sys.body.inverse_inertia, s);
      }
      s.t = s.t + h[i];
      s.R_SB = renormalised(s.R_SB);
      memory.torque_known = false;
      kick(sys, s, memory, half, work);
    }
    return s;
  }
};

// All six orders in one kernel: that of the memory, which each of them starts with its own.
template <class Map>
struct AnyAxisSplitting : AxisSplitting<1, 2, 3, Map> {
  // A chain has no memory, and would not know the order.
  template <class... Arguments>
  static void chain(const Arguments&...) = delete;

  template <class T, class F>
  POLHODE_INLINED static constexpr State<T> step(const System<T, F>& sys, const State<T>& s, AxisMemory<T>& memory,
                                                 const T& h, Work& work) {
    return steps(sys, s, memory, std::array<T, 1>{h}, work);
  }
  template <class T, class F, std::size_t S>
  POLHODE_INLINED static constexpr State<T> steps(const System<T, F>& sys, const State<T>& s, AxisMemory<T>& memory,
                                                  const std::array<T, S>& h, Work& work) {
    return AnyAxisSplitting::steps_about(detail::AxesByNumber{memory.axes}, sys, s, memory, h, work);
  }
};

}  // namespace polhode
