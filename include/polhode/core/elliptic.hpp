// Jacobi's elliptic functions and the integrals that go with them, for any scalar.
//
// Everything is written in the complementary parameter kc^2 = 1 - k^2: next to a separatrix k^2 is 1 to rounding while
// kc^2 still has all its digits, and that is where these functions change fastest. Libraries take k, and lose them.
// All sums have terms of one sign, so that results are good to a few rounding units relative to themselves.
#pragma once

#include <array>
#include <numbers>

#include "polhode/core/scalar.hpp"
#include "polhode/core/table.hpp"

namespace polhode {

namespace detail {
struct Pi {
  template <class V>
  static constexpr V make() {
    if constexpr (std::is_floating_point_v<V>) {
      return std::numbers::pi_v<V>;
    } else {
      return atan2(V(0), V(-1));
    }
  }
};
}  // namespace detail

template <class T>
constexpr value_of<T> pi_constant() {
  return table_of<detail::Pi, value_of<T>>();
}

// The accuracy at which an iteration that squares its error may stop: the next error is below rounding. A scalar that
// carries derivatives takes one iteration more, for they lag one behind.
template <class T>
constexpr value_of<T> quadratic_tolerance() {
  const value_of<T> root = sqrt(epsilon<T>());
  return derivatives_of<T> == 0 ? root : value_of<T>(root * sqrt(root));
}

template <class T>
struct Jacobi {
  T sn, cn, dn;
};

// sn, cn and dn of one parameter, by Gauss's arithmetic-geometric mean and Bulirsch's way back up [B65]: the recurrence
// runs on cn/sn, which keeps small values of cn and dn good relative to themselves.
template <class T>
class JacobiFunctions {
 public:
  JacobiFunctions() = default;

  // 0 < kc2 <= 1.
  explicit constexpr JacobiFunctions(const T& kc2) {
    T a(1), b = sqrt(kc2);
    for (;;) {
      arithmetic_[levels_] = a;
      geometric_[levels_] = b;
      ++levels_;
      mean_ = T(0.5) * (a + b);
      if (abs(a - b) <= quadratic_tolerance<T>() * a || levels_ == most_levels) break;
      b = sqrt(a * b);
      a = mean_;
    }
  }

  // K, the quarter of the period of sn.
  constexpr T quarter_period() const { return T(pi_constant<T>() / 2) / mean_; }

  // The argument as an angle that turns by 2 pi per period, u pi / (2 K).
  constexpr T angle(const T& u) const { return u * mean_; }
  constexpr T argument(const T& angle) const { return angle / mean_; }

  // At an angle of at most a right one to either side.
  constexpr Jacobi<T> at_angle(const T& angle) const {
    const T sine = sin(angle), cosine = cos(angle);
    if (sine == T(0)) return {sine, T(1), T(1)};
    T a = cosine / sine, c = mean_ * a, dn(1);
    for (std::size_t i = levels_; i-- > 0;) {
      a = a * c;
      c = c * dn;
      dn = (geometric_[i] + a) / (arithmetic_[i] + a);
      a = c / arithmetic_[i];
    }
    const T scale = T(1) / sqrt(c * c + T(1));
    const T sn = sine < T(0) ? T(-scale) : scale;
    return {sn, c * sn, dn};
  }

