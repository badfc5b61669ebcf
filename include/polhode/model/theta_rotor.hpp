// The theta series of a free body set up from its moments and its momentum, in double.
//
// Moments and momentum are taken in units of powers of two near their largest, and time in the unit that follows from
// these: no power of them leaves the range of the numbers.
#pragma once

#include "polhode/core/wider.hpp"
#include "polhode/model/state.hpp"
#include "polhode/model/theta_constants.hpp"
#include "polhode/model/theta_series.hpp"

namespace polhode {

template <std::size_t N, std::size_t W>
class FreeRotorRows;

class ThetaRotor {
 public:
  static constexpr double narrow_turn = 1000;  // [rad], up to which rates in double suffice

  constexpr ThetaRotor() {}  // reaches nowhere

  // For times up to `farthest`, of either sign. Where rates in double would not reach, they come from long double.
  constexpr ThetaRotor(const Vec3<double>& inertia, const State<double>& start, double farthest) {
    const double moment = power_below(largest(inertia));
    const double momentum = start.pi_B == Vec3<double>{} ? 1 : power_below(largest(start.pi_B));
    unit_ = momentum * inverse_of_power(moment);
    momentum_ = momentum;
    if (!(unit_ > 1e-300 && unit_ < 1e300 && momentum > 0)) return;
    Scaled scaled{inverse_of_power(moment) * inertia, inverse_of_power(momentum) * start.pi_B, unit_ * abs(farthest)};
    scaled.measure();
    set_up(scaled, start.R_SB);
    reach_ = reach_ / abs(unit_);
  }

  // Negative where numbers leave the range of double all the same: an offset from the middle axis so small that its
  // square does, moments and momenta that are not finite.
  constexpr double reach() const { return reach_; }
  // Whether the rates reach as far as any can.
  constexpr bool wide() const { return wide_; }

  // Attitude and momentum at |t| <= reach().
  template <class S>
  [[gnu::always_inline]] constexpr void at(const S& t, Rotation<S>& R_SB, Vec3<S>& pi_B) const {
    const S scaled = S(unit_) * t;
    if constexpr (std::is_same_v<S, double>) {
      frame_.apply(across_ ? series_.across.at(scaled) : series_.round.at(scaled), R_SB, pi_B);
    } else {
      const auto spinor = across_ ? AcrossSeries<S>::from(spread<S>(series_.across)).at(scaled)
                                  : RoundSeries<S>::from(spread<S>(series_.round)).at(scaled);
      SpinorFrame<S>::from(spread<S>(frame_)).apply(spinor, R_SB, pi_B);
    }
  }

 private:
  template <std::size_t N, std::size_t W>
  friend class FreeRotorRows;

  using Wide = wider<double>;

  // In units of their own.
  struct Scaled {
    Vec3<double> I, pi;
    double farthest;
    double length = 0, speed = 0, energy = 0;

    constexpr void measure() {
      const Vec3<double> w = over(pi, I);
      length = norm(pi);
      speed = norm(w);
      energy = 0.5 * dot(pi, w);
    }
  };

  // The numbers one after the other, each for all lanes.
  template <class S, class Numbers>
  [[gnu::always_inline]] static constexpr auto spread(const Numbers& numbers) {
    static_assert(std::is_trivially_copyable_v<Numbers>);
    return [at = reinterpret_cast<const char*>(&numbers)]() mutable {
      double number;
      __builtin_memcpy(&number, at, sizeof number);
      at += sizeof number;
      return S(number);
    };
  }

  static constexpr double largest(const Vec3<double>& v) { return max(abs(v.x), max(abs(v.y), abs(v.z))); }
  static constexpr double power_below(double positive) {
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(positive) & (std::uint64_t{0x7ff} << 52));
  }
  static constexpr double inverse_of_power(double power) {
    return std::bit_cast<double>((std::uint64_t{2046} << 52) - std::bit_cast<std::uint64_t>(power));
  }

