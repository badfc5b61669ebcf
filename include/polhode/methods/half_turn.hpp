// How an angle becomes a rotation about a coordinate axis.
#pragma once

#include "polhode/core/angle_series.hpp"
#include "polhode/core/inlined.hpp"

namespace polhode {

// With b half the angle the quaternion is (cosine, b sinc);
// the rotation of vectors is made of the products cosine sinc and sinc^2.
template <class T>
struct HalfTurn {
  T cosine, sinc, mixed, square;
};

struct ExponentialMap {
  template <class T>
  POLHODE_INLINED static constexpr HalfTurn<T> half(const T& b) {
    const CosSinc<T> f = cos_sinc_sqrt(T(b * b));
    return {f.cosine, f.sinc, f.cosine * f.sinc, f.sinc * f.sinc};
  }

  // Two turns in a row, of half the time each, are the turn of the whole.
  using TwoHalves = ExponentialMap;
};

// tan(a/2) replaced by a/2: no trigonometry. Still a rotation about the same axis by an angle that depends on pi_i
// alone, so that the step stays symplectic and symmetric; the attitude pays. Only the attitude waits for the root.
struct CayleyMap {
  template <class T>
  POLHODE_INLINED static constexpr HalfTurn<T> half(const T& b) {
    const T square = T(1) / (T(1) + b * b), cosine = sqrt(square);
    return {cosine, cosine, square, square};
  }

  // Two turns in a row, of half the time each, are not the turn of the whole: with x = b/2 the tangent of half the angle
  // of each, that of both is 2 x/(1 - x^2). No root is left.
  struct TwoHalves {
    template <class T>
    POLHODE_INLINED static constexpr HalfTurn<T> half(const T& b) {
      const T x2 = T(0.25) * b * b, sinc = T(1) / (T(1) + x2), cosine = (T(1) - x2) * sinc;
      return {cosine, sinc, cosine * sinc, sinc * sinc};
    }
  };
};

}  // namespace polhode
