// Steppers around a stepper: what suffixes make of a method.
#pragma once

#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "polhode/methods/energy_projection.hpp"
#include "polhode/methods/registry.hpp"

namespace polhode {

// What both kinds of suffix share: a base stepper whose state they show.
template <class T>
class WrappedStepper : public Stepper<T> {
 public:
  explicit WrappedStepper(std::unique_ptr<Stepper<T>> base) : base_(std::move(base)) {}
  WrappedStepper(const WrappedStepper& other) : Stepper<T>(other), base_(other.base_->clone()) {}

  void set_tolerance(const T& tolerance) override { base_->set_tolerance(tolerance); }
  void start(const State<T>& s, const T& h) override {
    base_->start(s, h);
    show();
  }
  void reverse() override { base_->reverse(); }
  void turn(const Rotation<T>& C) override {
    base_->turn(C);
    show();
  }
  Vec3<T> momentum_S() const override { return base_->momentum_S(); }
  MotionRates<T> rates() const override { return base_->rates(); }
  void copy_from(const Stepper<T>& other) override {
    this->state = other.state;
    this->work = other.work;
    base_->copy_from(*static_cast<const WrappedStepper&>(other).base_);
  }
  void transfer(Archive& archive) override {
    Stepper<T>::transfer(archive);
    base_->transfer(archive);
  }

 protected:
  void show() {
    this->state = base_->state;
    this->work = base_->work;
  }
  std::unique_ptr<Stepper<T>> base_;
};

template <class T>
class ComposedStepper final : public WrappedStepper<T> {
 public:
  ComposedStepper(std::unique_ptr<Stepper<T>> base, std::vector<T> fractions)
      : WrappedStepper<T>(std::move(base)), fractions_(std::move(fractions)) {}

  void step(const T& h) override {
    this->base_->state.t = this->state.t;
    for (const T& fraction : fractions_) this->base_->step(T(fraction * h));
    this->show();
  }
  std::unique_ptr<Stepper<T>> clone() const override { return std::make_unique<ComposedStepper>(*this); }

 private:
  std::vector<T> fractions_;
};

// Energy projection after every k-th step. In a conservative field the energy is the one at the start. Otherwise the
// kinetic energy is balanced with the work of the torque: the method's own series of it, or the trapezoidal rule
// E_1 = E_0 + h/2 (w_0 . t_0 + w_1 . t_1).
template <class T>
class EnergyStepper final : public WrappedStepper<T> {
 public:
  EnergyStepper(std::unique_ptr<Stepper<T>> base, System<T, FieldSum<T>> system, int every)
      : WrappedStepper<T>(std::move(base)), system_(std::move(system)), every_(every) {
    const Body<T>& body = system_.body;
    if (body.carries_wheels && !(conservative_ && body.wheels.rate == Vec3<T>{}))
      throw MethodError(
          "the energy of this body cannot be restored: it has wheels inside, and motors or a torque without potential "
          "change its energy; take the method without that suffix");
  }

  void start(const State<T>& s, const T& h) override {
    WrappedStepper<T>::start(s, h);
    energy_ = balanced_energy(s);
    steps_ = 0;
  }

  void step(const T& h) override { advance(h, T(0)); }
  // What a correction makes up for of the steps before this one comes little by little: else the motion within a step
  // would begin with a jump.
  void step_into(const T& h, std::size_t, const T& way, bool anew) override {
    if (way == T(0)) return;
    if (anew) start(State<T>(this->state), way);
    const T owed = energy_ - balanced_energy(this->state);
    advance(way, T((T(1) - way / h) * owed));
  }
  std::unique_ptr<Stepper<T>> clone() const override { return std::make_unique<EnergyStepper>(*this); }
  void copy_from(const Stepper<T>& other) override {
    WrappedStepper<T>::copy_from(other);
    energy_ = static_cast<const EnergyStepper&>(other).energy_;
    steps_ = static_cast<const EnergyStepper&>(other).steps_;
  }
  void transfer(Archive& archive) override {
    WrappedStepper<T>::transfer(archive);
    archive(energy_, steps_);
  }

 private:
  T balanced_energy(const State<T>& s) const {
    const T kinetic = system_.body.kinetic_energy(s.pi_B, s.t);
    return conservative_ ? T(kinetic + system_.field.potential(s.R_SB)) : kinetic;
  }

  // Corrections go to the energy that is due, or to one that is lower by `less`.
  void advance(const T& h, const T& less) {
    Stepper<T>& base = *this->base_;
    base.state.t = this->state.t;
    const T power_before = conservative_ ? T(0) : power(base.state);
    base.step(h);
    const Vec3<T> w_B = system_.body.velocity(base.state.pi_B, base.state.t);
    if (!conservative_) {
      const std::optional<T> work_done = base.work_of_last_step();
      energy_ = energy_ + (work_done ? *work_done : T(T(0.5) * h * (power_before + power(base.state))));
    }
    if (++steps_ % every_ == 0) base.turn(correction(T(energy_ - less), T(abs(h)) * norm(w_B)));
    this->show();
  }

  T power(const State<T>& s) {
    return dot(torque_body(system_, s.R_SB, s.pi_B, s.t, this->base_->work), system_.body.velocity(s.pi_B, s.t));
  }

  Rotation<T> correction(const T& energy, const T& largest_turn) {
    Stepper<T>& base = *this->base_;
    if (conservative_ && (!system_.field.empty() || system_.body.carries_wheels))
      return project_total_energy(system_, base.state, energy, largest_turn, base.work);
    return project_energy(system_.body, base.state.pi_B, energy, largest_turn, base.work);
  }

  System<T, FieldSum<T>> system_;
  int every_;
  bool conservative_ = system_.field.conserves_energy();
  T energy_{};
  long long steps_ = 0;
};

}  // namespace polhode
