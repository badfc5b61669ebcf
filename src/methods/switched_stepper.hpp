// Any method in a field with switches that the motion decides: started again wherever one of them does.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "model/switches.hpp"
#include "polhode/methods/registry.hpp"

namespace polhode {

// A step is made in the field as it is at its beginning, smooth because every switch is decided. If a function g of a
// switch has another sign at its end, the length of the step that ends there is found by trial steps from the same state,
// and the method goes on from there in the other field; thus each method keeps its order. A function that comes back within
// the step is found by the cubic through its values and rates at both ends, and confirmed by a trial step; of one that
// depends on time alone, none is missed.
//
// Where g is zero at the beginning, its rate decides, and where that is zero too, the torque is taken as it is written,
// until g has a sign. A motion that cannot leave a switch (the torque drives it back from both sides) has no
// solution of this kind: a step of more parts than a thousand has not converged.
template <class T>
class SwitchedStepper final : public Stepper<T> {
 public:
  using Maker = std::function<std::unique_ptr<Stepper<T>>(const FieldSum<T>&)>;

  SwitchedStepper(Maker make, const Body<T>& body, const FieldSum<T>& field)
      : make_(std::move(make)),
        body_(body),
        switches_(std::make_shared<const Switches<T>>(field)),
        field_(switches_->decided({})),
        base_(make_(field_)) {}
  SwitchedStepper(const SwitchedStepper& other)
      : Stepper<T>(other),
        make_(other.make_),
        body_(other.body_),
        tolerance_(other.tolerance_),
        switches_(other.switches_),
        sides_(other.sides_),
        field_(other.field_),
        before_(other.before_),
        base_(other.base_->clone()) {}

  void set_tolerance(const T& tolerance) override { tolerance_ = tolerance; }

  void start(const State<T>& s, const T& h) override {
    if (!(sides_ == SwitchSides{})) work_on({});
    decide_at(s, h);
    before_ = {};
    base_->start(s, h);
    show();
  }

  void step(const T& h) override {
    base_->state.t = this->state.t;
    const T smallest = T(4) * T(epsilon<T>()) * (T(abs(base_->state.t)) + T(abs(h)));
    T rest = h;
    int parts = 0;  // before the last
    lengths_.clear();
    for (;;) {
      const State<T> from = base_->state;
      if (sides_.decided != all() && decide_at(from, h)) restart(from, rest);
      look(from, before_step_);
      T length = switches_->clear_length(from.t, rest);
      const bool goes_on = length != rest;
      if (goes_on) restart(from, length);
      base_->step(length);
      const bool crosses = find_crossing(from, length, smallest);
      if (!crosses && !goes_on) break;
      if (crosses) cross_over();
      lengths_.push_back(length);
      rest = rest - length;
      if (abs(rest) <= smallest && !varies(rest)) break;
      restart(State<T>(base_->state), rest);
      if (++parts > most_parts) {
        base_->step(rest);
        fail(rest / h);
        break;
      }
    }
    if (abs(rest) > smallest) lengths_.push_back(rest);
    if (rest != h) restart(State<T>(base_->state), h);
    show();
  }

  // Where a switch divides a step is known when it has been made.
  void parts(const T& h, std::vector<T>& lengths) const override {
    SwitchedStepper trial(*this);
    trial.step(h);
    lengths = trial.lengths_;
  }
  void step_into(const T& h, std::size_t part, const T& way, bool anew) override {
    std::vector<T> lengths;
    if (part > 0) parts(h, lengths);
    T whole = way;
    for (std::size_t i = 0; i < part; ++i) whole = whole + lengths[i];
    Stepper<T>::step_into(h, 0, whole, anew);
  }
  MotionRates<T> rates() const override { return base_->rates(); }

