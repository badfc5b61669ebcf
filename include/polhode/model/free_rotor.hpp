// The state of a free rigid body at any time of either sign, attitude included, in closed form.
//
// In double it is summed up as two theta series (model/theta_series.hpp), wrong by at most 2e-15 + 1e-15 |w| t rad for
// |w| t <= 1000; beyond, rates from long double leave 4e-16 (1 + |w| t). Other scalars use Jacobi's functions and the
// integral of the third kind (model/free_motion.hpp) in the next wider one, 2 eps (1 + |w| t).
#pragma once

#include "polhode/core/wider.hpp"
#include "polhode/model/free_motion.hpp"
#include "polhode/model/state.hpp"
#include "polhode/model/theta_rotor.hpp"

namespace polhode {

// One body among many.
template <std::size_t N, std::size_t W>
constexpr void put_lane(State<Lanes<double, N, W>>& s, std::size_t lane, const State<double>& one) {
  s.R_SB.w.set(lane, one.R_SB.w);
  s.R_SB.v.x.set(lane, one.R_SB.v.x);
  s.R_SB.v.y.set(lane, one.R_SB.v.y);
  s.R_SB.v.z.set(lane, one.R_SB.v.z);
  s.pi_B.x.set(lane, one.pi_B.x);
  s.pi_B.y.set(lane, one.pi_B.y);
  s.pi_B.z.set(lane, one.pi_B.z);
  s.t.set(lane, one.t);
}

template <class T>
class FreeRotor {
 public:
  FreeRotor() = default;
  // `farthest` is the longest time that will be asked for, as far as is known: it is for double, below.
  constexpr FreeRotor(const Vec3<T>& inertia, const State<T>& start, const T& farthest = T(0))
      : motion_(cast<wider<T>>(inertia), cast<wider<T>>(start.pi_B)), start_(start) {
    static_cast<void>(farthest);
  }

  // The state a time `elapsed` after the start.
  constexpr State<T> after(const T& elapsed) const {
    const auto moved = motion_.after(static_cast<wider<T>>(elapsed));
    return {cast<T>(normalised(cast<wider<T>>(start_.R_SB) * moved.turn)), cast<T>(moved.pi_B), start_.t + elapsed};
  }

  // Whether it is set up for any time.
  static constexpr bool wide() { return true; }

  constexpr T period() const { return static_cast<T>(motion_.period()); }

 private:
  FreeMotion<wider<T>> motion_;
  State<T> start_;
};

// Any time may be asked for. One by which the body turns by more than 1000 rad costs a set-up in long double, once if
// it was announced as `farthest`, and every time if not.
template <std::same_as<double> T>
class FreeRotor<T> {
 public:
  FreeRotor() = default;
  constexpr FreeRotor(const Vec3<double>& inertia, const State<double>& start, double farthest = 0)
      : inertia_(inertia), start_(start), theta_(inertia, start, farthest) {}

  constexpr State<double> after(double elapsed) const {
    if (!(abs(elapsed) <= theta_.reach())) [[unlikely]]
      return far_after(inertia_, start_, theta_.reach() > 0 && !theta_.wide(), elapsed);
    State<double> s;
    theta_.at(elapsed, s.R_SB, s.pi_B);
    s.t = start_.t + elapsed;
    return s;
  }

  // At many times at once.
  template <std::size_t N, std::size_t W>
  [[gnu::always_inline]] constexpr State<Lanes<double, N, W>> after(const Lanes<double, N, W>& elapsed) const {
    using S = Lanes<double, N, W>;
    State<S> s;
    theta_.at(elapsed, s.R_SB, s.pi_B);
    s.t = S(start_.t) + elapsed;
    if (!all_within(elapsed, theta_.reach())) [[unlikely]]
      put_far_lanes(s, elapsed);
    return s;
  }

  // Whether it is set up for any time.
  constexpr bool wide() const { return theta_.wide(); }

  // The time after which the momentum is back where it was; infinite on the separatrix, zero for a steady rotation.
  constexpr double period() const { return static_cast<double>(motion(inertia_, start_).period()); }

 private:
  static constexpr FreeMotion<wider<double>> motion(const Vec3<double>& inertia, const State<double>& start) {
    return {cast<wider<double>>(inertia), cast<wider<double>>(start.pi_B)};
  }

  // Of copies: a device would keep the whole rotor in memory for a call that may come to see it.
  [[gnu::noinline]] static constexpr State<double> far_after(Vec3<double> inertia, State<double> start,
                                                             bool may_be_wider, double elapsed) {
    // A device has nothing wider, and would keep a stack for a function that calls itself.
    if constexpr (!std::same_as<wider<double>, double>) {
      if (may_be_wider) {
        const FreeRotor wide(inertia, start, elapsed);
        if (wide.theta_.wide()) return wide.after(elapsed);
      }
    }
    // Phases of 2^50, or numbers out of range.
    const auto moved = motion(inertia, start).after(static_cast<wider<double>>(elapsed));
    return {cast<double>(normalised(cast<wider<double>>(start.R_SB) * moved.turn)), cast<double>(moved.pi_B),
            start.t + elapsed};
  }

  template <std::size_t N, std::size_t W>
  [[gnu::noinline]] constexpr void put_far_lanes(State<Lanes<double, N, W>>& s,
                                                 const Lanes<double, N, W>& elapsed) const {
    for (std::size_t i = 0; i < N; ++i) put_lane(s, i, after(elapsed[i]));
  }

  template <std::size_t N, std::size_t W>
  friend class FreeRotorRows;

  Vec3<double> inertia_;
  State<double> start_;
  ThetaRotor theta_;
};

// In single precision every digit of the double one is for free.
template <std::same_as<float> T>
class FreeRotor<T> {
 public:
  FreeRotor() = default;
  constexpr FreeRotor(const Vec3<float>& inertia, const State<float>& start, float farthest = 0)
      : rotor_(cast<double>(inertia), cast<double>(start), static_cast<double>(farthest)) {}

  constexpr State<float> after(float elapsed) const {
    const State<double> s = rotor_.after(static_cast<double>(elapsed));
    return {cast<float>(s.R_SB), cast<float>(s.pi_B), static_cast<float>(s.t)};
  }
  constexpr bool wide() const { return rotor_.wide(); }
  constexpr float period() const { return static_cast<float>(rotor_.period()); }

 private:
  FreeRotor<double> rotor_;
};

}  // namespace polhode