  constexpr void set_up(Scaled& d, const Rotation<double>& R_SB) {
    if (turns_steadily(d.I, d.pi)) return turn_steadily(d, R_SB);
    const AxesByMoment axis = axes_by_moment(d.I);
    const MiddleExcess<double> middle(d.I, d.pi, axis);
    if (!(max(middle.first, middle.second) > 1e-200)) return;
    const DoubleDouble excess = middle_excess(d, axis, middle);
    const Polhode<double> p(d.I, d.pi, axis, excess.high);
    if (!(p.frequency2 > 1e-280)) return;
    if (!(p.e_k > 1e-280)) return turn_steadily(d, R_SB);  // about axis k, to 1e-140
    if (d.pi[p.k] < 0) turn_round(d);
    across_ = p.parameter > 0.5;
    const auto wider = [&] {
      return Polhode<Wide>(cast<Wide>(d.I), cast<Wide>(d.pi), axis,
                           static_cast<Wide>(excess.high) + static_cast<Wide>(excess.low));
    };
    across_ ? go_across(d, p, wider, R_SB) : go_round(d, p, wider, R_SB);
  }

  // Backwards in time the motion of -pi is that of pi.
  constexpr void turn_round(Scaled& d) {
    d.pi = -d.pi;
    unit_ = -unit_;
    momentum_ = -momentum_;
  }

  // Digits are lost in the difference: with all of them the two sides of the separatrix, and the time spent near the
  // middle axis, are as exact as the data.
  static constexpr DoubleDouble middle_excess(const Scaled& d, const AxesByMoment& axis,
                                              const MiddleExcess<double>& plain) {
    const double difference = plain.first - plain.second;
    if (abs(difference) >= 0.25 * max(plain.first, plain.second)) return {difference, 0};
    const auto term = [&](std::size_t side, std::size_t other) {
      const DoubleDouble moments = sum(d.I[axis.middle], -d.I[side]), moment{d.I[other], 0};
      return product(product(moments, moment), product(d.pi[side], d.pi[side]));
    };
    const DoubleDouble low = term(axis.low, axis.high), high = term(axis.high, axis.low);
    return sum(low.high + high.high, low.low + high.low);
  }

  static constexpr Wide wide_energy(const Scaled& d) {
    const Vec3<Wide> pi = cast<Wide>(d.pi);
    return Wide(0.5) * dot(pi, over(pi, cast<Wide>(d.I)));
  }

  // Whether rates are to be made again in what is wider: on a device nothing is.
  constexpr bool is_farther(const Scaled& d) const {
    if constexpr (std::is_same_v<Wide, double>) {
      return false;
    } else {
      return d.farthest > reach_;
    }
  }

  // Rates, and how far they reach. Phases must be below 2^50. Each rate in double is off by less than 4e-16 of itself;
  // where the phases run faster than the body turned at first, that may be more than the promise allows.
  template <class Series, class W>
  constexpr void take_rates(Series& series, const Scaled& d, const PhaseRates<W>& rates) {
    constexpr bool real = std::is_same_v<Series, AcrossSeries<double>>;
    constexpr W per_half_turn = W(1) / std::numbers::pi_v<W>;
    series.precession = split(W(per_half_turn * rates.precession));
    series.rate = split(real ? rates.rate : W(per_half_turn * rates.rate));
    if constexpr (real) series.period = split(rates.period);
    const double phases = static_cast<double>(W(2) * abs(rates.precession) + abs(rates.rate));
    reach_ = 0x1p50 / (1 + phases);
    wide_ = std::is_same_v<W, Wide>;
    if (wide_) return;
    if (d.speed * reach_ > narrow_turn) reach_ = narrow_turn / d.speed;
    if ((phases - 2.5 * d.speed) * reach_ > 5) reach_ = 5 / (phases - 2.5 * d.speed);
  }

