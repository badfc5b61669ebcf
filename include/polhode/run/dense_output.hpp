// The motion within the last step of a run, at the order of its method.
//
//   DenseOutput<double> dense(method, field, stepper);
//   drive(stepper, times, dense, ...);        // an observer: it remembers where the step began
//   dense.at(t);                              // anywhere within the step just taken, in the units of the stepper
//
// A method whose step is a polynomial keeps it (Stepper::keep_steps). Others go the way once more from where the step
// began, by one shorter step. A method that needs equal steps is interpolated: Hermite's polynomial through both ends of
// the step and through some points between them, each reached by a start and one shorter step of the method, with
// derivatives from the equations of motion. All of these pass through the ends of the step.
//
// A step that a pulse divides has several stretches. Within each the motion is smooth; the momentum may jump between two.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "polhode/core/hermite.hpp"
#include "polhode/methods/halving.hpp"
#include "polhode/run/drive.hpp"

namespace polhode {

template <class T>
class DenseOutput : public Observer<T> {
 public:
  struct Stretch {
    T begin, end;  // times, in the direction of the run
  };

  // Of a stepper that has been started and must outlive this. Where steps may be halved or are to be stored, they are
  // not kept as polynomials.
  DenseOutput(const MethodSpec& method, const FieldSum<T>& field, Stepper<T>& stepper, bool may_keep = true)
      : stepper_(stepper),
        claims_(method.claims),
        order_(highest(orders_of(method.claims, field.empty()))),
        keeps_(may_keep && stepper.keep_steps()),
        before_(stepper.clone()),
        part_(stepper.clone()),
        begin_{stepper.state, stepper.momentum_S()},
        lengths_{T(0)},
        begins_{stepper.state.t} {}

  bool before_step(const Stepper<T>& stepper, const T& h) {
    begin_.state = stepper.state;
    if (!keeps_) {
      before_->copy_from(stepper);
      begin_.momentum_S = stepper.momentum_S();
    }
    h_ = h;
    looked_ = false;
    return true;
  }

  const State<T>& begin() const { return begin_.state; }
  const State<T>& end() const { return stepper_.state; }
  bool covers(const T& t) const {
    const T &from = begin().t, &to = end().t;
    return (from <= t && t <= to) || (to <= t && t <= from);
  }
  // Takes the stepper back to where the step began, which then has no inside any more. For steps that were not kept.
  void undo_step() {
    stepper_.copy_from(*before_);
    h_ = T(0);
    looked_ = false;
  }

  std::size_t stretches() {
    look();
    return lengths_.size();
  }
  Stretch stretch(std::size_t i) {
    look();
    return {begins_[i], i + 1 < begins_.size() ? begins_[i + 1] : end().t};
  }

  // At the time of a blow: after it.
  State<T> at(const T& t) { return passed(t).state; }
  // At an end of a stretch: before the blow that ends it, or after the one that begins it.
  State<T> at(const T& t, std::size_t stretch) { return passed(t, stretch).state; }

  // The same, with the momentum in space as the method carries it.
  PassedState<T> passed(const T& t) {
    asked_ = &stepper_;
    if (t == end().t) return {end(), stepper_.momentum_S()};
    if (keeps_) return kept(T(t - begin().t), t);
    asked_ = before_.get();
    if (t == begin().t) return begin_;
    look();
    const bool forwards = h_ > T(0);
    std::size_t i = 0;
    // The step's own times are sums, and off by rounding from that of the blow.
    const T near = T(1e-9) * T(abs(h_)) + T(8) * T(epsilon<T>()) * T(abs(t));
    while (i + 1 < begins_.size() && (forwards ? t >= begins_[i + 1] - near : t < begins_[i + 1] - near)) ++i;
    return passed(t, i);
  }
  PassedState<T> passed(const T& t, std::size_t stretch) {
    look();
    return after(way_into(t, stretch), stretch, t);
  }
  // After a share of a stretch, from 0 to 1. Where times are large this is smoother than a time, which is rounded.
  PassedState<T> after_share(const T& share, std::size_t stretch) {
    look();
    const T way = share * lengths_[stretch];
    return after(way, stretch, T(begins_[stretch] + way));
  }

  // The stepper that stands where passed() was asked last, unless that was found from a polynomial.
  Stepper<T>& asked() { return *asked_; }

  // The highest of the orders that the method has here; exact_order of one without error but rounding.
  int order() const { return order_; }

  void transfer(Archive& archive) {
    before_->transfer(archive);
    archive(begin_, h_);
    looked_ = false;
  }

 private:
  static constexpr std::size_t components = 7;  // quaternion and spatial momentum
  using Values = typename HermitePolynomial<T, components>::Values;

