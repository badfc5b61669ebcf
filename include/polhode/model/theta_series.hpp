// The attitude of a free body as two theta series of one complex argument.
//
// Let Q(t) be the unit quaternion that takes the body to axes at rest whose third is along the momentum. With one body
// axis z for the imaginary unit and p, q for the two others, Q = alpha + beta p: four components in two complex
// numbers, and the momentum in body axes is
//   pi_z = |pi| (|alpha|^2 - |beta|^2),   pi_p + i pi_q = 2 i |pi| conj(alpha) beta,   over |alpha|^2 + |beta|^2.
// Jacobi [J50] found that alpha and beta are quotients of theta functions of a phase that grows evenly, times
// exp(i Lambda t). The common denominator drops out of the attitude, which needs directions only: left are two sums
//   alpha = exp(i Lambda t) sum_(j even) a_j E^j,   beta = exp(i Lambda t) sum_(j odd) a_j E^j,
//   a_j = +-q^(j(j-1)/2) Y^j,
// E = exp(i v), v = v_0 + v' t, with a constant Y that is the tilt of the polhode's axis. No integral of the third kind
// is left: it is Lambda t and the angles of the sums. Their terms fall off like q^(j^2/2), q <= exp(-pi): |j| <= 5 leaves
// 1e-20.
//
// That is so for k^2 <= 1/2. Beyond, Jacobi's imaginary transformation [WW27, Ch. 21] leads to the nome of 1 - k^2, and
// the phase along the polhode becomes real: exp(i v) to x = exp(h), and Y to a unit number 1/C. The axis z is then the
// middle one, by which the polhode passes at h = -+ -log(q)/2. There the series is summed about the nearest of the zeros,
// to which a whole number n of periods -log(q) leads; each of them exchanges alpha and beta, and turns them by -chi.
// On the separatrix q = 0: the period is infinite, and alpha : beta = x : C.
//
// Rounding: each sum is good to some 1e-16, as is the initial phase. Only the two rates are multiplied by the time.
#pragma once

#include "polhode/core/phase.hpp"
#include "polhode/core/rotation.hpp"

namespace polhode {

template <class S>
struct Spinor {
  Complex<S> alpha, beta;
};

// For k^2 <= 1/2. Cosines of multiples of v are polynomials in cos 2v, those of odd ones times cos v.
template <class S>
struct RoundSeries {
  Split<S> precession, rate;  // half turns per unit of time
  Complex<S> start;           // E at time zero
  std::array<S, 3> alpha_re, beta_re, beta_im;
  std::array<S, 2> alpha_im;

  [[gnu::always_inline]] constexpr Spinor<S> at_phase(const Complex<S>& E) const {
    const S square = E.im * E.im, cos2 = E.re * E.re - square, sin2 = S(2.0) * (E.re * E.im), power = cos2 * cos2;
    const auto quadratic = [&](const std::array<S, 3>& c) { return (c[0] + c[1] * cos2) + c[2] * power; };
    return {{quadratic(alpha_re), sin2 * (alpha_im[0] + alpha_im[1] * cos2)},
            {E.re * quadratic(beta_re), E.im * quadratic(beta_im)}};
  }

  [[gnu::always_inline]] constexpr Spinor<S> at(const S& t) const {
    const LongProduct<S> psi(precession, t), v(rate, t);
    const S n = nearest(S(v.exact + v.rest));
    Complex<S> turn, E;
    half_turns(S((psi.exact - nearest(S(psi.exact + psi.rest))) + psi.rest), S((v.exact - n) + v.rest), turn, E);
    // An odd number of half turns of E changes the sign of beta; those of the precession change that of Q.
    const Spinor<S> sum = at_phase(start * E);
    const S sign = S(1.0) - S(2.0) * odd(n);
    return {turn * sum.alpha, (sign * turn) * sum.beta};
  }

