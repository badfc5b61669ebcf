// Constants of the theta series of a free body (model/theta_series.hpp) from its polhode, in any scalar W: what the rates
// of the two phases are made from is computed in a wider one where they have to last for long.
//
// All are explicit: a series in Jacobi's nome q, which is at most exp(-pi), the arithmetic of Landen's transformation,
// which squares q, or Newton's method from a start that is good to q^2 [WW27, Ch. 21].
#pragma once

#include "polhode/core/angle_series.hpp"
#include "polhode/core/complex.hpp"
#include "polhode/core/lanes.hpp"
#include "polhode/model/polhode.hpp"

namespace polhode {

// The nome of the parameter m <= 1/2; k1 = sqrt(1 - m). The series stops at 2e-24 [WW27, Ch. 21].
template <class W>
constexpr W nome(const W& m, const W& k1) {
  const W root = W(1) + sqrt(k1), e = W(0.5) * m / ((W(1) + k1) * (root * root)), e2 = e * e, e4 = e2 * e2;
  return e + e * e4 * (W(2) + e4 * (W(15) + e4 * (W(150) + e4 * W(1707))));
}

// 2 K / pi = theta_3(0)^2.
template <class W>
constexpr W stretch(const W& q) {
  const W q2 = q * q, q4 = q2 * q2, theta = W(1) + W(2) * (q + q4 * (W(1) + q * q4));
  return theta * theta;
}

// E = exp(i v) such that theta_2 + i theta_1 = 2 q^(1/4) (E + q^2 E^-3 + q^6 E^5 + ...) at v has the direction u. Its angle
// is v - q^2 sin 4v + q^4/2 sin 8v - ...; the first terms of the inverse of this are good to 1e-7, and one iteration of
// Newton's method leaves 1e-16 at most.
template <class W>
struct Phase {
  Complex<W> E;
  W ahead;  // of the angle of u
};
template <class W>
constexpr Phase<W> phase_of(const Complex<W>& u, const W& q) {
  const Complex<W> u2 = u * u, u4 = u2 * u2;
  const W q2 = q * q, q6 = q2 * q2 * q2;
  const W first = q2 * u4.im * (W(1) + W(3) * q2 * u4.re), square = first * first;
  const Complex<W> E =
      u * Complex<W>{W(1) - square * (W(0.5) - square * W(1.0 / 24)), first * (W(1) - square * W(1.0 / 6))};
  const Complex<W> E2 = E * E, E4 = E2 * E2;
  const Complex<W> series{W(1) + (q2 + q6) * E4.re, (q6 - q2) * E4.im};
  const Complex<W> slope{W(1) + (W(5) * q6 - W(3) * q2) * E4.re, (W(5) * q6 + W(3) * q2) * E4.im};
  const Complex<W> gap = u * conjugate(E * series);
  const W second = gap.im / (gap.re * (slope * conjugate(series)).re) * squared_norm(series);
  return {E * Complex<W>{W(1), second}, first + second};
}

// Y - Z and Y + Z, Y Z = q, from two quotients of theta functions of nome q^2,
//   numerator / denominator = (D - s q^3 D (D^2 + 3 s q) + ...) / (1 - s q (D^2 + 2 s q) + ...),
// D = Y - Z with s = 1 in the first lane and Y + Z with s = -1 in the second. The quotient is sqrt(k) sn, and sqrt(k) sd,
// of the modulus k = root whose nome is q^2. Landen's transformation, a quadratic equation, leads to the nome q^4; the
// quotient there, `tau`, is D to 1e-4, and what it lacks is a short series in q^3. The series in q^2 is
// sqrt(root) / (2 sqrt(q)) = theta_2 / (2 q^(1/2) theta_3) at that nome.
template <class W>
using Both = Lanes<W, 2>;
template <class W>
constexpr Both<W> both(const W& first, const W& second) {
  Both<W> made;
  made.set(0, first);
  made.set(1, second);
  return made;
}

template <class W>
constexpr Both<W> difference_and_sum(const Both<W>& numerator, const Both<W>& denominator, const W& root, const W& q) {
  using B = Both<W>;
  constexpr std::array<double, 8> modulus{1, -2, 5, -10, 18, -32, 55, -90};
  constexpr std::array<double, 5> catalan{1, -1, 2, -5, 14};
  const B s = both(W(1), W(-1));
  const W q2 = q * q, q3 = q * q2, q4 = q2 * q2;
  const B radicand = denominator * denominator + s * (B(root) * (numerator * numerator));
  const B tau = B(W(2) * detail::polynomial(modulus, q2)) * numerator / (denominator + sqrt(radicand));
  const B near = tau * B(W(1) - W(2) * q4);
  const B D = near * detail::polynomial(catalan, B(s * (B(q3) * (tau * near)))), D2 = D * D;
  return D + s * (B(q3 * q4) * D) * (D2 + s * B(W(3) * q)) * (B(W(1)) - s * (B(W(2) * q3) * D2));
}

// The shape of the series in double, and the rates of the two phases, `precession` that of Lambda t and `rate` that of v
// or h, in any scalar. What of the shape goes into them, the slopes, is small: it is multiplied by q.
template <class W>
struct PhaseRates {
  W precession, rate, period;
};

// Of a polhode close around its axis: k^2 <= 1/2.
struct RoundShape {
  double k1, q;            // sqrt(1 - k^2), nome
  double A_b, A_c;         // the largest values of the components
  double sum, difference;  // Y + Z, Y - Z
  double slope;            // -i d log(alpha) / dv at v = 0

