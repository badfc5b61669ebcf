// A torque against the rotation.
#pragma once

#include "polhode/model/fields/key.hpp"

namespace polhode {

// A torque that depends on the angular velocity alone,
//   tau_B = -C w_B - |w_B| Q w_B,
// as eddy currents (linear) and thin air (quadratic) make it. Unless it says so, it does not feed the rotation: w . C w and
// w . Q w are not negative. An antisymmetric part of a matrix does no work.
//
// |w| has no derivative where w = 0. On power series and on duals the quadratic part is zero there, with all its
// derivatives: right for the value and the first one, and all there is of a body at rest that nothing moves. A step of a
// Taylor method that begins exactly at rest, under another torque, misses the drag of that one step, which is of third
// order in it.
template <class T>
struct Damping {
  static constexpr std::string_view kind = "damping";
  static constexpr bool is_large = true;
  static constexpr std::string_view about = "a torque against the rotation, linear or quadratic in its rate";

  std::optional<Mat3<T>> linear{};     // C [N m s]
  std::optional<Mat3<T>> quadratic{};  // Q [N m s^2]
  bool amplifies = false;              // allow matrices that feed the rotation

  static constexpr auto keys() {
    return std::tuple{
        Key{"linear", &Damping::linear, Quantity::damping_body, false,
            "C of the torque -C w, body axes [N m s]; one number, three or 3x3"},
        Key{"quadratic", &Damping::quadratic, Quantity::drag_body, false,
            "Q of the torque -|w| Q w, body axes [N m s^2]; one number, three or 3x3"},
        Key{"amplifies", &Damping::amplifies, Quantity::none, false, "true allows matrices that feed the rotation"}};
  }

  template <class Report>
  void check(const Report& report) const {
    if (!linear && !quadratic) return report("linear", "is missing, and so is quadratic; damping needs one of them");
    constexpr std::string_view feeds =
        "feeds the rotation: the symmetric part of the matrix has a negative eigenvalue; check the signs, which are "
        "those "
        "of a torque against the rotation, or set amplifies = true";
    if (linear && !amplifies && !is_dissipative(*linear)) return report("linear", feeds);
    if (quadratic && !amplifies && !is_dissipative(*quadratic)) report("quadratic", feeds);
  }

  template <class S>
  constexpr Vec3<S> torque(const Rotation<S>&, const Vec3<S>& w_B, const S&) const {
    Vec3<S> against{};
    if (linear) against = applied(*linear, w_B);
    if (quadratic) {
      const S square = squared_norm(w_B);
      const auto at_rest = square <= S(T(0));
      // Where the root has no derivatives it is not asked for any.
      const S rate = select(at_rest, S(T(0)), S(sqrt(select(at_rest, S(T(1)), square))));
      const Vec3<S> drag = applied(*quadratic, w_B);
      against += Vec3<S>{rate * drag.x, rate * drag.y, rate * drag.z};
    }
    return -against;
  }

 private:
  template <class S>
  static constexpr Vec3<S> applied(const Mat3<T>& m, const Vec3<S>& v) {
    return {m[0][0] * v.x + m[0][1] * v.y + m[0][2] * v.z, m[1][0] * v.x + m[1][1] * v.y + m[1][2] * v.z,
            m[2][0] * v.x + m[2][1] * v.y + m[2][2] * v.z};
  }

  // Every principal minor of the symmetric part is non-negative, up to rounding.
  static constexpr bool is_dissipative(const Mat3<T>& m) {
    T size(0);
    for (const auto& row : m)
      for (const T& x : row) size = max(size, T(abs(x)));
    if (size == T(0)) return true;
    Mat3<T> s;
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t k = 0; k < 3; ++k) s[i][k] = m[i][k] / size / T(2) + m[k][i] / size / T(2);
    const T rounding(1e-14);
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t k = (i + 1) % 3;
      if (!(s[i][i] >= -rounding) || !(s[i][i] * s[k][k] - s[i][k] * s[i][k] >= -rounding)) return false;
    }
    const T determinant = s[0][0] * (s[1][1] * s[2][2] - s[1][2] * s[1][2]) -
                          s[0][1] * (s[0][1] * s[2][2] - s[1][2] * s[0][2]) +
                          s[0][2] * (s[0][1] * s[1][2] - s[1][1] * s[0][2]);
    return determinant >= -rounding;
  }
};

}  // namespace polhode
