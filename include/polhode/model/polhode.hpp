// The polhode of a free body: the curve in body axes on which |pi| and the energy are constant. It encircles the axis k
// of the smallest or of the largest moment; b is the middle axis and c the third.
//
// All differences of moments and of energies are formed where nothing cancels (docs/errata.md); only e_b, which
// vanishes on the separatrix and distinguishes its two sides, cannot be.
#pragma once

#include "polhode/core/vec3.hpp"

namespace polhode {

struct AxesByMoment {
  std::size_t low = 0, middle = 1, high = 2;
};

template <class W>
constexpr AxesByMoment axes_by_moment(const Vec3<W>& inertia) {
  AxesByMoment axes{0, 1, 0};
  for (std::size_t i = 1; i < 3; ++i) {
    if (inertia[i] < inertia[axes.low]) axes.low = i;
    if (inertia[i] >= inertia[axes.high]) axes.high = i;
  }
  axes.middle = 3 - axes.low - axes.high;
  return axes;
}

// pi x w = 0, by differences of moments, which vanish exactly when they should.
template <class W>
constexpr bool turns_steadily(const Vec3<W>& inertia, const Vec3<W>& pi_B) {
  bool steady = true;
  for (std::size_t i = 0, j = 1; i < 3; j = (++i + 1) % 3)
    steady = steady && (inertia[i] - inertia[j]) * pi_B[i] * pi_B[j] == W(0);
  return steady;
}

// I_1 I_2 I_3 (2 E - |pi|^2 / I_b), the difference of these two terms; positive where k is the axis of the smallest
// moment.
template <class W>
struct MiddleExcess {
  W first, second;
  constexpr MiddleExcess(const Vec3<W>& I, const Vec3<W>& pi, const AxesByMoment& axis)
      : first((I[axis.middle] - I[axis.low]) * I[axis.high] * pi[axis.low] * pi[axis.low]),
        second((I[axis.high] - I[axis.middle]) * I[axis.low] * pi[axis.high] * pi[axis.high]) {}
};

template <class W>
struct Polhode {
  std::size_t k = 0, b = 1, c = 2;
  bool low = false;    // whether k is the axis of the smallest moment
  bool cyclic = true;  // whether (k, b, c) is right-handed
  W D_bk, D_ck, D_cb;  // I_1 I_2 I_3 |1/I_i - 1/I_j|
  W e_b, e_k, e_c;     // I_1 I_2 I_3 |2 E - |pi|^2 / I_j|
  W volume;            // I_1 I_2 I_3
  W frequency2;        // the square of volume times the frequency of Jacobi's functions
  W parameter;         // their parameter k^2
  W complement;        // 1 - k^2, with all its digits

  constexpr Polhode(const Vec3<W>& inertia, const Vec3<W>& pi_B, const AxesByMoment& axis, const W& middle_excess)
      : b(axis.middle), low(middle_excess > W(0)), e_b(abs(middle_excess)) {
    k = low ? axis.low : axis.high;
    c = 3 - b - k;
    cyclic = b == (k + 1) % 3;
    const W pi_b2 = pi_B[b] * pi_B[b];
    D_bk = abs(inertia[k] - inertia[b]) * inertia[c];
    D_ck = abs(inertia[k] - inertia[c]) * inertia[b];
    D_cb = abs(inertia[b] - inertia[c]) * inertia[k];
    e_k = D_bk * pi_b2 + D_ck * (pi_B[c] * pi_B[c]);
    e_c = D_ck * (pi_B[k] * pi_B[k]) + D_cb * pi_b2;
    volume = inertia.x * inertia.y * inertia.z;
    frequency2 = D_bk * e_c;
    parameter = D_cb * e_k / frequency2;
    complement = D_ck * e_b / frequency2;
  }
};

}  // namespace polhode
