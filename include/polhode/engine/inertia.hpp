// The inertia of a body as an engine hands it over: principal moments or a tensor in the body's own axes, made ready once
// for all steps.
#pragma once

#include "polhode/core/rotation.hpp"
#include "polhode/engine/principal_axes.hpp"

namespace polhode {

// About the centre of mass. What no body has (a moment that is negative or not a number) is kept as that and refused by
// every step; no inertia at all (`immovable`) is that of a body which never turns.
template <class T>
class Inertia {
 public:
  // A body that no torque turns.
  static constexpr Inertia immovable() { return Inertia{}; }
  // From the inverse moments that many engines keep; zero is a body that does not turn about that axis.
  static constexpr Inertia from_inverse(const Vec3<T>& inverse_moments, const Rotation<T>& axes = {}) {
    Inertia made;
    made.set(inverse_moments, axes);
    return made;
  }
  // From a symmetric tensor in body axes, of which the mean of m[i][j] and m[j][i] is taken.
  static constexpr Inertia from_tensor(const Mat3<T>& tensor) {
    const PrincipalAxes<T> found = principal_axes(tensor);
    return Inertia(found.moments, found.axes);
  }

  // By principal moments along the body's own axes, or along those that `axes` turns them to.
  explicit constexpr Inertia(const Vec3<T>& moments, const Rotation<T>& axes = {}) {
    set({inverted(moments.x), inverted(moments.y), inverted(moments.z)}, axes);
  }

  constexpr bool valid() const { return valid_; }

  // I w and its inverse, in body axes.
  constexpr Vec3<T> momentum(const Vec3<T>& w_B) const {
    return turned() ? axes_ * times(moments_, inverse(axes_) * w_B) : times(moments_, w_B);
  }
  constexpr Vec3<T> velocity(const Vec3<T>& pi_B) const {
    return turned() ? axes_ * times(inverse_, inverse(axes_) * pi_B) : times(inverse_, pi_B);
  }

  // Principal moments, and the rotation that takes their axes to those of the body.
  constexpr const Vec3<T>& moments() const { return moments_; }
  constexpr const Vec3<T>& inverse_moments() const { return inverse_; }
  constexpr const Rotation<T>& axes() const { return axes_; }
  constexpr bool turned() const { return turned_ != T(0); }

 private:
  constexpr Inertia() = default;

  static constexpr T inverted(const T& moment) {
    return moment > T(0) && isfinite(moment) ? T(1) / moment : std::numeric_limits<T>::quiet_NaN();
  }

  constexpr void set(const Vec3<T>& inverse_moments, const Rotation<T>& axes) {
    const T length = squared_norm(axes);
    valid_ = inverse_moments.x >= T(0) && inverse_moments.y >= T(0) && inverse_moments.z >= T(0) &&
             all_finite(inverse_moments) && length > T(0) && isfinite(length);
    const T nothing = std::numeric_limits<T>::quiet_NaN();
    inverse_ = valid_ ? inverse_moments : Vec3<T>{nothing, nothing, nothing};
    moments_ = {restored(inverse_.x), restored(inverse_.y), restored(inverse_.z)};
    turned_ = T(axes.v == Vec3<T>{} ? 0 : 1);
    axes_ = valid_ && turned() ? normalised(axes) : Rotation<T>{};
  }
  static constexpr T restored(const T& inverse) { return inverse > T(0) ? T(1) / inverse : T(0); }

  // Eight numbers in a row, which packs of bodies load at once (step_all.hpp).
  Vec3<T> inverse_{};
  T turned_{0};
  Rotation<T> axes_{};
  Vec3<T> moments_{};
  bool valid_ = true;
};

// Of homogeneous solids, about the centre: a box by its edges, an ellipsoid by its half-axes, a cylinder along z. Lengths that
// are negative make an inertia that is refused.
namespace detail {
template <class T>
constexpr Vec3<T> squared_lengths(const Vec3<T>& v) {
  const bool real = v.x >= T(0) && v.y >= T(0) && v.z >= T(0);
  return real ? times(v, v) : Vec3<T>{T(-1), T(-1), T(-1)};
}
}  // namespace detail

template <class T>
constexpr Inertia<T> box_inertia(const T& mass, const Same<Vec3<T>>& edges) {
  const Vec3<T> s = detail::squared_lengths<T>(edges);
  return Inertia<T>(T(mass / T(12)) * Vec3<T>{s.y + s.z, s.z + s.x, s.x + s.y});
}
template <class T>
constexpr Inertia<T> ellipsoid_inertia(const T& mass, const Same<Vec3<T>>& half_axes) {
  const Vec3<T> s = detail::squared_lengths<T>(half_axes);
  return Inertia<T>(T(mass / T(5)) * Vec3<T>{s.y + s.z, s.z + s.x, s.x + s.y});
}
template <class T>
constexpr Inertia<T> cylinder_inertia(const T& mass, const Same<T>& radius, const Same<T>& height) {
  const Vec3<T> s = detail::squared_lengths<T>({radius, height, T(0)});
  const T across = mass / T(12) * (T(3) * s.x + s.y);
  return Inertia<T>(Vec3<T>{across, across, T(0.5) * mass * s.x});
}

}  // namespace polhode
