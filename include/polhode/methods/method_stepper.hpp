// A stepper made of a method's type: what a name, a plug-in or a measurement has in its hands instead of the type.
//
//   const auto stepper = stepper_of<MyMethod>(System{body, field});
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>

#include "polhode/methods/registry.hpp"

namespace polhode {

// A method that kernel M serves: by its name, by how it starts, and by what it refuses to start from (none: nothing).
template <class M, class T, class F>
struct ServedMethod {
  std::string_view name;
  MemoryOf<M, T> (*start)(const System<T, F>&, const State<T>&, const T&, Work&);
  void (*check_start)(std::string_view name, const State<T>&);  // throws MethodError
  [[no_unique_address]] ParametersOf<M> parameters;
};

// What steppers in one kind of field share, compiled once for all methods. A method that carries the spatial momentum
// shows it; the others do not.
template <class T, class F>
class StepperInField : public Stepper<T> {
 public:
  [[gnu::noinline]] explicit StepperInField(const System<T, F>& system) : system_(system) {}
  [[gnu::noinline]] StepperInField(const StepperInField& other) : Stepper<T>(other), system_(other.system_) {}
  [[gnu::noinline]] ~StepperInField() override {}
  MotionRates<T> rates() const override {
    const State<T>& s = this->state;
    Work uncounted;
    return {system_.body.velocity(s.pi_B, s.t), torque_spatial(system_, s.R_SB, s.pi_B, s.t, uncounted)};
  }

 protected:
  [[gnu::noinline]] void turn_state(const Rotation<T>& C, const Vec3<T>* carried_S) {
    this->state.R_SB = renormalised(this->state.R_SB * C);
    // Through space and back, the rounding of |q| would add up; a small turn hardly feels it.
    this->state.pi_B = carried_S ? inverse(this->state.R_SB) * *carried_S : inverse(C) * this->state.pi_B;
  }
  [[gnu::noinline]] Vec3<T> spatial(const Vec3<T>* carried_S) const {
    return carried_S ? *carried_S : spatial_momentum(this->state);
  }

  System<T, F> system_;
};

// A method that hands out the polynomials that its steps are. Where speed does not matter a shorter step serves as well,
// and nothing more has to be compiled.
template <class M, class T, class F>
concept KeepsSteps = std::is_same_v<T, double> &&
    requires(const System<T, F>& system, const State<T>& s, MemoryOf<M, T>& memory, const T& h, Work& work,
             StepSeries<T>* kept) {
  { M::step(system, s, memory, h, work, kept) } -> std::same_as<State<T>>;
};
// The last step, for one who asked for it; not for clones.
template <class T>
struct KeptStep {
  KeptStep() = default;
  KeptStep(const KeptStep&) {}
  KeptStep& operator=(const KeptStep&) = delete;

  std::unique_ptr<StepSeries<T>> series;
};

template <class M, class T, class F>
class MethodStepper final : public StepperInField<T, F> {
 public:
  MethodStepper(const System<T, F>& system, const ServedMethod<M, T, F>& method)
      : StepperInField<T, F>(system), method_(method) {}

  [[gnu::cold]] void start(const State<T>& s, const T& h) override {
    if (method_.check_start != nullptr) method_.check_start(method_.name, s);
    this->state = s;
    this->work = {};
    memory_ = method_.start(this->system_, s, h, this->work);
    if constexpr (M::claims.takes_tolerance) {
      if (tolerance_ > T(0)) memory_.tolerance = tolerance_;
    }
  }
  [[gnu::cold]] void set_tolerance(const T& tolerance) override { tolerance_ = tolerance; }
  void step(const T& h) override {
    if constexpr (keeps_steps) {
      if (kept_.series) return step_and_keep(h);
    }
    this->state = advance<M>(this->system_, this->state, memory_, h, this->work, method_.parameters);
  }
  [[gnu::cold]] void reverse() override { memory_ = memory_.reversed(); }

  [[gnu::cold]] bool keep_steps() override {
    if constexpr (keeps_steps) kept_.series = std::make_unique<StepSeries<T>>();
    return keeps_steps;
  }
  PassedState<T> within([[maybe_unused]] const T& way) const override {
    if constexpr (keeps_steps) return kept_.series->at(way, this->system_.body, this->state, momentum_S());
    return Stepper<T>::within(way);
  }

  void turn(const Rotation<T>& C) override {
    this->turn_state(C, carried_S());
    memory_.attitude_changed();
  }
  Vec3<T> momentum_S() const override { return this->spatial(carried_S()); }
  std::optional<T> work_of_last_step() const override {
    if constexpr (M::claims.knows_work) {
      if (memory_.work_known) return memory_.work_of_torque;
    }
    return std::nullopt;
  }
  std::unique_ptr<Stepper<T>> clone() const override { return std::make_unique<MethodStepper>(*this); }
  void copy_from(const Stepper<T>& other) override {
    this->state = other.state;
    this->work = other.work;
    memory_ = static_cast<const MethodStepper&>(other).memory_;
  }
  [[gnu::cold]] void transfer(Archive& archive) override {
    Stepper<T>::transfer(archive);
    archive(memory_);
  }

 private:
  static constexpr bool keeps_steps = KeepsSteps<M, T, F>;

  [[gnu::noinline]] void step_and_keep(const T& h) {
    if constexpr (keeps_steps)
      this->state = M::step(this->system_, this->state, memory_, h, this->work, kept_.series.get());
  }

  const Vec3<T>* carried_S() const {
    if constexpr (MemoryOf<M, T>::carries_momentum) {
      return &memory_.momentum_S;
    } else {
      return nullptr;
    }
  }

  ServedMethod<M, T, F> method_;
  T tolerance_{};
  MemoryOf<M, T> memory_{};
  [[no_unique_address]] std::conditional_t<keeps_steps, KeptStep<T>, NoMemory> kept_;
};

// In a field known by its type, or put together at run time.
template <Method M, class T, class F>
std::unique_ptr<Stepper<T>> stepper_of(const System<T, F>& system, const ParametersOf<M>& parameters = {}) {
  return std::make_unique<MethodStepper<M, T, F>>(system,
                                                  ServedMethod<M, T, F>{"", &start<M, T, F>, nullptr, parameters});
}

// Where speed does not matter the sum of no fields serves the free body too, and the compile time is half.
template <class T>
inline constexpr bool has_free_kernels = std::is_same_v<T, double>;

}  // namespace polhode
