// N free bodies side by side in closed form, each at a time of its own. They are set up one by one; what is evaluated is
// the same series in lanes, of both kinds where the bodies are.
#pragma once

#include "polhode/model/free_rotor.hpp"

namespace polhode {

template <std::size_t N, std::size_t W = N>
class FreeRotors {
 public:
  using S = Lanes<double, N, W>;

  explicit FreeRotors(const std::array<FreeRotor<double>, N>& bodies) : bodies_(bodies) {
    for (std::size_t i = 0; i < N; ++i) {
      const ThetaRotor& theta = bodies[i].theta_;
      units_[i] = theta.unit_;
      begun_[i] = bodies[i].start_.t;
      reach_ = min(reach_, theta.reach());
      if (theta.reach() < 0) continue;
      // In lanes of the other kind all coefficients stay zero, and so does the sum.
      theta.across_ ? take(across_, i, theta.series_.across) : take(round_, i, theta.series_.round);
      is_across_[i] = theta.across_ ? 1 : 0;
      any_across_ = any_across_ || theta.across_;
      any_round_ = any_round_ || !theta.across_;
      take(frame_, i, theta.frame_);
    }
  }

  [[gnu::always_inline]] State<S> after(const S& elapsed) const {
    const S scaled = S::load(units_) * elapsed;
    State<S> s;
    const auto apply = [&](const Spinor<S>& spinor) __attribute__((always_inline)) {
      SpinorFrame<S>::from(reader(frame_)).apply(spinor, s.R_SB, s.pi_B);
    };
    if (!any_across_) {
      apply(RoundSeries<S>::from(reader(round_)).at(scaled));
    } else if (!any_round_) {
      apply(AcrossSeries<S>::from(reader(across_)).at(scaled));
    } else {
      apply(of_both_kinds(RoundSeries<S>::from(reader(round_)), AcrossSeries<S>::from(reader(across_)),
                          S::load(is_across_), scaled));
    }
    s.t = S::load(begun_) + elapsed;
    if (!all_within(elapsed, reach_)) [[unlikely]]
      put_one_by_one(s, elapsed);
    return s;
  }

 private:
  template <class Series>
  using Numbers = std::array<std::array<double, N>, sizeof(Series) / sizeof(double)>;

  template <class Series>
  static void take(Numbers<Series>& numbers, std::size_t lane, const Series& series) {
    const auto all = std::bit_cast<std::array<double, sizeof(Series) / sizeof(double)>>(series);
    for (std::size_t i = 0; i < all.size(); ++i) numbers[i][lane] = all[i];
  }
  template <std::size_t Count>
  [[gnu::always_inline]] static auto reader(const std::array<std::array<double, N>, Count>& numbers) {
    return [at = numbers.data()]() mutable { return S::load(*at++); };
  }

  [[gnu::noinline]] void put_one_by_one(State<S>& s, const S& elapsed) const {
    for (std::size_t i = 0; i < N; ++i) put_lane(s, i, bodies_[i].after(elapsed[i]));
  }

  std::array<FreeRotor<double>, N> bodies_;
  std::array<double, N> units_{}, begun_{}, is_across_{};
  Numbers<RoundSeries<double>> round_{};
  Numbers<AcrossSeries<double>> across_{};
  Numbers<SpinorFrame<double>> frame_{};
  double reach_ = std::numeric_limits<double>::infinity();
  bool any_round_ = false, any_across_ = false;
};

}  // namespace polhode