  static int highest(const Orders& orders) { return std::max(orders.attitude, orders.momentum); }
  bool interpolates() const { return !claims_.variable_steps && order_ != exact_order; }

  // Once for each step that someone asks about.
  void look() {
    if (looked_) return;
    looked_ = true;
    fitted_ = false;
    if (keeps_) {
      lengths_.assign(1, h_);
    } else {
      before_->parts(h_, lengths_);
    }
    begins_.assign(1, begin().t);
    for (std::size_t i = 0; i + 1 < lengths_.size(); ++i) begins_.push_back(begins_.back() + lengths_[i]);
  }

  PassedState<T> after(const T& way, std::size_t stretch, const T& t) {
    if (keeps_) return kept(way, t);
    PassedState<T> found = interpolates() && lengths_.size() == 1 ? interpolated(way) : stepped(way, stretch, t);
    found.state.t = t;
    return found;
  }

  PassedState<T> kept(const T& way, const T& t) const {
    if (way == T(0)) return {begin(), spatial_momentum(begin())};
    PassedState<T> found = stepper_.within(way);
    found.state.t = t;
    return found;
  }

  T way_into(const T& t, std::size_t i) {
    if (t == stretch(i).end) return lengths_[i];
    const T way = t - begins_[i];
    const bool forwards = h_ > T(0);
    if (forwards ? way < T(0) : way > T(0)) return T(0);
    return abs(way) > abs(lengths_[i]) ? lengths_[i] : way;
  }

  PassedState<T> stepped(const T& way, std::size_t i, const T& t) {
    asked_ = part_.get();
    part_->copy_from(*before_);
    part_->step_into(h_, i, way, !claims_.variable_steps);
    if (failed(*part_) && claims_.variable_steps) {
      part_->copy_from(*before_);
      Halving<T> halving(*part_);
      halving.remember();
      const T whole = t - begin().t;
      part_->step(whole);
      if (failed(*part_)) halving.retry(whole);
    }
    return {part_->state, part_->momentum_S()};
  }

  PassedState<T> interpolated(const T& way) {
    if (!fitted_) fit();
    const Values at = polynomial_.at(T(way / h_));
    const Rotation<T> R_SB = first_SB_ * normalised(Rotation<T>{at[0], {at[1], at[2], at[3]}});
    const Vec3<T> l_S{at[4], at[5], at[6]};
    return {{R_SB, inverse(R_SB) * l_S, T(0)}, l_S};
  }

  // The error of 2 n values and derivatives goes like h^(2 n), that of the points like that of a step.
  void fit() {
    fitted_ = true;
    polynomial_.clear();
    const int between = std::max(1, (order_ - 2) / 2);
    for (int k = 0; k <= between + 1; ++k) {
      const bool inside = k > 0 && k <= between;
      constexpr double pi = 3.14159265358979323846;
      const T share = inside ? T(0.5 - 0.5 * std::cos(pi * k / (between + 1))) : T(k == 0 ? 0 : 1);
      part_->copy_from(*before_);
      part_->step_into(h_, 0, inside ? T(share * h_) : k == 0 ? T(0) : h_, inside);
      if (k == 0) {
        first_SB_ = part_->state.R_SB;
        last_ = {};
      }
      add_point(share);
    }
    polynomial_.finish();
  }
  void add_point(const T& share) {
    Rotation<T> q = inverse(first_SB_) * part_->state.R_SB;
    const Vec3<T> l_S = part_->momentum_S();
    const MotionRates<T> rates = part_->rates();
    if (q.w * last_.w + dot(q.v, last_.v) < T(0)) q = {-q.w, -q.v};  // of the two that are one rotation, the nearer
    last_ = q;
    const Rotation<T> q_rate = inlined::rate(q, Vec3<T>(T(T(0.5) * h_) * rates.w_B));
    const Vec3<T> impulse_S = h_ * rates.torque_S;
    polynomial_.add(share, {q.w, q.v.x, q.v.y, q.v.z, l_S.x, l_S.y, l_S.z},
                    {q_rate.w, q_rate.v.x, q_rate.v.y, q_rate.v.z, impulse_S.x, impulse_S.y, impulse_S.z});
  }

  Stepper<T>& stepper_;
  Stepper<T>* asked_ = &stepper_;
  Claims claims_;
  int order_;
  bool keeps_;
  std::unique_ptr<Stepper<T>> before_, part_;
  PassedState<T> begin_;
  T h_{};
  bool looked_ = false, fitted_ = false;
  std::vector<T> lengths_, begins_;  // of the stretches
  Rotation<T> first_SB_{}, last_{};
  HermitePolynomial<T, components> polynomial_;
};

}  // namespace polhode