 private:
  static constexpr std::size_t most_levels = 16;
  std::array<T, most_levels> arithmetic_{}, geometric_{};
  std::size_t levels_ = 0;
  T mean_{};
};

// The limit kc = 0: one swing from -infinity to infinity. Written with exp(-|u|), which cannot overflow.
template <class T>
constexpr Jacobi<T> hyperbolic(const T& u) {
  const T decay = exp(-abs(u)), decay2 = decay * decay;
  const T sech = T(2) * decay / (T(1) + decay2);
  return {copysign(T((T(1) - decay2) / (T(1) + decay2)), u), sech, sech};
}

// Bulirsch's general complete integral of a cos^2 + b sin^2 over (cos^2 + p sin^2) sqrt(cos^2 + kc^2 sin^2), from 0 to a
// right angle; kc > 0, p > 0 [B69].
template <class T>
constexpr T complete_integral(T kc, T p, T a, T b) {
  T e = kc, m(1);
  p = sqrt(p);
  b = b / p;
  for (int n = 0; n < 64; ++n) {  // a NaN would go round for ever
    const T f = a;
    a = a + b / p;
    T g = e / p;
    b = T(2) * (b + f * g);
    p = p + g;
    g = m;
    m = m + kc;
    if (abs(g - kc) <= quadratic_tolerance<T>() * g) break;
    kc = T(2) * sqrt(e);
    e = kc * m;
  }
  return T(pi_constant<T>() / 2) * (b + a * m) / (m * (m + p));
}

namespace detail {

// atan(sqrt(e)) / sqrt(e), 0 <= e <= 1.
template <class T>
constexpr T atan_over_root(const T& e) {
  if (e > T(1e-2)) {
    const T root = sqrt(e);
    return T(atan2(root, T(1))) / root;
  }
  T sum(1), power(1);
  for (int n = 1; abs(power) > T(epsilon<T>()) || n <= static_cast<int>(derivatives_of<T>); ++n) {
    power = T(-power * e);
    sum = sum + power / T(2 * n + 1);
  }
  return sum;
}

}  // namespace detail

// Carlson's symmetric integral of the third kind,
//   R_J(x, y, z, p) = 3/2 int_0^inf ds / ((s + p) sqrt((s + x)(s + y)(s + z))),   0 <= x <= y <= z <= p, y > 0,
// by duplication, and a series of the eighth order in what is left of the differences [C95; DLMF 19.36.2].
template <class T>
constexpr T carlson_rj(T x, T y, T z, T p) {
  const T A0 = (x + y + z + p + p) / T(5);
  const T dx = A0 - x, dy = A0 - y, dz = A0 - z, dp = A0 - p;
  const T spread = max(T(abs(dp)), dx);
  const T delta = (p - x) * (p - y) * (p - z);
  using V = value_of<T>;
  const V tolerance = sqrt(sqrt(sqrt(V(epsilon<T>() / 8))));
  T A = A0, quarter(1), sum(0);
  for (int n = 0; n < 500; ++n) {
    const T rx = sqrt(x), ry = sqrt(y), rz = sqrt(z), rp = sqrt(p);
    const T lambda = rx * ry + rx * rz + ry * rz;
    const T d = (rp + rx) * (rp + ry) * (rp + rz);
    const T e = quarter * quarter * quarter * delta / (d * d);
    sum = sum + quarter * detail::atan_over_root(e) / d;
    x = T(0.25) * (x + lambda);
    y = T(0.25) * (y + lambda);
    z = T(0.25) * (z + lambda);
    p = T(0.25) * (p + lambda);
    A = T(0.25) * (A + lambda);
    quarter = T(0.25) * quarter;
    if (quarter * spread <= tolerance * A) break;
  }
  const T X = quarter * dx / A, Y = quarter * dy / A, Z = quarter * dz / A, P = T(-0.5) * (X + Y + Z);
  const T XYZ = X * Y * Z, P2 = P * P, PP = P2 * P;
  const T E2 = X * Y + X * Z + Y * Z - T(3) * P2, E3 = XYZ + T(2) * E2 * P + T(4) * PP;
  const T E4 = (T(2) * XYZ + E2 * P + T(3) * PP) * P, E5 = XYZ * P2;
  const T E22 = E2 * E2;
  const T series = T(1) - T(3) * E2 / T(14) + E3 / T(6) + T(9) * E22 / T(88) - T(3) * E4 / T(22) -
                   T(9) * E2 * E3 / T(52) + T(3) * E5 / T(26) - E22 * E2 / T(16) + T(3) * E3 * E3 / T(40) +
                   T(3) * E2 * E4 / T(20) + T(45) * E22 * E3 / T(272) - T(9) * (E3 * E4 + E2 * E5) / T(68);
  return quarter * series / (A * sqrt(A)) + T(6) * sum;
}

}  // namespace polhode
