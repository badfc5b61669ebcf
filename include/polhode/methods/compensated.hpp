// Steps that keep what rounding takes from their sums, for scalars with few digits [K65].
//
// A splitting into kicks and turns of the free body changes momentum and attitude by little, and adds the change to them: in
// float that loses the last digits of the change at every step. Here they are kept beside the state and added the next time.
// For that the changes themselves must be known to more than the digits of the state. A free body turns by the same rotation
// F whatever its attitude, and so the method is asked for the step from attitude 1: F has an error of eps |F - 1|. Then
//
//   q <- q + q (F - 1),   pi <- pi + (F^-1 - 1) pi,   pi <- pi + h/2 tau_B
//
// are sums of something large and something small. What is left of rounding is smaller by the angle of a step, for torques
// by that over which a step changes the momentum.
#pragma once

#include "polhode/methods/axis_splitting.hpp"
#include "polhode/methods/lie_verlet.hpp"
#include "polhode/methods/no_squish.hpp"
#include "polhode/methods/rotor_series.hpp"
#include "polhode/methods/variational.hpp"

namespace polhode {

// What sums have lost so far, to be added to the state.
template <class T>
struct Lost {
  Rotation<T> attitude{T(0), {}};
  Vec3<T> momentum_B{};
};

template <class Kept, class T>
struct CompensatedMemory : Kept {
  Lost<T> lost{};
  constexpr CompensatedMemory reversed() const { return *this; }
};

// Methods that are half a kick, the step of the free body, and half a kick.
template <class M>
inline constexpr bool is_kicked_turn =
    std::is_same_v<M, NoSquish> || std::is_same_v<M, LieVerlet> || std::is_same_v<M, VariationalLegendre>;
template <int A, int B, int C, class Map>
inline constexpr bool is_kicked_turn<AxisSplitting<A, B, C, Map>> = true;
template <class Map>
inline constexpr bool is_kicked_turn<AnyAxisSplitting<Map>> = true;

namespace detail {

// x + d, of which a small d loses nothing but to `lost`.
template <class T>
POLHODE_INLINED constexpr void add(T& x, T& lost, const T& d) {
  const T change = d + lost, sum = x + change;
  lost = change - (sum - x);
  x = sum;
}
template <class T>
POLHODE_INLINED constexpr void add(Vec3<T>& x, Vec3<T>& lost, const Vec3<T>& d) {
  add(x.x, lost.x, d.x);
  add(x.y, lost.y, d.y);
  add(x.z, lost.z, d.z);
}

// R <- R F, pi <- F^-1 pi.
template <class T>
POLHODE_INLINED constexpr void turn(State<T>& s, Lost<T>& lost, const Rotation<T>& F) {
  const Vec3<T>& v = F.v;
  const T sine2 = squared_norm(v);
  const T less = select(F.w < T(0), T(T(1) - F.w), T(sine2 / (T(1) + abs(F.w))));  // 1 - F.w
  const Vec3<T> u = cross(v, s.pi_B);
  add(s.pi_B, lost.momentum_B, Vec3<T>(T(2) * (cross(v, u) - F.w * u)));
  // The length is set right as well. Its error is of a rounding, but along q, where it turns nothing.
  const Rotation<T> q = s.R_SB;
  const T along = T(0.5) * (T(1) - squared_norm(q)) - less;
  add(s.R_SB.w, lost.attitude.w, T(along * q.w - dot(q.v, v)));
  add(s.R_SB.v, lost.attitude.v, Vec3<T>(along * q.v + (q.w * v + cross(q.v, v))));
}

}  // namespace detail

// M with compensated sums. Bodies with wheels take its plain steps, and a torque that depends on the velocity its plain kicks.
template <class M>
struct Compensated : M {
  static_assert(is_kicked_turn<M>);

  template <class T>
  using Memory = CompensatedMemory<MemoryOf<M, T>, T>;

  template <class T, class F>
  static constexpr Memory<T> start(const System<T, F>& sys, const State<T>& s, const T& h, Work& work) {
    return {M::start(sys, s, h, work)};
  }

  template <class T, class F>
  static constexpr State<T> step(const System<T, F>& sys, State<T> s, Memory<T>& memory, const T& h, Work& work) {
    if (carries_wheels(sys)) [[unlikely]]
      return M::step(sys, s, memory, h, work);
    const T half = T(0.5) * h;
    push(sys, s, memory, half, work);
    MemoryOf<M, T> of_turn = memory;
    const State<T> turned = M::step(System<T, Free>{sys.body, {}}, State<T>{{}, s.pi_B, s.t}, of_turn, h, work);
    detail::turn(s, memory.lost, turned.R_SB);
    s.t = turned.t;
    memory.torque_known = false;
    push(sys, s, memory, half, work);
    return s;
  }

  // Its joints are not merged.
  template <class... Arguments>
  static void chain(const Arguments&...) = delete;

 private:
  template <class T, class F>
  POLHODE_INLINED static constexpr void push(const System<T, F>& sys, State<T>& s, Memory<T>& memory, const T& h,
                                             Work& work) {
    if constexpr (!is_free<F>) {
      if (has_no_torque(sys.field)) return;
      if (depends_on_velocity<T>(sys.field)) return kick(sys, s, memory, h, work);
      State<T> kicked{s.R_SB, {}, s.t};
      kick(sys, kicked, memory, h, work);
      detail::add(s.pi_B, memory.lost.momentum_B, kicked.pi_B);
    }
  }
};

// What serves a method in scalar T.
template <class M, class T>
inline constexpr bool is_compensated_in =
    is_kicked_turn<M>&& derivatives_of<T> == 0 && std::is_same_v<value_of<T>, float>;
template <class M, class T>
using KernelIn = std::conditional_t<is_compensated_in<M, T>, Compensated<M>, M>;

}  // namespace polhode