  constexpr RoundShape(const Polhode<double>& p, double length) {
    k1 = sqrt(1 - p.parameter);
    q = nome(p.parameter, k1);
    A_b = sqrt(p.e_k / p.D_bk);
    A_c = sqrt(p.e_k / p.D_ck);
    const double A_k = sqrt(p.e_c / p.D_ck), landen = 1 + k1, root = p.parameter / (landen * landen);
    const Both<double> D = difference_and_sum(both(A_c, A_b), both(length + A_k, length + k1 * A_k), root, q);
    difference = D[0];
    sum = D[1];
    const double q3 = q * q * q, q6 = q3 * q3, squares = difference * difference + 2 * q;
    slope = sum * difference * (4 * q6 * squares - 2 * q) / (1 - q * squares + q6 * (squares * squares - 2 * q * q));
  }
};

// Where v = 0 the momentum is (A_k, A_c) in the plane of k and c: the angular velocity there is that of the precession,
// and what the logarithm of alpha changes by.
template <class W>
constexpr PhaseRates<W> round_rates(const RoundShape& shape, const Polhode<W>& p, const W& q, const Vec3<W>& inertia,
                                    const W& length) {
  const W frequency = sqrt(p.frequency2) / (p.volume * stretch(q)), rate = p.low ? -frequency : frequency;
  const W A_k = sqrt(p.e_c / p.D_ck);
  return {W(0.5) * (A_k / inertia[p.k] + p.e_k / (p.D_ck * (length + A_k) * inertia[p.c])) - rate * W(shape.slope),
          rate, W(0)};
}

// Of theta_2 + i theta_1 at the tilt chi of a polhode that passes near the middle axis.
template <class W>
constexpr Complex<W> across_direction(const Polhode<W>& p, const W& k) {
  const W inverse = W(1) / (k * p.e_c + p.e_k), sine = sqrt(p.e_k * inverse);
  return {sqrt(k * p.e_c * inverse), p.cyclic ? -sine : sine};
}

// Of one that passes near the middle axis: k^2 > 1/2. The nome is that of 1 - k^2, and the phase h along the polhode
// is real; after a period -log q the momentum is on the other side.
struct AcrossShape {
  static constexpr double least_complement = 1e-290;  // taken for 0 on the separatrix, where nothing feels it

  double k, k1, q;  // modulus, complementary modulus, nome of its square
  double A_b, A_c, A_k;
  Complex<double> C;  // exp(i chi)
  double chi, slope;  // slope: d arg(alpha) / dh, in the middle between two passages

  explicit constexpr AcrossShape(const Polhode<double>& p) {
    const double complement =
        max(p.complement, double(least_complement));  // a copy: on a device a constant has no address
    k = sqrt(1 - complement);
    k1 = sqrt(complement);
    q = nome(complement, k);
    A_b = sqrt(p.e_k / p.D_bk);
    A_c = sqrt(p.e_k / p.D_ck);
    A_k = sqrt(p.e_c / p.D_ck);
    const Complex<double> u = across_direction(p, k);
    const Phase<double> phase = phase_of(u, q);
    C = phase.E;
    chi = atan2(u.im, u.re) + phase.ahead;  // of u, which is known before q is
    const double q3 = q * q * q, q6 = q3 * q3, q10 = q6 * q3 * q;
    const Complex<double> C2 = C * C, C4 = C2 * C2;
    const Complex<double> series{1 + (q + q3) * C2.re + (q6 + q10) * C4.re, (q - q3) * C2.im + (q6 - q10) * C4.im};
    const Complex<double> derivative{(q3 - q) * C2.re + 2 * (q10 - q6) * C4.re,
                                     -(q3 + q) * C2.im - 2 * (q10 + q6) * C4.im};
    slope = 2 * (derivative * conjugate(series)).im / squared_norm(series);
  }
};

template <class W>
constexpr PhaseRates<W> across_rates(const AcrossShape& shape, const Polhode<W>& p, const W& q, const W& chi,
                                     const W& energy, const W& length) {
  const W period = -log(q);
  const W frequency = sqrt(p.frequency2) / (p.volume * stretch(q)), rate = p.low == p.cyclic ? frequency : -frequency;
  const W turn = p.complement == W(0) ? W(shape.slope) : W(shape.slope) + chi / period;
  return {energy / length - rate * turn, rate, period};
}

}  // namespace polhode
