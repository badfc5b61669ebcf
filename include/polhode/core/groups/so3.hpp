// SO(3), the rotations of R^3. A generator is an angular velocity w, v' = w x v; the bracket is the cross product.
#pragma once

#include "polhode/core/lie_group.hpp"
#include "polhode/core/lie_series.hpp"
#include "polhode/core/rotation.hpp"

namespace polhode {

template <class T>
constexpr Vec3<T> adjoint(const Rotation<T>& R, const Vec3<T>& w) {
  return R * w;
}

struct SO3 {
  static constexpr std::size_t dimension = 3;
  template <class T>
  using Algebra = Vec3<T>;
  template <class T>
  using Element = Rotation<T>;
  template <class T>
  using Vector = Vec3<T>;
};

}  // namespace polhode
