// How a rotation vector x becomes the turn of a step: exp(x), or cay(x), which needs no trigonometry.
#pragma once

#include "polhode/core/tangent.hpp"

namespace polhode {

enum class Increment { exponential, cayley };

template <Increment map, class T>
POLHODE_INLINED constexpr Rotation<T> turn_by(const Vec3<T>& x) {
  if constexpr (map == Increment::exponential) {
    return exp(x);
  } else {
    return cayley(x);
  }
}

// Half a turn: R half.turn lies midway between R and R turn_by(x). When x changes by dx, half.turn is turned further,
// on the right, by half.rate(dx).
template <Increment map, class T>
struct HalfIncrement {
  Vec3<T> z;  // half the rotation vector

  explicit constexpr HalfIncrement(const Vec3<T>& x) : z(T(0.5) * x) {}
  constexpr Rotation<T> turn() const { return exp(z); }
  constexpr Vec3<T> rate(const Vec3<T>& dx) const { return dexp(-z, T(0.5) * dx); }
};

// Half of cay(x) = (1, x/2)/n is along the sum of 1 and cay(x): (n + 1, x/2), or cay(z) with z = x/(n + 1).
template <class T>
struct HalfIncrement<Increment::cayley, T> {
  T n;
  Vec3<T> z;

  explicit constexpr HalfIncrement(const Vec3<T>& x) : n(sqrt(T(1) + T(0.25) * squared_norm(x))), z(x / T(n + T(1))) {}
  constexpr Rotation<T> turn() const { return cayley(z); }
  constexpr Vec3<T> rate(const Vec3<T>& dx) const {
    const T dn = T(0.25) * (T(1) + T(1) / n) * dot(z, dx);
    return dcay(-z, Vec3<T>((dx - dn * z) / T(n + T(1))));
  }
};

}  // namespace polhode
