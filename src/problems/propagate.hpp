// The motion from one moment to another, in one scalar. Included by one translation unit per scalar.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "model/pulses.hpp"
#include "polhode/core/lie_series.hpp"
#include "polhode/methods/taylor.hpp"
#include "polhode/model/setup.hpp"

namespace polhode {

// A field on power series, for the compiler's sake of every sixth length only: all kinds of fields are compiled once
// more for each. Zeros fill a series up; no coefficient depends on a later one.
template <class T>
class FieldOnFewLengths {
 public:
  explicit FieldOnFewLengths(const FieldSum<T>& field) : field_(field) {}

  template <std::size_t K>
  Vec3<Series<T, K>> torque(const Rotation<Series<T, K>>& R_SB, const Vec3<Series<T, K>>& w_B,
                            const Series<T, K>& t) const {
    constexpr std::size_t longer = K / 6 * 6 + 5;
    const Rotation<Series<T, longer>> R{resized<longer>(R_SB.w), resized<longer>(R_SB.v)};
    return resized<K>(field_.torque(R, resized<longer>(w_B), resized<longer>(t)));
  }

 private:
  template <std::size_t K, std::size_t L>
  static Series<T, K> resized(const Series<T, L>& a) {
    Series<T, K> b;
    std::copy_n(a.c.begin(), std::min(K, L) + 1, b.c.begin());
    return b;
  }
  template <std::size_t K, std::size_t L>
  static Vec3<Series<T, K>> resized(const Vec3<Series<T, L>>& v) {
    return {resized<K>(v.x), resized<K>(v.y), resized<K>(v.z)};
  }

  FieldSum<T> field_;
};

// A Taylor method on the rotation group that chooses its own step. Attitude and momentum in body axes are two separate
// series: that the momentum in space is conserved, or moves by the torque alone, is then a test of both.
template <std::size_t N, class T>
class LieTaylor {
 public:
  LieTaylor(const Body<T>& body, const FieldSum<T>& field) : system_{body, FieldOnFewLengths<T>(field)} {}

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
    Work work;
    const Expansion<T, N> e = expand<N>(system_, s, work);
    const std::array<Vec3<T>, N + 1> y = lie_series<N, Frame::body, T>(e.w_B);
    // The series of the rotation vector may converge no further than to a whole turn.
    const double radian = 1 / static_cast<double>(norm(e.w_B[0]));
    const double longest = std::min({radian, longest_step(y), longest_step(e.pi_B)});
    const T rest = end - s.t;
    const bool last = static_cast<double>(T(abs(rest))) <= longest;
    const T next = last ? end : T(s.t + copysign(T(longest), rest));
    const T h = next - s.t;  // between the times as they are rounded
    return {renormalised(s.R_SB * exp(sum(y, h))), sum(e.pi_B, h), next};
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

  System<T, FieldOnFewLengths<T>> system_;
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
    return LieTaylor<N, T>(prepared.body, field).propagated(s, end);
  };
  return prepared.in_user_units(across_cuts(pieces_of(prepared.field), from, internal_time(prepared, t), advance));
}

}  // namespace detail
}  // namespace polhode
