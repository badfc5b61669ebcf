// The motion from one moment to another, in one scalar. Included by one translation unit per scalar.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "model/cuts.hpp"
#include "model/switches.hpp"
#include "polhode/core/rotation_vector_series.hpp"
#include "polhode/methods/field_series.hpp"
#include "polhode/model/setup.hpp"

namespace polhode {

// A Taylor method on the rotation group that chooses its own step. Attitude and momentum in body axes are two separate
// series: that the momentum in space is conserved, or moves by the torque alone, is then a test of both.
template <std::size_t N, class T>
class LieTaylor {
 public:
  LieTaylor(const Body<T>& body, const FieldSum<T>& field) : body_(body), field_(field) {}

  State<T> propagated(State<T> s, const T& end) const {
    while (s.t != end) {
      const T before = s.t;
      s = step(s, end);
      const bool nearer = abs(T(end - s.t)) < abs(T(end - before));
      if (!nearer) throw std::runtime_error("the motion is singular: steps no longer advance the time");
    }
    return s;
  }

 private:
  State<T> step(const State<T>& s, const T& end) const {
    static_assert(N <= longest_series<T>);
    FieldSeries<T, FieldSum<T>> series(body_, field_);
    series.expand(s, N);
    std::array<Vec3<T>, N> w_B;
    std::array<Vec3<T>, N + 1> pi_B;
    for (std::size_t n = 0; n < N; ++n) w_B[n] = series.velocity(n);
    for (std::size_t n = 0; n <= N; ++n) pi_B[n] = n == 0 ? s.pi_B : body_.momentum(series.velocity(n));
    if (body_.carries_wheels) pi_B[1] += body_.wheels.rate;
    const std::array<Vec3<T>, N + 1> y = rotation_vector_series(w_B, N);
    // The series of the rotation vector may converge no further than to a whole turn.
    const double radian = 1 / static_cast<double>(norm(w_B[0]));
    const double longest = std::min({radian, longest_step(y), longest_step(pi_B)});
    const T rest = end - s.t;
    const bool last = static_cast<double>(T(abs(rest))) <= longest;
    const T next = last ? end : T(s.t + copysign(T(longest), rest));
    const T h = next - s.t;  // between the times as they are rounded
    return {renormalised(s.R_SB * exp(sum(y, h))), sum(pi_B, h), next};
  }

  // The last two terms must not exceed the rounding unit: two, because every other one may vanish by symmetry. In the
  // internal units of a prepared system velocities and momenta are of order one.
  static double longest_step(const std::array<Vec3<T>, N + 1>& coefficients) {
    const auto limit = [&](std::size_t n) {
      const double size = static_cast<double>(norm(coefficients[n]));
      return std::pow(static_cast<double>(epsilon<T>()) / size, 1.0 / static_cast<double>(n));
    };
    return std::min(limit(N - 1), limit(N));
  }

  static Vec3<T> sum(const std::array<Vec3<T>, N + 1>& coefficients, const T& h) {
    Vec3<T> value = coefficients[N];
    for (std::size_t n = N; n-- > 0;) value = coefficients[n] + h * value;
    return value;
  }

  const Body<T>& body_;
  const FieldSum<T>& field_;
};

namespace detail {

template <class T>
T internal_time(const Prepared<T>& prepared, const T& seconds) {
  using std::ldexp;
  return ldexp(seconds, -prepared.units.time_exponent);
}

// Undoes Prepared::in_user_units.
template <class T>
State<T> in_internal_units(const Prepared<T>& prepared, const State<T>& s) {
  using std::ldexp;
  const Rotation<T>& R_UB = prepared.body.principal_axes;
  const int e = -prepared.units.momentum_exponent();
  const Vec3<T> pi_B = inverse(R_UB) * s.pi_B;
  return {s.R_SB * R_UB, {ldexp(pi_B.x, e), ldexp(pi_B.y, e), ldexp(pi_B.z, e)}, internal_time(prepared, s.t)};
}

template <std::size_t N, class T>
State<T> propagate(const Prepared<T>& prepared, const State<T>& from, const T& t) {
  if (!prepared.field.offers_series()) {
    throw SetupError("torque", "a reference needs every torque on truncated power series, and one gives values only");
  }
  if (!isfinite(t)) throw std::invalid_argument("a motion has no state at a time that is not finite");
  const auto advance = [&](const FieldSum<T>& field, const State<T>& s, const T& end) {
    if (switch_count(field) > 0)
      throw SetupError("torque",
                       "a torque switches where the motion decides, and there is no reference for that; "
                       "compare with a run of another method and a smaller step");
    return LieTaylor<N, T>(prepared.body, field).propagated(s, end);
  };
  return prepared.in_user_units(across_cuts(Pieces<T>(prepared.field), from, internal_time(prepared, t), advance));
}

}  // namespace detail
}  // namespace polhode
