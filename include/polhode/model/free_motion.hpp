// The free rigid body in closed form, attitude included, for any scalar: exact at any time of either sign.
//
// The momentum runs along its polhode (model/polhode.hpp). With J_i = 1/I_i
//   pi_b = A_b sn u,   pi_c = A_c cn u,   pi_k = +-A_k dn u,   u = u_0 +- nu t,
// and no phase u_0 is needed: the addition theorems take the momentum itself from 0 to t. The frame precesses about the
// spatial momentum by
//   psi = int |pi| (J_b pi_b^2 + J_c pi_c^2) / (pi_b^2 + pi_c^2) dt,
// an elliptic integral of the third kind. Its addition theorem [DLMF 19.11.4] splits it into the integral from phase
// zero over a time t, which grows with t alone, and an angle below a right one, which is had without inverse functions.
//
// Next to the separatrix e_b cancels; there a rounding of the data matters as much.
#pragma once

#include "polhode/core/complex.hpp"
#include "polhode/core/elliptic.hpp"
#include "polhode/core/rotation.hpp"
#include "polhode/model/polhode.hpp"

namespace polhode {

// In one scalar W, from a start at time zero.
template <class W>
class FreeMotion {
 public:
  struct Moved {
    Rotation<W> turn;  // R(0)^-1 R(t)
    Vec3<W> pi_B;
  };

  FreeMotion() = default;
  constexpr FreeMotion(const Vec3<W>& inertia, const Vec3<W>& pi_B)
      : inertia_(inertia), pi_(pi_B), length_(norm(pi_B)) {
    uniform_ = turns_steadily(inertia, pi_B);
    if (!uniform_) find_polhode();
  }

  constexpr Moved after(const W& t) const {
    if (uniform_) return {exp(t * over(pi_, inertia_)), pi_};
    const Swept swept = sweep(t);
    const Jacobi<W>&v0 = start_, v = swept.functions;
    const W denominator = v.cn * v.cn + v.sn * v.sn * v0.dn * v0.dn;  // 1 - m sn^2 sn0^2
    const Jacobi<W> v1{(v0.sn * v.cn * v.dn + v.sn * v0.cn * v0.dn) / denominator,
                       (v0.cn * v.cn - v0.sn * v.sn * v0.dn * v.dn) / denominator,
                       (v0.dn * v.dn - parameter_ * v0.sn * v.sn * v0.cn * v.cn) / denominator};
    Vec3<W> pi;
    pi[b_] = amplitude_[b_] * v1.sn;
    pi[c_] = amplitude_[c_] * v1.cn;
    pi[k_] = amplitude_[k_] * v1.dn;
    return {turn(half_precession(t, swept, v1), pi), pi};
  }

  // The time after which the momentum is back where it was; infinite on the separatrix, zero for a steady rotation.
  constexpr W period() const {
    if (uniform_) return W(0);
    if (separatrix_) return W(std::numeric_limits<value_of<W>>::infinity());
    return W(4) * functions_.quarter_period() / frequency_;
  }

 private:
  constexpr void find_polhode() {
    const AxesByMoment axis = axes_by_moment(inertia_);
    const MiddleExcess<W> middle(inertia_, pi_, axis);
    const Polhode<W> p(inertia_, pi_, axis, middle.first - middle.second);
    k_ = p.k;
    b_ = p.b;
    c_ = p.c;
    frequency_ = sqrt(p.frequency2) / p.volume;
    parameter_ = p.parameter;
    const W kc2 = min(p.complement, W(1));
    separatrix_ = kc2 == W(0);

    side_ = W(p.cyclic == (pi_[k_] > W(0)) ? 1 : -1);
    direction_ = p.low ? side_ : -side_;
    amplitude_[b_] = sqrt(p.e_k / p.D_bk);
    amplitude_[c_] = sqrt(p.e_k / p.D_ck);
    amplitude_[k_] = copysign(W(sqrt(p.e_c / p.D_ck)), pi_[k_]);
    start_ = {pi_[b_] / amplitude_[b_], pi_[c_] / amplitude_[c_], pi_[k_] / amplitude_[k_]};

    // The precession: a steady part at the smaller of |pi|/I_b and |pi|/I_c, and what sn (or cn) adds to it.
    ratio_ = p.D_bk / p.D_ck;
    complement_ = p.D_cb / p.D_ck;
    middle_adds_ = inertia_[b_] < inertia_[c_];
    steady_ = length_ / (middle_adds_ ? inertia_[c_] : inertia_[b_]);
    added_ = length_ * p.D_cb / (p.volume * frequency_);
    joint_ = complement_ * length_ / (abs(amplitude_[k_]) * sqrt(ratio_));
    if (separatrix_) return;
    functions_ = JacobiFunctions<W>(kc2);
    const W zero(0), one(1);
    per_half_period_ = middle_adds_ ? W(2) * complete_integral(W(sqrt(kc2)), W(one / ratio_), zero, W(one / ratio_))
                                    : W(2) * complete_integral(W(sqrt(kc2)), W(one / ratio_), one, zero);
  }

