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

// What a step reads of a body: 1/I, the middle moment second; the axes these belong to, and whether they are not the body's.
template <class S, class Mask>
struct StepInertia {
  Vec3<S> inverse;
  Rotation<S> axes;
  Mask turned;
};

template <class T>
[[gnu::always_inline]] constexpr auto same_numbers(const Rotation<T>& a, const Rotation<T>& b) {
  return a.w == b.w && a.v.x == b.v.x && a.v.y == b.v.y && a.v.z == b.v.z;
}

// One number or a pack. Returns the mask of those that could be stepped; the others are as they were.
template <class S, class Mask>
[[gnu::always_inline]] constexpr Mask step_in_place(Rotation<S>& R_SB, Vec3<S>& L, typename Spin<S>::Memory& memory,
                                                    const StepInertia<S, Mask>& body, const Vec3<S>& impulse_S,
                                                    const S& h) {
  using T = value_of<S>;
  const S tiny(smallest_root<T>);

  // A quaternion that is off by more than rounding leaves behind is divided by its length first.
  Rotation<S> q = R_SB;
  const S length = squared_norm(q);
  Mask ok = length > tiny && length < S(largest_root<T>);
  const Mask unit = abs(S(length - S(T(1)))) < S(T(64) * epsilon<T>());
  if (any(!unit)) [[unlikely]] {
    const S scale = S(T(1)) / S(sqrt(select(ok, length, S(T(1)))));
    q = select(unit, q, Rotation<S>{scale * q.w, scale * q.v});
  }

  const Vec3<S> momentum{L.x + impulse_S.x, L.y + impulse_S.y, L.z + impulse_S.z};
  Vec3<S> n = inlined::product(Rotation<S>{q.w, {-q.v.x, -q.v.y, -q.v.z}}, momentum);
  if (any(body.turned))
    n = select(body.turned,
               inlined::product(Rotation<S>{body.axes.w, {-body.axes.v.x, -body.axes.v.y, -body.axes.v.z}}, n), n);
  const S square = dot(n, n);
  const Mask moves = square > S(T(1) / largest_root<T>) * tiny;
  const S scale = select(moves, S(S(T(1)) / S(sqrt(select(moves, square, S(T(1)))))), S(T(0)));
  n = {scale * n.x, scale * n.y, scale * n.z};
  const S size = h * (square * scale);

  const Vec3<S>& m = body.inverse;
  const S moments = m.x + m.y + m.z;
  ok = ok && abs(S(size * moments)) <= S(largest_root<T>) && square <= S(largest_root<T> * largest_root<T>);

  // The energy that is remembered, if nobody has touched the state or the body since. Where rounding has taken it away from
  // there, the body is turned back along the gradient of the energy; by little, and only if that brings it nearer.
  Vec3<S> w = times(m, n);
  S rate = dot(n, w);
  const Mask known = same_numbers(R_SB, memory.R_SB) && memory.L.x == momentum.x && memory.L.y == momentum.y &&
                     memory.L.z == momentum.z && memory.inverse_moments == moments;
  const S wanted = select(known, memory.rate, rate), error = wanted - rate;
  const Mask off = abs(error) > S(T(4) * epsilon<T>()) * rate;
  if (any(off)) [[unlikely]] {
    const Vec3<S> a{w.x - rate * n.x, w.y - rate * n.y, w.z - rate * n.z};
    const S reach = S(T(0.5)) * error / (dot(a, a) + S(T(0.01)) * dot(w, w));
    const S length_of_t = abs(reach) * S(sqrt(dot(a, a))), longest(T(1e-3));
    const S cut = select(length_of_t > longest, S(reach * (longest / length_of_t)), reach);
    const Vec3<S> t{cut * a.x, cut * a.y, cut * a.z};
    const Vec3<S> moved{n.x + t.x, n.y + t.y, n.z + t.z};
    const S shorter = S(T(1)) / S(sqrt(dot(moved, moved)));
    const Vec3<S> n_new{shorter * moved.x, shorter * moved.y, shorter * moved.z}, w_new = times(m, n_new);
    const S rate_new = dot(n_new, w_new);
    const Mask nearer = off && abs(S(wanted - rate_new)) < abs(error);
    Vec3<S> half = inlined::cross(Vec3<S>{S(T(0.5)) * t.x, S(T(0.5)) * t.y, S(T(0.5)) * t.z}, n);
    half = select(body.turned, inlined::product(body.axes, half), half);
    q = select(nearer, inlined::product(q, Rotation<S>{S(T(1)), half}), q);
    n = select(nearer, n_new, n);
  }

  AdditionTurn<S> moved = addition_turn(m, n, size);
  if (any(body.turned)) moved.turn.v = select(body.turned, inlined::product(body.axes, moved.turn.v), moved.turn.v);
  moved.turn.w = moved.turn.w + tiny;
  q = inlined::product(q, moved.turn);
  const S shrink = S(T(1)) / S(sqrt(squared_norm(q)));
  q = {shrink * q.w, {shrink * q.v.x, shrink * q.v.y, shrink * q.v.z}};

  R_SB = select(ok, q, R_SB);
  L = select(ok, momentum, L);
  memory = {select(ok, wanted, memory.rate), select(ok, q, memory.R_SB), select(ok, momentum, memory.L),
            select(ok, moments, memory.inverse_moments)};
  return ok;
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
// The momentum changes by h torque_S, to the bit. A free body keeps its energy to about 1e-6 in float and 1e-14 in double
// for any number of steps of any length; the turn of the body is of order 4.
template <class T>
constexpr StepStatus step(Spin<T>& state, const Inertia<T>& body, const Same<Vec3<T>>& torque_S,
                          const Same<T>& h) noexcept {
  const detail::StepInertia<T, bool> inertia{body.inverse_moments(), body.axes(), body.turned()};
  const bool stepped = detail::step_in_place<T, bool>(state.R_SB, state.L, state.memory, inertia, h * torque_S, h);
  return stepped ? StepStatus::ok : detail::fault_of<T>(state, body, torque_S, h);
}

// The same for a torque in the axes of the body at the beginning of the step.
template <class T>
constexpr StepStatus step_with_body_torque(Spin<T>& state, const Inertia<T>& body, const Same<Vec3<T>>& torque_B,
                                           const Same<T>& h) noexcept {
  return step(state, body, state.R_SB * torque_B, h);
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
