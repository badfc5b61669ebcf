#include "methods/adaptive_steps.hpp"

#include <limits>
#include <utility>

#include "methods/suffix_steppers.hpp"
#include "model/motion_inputs.hpp"
#include "polhode/core/evaluate_expression.hpp"
#include "polhode/core/quad.hpp"

namespace polhode {

namespace {

// Either of the first two rules reads the same from the other end: with the two z exchanged and the sign of the step
// changed it goes back the way it came, whatever G or Q is.
//
// Without a scale Q^4 = |w|^4 + |dw/dt|^2, and the first step is the one that is given. A step other than the one that was
// chosen (the last of a run, which is shortened; one taken in halves) is taken, and z begins anew behind it.
template <class T>
class AdaptiveStepper final : public WrappedStepper<T> {
 public:
  AdaptiveStepper(std::unique_ptr<Stepper<T>> base, System<T, FieldSum<T>> system, StepRule rule,
                  std::shared_ptr<const ExpressionProgram> scale)
      : WrappedStepper<T>(std::move(base)), system_(std::move(system)), rule_(rule), scale_(std::move(scale)) {}

  void start(const State<T>& s, const T& h) override {
    this->base_->start(s, h);
    choosing_ = {};
    at_ = {h, T(0), T(0), T(1), T(0)};
    if (!scale_) at_.first_rate = sqrt(sqrt(quartic_rate(s, torque(s))));
    begin_variable();
    show();
  }

  T own_step(const T&) const override { return at_.next > T(0) ? T(at_.step / at_.next) : at_.step; }

  void step(const T& h) override {
    const bool is_own = h == own_step(h);
    if (is_own && !(at_.next > T(0))) return fail(static_cast<double>(at_.next));
    if (is_own && has_shrunk(h)) return fail(std::numeric_limits<double>::infinity());
    Stepper<T>& base = *this->base_;
    base.state.t = this->state.t;
    base.step(h);
    if (base.work.converged && all_finite(base.state)) {
      if (is_own) {
        at_.last = std::exchange(at_.next, T(0));
        choose();
      } else {
        begin_variable();
      }
    }
    show();
  }
  // What comes after it is not asked for.
  void step_into(const T& h, std::size_t part, const T& way, bool anew) override {
    this->base_->state.t = this->state.t;
    this->base_->step_into(h, part, way, anew);
    show();
  }

  void reverse() override {
    WrappedStepper<T>::reverse();
    at_.step = -at_.step;
    if (rule_ != StepRule::at_beginning) std::swap(at_.last, at_.next);
  }
  void turn(const Rotation<T>& C) override {
    this->base_->turn(C);
    begin_variable();
    show();
  }
  std::unique_ptr<Stepper<T>> clone() const override { return std::make_unique<AdaptiveStepper>(*this); }
  void copy_from(const Stepper<T>& other) override {
    WrappedStepper<T>::copy_from(other);
    at_ = static_cast<const AdaptiveStepper&>(other).at_;
    choosing_ = static_cast<const AdaptiveStepper&>(other).choosing_;
  }
  void transfer(Archive& archive) override {
    WrappedStepper<T>::transfer(archive);
    archive(at_, choosing_);
  }

 private:
  struct Place {
    T step{};          // that is given, with the sign of the direction
    T last{}, next{};  // z_{n-1/2} and z_{n+1/2}
    T scale{1};        // of the user, where it is not positive or not finite: then there is no next
    T first_rate{};    // of the motion, at the start; 0 of a body at rest
  };

  // Where a scale goes to zero, so do the steps, and never arrive.
  bool has_shrunk(const T& h) const {
    const T size = abs(h);
    return size < T(1e-6) * T(abs(at_.step)) && size <= T(64) * T(epsilon<T>()) * T(abs(this->state.t));
  }
  void fail(double variable) {
    this->work.converged = false;
    this->work.step_variable = variable;
    this->work.step_scale = static_cast<double>(at_.scale);
  }
  void show() {
    WrappedStepper<T>::show();
    add_counts(this->work, choosing_);
  }

