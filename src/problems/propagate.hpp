// The motion from one moment to another, in one scalar. Included by one translation unit per scalar.
#pragma once

#include <cmath>
#include <optional>
#include <stdexcept>
#include <utility>

#include "model/cuts.hpp"
#include "model/switches.hpp"
#include "polhode/core/error.hpp"
#include "polhode/model/setup.hpp"
#include "problems/lie_taylor.hpp"
#include "problems/switch_search.hpp"

namespace polhode {

// A motion by Lie-Taylor steps that it chooses itself, in internal units. Steps end where a torque is cut in time, and
// where the motion crosses a switch: between these every torque is smooth. At a cut the state is the one after its
// impulse.
template <std::size_t N, class T>
class TaylorMotion {
 public:
  TaylorMotion(const Prepared<T>& prepared, const State<T>& from)
      : body_(prepared.body), pieces_(prepared.field), s_(from) {
    if (!prepared.field.offers_series()) {
      throw SetupError("torque", "a reference needs every torque on truncated power series, and one gives values only");
    }
    enter(pieces_.at(s_.t));
  }

  const State<T>& state() const { return s_; }
  double turned() const { return turned_; }  // [rad], about

  // One step, to `end` if that is near enough.
  void step(const T& end) {
    const bool forwards = end > s_.t;
    if (!forwards && piece_ > 0 && pieces_.begin(piece_) == s_.t) {
      s_.pi_B -= inverse(s_.R_SB) * pieces_.impulse_S(piece_);
      enter(piece_ - 1);
    }
    const bool cut = forwards ? piece_ + 1 < pieces_.size() && pieces_.begin(piece_ + 1) <= end
                              : piece_ > 0 && pieces_.begin(piece_) > end;
    const T target = cut ? pieces_.begin(forwards ? piece_ + 1 : piece_) : end;
    if (target != s_.t) smooth_step(target);
    if (forwards && cut && s_.t == target) {
      enter(piece_ + 1);
      s_.pi_B += inverse(s_.R_SB) * pieces_.impulse_S(piece_);
    }
  }

  void advance_to(const T& end) {
    while (s_.t != end) step(end);
  }

 private:
  using Step = LieTaylor<N, T>;

  void enter(std::size_t piece) {
    piece_ = piece;
    field_ = pieces_.field(piece);
    sides_ = {};
    crossed_ = false;
    switches_.reset();
    if (switch_count(field_) > 0) switches_.emplace(std::exchange(field_, {}));
  }

  void smooth_step(const T& target) {
    const State<T> from = s_;
    if (switches_) {
      switched_step(target);
    } else {
      const Step step(body_, field_, s_);
      s_ = step.at(step.next_time(target));
      turned_ += step.speed() * std::abs(static_cast<double>(T(s_.t - from.t)));
    }
    const bool nearer = abs(T(target - s_.t)) < abs(T(target - from.t));
    if (!nearer && !crossed_)
      throw Error(ErrorKind::run_failed, "the motion is singular: steps no longer advance time");
  }

  // In the field with every switch decided, as far as the first that decides otherwise.
  void switched_step(const T& target) {
    const State<T> from = s_;
    decide(target);
    const Step step(body_, field_, from);
    const T next = step.next_time(target);
    SwitchSearch<Step, T> search(*switches_, sides_, field_, body_, step, from);
    if (sides_.decided != all()) {
      // Zero, and not by chance: a little later it may have a sign.
      for (const double share : {0x1p-12, 0x1p-6, 1.0}) {
        const SwitchSides sides = search.settled_at(share == 1 ? next : T(from.t + T(share) * (next - from.t)));
        if (sides == sides_) continue;
        work_on(sides);
        return switched_step(target);
      }
    }
    const std::optional<T> crossing = search.first_crossing(next);
    crossed_ = crossing.has_value();
    const T reached = crossing ? *crossing : next;
    if (reached != from.t) s_ = step.at(reached);
    turned_ += step.speed() * std::abs(static_cast<double>(T(reached - from.t)));
    if (crossed_) work_on(search.sides_at(s_));
    const bool stays = crossed_ && abs(T(reached - from.t)) <= T(1e-9) * abs(T(next - from.t));
    at_one_place_ = stays ? at_one_place_ + 1 : 0;
    if (at_one_place_ > 4 * switches_->count() + 16)
      throw Error(ErrorKind::run_failed,
                  "the torque drives the motion back from both sides of a switch, where no smooth motion goes on");
  }

  std::uint64_t all() const {
    return switches_->count() == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << switches_->count()) - 1;
  }
  void work_on(const SwitchSides& sides) {
    sides_ = sides;
    field_ = switches_->decided(sides);
  }
  // Where a g is zero, its rate decides. A side may depend on others: as often as there are of them.
  void decide(const T& target) {
    if (sides_.decided == all()) return;
    SwitchSides sides = sides_;
    for (std::size_t round = 0; round < switches_->count() && sides.decided != all(); ++round) {
      std::vector<Series<T, 1>> g;
      switches_->look(switches_->decided(sides), body_, s_, g);
      for (std::size_t i = 0; i < g.size(); ++i) {
        if (sides.is_decided(i)) continue;
        const T inclination = g[i].c[0] != T(0) ? g[i].c[0] : T(g[i].c[1] * (target - s_.t));
        if (inclination != T(0)) sides.set(i, inclination > T(0));
      }
    }
    work_on(sides);
  }

  Body<T> body_;
  Pieces<T> pieces_;
  State<T> s_;
  std::size_t piece_ = 0;
  FieldSum<T> field_;  // smooth: of this piece, with the switches decided
  std::optional<Switches<T>> switches_;
  SwitchSides sides_;
  bool crossed_ = false;          // a switch, in the last step
  std::size_t at_one_place_ = 0;  // crossings one after the other that did not move the body
  double turned_ = 0;
};

namespace detail {

template <class T>
T internal_time(const Prepared<T>& prepared, const T& seconds) {
  using std::ldexp;
  return ldexp(seconds, -prepared.units.time_exponent);
}

// Undoes Prepared::in_user_units.
template <class T>
State<T> in_internal_units(const Prepared<T>& prepared, const State<T>& s) {
  using std::ldexp;
  const Rotation<T>& R_UB = prepared.body.principal_axes;
  const int e = -prepared.units.momentum_exponent();
  const Vec3<T> pi_B = inverse(R_UB) * s.pi_B;
  return {s.R_SB * R_UB, {ldexp(pi_B.x, e), ldexp(pi_B.y, e), ldexp(pi_B.z, e)}, internal_time(prepared, s.t)};
}

template <std::size_t N, class T>
State<T> propagate(const Prepared<T>& prepared, const State<T>& from, const T& t) {
  if (!isfinite(t)) throw std::invalid_argument("a motion has no state at a time that is not finite");
  TaylorMotion<N, T> motion(prepared, from);
  motion.advance_to(internal_time(prepared, t));
  return prepared.in_user_units(motion.state());
}

}  // namespace detail
}  // namespace polhode
