// One Taylor step on the rotation group in a smooth field.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "polhode/core/rotation_vector_series.hpp"
#include "polhode/methods/field_series.hpp"
#include "polhode/model/any_field.hpp"

namespace polhode {

// The motion from one state as series in time. Attitude and momentum in body axes are two separate series: that the
// momentum in space is conserved, or moves by the torque alone, is then a test of both.
template <std::size_t N, class T>
class LieTaylor {
 public:
  LieTaylor(const Body<T>& body, const FieldSum<T>& field, const State<T>& from) : from_(from) {
    static_assert(N <= longest_series<T>);
    FieldSeries<T, FieldSum<T>> series(body, field);
    series.expand(from, N);
    std::array<Vec3<T>, N> w_B;
    for (std::size_t n = 0; n < N; ++n) w_B[n] = series.velocity(n);
    for (std::size_t n = 0; n <= N; ++n) pi_B_[n] = n == 0 ? from.pi_B : body.momentum(series.velocity(n));
    if (body.carries_wheels) pi_B_[1] += body.wheels.rate;
    turn_ = rotation_vector_series(w_B, N);
    // The series of the rotation vector may converge no further than to a whole turn.
    speed_ = static_cast<double>(norm(w_B[0]));
    longest_ = std::min({1 / speed_, longest_step(turn_), longest_step(pi_B_)});
  }

  // The time that a step towards `end` reaches with what it leaves out below the rounding of T.
  T next_time(const T& end) const {
    const T rest = end - from_.t;
    const bool last = static_cast<double>(T(abs(rest))) <= longest_;
    return last ? end : T(from_.t + copysign(T(longest_), rest));
  }

  State<T> at(const T& time) const {
    const T h = time - from_.t;  // between the times as they are rounded
    return {renormalised(from_.R_SB * exp(sum(turn_, h))), sum(pi_B_, h), time};
  }

  double speed() const { return speed_; }  // of the body where the step begins

 private:
  using Coefficients = std::array<Vec3<T>, N + 1>;

  // The last two terms must not exceed the rounding unit: two, because every other one may vanish by symmetry. In the
  // internal units of a prepared system velocities and momenta are of order one.
  static double longest_step(const Coefficients& coefficients) {
    const auto limit = [&](std::size_t n) {
      const double size = static_cast<double>(norm(coefficients[n]));
      return std::pow(static_cast<double>(epsilon<T>()) / size, 1.0 / static_cast<double>(n));
    };
    return std::min(limit(N - 1), limit(N));
  }

  static Vec3<T> sum(const Coefficients& coefficients, const T& h) {
    Vec3<T> value = coefficients[N];
    for (std::size_t n = N; n-- > 0;) value = coefficients[n] + h * value;
    return value;
  }

  State<T> from_;
  Coefficients turn_, pi_B_;
  double speed_ = 0, longest_ = 0;
};

}  // namespace polhode