  // Number by number, in the order above.
  template <class Next>
  [[gnu::always_inline]] static constexpr RoundSeries from(Next next) {
    return {{next(), next()},         {next(), next()},         {next(), next()}, {next(), next(), next()},
            {next(), next(), next()}, {next(), next(), next()}, {next(), next()}};
  }
};

// For k^2 > 1/2. The coefficients go with 1, V, U, V^2, U^2 in alpha, 1, U, V, U^2, V^2 in beta, U = q x^2, V = q / x^2:
// both are 1 at most, also where x and q are beyond all bounds.
template <class S>
struct AcrossSeries {
  static constexpr double farthest = 330;  // of h; on the separatrix nothing changes beyond

  Split<S> precession;  // half turns per unit of time
  Split<S> rate;        // h per unit of time
  Split<S> period;      // -log q
  S per_period, share;  // 1 / period and chi / (pi period), or 0 on the separatrix
  S start, other_side;  // h at time zero; whether n is odd there
  S q;
  std::array<Complex<S>, 5> alpha;
  std::array<Complex<S>, 4> beta;

  [[gnu::always_inline]] constexpr Spinor<S> at_powers(const S& x, const S& inverse_x) const {
    const S U = q * (x * x), V = q * (inverse_x * inverse_x), UU = U * U, VV = V * V;
    const auto sum = [](const S& zeroth, const S& a0, const S& a, const S& b0, const S& b, const S& c0, const S& c,
                        const S& d0, const S& d) { return ((zeroth + a0 * a) + b0 * b) + (c0 * c + d0 * d); };
    const auto part = [&](S Complex<S>::*of) {
      return x * sum(alpha[0].*of, alpha[1].*of, V, alpha[2].*of, U, alpha[3].*of, VV, alpha[4].*of, UU);
    };
    const auto other = [&](S Complex<S>::*of, const S& zeroth) {
      return sum(zeroth, beta[0].*of, U, beta[1].*of, V, beta[2].*of, UU, beta[3].*of, VV);
    };
    return {{part(&Complex<S>::re), part(&Complex<S>::im)},
            {other(&Complex<S>::re, S(1.0)), other(&Complex<S>::im, S(0.0))}};
  }

  // h about the nearest zero, and how many periods lead there.
  struct Place {
    S h, periods;
  };
  [[gnu::always_inline]] constexpr Place place(const LongProduct<S>& along) const {
    const S n = nearest(S(((along.exact + along.rest) + start) * per_period));
    const S h = ((along.exact - n * period.high) + (along.rest - n * period.low)) + start;
    return {-max(S(-max(h, S(-farthest))), S(-farthest)), n};
  }

  // As many exchanges of alpha and beta as there are periods.
  [[gnu::always_inline]] constexpr Spinor<S> exchanged(const S& periods, const Complex<S>& first,
                                                       const Complex<S>& second) const {
    const S far = odd(S(periods + other_side)), near = S(1.0) - far;
    return {near * first + far * second, far * first + near * second};
  }

  [[gnu::always_inline]] constexpr Spinor<S> at(const S& t) const {
    const LongProduct<S> along(rate, t), psi(precession, t);
    const Place reached = place(along);
    const Exponentials<S> x(reached.h);
    const S rest = psi.rest + share * (reached.h - start);
    const Complex<S> turn = half_turns(S((psi.exact - nearest(S(psi.exact + rest))) + rest));
    const Spinor<S> sum = at_powers(x.of_x, x.of_minus_x);
    return exchanged(reached.periods, turn * sum.alpha, turn * sum.beta);
  }

