// The motion within a smooth stretch of a step as a polynomial of time: what smooth events are looked for on.
#pragma once

#include <array>
#include <functional>
#include <vector>

namespace polhode {

// Interpolates at Chebyshev's points, twice as many until the coefficients have fallen to rounding. A motion that has more
// noise than rounding, such as that of a method which keeps a coarse tolerance, is interpolated through so many points that
// the noise is all that is left out.
class StretchMotion {
 public:
  // At a part s of the stretch, from 0 to 1: the time, the quaternion and the angular velocity in body axes. The quaternion
  // may have either sign.
  using Sample = std::array<double, 8>;

  explicit StretchMotion(const std::function<Sample(double s)>& sample);

  // Time, quaternion, angular velocity and rotation matrix, as motion_names() lists them.
  std::array<double, 17> at(double s) const;

 private:
  double begin_ = 0, length_ = 0;
  std::vector<std::array<double, 7>> coefficients_;  // of Chebyshev's polynomials
};

// What follows from time, unit quaternion (scalar first) and velocity. A cosine that rounding has taken past one is one.
template <class T>
std::array<T, 17> motion_inputs(const T& t, const std::array<T, 4>& q, const std::array<T, 3>& w_B) {
  const auto& [w, x, y, z] = q;
  const auto cosine = [](const T& c) { return c > T(1) ? T(1) : c < T(-1) ? T(-1) : c; };
  const T one(1), two(2);
  return {t,
          w,
          x,
          y,
          z,
          w_B[0],
          w_B[1],
          w_B[2],
          cosine(T(one - two * (y * y + z * z))),
          cosine(T(two * (x * y - w * z))),
          cosine(T(two * (x * z + w * y))),
          cosine(T(two * (x * y + w * z))),
          cosine(T(one - two * (x * x + z * z))),
          cosine(T(two * (y * z - w * x))),
          cosine(T(two * (x * z - w * y))),
          cosine(T(two * (y * z + w * x))),
          cosine(T(one - two * (x * x + y * y)))};
}

}  // namespace polhode
