// A step of a Taylor method as the polynomial that it is: its own interpolant, at the cost of summing it once more.
//
// The attitude is R exp(Y(s)) with the coefficients of Y, or the quaternion q(s) made a unit one, as the method has it. The
// coefficients of the body velocity give the momentum I w_B(s) up to s^(N-1). The one of s^N is chosen so that the momentum
// at the end is that of the step, which is carried in space: it is then right to O(h), and the momentum to O(h^(N+1)). A
// body without torque has the same momentum in space throughout.
#pragma once

#include <array>
#include <cstddef>

#include "polhode/core/lanes.hpp"
#include "polhode/methods/carried_momentum.hpp"

namespace polhode {

// A state that a motion passes through within a step.
template <class T>
struct PassedState {
  State<T> state;
  Vec3<T> momentum_S;  // as the method carries it
};

template <class T>
class StepSeries {
 public:
  // The step h from s by a method of this order, which may have terms beyond it: w[n] and y[n] multiply s^n.
  template <class Velocity, class Turn>
  constexpr void keep(const State<T>& s, const T& h, std::size_t order, bool free_body, const Velocity& w,
                      const Turn& y) {
    begin(s, h, order, free_body);
    T power(1);
    for (std::size_t n = 0; n < order; ++n) {
      w_[n] = power * w[n];
      power = power * h;
      turn_[n + 1] = power * y[n + 1];
    }
    is_turn_ = true;
  }
  // Another term of the turn.
  constexpr void add_turn(std::size_t n, const Vec3<T>& y) {
    T power(1);
    for (std::size_t i = 0; i < n; ++i) power = power * h_;
    for (; last_ < n; ++last_) turn_[last_ + 1] = Vec3<T>{};
    turn_[n] += power * y;
  }

  // The same with the coefficients times powers of h, and those of the quaternion in place of a turn.
  template <class Velocity, class Quaternion>
  constexpr void keep_scaled(const State<T>& s, const T& h, std::size_t order, bool free_body, const Velocity& w,
                             const Quaternion& q) {
    begin(s, h, order, free_body);
    for (std::size_t n = 0; n < order; ++n) w_[n] = {w[n].x, w[n].y, w[n].z};
    for (std::size_t n = 0; n <= order; ++n) quaternion_[n] = {q[n].w, {q[n].x, q[n].y, q[n].z}};
    is_turn_ = false;
  }

  // After `way` of the step, which ended there.
  constexpr PassedState<T> at(const T& way, const Body<T>& body, const State<T>& end, const Vec3<T>& end_S) const {
    const T x = way / h_;
    if (!is_turn_) {
      Rotation<T> q = quaternion_[last_];
      for (std::size_t n = last_; n-- > 0;) q = {quaternion_[n].w + x * q.w, quaternion_[n].v + x * q.v};
      const Rotation<T> R_SB = normalised(q);
      if (free_body_) return {{R_SB, inlined::product(inverse(R_SB), end_S), begin_.t + way}, end_S};
      return with_momentum(R_SB, way, x, body, end);
    }
    Vec3<T> Y = turn_[last_];
    for (std::size_t n = last_; n-- > 1;) Y = turn_[n] + x * Y;
    Y = x * Y;
    if (free_body_) {
      CarriedMomentum<T> carried;
      carried.momentum_S = end_S;
      return {carried.turned(begin_, Y, T(begin_.t + way)), end_S};
    }
    return with_momentum(renormalised(inlined::product(begin_.R_SB, exp(Y))), way, x, body, end);
  }

 private:
  static constexpr std::size_t most_terms = 14;

  constexpr void begin(const State<T>& s, const T& h, std::size_t order, bool free_body) {
    begin_ = s;
    h_ = h;
    order_ = last_ = order;
    free_body_ = free_body;
  }

  [[gnu::always_inline]] constexpr PassedState<T> with_momentum(const Rotation<T>& R_SB, const T& way, const T& x,
                                                                const Body<T>& body, const State<T>& end) const {
    Vec3<T> here = w_[order_ - 1], there = here;
    T power = x;
    for (std::size_t n = order_ - 1; n-- > 0;) {
      here = w_[n] + x * here;
      there = w_[n] + there;
      power = power * x;
    }
    Vec3<T> pi_B = body.momentum(here), arrived_B = body.momentum(there);
    if (body.carries_wheels) {
      pi_B += body.wheels.at(T(begin_.t + way));
      arrived_B += body.wheels.at(T(begin_.t + h_));
    }
    pi_B += power * (end.pi_B - arrived_B);
    return {{R_SB, pi_B, begin_.t + way}, inlined::product(R_SB, pi_B)};
  }

  State<T> begin_{};
  T h_{};
  std::size_t order_ = 1, last_ = 1;  // and the last term of the attitude
  bool free_body_ = false, is_turn_ = true;
  // In powers of s/h.
  std::array<Vec3<T>, most_terms> w_{};
  std::array<Vec3<T>, most_terms + 1> turn_{};
  std::array<Rotation<T>, most_terms + 1> quaternion_{};
};

// Whether a step is to be kept. Bodies side by side are not looked into, and pay nothing.
template <class T>
constexpr bool is_kept(const StepSeries<T>* kept) {
  return !is_lanes<T> && kept != nullptr;
}

}  // namespace polhode