  constexpr void turn_steadily(Scaled& d, const Rotation<double>& R_SB) {
    std::size_t z = 0;
    for (std::size_t i = 1; i < 3; ++i)
      if (abs(d.pi[i]) > abs(d.pi[z])) z = i;
    if (d.pi[z] < 0) turn_round(d);
    const std::size_t p = (z + 1) % 3, q = (z + 2) % 3;
    RoundSeries<double>& series = series_.round = {};
    series.start = {1, 0};
    series.alpha_re[0] = 1;
    take_rates(series, d, PhaseRates<double>{d.length > 0 ? d.energy / d.length : 0, 0, 0});
    if (d.length > 0 && is_farther(d)) {
      take_rates(series, d, PhaseRates<Wide>{wide_energy(d) / norm(cast<Wide>(d.pi)), 0, 0});
    }
    wide_ = wide_ || d.length == 0;
    if (const double across2 = d.pi[p] * d.pi[p] + d.pi[q] * d.pi[q]; across2 > 0) {
      const double across = sqrt(across2);
      series.start = {d.pi[q] / across, -d.pi[p] / across};
      series.beta_re[0] = series.beta_im[0] = across / (d.length + d.pi[z]);
    }
    begin(series.at_phase(series.start), d, z, p, q, true, R_SB);
  }

  template <class Wider>
  constexpr void go_round(const Scaled& d, const Polhode<double>& p, const Wider& wider, const Rotation<double>& R_SB) {
    RoundSeries<double>& series = series_.round;
    const RoundShape c(p, d.length);
    take_rates(series, d, round_rates(c, p, c.q, d.I, d.length));
    if (is_farther(d)) {
      const Polhode<Wide> w = wider();
      const Wide q = nome(w.parameter, sqrt(1 - w.parameter));
      take_rates(series, d, round_rates(c, w, q, cast<Wide>(d.I), norm(cast<Wide>(d.pi))));
    }
    const double side = p.cyclic ? 1 : -1;
    const Complex<double> direction{d.pi[p.c] / c.A_c, -side * sqrt(c.k1) * (d.pi[p.b] / c.A_b)};
    series.start = phase_of(normalised(direction), c.q).E;

    // Sums and differences of powers of Y and Z by Y + Z and Y - Z, so that nothing cancels next to the axis; then
    // cos 4v = 2 cos^2 2v - 1, cos 3v = cos v (2 cos 2v - 1), cos 5v = cos v (4 cos^2 2v - 2 cos 2v - 1).
    const double q = c.q, q2 = q * q, q3 = q * q2, q6 = q3 * q3, q10 = q6 * q3 * q;
    const double squares = c.difference * c.difference + 2 * q, mixed = c.sum * c.difference;
    const double fourths = q6 * (squares * squares - 2 * q2);
    const double cubes_less = q3 * (squares + q), cubes_more = q3 * (squares - q);
    const double fifths_less = q10 * (squares * squares + q * squares - q2);
    const double fifths_more = q10 * (squares * squares - q * squares - q2);
    series.alpha_re = {1 - fourths, -q * squares, 2 * fourths};
    series.alpha_im = {-q * mixed, 2 * q6 * mixed * squares};
    series.beta_re = {c.difference * (1 + cubes_less - fifths_less), c.difference * -2 * (cubes_less + fifths_less),
                      c.difference * 4 * fifths_less};
    series.beta_im = {c.sum * (1 - cubes_more - fifths_more), c.sum * 2 * (fifths_more - cubes_more),
                      c.sum * 4 * fifths_more};
    begin(series.at_phase(series.start), d, p.k, p.b, p.c, p.cyclic, R_SB);
  }

