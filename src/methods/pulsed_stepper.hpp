// Any method in a field that is not smooth everywhere: started again wherever a pulse begins or ends, and where two
// polynomials of a table meet.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

#include "model/cuts.hpp"
#include "polhode/methods/registry.hpp"

namespace polhode {

// A method that is started again at every cut. A step that goes past one is divided there; the method is started for
// each part, so that one that needs equal steps is never given two different ones.
template <class T>
class PulsedStepper final : public Stepper<T> {
 public:
  using Maker = std::function<std::unique_ptr<Stepper<T>>(const FieldSum<T>&)>;

  PulsedStepper(Maker make, const FieldSum<T>& field)
      : make_(std::move(make)), pieces_(std::make_shared<const Pieces<T>>(field)), base_(make_(pieces_->field(0))) {}
  PulsedStepper(const PulsedStepper& other)
      : Stepper<T>(other),
        make_(other.make_),
        tolerance_(other.tolerance_),
        pieces_(other.pieces_),
        at_(other.at_),
        before_(other.before_),
        base_(other.base_->clone()) {}

  void set_tolerance(const T& tolerance) override { tolerance_ = tolerance; }

  void start(const State<T>& s, const T& h) override {
    const std::size_t piece = pieces_->at(s.t + nearness(s.t, h));
    before_ = {};
    work_in(piece);
    base_->start(s, h);
    show();
  }

  void step(const T& h) override {
    base_->state.t = this->state.t;
    const T near = nearness(this->state.t, h);
    T rest = h;
    bool divided = false;
    for (;;) {
      // At a cut the state is that after it; backwards, one has to go before it first.
      if (h < T(0) && at_ > 0 && abs(base_->state.t - pieces_->begin(at_)) <= near) enter(at_ - 1, rest);
      const bool has_cut = h > T(0) ? at_ + 1 < pieces_->size() : at_ > 0;
      const T to_cut = has_cut ? T(pieces_->begin(h > T(0) ? at_ + 1 : at_) - base_->state.t) : rest;
      const bool passes = has_cut && abs(to_cut) < abs(rest) - near;
      const bool arrives = has_cut && abs(to_cut) <= abs(rest) + near;
      if (passes) {
        divided = true;
        restart(to_cut);
      }
      base_->step(passes ? to_cut : rest);
      if (arrives && h > T(0)) enter(at_ + 1, passes ? T(rest - to_cut) : h);
      if (!passes) break;
      rest = rest - to_cut;
    }
    if (divided) restart(h);
    show();
  }

  void reverse() override { base_->reverse(); }
  void turn(const Rotation<T>& C) override {
    base_->turn(C);
    show();
  }
  Vec3<T> momentum_S() const override { return base_->momentum_S(); }
  std::unique_ptr<Stepper<T>> clone() const override { return std::make_unique<PulsedStepper>(*this); }
  void copy_from(const Stepper<T>& other) override {
    const auto& from = static_cast<const PulsedStepper&>(other);
    this->state = from.state;
    this->work = from.work;
    before_ = from.before_;
    // Steppers of different pieces differ in their field.
    if (at_ == from.at_) {
      base_->copy_from(*from.base_);
    } else {
      at_ = from.at_;
      base_ = from.base_->clone();
    }
  }
  void transfer(Archive& archive) override {
    Stepper<T>::transfer(archive);
    archive(at_, before_);
    if (archive.loads() && at_ < pieces_->size()) work_in(at_);
    base_->transfer(archive);
  }

 private:
  // Times that a driver counts as t0 + n h are off by rounding; a part of a step as short as this is none.
  static T nearness(const T& t, const T& h) { return T(1e-9) * T(abs(h)) + T(8) * T(epsilon<T>()) * T(abs(t)); }

  // Takes the impulse between the two pieces, and begins in the other one with steps of about h.
  void enter(std::size_t piece, const T& h) {
    State<T> s = base_->state;
    const T sign(piece > at_ ? 1 : -1);
    s.pi_B += inverse(s.R_SB) * (sign * pieces_->impulse_S(std::max(piece, at_)));
    before_ = total();
    work_in(piece);
    base_->start(s, h);
  }
  void restart(const T& h) {
    before_ = total();
    base_->start(State<T>(base_->state), h);
  }
  void work_in(std::size_t piece) {
    at_ = piece;
    base_ = make_(pieces_->field(piece));
    base_->set_tolerance(tolerance_);
  }

  // Of the methods before this one, and of this one.
  Work total() const { return before_ + base_->work; }
  void show() {
    this->state = base_->state;
    this->work = total();
  }

  Maker make_;
  T tolerance_{};
  std::shared_ptr<const Pieces<T>> pieces_;
  std::size_t at_ = 0;
  Work before_;
  std::unique_ptr<Stepper<T>> base_;
};

}  // namespace polhode
