// The step recommended for games: along the polhode (model/addition_turn.hpp), with the momentum kept to the bit and the
// energy remembered.
//
// The impulse of the torque comes first, L += h torque, and then the free body turns. A torque that is evaluated once a frame,
// at its beginning, then pulls a body about like the leapfrog of molecular dynamics: a spring stays bounded for ever. No
// other step from that torque alone can do so. Of a body that turns about one axis, w' = w + h a, x' = x + h w + c h^2 a for
// a spring a = -k x changes areas by 1 + (1 - c) k h^2: they stay only with c = 1. The price is that under a torque which
// is really constant for the whole step (a thruster) the attitude is behind by half a step's impulse, order 1; `step_held`
// is for that.
#pragma once

#include "polhode/core/lanes.hpp"
#include "polhode/engine/spin.hpp"
#include "polhode/engine/status.hpp"
#include "polhode/model/addition_turn.hpp"

namespace polhode {

namespace detail {

// Bounds for numbers of a kind: squares of what is larger overflow, squares of what is smaller vanish.
template <class T>
inline constexpr T largest_root = T(sizeof(T) > 4 ? 1e150 : 1e18);
template <class T>
inline constexpr T smallest_root = T(1) / largest_root<T>;

// A number that goes with a body, by which memory knows it again: other for exchanged moments. That of other axes alone is the
// same, and the energy then shows it.
template <class S>
[[gnu::always_inline]] constexpr S mark_of(const Vec3<S>& inverse_moments) {
  using T = value_of<S>;
  return inverse_moments.x + S(T(2)) * inverse_moments.y + S(T(3)) * inverse_moments.z;
}

// What a step reads of a body: 1/I, the principal axes, and whether these are not the body's own.
template <class S, class Mask>
struct StepInertia {
  Vec3<S> inverse;
  Rotation<S> axes;
  Mask turned;
};

// What a step makes of attitude, momentum and what is remembered of the energy. Where not `ok` they mean nothing.
template <class S, class Mask>
struct Stepped {
  Rotation<S> R_SB;
  Vec3<S> L;
  S rate;
  Mask ok;
};

// One number or a pack. `remembered`: that the memory belongs to this state and this body.
template <class S, class Mask, class Root = SquareRoot>
[[gnu::always_inline]] constexpr Stepped<S, Mask> stepped(const Rotation<S>& R_SB, const Vec3<S>& L,
                                                          const S& known_rate, const Mask& remembered,
                                                          const StepInertia<S, Mask>& body, const Vec3<S>& impulse_S,
                                                          const S& h, const Root& root = {}) {
  using T = value_of<S>;
  const S tiny(smallest_root<T>), one(T(1));

  // A quaternion that is off by more than rounding leaves behind is divided by its length first.
  Rotation<S> q = R_SB;
  const S length = squared_norm(q);
  Mask ok = length > tiny && length < S(largest_root<T>);
  const Mask unit = abs(S(length - one)) < S(T(64) * epsilon<T>());
  if (!every(unit)) [[unlikely]] {
    const S scale = one / S(root(select(ok, length, one)));
    q = select(unit, q, Rotation<S>{scale * q.w, scale * q.v});
  }

  const Vec3<S> momentum = L + impulse_S;
  Vec3<S> n = inlined::product(inverse(q), momentum);
  if (any(body.turned)) n = select(body.turned, inlined::product(inverse(body.axes), n), n);
  const S square = dot(n, n);
  const Mask moves = square > S(smallest_root<T> * smallest_root<T>);
  const S scale = select(moves, S(one / S(root(select(moves, square, one)))), S(T(0)));
  n = scale * n;
  const S size = h * (square * scale);

  const Vec3<S>& m = body.inverse;
  ok = ok && abs(S(size * (m.x + m.y + m.z))) <= S(largest_root<T>) && square <= S(largest_root<T> * largest_root<T>);

  // The energy that is remembered, if nobody has touched the state or the body since. Where rounding has taken it away from
  // there, the body is turned back along the gradient of the energy; by little, and only if that brings it nearer.
  const Vec3<S> w = times(m, n);
  S rate = dot(n, w);
  // What is off by more than rounding can do belongs to another body.
  const Mask known = remembered && L.x == momentum.x && L.y == momentum.y && L.z == momentum.z &&
                     abs(S(known_rate - rate)) <= S(T(1e-3)) * rate;
  const S wanted = select(known, known_rate, rate), error = wanted - rate;
  const Mask off = abs(error) > S(T(4) * epsilon<T>()) * rate;
  if (any(off)) [[unlikely]] {
    const Vec3<S> a = w - rate * n;
    const S slope = dot(a, a), reach = S(T(0.5)) * error / (slope + S(T(0.01)) * dot(w, w));
    const S t_length = abs(reach) * S(root(slope)), longest(T(1e-3));
    const Vec3<S> t = S(select(t_length > longest, S(reach * (longest / t_length)), reach)) * a;
    const Vec3<S> there = n + t, n_new = S(one / S(root(dot(there, there)))) * there;
    const S rate_new = dot(n_new, times(m, n_new));
    const Mask nearer = off && abs(S(wanted - rate_new)) < abs(error);
    Vec3<S> half = inlined::cross(S(T(0.5)) * t, n);
    if (any(body.turned)) half = select(body.turned, inlined::product(body.axes, half), half);
    q = select(nearer, inlined::product(q, Rotation<S>{one, half}), q);
    n = select(nearer, n_new, n);
    rate = select(nearer, rate_new, rate);
  }

  Rotation<S> turn = addition_turn(m, n, size, rate, root).turn;
  if (any(body.turned)) turn.v = select(body.turned, inlined::product(body.axes, turn.v), turn.v);
  turn.w = turn.w + tiny;  // no turn at all where there is nothing else
  q = inlined::product(q, turn);
  const S shrink = one / S(root(squared_norm(q)));
  return {{shrink * q.w, shrink * q.v}, momentum, wanted, ok};
}

template <class T>
[[gnu::always_inline]] constexpr bool belongs_to(const typename Spin<T>::Memory& memory, const Spin<T>& state,
                                                 const Inertia<T>& body) {
  const Vec3<T>& m = body.inverse_moments();
  return memory.R_SB == state.R_SB && memory.L == state.L && memory.mark == mark_of(m);
}

// Why a step was refused.
template <class T>
[[gnu::cold, gnu::noinline]] constexpr StepStatus fault_of(const Spin<T>& state, const Inertia<T>& body,
                                                           const Vec3<T>& torque_S, const T& h) {
  const T length = squared_norm(state.R_SB);
  if (!body.valid()) return StepStatus::bad_inertia;
  if (!(length > smallest_root<T> && length < largest_root<T>)) return StepStatus::bad_attitude;
  if (!(squared_norm(state.L) <= largest_root<T> * largest_root<T>)) return StepStatus::bad_momentum;
  if (!isfinite(h)) return StepStatus::bad_step;
  if (!all_finite(torque_S) || !(squared_norm(h * torque_S) <= largest_root<T> * largest_root<T>))
    return StepStatus::bad_torque;
  return StepStatus::bad_step;
}

}  // namespace detail

// One step of length h, of either sign, under a torque in spatial axes at its beginning. Nothing is allocated or thrown, and
// the same numbers give the same bits on every processor whose compiler does not fuse products and sums.
//
// The momentum changes by h torque_S, to the bit. A free body keeps its energy to 7e-6 in float and 2e-14 in double (make soak)
// for any number of steps of any length; the turn of the body is of order 4.
template <class T>
constexpr StepStatus step(Spin<T>& state, const Inertia<T>& body, const Same<Vec3<T>>& torque_S,
                          const Same<T>& h) noexcept {
  const Vec3<T>& m = body.inverse_moments();
  const auto made =
      detail::stepped<T, bool>(state.R_SB, state.L, state.memory.rate, detail::belongs_to(state.memory, state, body),
                               {m, body.axes(), body.turned()}, h * torque_S, h);
  if (!made.ok) [[unlikely]]
    return detail::fault_of<T>(state, body, torque_S, h);
  state.R_SB = made.R_SB;
  state.L = made.L;
  state.memory = {made.rate, made.R_SB, made.L, detail::mark_of(m)};
  return StepStatus::ok;
}

// The same for a torque in the axes of the body at the beginning of the step.
template <class T>
constexpr StepStatus step_with_body_torque(Spin<T>& state, const Inertia<T>& body, const Same<Vec3<T>>& torque_B,
                                           const Same<T>& h) noexcept {
  // A quaternion of another length is divided by it first, as in the step.
  const T length = squared_norm(state.R_SB);
  const bool off = !(abs(length - T(1)) < T(64) * epsilon<T>());
  const bool usable = length > detail::smallest_root<T> && length < detail::largest_root<T>;
  return step(state, body, (off && usable ? normalised(state.R_SB) : state.R_SB) * torque_B, h);
}

// For a torque that is constant in space for the whole step: half its impulse before the turn and half of it after. Of order
// 2, and time-symmetric; a spring under it gains energy.
template <class T>
constexpr StepStatus step_held(Spin<T>& state, const Inertia<T>& body, const Same<Vec3<T>>& torque_S,
                               const Same<T>& h) noexcept {
  Spin<T> half = state;
  const Vec3<T> impulse = (T(0.5) * h) * torque_S;
  half.L += impulse;
  const StepStatus status = step(half, body, {}, h);
  if (status != StepStatus::ok) return detail::fault_of<T>(state, body, torque_S, h);
  half.L += impulse;
  state.R_SB = half.R_SB;
  state.L = half.L;
  return StepStatus::ok;
}

}  // namespace polhode
