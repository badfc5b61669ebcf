// The potential on which the Newmark method was shown to lose energy.
#pragma once

#include "polhode/model/fields/key.hpp"

namespace polhode {

// With d(A, B) = sqrt(2 tr(1 - A^T B)) the distance of two attitudes and Q = exp(well) [BOS09, eq. (7)],
//   V = k ((d(R, 1) - 1)^2 - alpha / d(R, Q)).
// The first term has a valley around the attitude 1, the second an infinitely deep well at Q. The paper has no units;
// its strength k is 1. There is no torque at R = 1, where the first term has the tip of a cone, nor at R = Q: what is
// returned there is not finite.
template <class T>
struct StressTest {
  static constexpr std::string_view kind = "stress-test";
  static constexpr std::string_view about = "a valley around an attitude, and a well beside it";

  T alpha{0};
  Vec3<T> well{};
  T strength{1};                 // k [J]
  Rotation<T> principal_axes{};  // R_UB, by acts_on()

  static constexpr auto keys() {
    return std::tuple{
        Key{"alpha", &StressTest::alpha, Quantity::number, true, "depth of the well, in units of strength"},
        Key{"well", &StressTest::well, Quantity::rotation_vector, true,
            "attitude of the well, as a rotation vector [rad]"},
        Key{"strength", &StressTest::strength, Quantity::torque, false, "of the potential [J]"}};
  }

  template <class Report>
  void check(const Report& report) const {
    if (!(strength > T(0))) report("strength", strength, " must be positive; the papers have 1");
  }

  constexpr void acts_on(const Body<T>& body) { principal_axes = body.principal_axes; }

  // With (w, v) the quaternion of A^-1 R, d(R, A)^2 = 8 v . v. A turn exp(e) changes v . v by w v . e: the torque of a
  // potential f(d) is -(4 f'(d)/d) w v.
  template <class S>
  constexpr Vec3<S> torque(const Rotation<S>& R_SB, const S&) const {
    const Rotation<S> from_valley = from(principal_axes, R_SB), from_well = from(exp(well) * principal_axes, R_SB);
    const S d = distance(from_valley), d_w = distance(from_well);
    const S valley = T(-8 * strength) * ((T(1) - T(1) / d) * from_valley.w);
    const S pull = T(-4 * strength * alpha) * (from_well.w / (d_w * d_w * d_w));
    return {valley * from_valley.v.x + pull * from_well.v.x, valley * from_valley.v.y + pull * from_well.v.y,
            valley * from_valley.v.z + pull * from_well.v.z};
  }
  template <class S>
  constexpr S potential(const Rotation<S>& R_SB) const {
    const S off = distance(from(principal_axes, R_SB)) - T(1);
    return strength * (off * off - alpha / distance(from(exp(well) * principal_axes, R_SB)));
  }

 private:
  // A^-1 R
  template <class S>
  static constexpr Rotation<S> from(const Rotation<T>& A, const Rotation<S>& R) {
    const Vec3<S> turned = cross(A.v, R.v);
    return {A.w * R.w + dot(A.v, R.v),
            {A.w * R.v.x - R.w * A.v.x - turned.x, A.w * R.v.y - R.w * A.v.y - turned.y,
             A.w * R.v.z - R.w * A.v.z - turned.z}};
  }
  template <class S>
  static constexpr S distance(const Rotation<S>& q) {
    return sqrt(T(8) * squared_norm(q.v));
  }
};

}  // namespace polhode