  // What happens between phase 0 and the phase nu t.
  struct Swept {
    Jacobi<W> functions;
    W added;  // integral of the share of sn^2 (or of cn^2) in sn^2 + ratio cn^2
  };

  constexpr Swept sweep(const W& t) const {
    const W u = direction_ * frequency_ * t;
    if (separatrix_) return sweep_separatrix(u);
    using std::floor;
    const W angle = functions_.angle(u);
    const W halves = W(floor(value_of<W>(plain(angle) / pi_constant<W>() + value_of<W>(0.5))));
    const W rest = angle - halves * W(pi_constant<W>());
    Swept swept{functions_.at_angle(rest), W(0)};
    swept.added = halves * per_half_period_ + share(swept.functions, functions_.argument(rest));
    const bool odd = plain(halves) - 2 * floor(value_of<W>(plain(halves) / 2)) != 0;
    if (odd) {
      swept.functions.sn = -swept.functions.sn;
      swept.functions.cn = -swept.functions.cn;
    }
    return swept;
  }

  // Far out sn is 1 to rounding, and the integral goes on along a straight line.
  constexpr Swept sweep_separatrix(const W& u) const {
    using std::log;
    const W far = W(2) - W(log(epsilon<W>())) / W(2);
    const W inner = abs(u) > far ? copysign(far, u) : u;
    Swept swept{hyperbolic(u), share(hyperbolic(inner), inner)};
    if (middle_adds_) swept.added = swept.added + (u - inner);
    return swept;
  }

  // int_0^u sn^2 / (sn^2 + ratio cn^2), or of the rest to 1, |u| <= K.
  constexpr W share(const Jacobi<W>& v, const W& u) const {
    const W s2 = v.sn * v.sn, c2 = v.cn * v.cn;
    const W of_middle = v.sn * s2 / (W(3) * ratio_) * carlson_rj(c2, W(v.dn * v.dn), W(1), W(c2 + s2 / ratio_));
    return middle_adds_ ? of_middle : u - of_middle;
  }

  constexpr Complex<W> half_precession(const W& t, const Swept& swept, const Jacobi<W>& v1) const {
    const W s0 = start_.sn, s = swept.functions.sn, s1 = v1.sn;
    const W half = W(0.5) * (steady_ * t + added_ * direction_ * swept.added);
    const W reach =
        s0 * s0 + s1 * s1 - s0 * s1 * swept.functions.cn * swept.functions.dn - parameter_ * s0 * s0 * s * s * s1 * s1;
    const Complex<W> joint{ratio_ + complement_ * reach, side_ * joint_ * s0 * s * s1};
    return Complex<W>{cos(half), sin(half)} * halved(joint);
  }

  // cos and sin of half the angle between the axis k and pi.
  constexpr Complex<W> half_tilt(const Vec3<W>& pi, const W& across) const {
    const W cosine = sqrt(W(0.5) * (W(1) + abs(pi[k_]) / length_));
    const W sine = across / (W(2) * length_ * cosine);
    return pi[k_] < W(0) ? Complex<W>{sine, cosine} : Complex<W>{cosine, sine};
  }

  // Z(phi_0) Y(theta_0) Z(psi) Y(-theta_1) Z(-phi_1), in half angles throughout.
  constexpr Rotation<W> turn(const Complex<W>& half_psi, const Vec3<W>& pi) const {
    const std::size_t p = (k_ + 1) % 3, q = (k_ + 2) % 3;
    const W across_0 = sqrt(pi_[p] * pi_[p] + pi_[q] * pi_[q]), across_1 = sqrt(pi[p] * pi[p] + pi[q] * pi[q]);
    const Complex<W> tilt_0 = half_tilt(pi_, across_0), tilt_1 = half_tilt(pi, across_1);
    const Complex<W> z0{pi_[p] / across_0, pi_[q] / across_0}, z1{pi[p] / across_1, pi[q] / across_1};
    const Complex<W> half_spin = halved(z0 * conjugate(z1));
    const Complex<W> minus = tilt_0 * conjugate(tilt_1), plus = tilt_0 * tilt_1;
    const Complex<W> axial = Complex<W>{half_psi.re * minus.re, half_psi.im * plus.re} * half_spin;
    const Complex<W> lateral = Complex<W>{half_psi.im * plus.im, half_psi.re * minus.im} * (half_spin * z1);
    Rotation<W> turn{axial.re, {}};
    turn.v[k_] = axial.im;
    turn.v[p] = lateral.re;
    turn.v[q] = lateral.im;
    return turn;
  }

  Vec3<W> inertia_, pi_;
  W length_{};
  bool uniform_ = true, separatrix_ = false, middle_adds_ = false;
  std::size_t k_ = 0, b_ = 1, c_ = 2;
  W side_{}, direction_{};  // signs: orientation of (k, b, c) times that of pi_k; of u against t
  W frequency_{}, parameter_{}, ratio_{}, complement_{}, steady_{}, added_{}, joint_{}, per_half_period_{};
  Vec3<W> amplitude_{};
  Jacobi<W> start_{};
  JacobiFunctions<W> functions_;
};

}  // namespace polhode
