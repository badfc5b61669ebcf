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
    const T x = way * per_step_;
    if (!is_turn_) {
      const Rotation<T> R_SB =
          normalised(sum<Rotation<T>>(quaternion_, 0, last_ + 1, x, [](const auto& a, const T& y, const auto& b) {
            return Rotation<T>{a.w + y * b.w, a.v + y * b.v};
          }));
      if (free_body_) return {{R_SB, inlined::product(inverse(R_SB), end_S), begin_.t + way}, end_S};
      return with_momentum(R_SB, way, x, body, end);
    }
    const Vec3<T> Y = x * sum<Vec3<T>>(turn_, 1, last_, x,
                                       [](const auto& a, const T& y, const auto& b) { return Vec3<T>(a + y * b); });
    if (free_body_) {
      CarriedMomentum<T> carried;
      carried.momentum_S = end_S;
      return {carried.turned(begin_, Y, T(begin_.t + way)), end_S};
    }
    return with_momentum(renormalised(inlined::product(begin_.R_SB, exp(Y))), way, x, body, end);
  }

 private:
  static constexpr std::size_t most_terms = 14;

  // c[first] + c[first + 1] x + ..., even powers beside odd ones: half as many operations wait for one another.
  template <class Value, class Coefficients, class Add>
  [[gnu::always_inline]] static constexpr Value sum(const Coefficients& c, std::size_t first, std::size_t terms,
                                                    const T& x, const Add& add) {
    if (terms == 1) return c[first];
    const T square = x * x;
    std::size_t n = first + terms - 1;
    Value leading = c[n], next = c[n - 1];  // of powers that are both even or odd with n, and of the others
    for (--n; n >= first + 2; n -= 2) {
      leading = add(c[n - 1], square, leading);
      next = add(c[n - 2], square, next);
    }
    if (n == first) return add(next, x, leading);
    return add(add(c[first], square, leading), x, next);
  }

  constexpr void begin(const State<T>& s, const T& h, std::size_t order, bool free_body) {
    begin_ = s;
    h_ = h;
    per_step_ = T(1) / h;
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
  T h_{}, per_step_{};
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
