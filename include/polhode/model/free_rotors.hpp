// N free bodies side by side in closed form, each at a time of its own and with the bits that it has alone. They are set up
// one by one; what is evaluated is the same series in lanes, of both kinds where the bodies are.
#pragma once

#include "polhode/model/free_rotor.hpp"

namespace polhode {

// Their numbers in rows. The bodies stay where they are, and are asked for (`body(i)`) where a time is out of reach.
template <std::size_t N, std::size_t W = N>
class FreeRotorRows {
 public:
  using S = Lanes<double, N, W>;

  constexpr void set(std::size_t i, const FreeRotor<double>& body) {
    const ThetaRotor& theta = body.theta_;
    units_[i] = theta.unit_;
    begun_[i] = body.start_.t;
    reach_[i] = theta.reach();
    if (theta.reach() < 0) return;
    // In lanes of the other kind all coefficients are zero, and so is the sum.
    is_across_[i] = theta.across_ ? 1 : 0;
    take(across_, i, theta.across_ ? theta.series_.across : AcrossSeries<double>{});
    take(round_, i, theta.across_ ? RoundSeries<double>{} : theta.series_.round);
    take(frame_, i, theta.frame_);
  }

  template <class BodyOf>
  [[gnu::always_inline]] constexpr State<S> after(const S& elapsed, const BodyOf& body) const {
    const S scaled = S::load(units_) * elapsed;
    const auto is_across = S::load(is_across_) == S(1.0);
    State<S> s;
    const auto apply = [&](const Spinor<S>& spinor) __attribute__((always_inline)) {
      SpinorFrame<S>::from(reader(frame_)).apply(spinor, s.R_SB, s.pi_B);
    };
    if (!any(is_across)) {
      apply(RoundSeries<S>::from(reader(round_)).at(scaled));
    } else if (every(is_across)) {
      apply(AcrossSeries<S>::from(reader(across_)).at(scaled));
    } else {
      apply(of_both_kinds(RoundSeries<S>::from(reader(round_)), AcrossSeries<S>::from(reader(across_)), is_across,
                          scaled));
    }
    s.t = S::load(begun_) + elapsed;
    const auto reached = abs(elapsed) <= S::load(reach_);
    if (!every(reached)) [[unlikely]]
      put_one_by_one(s, elapsed, body);
    return s;
  }

 private:
  template <class Series>
  using Numbers = std::array<std::array<double, N>, sizeof(Series) / sizeof(double)>;

  template <class Series>
  static constexpr void take(Numbers<Series>& numbers, std::size_t lane, const Series& series) {
    const auto all = std::bit_cast<std::array<double, sizeof(Series) / sizeof(double)>>(series);
    for (std::size_t i = 0; i < all.size(); ++i) numbers[i][lane] = all[i];
  }
  template <std::size_t Count>
  [[gnu::always_inline]] static constexpr auto reader(const std::array<std::array<double, N>, Count>& numbers) {
    return [at = numbers.data()]() mutable { return S::load(*at++); };
  }

  template <class BodyOf>
  [[gnu::noinline]] constexpr void put_one_by_one(State<S>& s, const S& elapsed, const BodyOf& body) const {
    for (std::size_t i = 0; i < N; ++i)
      if (!(abs(elapsed[i]) <= reach_[i])) put_lane(s, i, body(i).after(elapsed[i]));
  }

  std::array<double, N> units_{}, begun_{}, is_across_{}, reach_{};
  Numbers<RoundSeries<double>> round_{};
  Numbers<AcrossSeries<double>> across_{};
  Numbers<SpinorFrame<double>> frame_{};
};

template <std::size_t N, std::size_t W = N>
class FreeRotors {
 public:
  using S = Lanes<double, N, W>;

  explicit FreeRotors(const std::array<FreeRotor<double>, N>& bodies) : bodies_(bodies) {
    for (std::size_t i = 0; i < N; ++i) rows_.set(i, bodies[i]);
  }

  [[gnu::always_inline]] State<S> after(const S& elapsed) const {
    return rows_.after(elapsed, [&](std::size_t i) -> const FreeRotor<double>& { return bodies_[i]; });
  }

 private:
  std::array<FreeRotor<double>, N> bodies_;
  FreeRotorRows<N, W> rows_;
};

}  // namespace polhode