  void reverse() override { base_->reverse(); }
  void turn(const Rotation<T>& C) override {
    base_->turn(C);
    show();
  }
  Vec3<T> momentum_S() const override { return base_->momentum_S(); }
  std::unique_ptr<Stepper<T>> clone() const override { return std::make_unique<SwitchedStepper>(*this); }
  void copy_from(const Stepper<T>& other) override {
    const auto& from = static_cast<const SwitchedStepper&>(other);
    this->state = from.state;
    this->work = from.work;
    before_ = from.before_;
    // Steppers on different sides differ in their field.
    if (sides_ == from.sides_) {
      base_->copy_from(*from.base_);
    } else {
      sides_ = from.sides_;
      field_ = from.field_;
      base_ = from.base_->clone();
    }
  }
  void transfer(Archive& archive) override {
    Stepper<T>::transfer(archive);
    archive(sides_, before_);
    if (archive.loads()) work_on(sides_);
    base_->transfer(archive);
  }

 private:
  static constexpr int most_parts = 1000;
  using Values = std::vector<Series<T, 1>>;

  std::uint64_t all() const {
    return switches_->count() == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << switches_->count()) - 1;
  }
  void look(const State<T>& s, Values& g) const { switches_->look(field_, body_, s, g); }

  void work_on(const SwitchSides& sides) {
    sides_ = sides;
    field_ = switches_->decided(sides);
    base_ = make_(field_);
    base_->set_tolerance(tolerance_);
  }
  // Sides for the switches that have none yet. True if there were any.
  bool decide_at(const State<T>& s, const T& h) {
    SwitchSides sides = sides_;
    // Functions may depend on each other's sides: as often as there are of them.
    for (std::size_t round = 0; round < switches_->count() && sides.decided != all(); ++round) {
      Values g;
      switches_->look(switches_->decided(sides), body_, s, g);
      for (std::size_t i = 0; i < g.size(); ++i) {
        if (sides.is_decided(i)) continue;
        const T inclination = g[i].c[0] != T(0) ? g[i].c[0] : T(g[i].c[1] * h);
        if (inclination != T(0)) sides.set(i, inclination > T(0));
      }
    }
    if (sides == sides_) return false;
    const Work so_far = total();
    work_on(sides);
    before_ = so_far;
    return true;
  }
  void restart(const State<T>& s, const T& h) {
    before_ = total();
    base_->start(s, h);
  }
  // From `from` by one step of its own, for trials and for good.
  void try_step(const State<T>& from, const T& length) {
    restart(from, length);
    base_->step(length);
    look(base_->state, after_step_);
  }
  bool is_across(std::size_t i) const { return sides_.is_decided(i) && T(sides_.sign(i)) * after_step_[i].c[0] < T(0); }

  // Whether a switch decides within a step that was made from `from`. If so, the state becomes that just behind the first
  // to do it, and length that of the step to there.
  bool find_crossing(const State<T>& from, T& length, const T& smallest) {
    look(base_->state, after_step_);
    bool found = false;
    for (std::size_t i = 0; i < after_step_.size() && !found; ++i) found = is_across(i);
    for (std::size_t i = 0; i < after_step_.size() && !found; ++i) {
      const T turned = turning_point(i, length);
      if (turned == T(0)) continue;
      const auto whole = base_->clone();
      const Values at_end = after_step_;
      const Work spent = before_;
      try_step(from, turned);
      if (is_across(i)) {
        length = turned;
        found = true;
      } else {
        const Work tried = total();
        base_->copy_from(*whole);
        before_ = spent;
        add_counts(before_, tried, spent + base_->work);
        after_step_ = at_end;
      }
    }
    if (!found) return false;
    for (std::size_t i = 0; i < after_step_.size(); ++i)
      if (is_across(i)) shorten(from, i, length, smallest);
    return true;
  }