  template <class Next>
  [[gnu::always_inline]] static constexpr AcrossSeries from(Next next) {
    const auto complex = [&] { return Complex<S>{next(), next()}; };
    return {{next(), next()},
            {next(), next()},
            {next(), next()},
            next(),
            next(),
            next(),
            next(),
            next(),
            {complex(), complex(), complex(), complex(), complex()},
            {complex(), complex(), complex(), complex()}};
  }
};

// Bodies of both kinds side by side, each with the bits that it has among its own kind: in the lanes of one kind all numbers
// of the other are zero, and what comes of them is not chosen. What both have, the products of the rates and the time and the
// turn by the precession, is made once.
template <class S, class Mask>
[[gnu::always_inline]] constexpr Spinor<S> of_both_kinds(const RoundSeries<S>& round, const AcrossSeries<S>& across,
                                                         const Mask& is_across, const S& t) {
  const auto chosen = [&](const S& a, const S& b) __attribute__((always_inline)) { return select(is_across, a, b); };
  const auto rates = [&](const Split<S>& a, const Split<S>& b) __attribute__((always_inline)) {
    return Split<S>{chosen(a.high, b.high), chosen(a.low, b.low)};
  };
  const auto numbers = [&](const Complex<S>& a, const Complex<S>& b) __attribute__((always_inline)) {
    return Complex<S>{chosen(a.re, b.re), chosen(a.im, b.im)};
  };
  const LongProduct<S> along(rates(across.rate, round.rate), t);
  const LongProduct<S> psi(rates(across.precession, round.precession), t);
  const auto reached = across.place(along);
  const S rest = chosen(psi.rest + across.share * (reached.h - across.start), psi.rest);
  const Complex<S> turn = half_turns(S((psi.exact - nearest(S(psi.exact + rest))) + rest));
  const S n = nearest(S(along.exact + along.rest));
  const Spinor<S> one = round.at_phase(round.start * half_turns(S((along.exact - n) + along.rest)));
  const Exponentials<S> x(reached.h);
  const Spinor<S> other = across.at_powers(x.of_x, x.of_minus_x);
  const S sign = chosen(S(1.0), S(1.0) - S(2.0) * odd(n));
  const Complex<S> alpha = turn * numbers(other.alpha, one.alpha), beta = (sign * turn) * numbers(other.beta, one.beta);
  const Spinor<S> far = across.exchanged(reached.periods, alpha, beta);
  return {numbers(far.alpha, alpha), numbers(far.beta, beta)};
}

// From alpha and beta to attitude and momentum: the attitude at the start times the inverse of Q there, and which axis
// is z.
template <class S>
struct SpinorFrame {
  std::array<S, 16> attitude;  // rows of a matrix
  std::array<S, 9> momentum;

  [[gnu::always_inline]] constexpr void apply(const Spinor<S>& spinor, Rotation<S>& R_SB, Vec3<S>& pi_B) const {
    const Complex<S>&alpha = spinor.alpha, &beta = spinor.beta;
    const auto row = [&](std::size_t i) {
      return (attitude[i] * alpha.re + attitude[i + 1] * alpha.im) +
             (attitude[i + 2] * beta.re + attitude[i + 3] * beta.im);
    };
    const S w = row(0), x = row(4), y = row(8), z = row(12);
    const S scale = S(1.0) / sqrt(S((w * w + x * x) + (y * y + z * z))), inverse = scale * scale;
    R_SB = {scale * w, {scale * x, scale * y, scale * z}};
    const Complex<S> across = conjugate(alpha) * beta;
    const S axial = (squared_norm(alpha) - squared_norm(beta)) * inverse, re = across.re * inverse,
            im = across.im * inverse;
    const auto component = [&](std::size_t i) {
      return momentum[i] * axial + momentum[i + 1] * re + momentum[i + 2] * im;
    };
    pi_B = {component(0), component(3), component(6)};
  }

  template <class Next>
  [[gnu::always_inline]] static constexpr SpinorFrame from(Next next) {
    return {{next(), next(), next(), next(), next(), next(), next(), next(), next(), next(), next(), next(), next(),
             next(), next(), next()},
            {next(), next(), next(), next(), next(), next(), next(), next(), next()}};
  }
};

}  // namespace polhode