  template <class Wider>
  constexpr void go_across(const Scaled& d, const Polhode<double>& p, const Wider& wider,
                           const Rotation<double>& R_SB) {
    AcrossSeries<double>& series = series_.across;
    const AcrossShape c(p);
    const PhaseRates<double> rates = across_rates(c, p, c.q, c.chi, d.energy, d.length);
    take_rates(series, d, rates);
    if (is_farther(d)) {
      const Polhode<Wide> w = wider();
      const Wide complement = max(w.complement, Wide(AcrossShape::least_complement));
      const Wide k = sqrt(1 - complement), q = nome(complement, k);
      Wide chi = c.chi;  // off by 2e-16, which counts once per period
      if (abs(rates.rate) > d.speed) {
        const Complex<Wide> u = across_direction(w, k);
        chi = atan2(u.im, u.re) + phase_of(u, q).ahead;
      }
      take_rates(series, d, across_rates(c, w, q, chi, wide_energy(d), norm(cast<Wide>(d.pi))));
    }
    series.per_period = p.complement == 0 ? 0 : 1 / rates.period;
    series.share = series.per_period * c.chi * (1 / std::numbers::pi);

    // The phase by Y = sqrt(q) exp(|h|) as above, on the side where the component along c is positive.
    double sn = d.pi[p.b] / c.A_b, cn = d.pi[p.c] / c.A_c;
    const double dn = d.pi[p.k] / c.A_k;
    series.other_side = cn < 0 ? 1 : 0;
    if (cn < 0) sn = -sn;
    cn = abs(cn);
    const double landen = 1 + c.k, root = p.complement / (landen * landen);
    const Both<double> phase = difference_and_sum(both(c.k1 * abs(sn), c.k1), both(dn + cn, dn + c.k * cn), root, c.q);
    const double x = (phase[0] + phase[1]) / (2 * sqrt(c.q)), inverse_x = 1 / x;
    series.start = copysign(log(x), sn);

    const double q = c.q, q2 = q * q, q4 = q2 * q2, q8 = q4 * q4;
    const Complex<double> C = c.C, D = conjugate(C), C2 = C * C, D2 = D * D, C4 = C2 * C2, D4 = D2 * D2;
    series.q = q;
    series.alpha = {D, C, q2 * (D * D2), q4 * (C * C2), q8 * (D * D4)};
    series.beta = {D2, q2 * C2, q4 * D4, q8 * C4};
    Spinor<double> first = sn < 0 ? series.at_powers(inverse_x, x) : series.at_powers(x, inverse_x);
    if (sn >= 0) first = {inverse_x * first.alpha, inverse_x * first.beta};
    if (series.other_side != 0) std::swap(first.alpha, first.beta);
    begin(first, d, p.b, p.c, p.k, p.cyclic, R_SB);
  }

  // The axes z, p, q of the spinor, and its value at the start. What its length is, the frame divides by.
  constexpr void begin(const Spinor<double>& first, const Scaled& d, std::size_t z, std::size_t p, std::size_t q,
                       bool right_handed, const Rotation<double>& R_SB) {
    const double side = right_handed ? 1 : -1;
    Rotation<double> Q{first.alpha.re, {}};
    put(Q.v, z, first.alpha.im);
    put(Q.v, p, side * first.beta.re);
    put(Q.v, q, first.beta.im);
    const double length2 = squared_norm(Q);
    const Rotation<double> G = inlined::product(R_SB, inverse(Q));
    frame_.attitude = {G.w, 0, 0, 0, G.v.x, 0, 0, 0, G.v.y, 0, 0, 0, G.v.z, 0, 0, 0};
    const auto column = [&](std::size_t at, std::size_t axis, double sign) {  // of G times the unit along that axis
      const std::size_t i = (axis + 1) % 3, j = (axis + 2) % 3;
      Vec3<double> v;
      put(v, axis, sign * G.w);
      put(v, i, sign * G.v[j]);
      put(v, j, -sign * G.v[i]);
      frame_.attitude[at] = -sign * G.v[axis];
      for (std::size_t row = 0; row < 3; ++row) frame_.attitude[at + 4 * (row + 1)] = v[row];
    };
    column(1, z, 1);
    column(2, p, side);
    column(3, q, 1);
    const double L = momentum_ * d.length * length2;
    Vec3<double> axial, re, im;
    put(axial, z, L);
    put(re, q, 2 * L);
    put(im, p, -2 * side * L);
    frame_.momentum = {axial.x, re.x, im.x, axial.y, re.y, im.y, axial.z, re.z, im.z};
  }

  // On a device what is written at a place known only when it runs would be kept in memory.
  static constexpr void put(Vec3<double>& v, std::size_t i, double number) {
#ifdef __CUDACC__
    v = {i == 0 ? number : v.x, i == 1 ? number : v.y, i == 2 ? number : v.z};
#else
    v[i] = number;
#endif
  }

  // Not set before they are known, as zeros in all of them cost a tenth of the set-up; a copy may be of nothing.
  union Series {
    RoundSeries<double> round;
    AcrossSeries<double> across;
  };

  double unit_ = 1, momentum_ = 1;  // one over the unit of time, the unit of momentum, and their signs
  double reach_ = -1;
  bool wide_ = true, across_ = false;
  Series series_;
  SpinorFrame<double> frame_;
};

}  // namespace polhode