  // Where in a step the function of a switch that has one sign at both ends may have the other: the extremum of the cubic
  // through both, if it comes near zero; else 0.
  T turning_point(std::size_t i, const T& h) const {
    if (!sides_.is_decided(i)) return T(0);
    const T sign = T(sides_.sign(i));
    const T a = sign * before_step_[i].c[0], b = sign * after_step_[i].c[0];
    const T slope = sign * h * before_step_[i].c[1], end_slope = sign * h * after_step_[i].c[1];
    // p = a + slope u + c u^2 + d u^3 on [0, 1]
    const T c = T(3) * (b - a) - T(2) * slope - end_slope, d = slope + end_slope - T(2) * (b - a);
    // Of p' = slope + 2 c u + 3 d u^2 the root at which p'' is positive, written without cancellation.
    const T discriminant = c * c - T(3) * d * slope;
    if (!(discriminant > T(0))) return T(0);
    const T root = sqrt(discriminant), u = c > T(0) ? T(-slope / (c + root)) : T((root - c) / (T(3) * d));
    if (!(u > T(0) && u < T(1))) return T(0);
    const T lowest = a + u * (slope + u * (c + u * d));
    return lowest < T(0.1) * min(a, b) ? T(u * h) : T(0);
  }

  // The step by `length` takes switch i across: a shorter one, that just does. Regula falsi with halved weights (Illinois),
  // and bisection where that is slow.
  void shorten(const State<T>& from, std::size_t i, T& length, const T& smallest) {
    const T sign = T(sides_.sign(i));
    T low(0), high = length, at_low = sign * before_step_[i].c[0], at_high = sign * after_step_[i].c[0];
    T width = abs(high);
    int last = 0;
    for (int trial = 0; abs(high - low) > smallest && trial < 200; ++trial) {
      T middle = (low * at_high - high * at_low) / (at_high - at_low);
      // A little beyond, on the side that is still far: so the other end of the bracket comes near as well.
      const T beyond = copysign(T(0.5) * smallest, length);
      middle = last > 0 ? T(middle + beyond) : T(middle - beyond);
      const bool inside = abs(middle - low) < abs(high - low) && abs(high - middle) < abs(high - low);
      if (!inside || (trial % 3 == 2 && abs(high - low) > T(0.5) * width)) middle = (low + high) / T(2);
      if (trial % 3 == 2) width = abs(high - low);
      middle = T(plain(middle));
      try_step(from, middle);
      const T value = sign * after_step_[i].c[0];
      if (value < T(0)) {
        high = middle;
        at_high = value;
        if (last == -1) at_low = at_low / T(2);
        last = -1;
      } else {
        low = middle;
        at_low = value;
        if (last == 1) at_high = at_high / T(2);
        last = 1;
      }
    }
    length = T(plain(high));
    try_step(from, length);
    if constexpr (derivatives_of<T> != 0) follow(from, i, length);
  }

  // The derivatives of a step that ends on a switch: its length changes so that g does not. The rate is that of the exact
  // motion, the step has its own; the difference is gone after a few rounds.
  void follow(const State<T>& from, std::size_t i, T& length) {
    for (int round = 0; round < 6; ++round) {
      const T g = after_step_[i].c[0];
      length = length - (g - T(plain(g))) / T(plain(after_step_[i].c[1]));
      try_step(from, length);
    }
  }

  void cross_over() {
    SwitchSides sides = sides_;
    for (std::size_t i = 0; i < after_step_.size(); ++i)
      if (is_across(i)) sides.set(i, sides.sign(i) < 0);
    const Work so_far = total();
    const State<T> s = base_->state;
    work_on(sides);
    before_ = so_far;
    base_->state = s;
  }
  // With this share of the step ahead.
  void fail(const T& share) {
    before_ = total();
    base_->work = {};
    before_.converged = false;
    before_.share_reached = static_cast<double>(T(T(1) - share));
  }

  // Of the methods before this one, and of this one.
  Work total() const { return before_ + base_->work; }
  void show() {
    this->state = base_->state;
    this->work = total();
  }

  Maker make_;
  Body<T> body_;
  T tolerance_{};
  std::shared_ptr<const Switches<T>> switches_;
  SwitchSides sides_;
  FieldSum<T> field_;
  Work before_;
  std::unique_ptr<Stepper<T>> base_;
  Values before_step_, after_step_;  // of the functions
  std::vector<T> lengths_;           // of the parts of the last step
};

}  // namespace polhode