  // As if it had been there: half a step before and behind the state.
  void begin_variable() {
    at_.scale = T(1);
    const T middle = density();
    const T half = rule_ == StepRule::integrating ? T(T(0.5) * at_.step * growth()) : T(0);
    at_.last = middle - half;
    at_.next = middle + half;
    if (!good(at_.scale)) at_.next = T(0);
  }
  void choose() {
    switch (rule_) {
      case StepRule::integrating: at_.next = at_.last + at_.step * growth(); break;
      case StepRule::averaging: at_.next = T(2) * density() - at_.last; break;
      case StepRule::at_beginning: at_.next = density(); break;
    }
    if (!good(at_.scale)) at_.next = T(0);
  }

  // A body that begins at rest and without torque has no rate to compare others with: its steps are equal.
  bool is_even() const { return !scale_ && !(at_.first_rate > T(0)); }

  // Q, 1 at the start where no scale is given.
  T density() {
    const State<T>& s = this->base_->state;
    if (is_even()) return T(1);
    if (scale_) return T(1) / scale_at(s);
    return sqrt(sqrt(quartic_rate(s, torque(s)))) / at_.first_rate;
  }

  // G, by the difference of two states on a straight line along the motion, a sixteenth of a step before and behind this
  // one. A derivative would not be better: z is good to second order in the step. A shorter way would let rounding in.
  T growth() {
    if (is_even()) return T(0);
    const State<T>& s = this->base_->state;
    const Vec3<T> w_B = velocity(s), torque_B = torque(s);
    const T step = scale_ ? scale_at(s) : T(at_.first_rate / sqrt(sqrt(quartic_rate(s, torque_B))));
    const T way = T(0.0625) * T(abs(at_.step)) * step;
    const auto along = [&](const T& time) {
      return State<T>{normalised(s.R_SB * Rotation<T>{T(1), T(T(0.5) * time) * w_B}),
                      s.pi_B + time * (cross(s.pi_B, w_B) + torque_B), s.t + time};
    };
    const State<T> after = along(way), before = along(-way);
    if (scale_) {
      const T later = scale_at(after), sooner = scale_at(before);
      return (sooner - later) / (way * (later + sooner));
    }
    const T later = quartic_rate(after, torque(after)), sooner = quartic_rate(before, torque(before));
    return T(0.25) * (later - sooner) / (way * (later + sooner));
  }

  static bool good(const T& scale) { return scale > T(0) && isfinite(scale); }
  T scale_at(const State<T>& s) {
    const T scale = evaluate(*scale_, motion_inputs(system_.body, s).data());
    if (!good(scale)) at_.scale = scale;
    return scale;
  }

  Vec3<T> velocity(const State<T>& s) const { return system_.body.velocity(s.pi_B, s.t); }
  Vec3<T> torque(const State<T>& s) {
    if (system_.field.empty()) return {};
    return torque_body(system_, s.R_SB, s.pi_B, s.t, choosing_);
  }
  // |w|^4 + |dw/dt|^2
  T quartic_rate(const State<T>& s, const Vec3<T>& torque_B) const {
    const Vec3<T> w_B = velocity(s);
    Vec3<T> change = cross(s.pi_B, w_B) + torque_B;
    if (system_.body.carries_wheels) change = change - system_.body.wheels.rate;
    const Vec3<T> acceleration = times(system_.body.inverse_inertia, change);
    const T square = dot(w_B, w_B);
    return square * square + dot(acceleration, acceleration);
  }

  System<T, FieldSum<T>> system_;
  StepRule rule_;
  std::shared_ptr<const ExpressionProgram> scale_;
  Place at_;
  Work choosing_;  // of the steps
};

}  // namespace

template <class T>
std::unique_ptr<Stepper<T>> make_adaptive(std::unique_ptr<Stepper<T>> base, const System<T, FieldSum<T>>& system,
                                          StepRule rule, std::shared_ptr<const ExpressionProgram> scale) {
  return std::make_unique<AdaptiveStepper<T>>(std::move(base), system, rule, std::move(scale));
}

#define POLHODE_MAKE_ADAPTIVE(T)                                                                                 \
  template std::unique_ptr<Stepper<T>> make_adaptive(std::unique_ptr<Stepper<T>>, const System<T, FieldSum<T>>&, \
                                                     StepRule, std::shared_ptr<const ExpressionProgram>);
POLHODE_MAKE_ADAPTIVE(float)
POLHODE_MAKE_ADAPTIVE(double)
POLHODE_MAKE_ADAPTIVE(long double)
POLHODE_MAKE_ADAPTIVE(quad)
#undef POLHODE_MAKE_ADAPTIVE

}  // namespace polhode
