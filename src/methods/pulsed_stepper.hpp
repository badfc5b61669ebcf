// Any method in a field that is not smooth everywhere: started again wherever a pulse begins or ends, and where two
// polynomials of a table meet.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "model/cuts.hpp"
#include "model/switches.hpp"
#include "polhode/methods/registry.hpp"

namespace polhode {

// A method that is started again at every cut. A step that goes past one is divided there; the method is started for
// each part, so that one that needs equal steps is never given two different ones.
template <class T>
class PulsedStepper final : public Stepper<T> {
 public:
  using Maker = std::function<std::unique_ptr<Stepper<T>>(const FieldSum<T>&)>;

  PulsedStepper(Maker make, const FieldSum<T>& field)
      : make_(std::move(make)),
        has_switches_(switch_count(field) > 0),
        pieces_(std::make_shared<const Pieces<T>>(field)),
        base_(make_(pieces_->field(0))) {}
  PulsedStepper(const PulsedStepper& other)
      : Stepper<T>(other),
        make_(other.make_),
        has_switches_(other.has_switches_),
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
      if (goes_back_first(at_, base_->state.t, h, near)) enter(at_ - 1, rest);
      const NextCut next = next_cut(at_, base_->state.t, rest, near, h > T(0));
      if (next.passes) {
        divided = true;
        restart(next.way);
      }
      base_->step(next.passes ? next.way : rest);
      if (next.arrives && h > T(0)) enter(at_ + 1, next.passes ? T(rest - next.way) : h);
      if (!next.passes) break;
      rest = rest - next.way;
    }
    if (divided) restart(h);
    show();
  }

  // Between two cuts switches may divide the step further (switched_stepper.hpp).
  void parts(const T& h, std::vector<T>& lengths) const override {
    between_cuts(h, lengths);
    if (!has_switches_) return;
    std::vector<T> all;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
      const std::vector<T> inner = parts_of_piece(h, i);
      all.insert(all.end(), inner.begin(), inner.end());
    }
    lengths = std::move(all);
  }
  void step_into(const T& h, std::size_t part, const T& way, bool anew) override {
    std::size_t piece = has_switches_ ? 0 : part, inner = 0;
    if (has_switches_) {
      for (inner = part;; ++piece) {
        const std::size_t count = parts_of_piece(h, piece).size();
        if (inner < count) break;
        inner -= count;
      }
    }
    const PartOfStep here = go_to(h, piece);
    base_->step_into(here.length, inner, way, anew || here.divided);
    show();
  }
  MotionRates<T> rates() const override { return base_->rates(); }

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

  // At a cut the state is that after it; backwards, one has to go before it first.
  bool goes_back_first(std::size_t at, const T& t, const T& h, const T& near) const {
    return h < T(0) && at > 0 && abs(t - pieces_->begin(at)) <= near;
  }
  // On the rest of a step from a time in one of the pieces.
  struct NextCut {
    T way;         // to it
    bool passes;   // it lies within the rest,
    bool arrives;  // or at its end
  };
  NextCut next_cut(std::size_t at, const T& t, const T& rest, const T& near, bool forwards) const {
    if (forwards ? at + 1 == pieces_->size() : at == 0) return {rest, false, false};
    const T way = pieces_->begin(forwards ? at + 1 : at) - t;
    const bool arrives = abs(way) <= abs(rest) + near;
    return {way, abs(way) < abs(rest) - near || (arrives && varies(way)), arrives};
  }

  // The lengths of a step's parts from cut to cut.
  void between_cuts(const T& h, std::vector<T>& lengths) const {
    const T near = nearness(this->state.t, h);
    std::size_t at = at_;
    T rest = h, t = this->state.t;
    lengths.clear();
    for (;;) {
      if (goes_back_first(at, t, h, near)) --at;
      const NextCut next = next_cut(at, t, rest, near, h > T(0));
      lengths.push_back(next.passes ? next.way : rest);
      if (!next.passes) return;
      t = t + next.way;
      rest = rest - next.way;
      if (h > T(0)) ++at;
    }
  }
  // Takes the parts of a step that come before one of them.
  struct PartOfStep {
    T length;
    bool divided;  // the step, by a cut
  };
  PartOfStep go_to(const T& h, std::size_t part) {
    base_->state.t = this->state.t;
    const T near = nearness(this->state.t, h);
    T rest = h;
    const bool begins_later = part > 0;
    for (; part > 0; --part) {
      if (goes_back_first(at_, base_->state.t, h, near)) enter(at_ - 1, rest);
      const NextCut next = next_cut(at_, base_->state.t, rest, near, h > T(0));
      restart(next.way);
      base_->step(next.way);
      rest = rest - next.way;
      if (h > T(0)) enter(at_ + 1, rest);
    }
    if (goes_back_first(at_, base_->state.t, h, near)) enter(at_ - 1, rest);
    const NextCut next = next_cut(at_, base_->state.t, rest, near, h > T(0));
    return {next.passes ? next.way : rest, begins_later || next.passes};
  }
  // How switches divide the part of a step between two cuts.
  std::vector<T> parts_of_piece(const T& h, std::size_t piece) const {
    PulsedStepper trial(*this);
    const PartOfStep here = trial.go_to(h, piece);
    if (here.divided) trial.restart(here.length);
    std::vector<T> lengths;
    trial.base_->parts(here.length, lengths);
    return lengths;
  }

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
  bool has_switches_;
  T tolerance_{};
  std::shared_ptr<const Pieces<T>> pieces_;
  std::size_t at_ = 0;
  Work before_;
  std::unique_ptr<Stepper<T>> base_;
};

}  // namespace polhode
