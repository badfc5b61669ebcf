// Steppers for one scalar: the catalogue instantiated, and the suffixes (suffixes.hpp) around it. Included by one
// translation unit per scalar.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <utility>

#include "methods/has_tangent.hpp"
#include "methods/pulsed_stepper.hpp"
#include "methods/sphere_checks.hpp"
#include "methods/suffixes.hpp"
#include "methods/switched_stepper.hpp"
#include "polhode/methods/catalogue.hpp"
#include "polhode/methods/registry.hpp"

namespace polhode {

// An entry of the catalogue that kernel M serves: by its name and by how it starts.
template <class M, class T, class F>
struct ListedEntry {
  std::string_view name;
  MemoryOf<M, T> (*start)(const System<T, F>&, const State<T>&, const T&, Work&);
  [[no_unique_address]] ParametersOf<M> parameters;
};

// What steppers in one kind of field share, compiled once for all methods. A method that carries the spatial momentum
// shows it; the others do not.
template <class T, class F>
class ListedInField : public Stepper<T> {
 public:
  [[gnu::noinline]] explicit ListedInField(const System<T, F>& system) : system_(system) {}
  [[gnu::noinline]] ListedInField(const ListedInField& other) : Stepper<T>(other), system_(other.system_) {}
  [[gnu::noinline]] ~ListedInField() override {}
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
class ListedStepper final : public ListedInField<T, F> {
 public:
  ListedStepper(const System<T, F>& system, const ListedEntry<M, T, F>& entry)
      : ListedInField<T, F>(system), entry_(entry) {}

  void start(const State<T>& s, const T& h) override {
    if constexpr (M::claims.space == Space::sphere) require_no_spin(entry_.name, s);
    this->state = s;
    this->work = {};
    memory_ = entry_.start(this->system_, s, h, this->work);
    if constexpr (M::claims.takes_tolerance) {
      if (tolerance_ > T(0)) memory_.tolerance = tolerance_;
    }
  }
  void set_tolerance(const T& tolerance) override { tolerance_ = tolerance; }
  void step(const T& h) override {
    if constexpr (keeps_steps) {
      if (kept_.series) return step_and_keep(h);
    }
    this->state = advance<M>(this->system_, this->state, memory_, h, this->work, entry_.parameters);
  }
  void reverse() override { memory_ = memory_.reversed(); }

  bool keep_steps() override {
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
  std::unique_ptr<Stepper<T>> clone() const override { return std::make_unique<ListedStepper>(*this); }
  void copy_from(const Stepper<T>& other) override {
    this->state = other.state;
    this->work = other.work;
    memory_ = static_cast<const ListedStepper&>(other).memory_;
  }
  void transfer(Archive& archive) override {
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

  ListedEntry<M, T, F> entry_;
  T tolerance_{};
  MemoryOf<M, T> memory_{};
  [[no_unique_address]] std::conditional_t<keeps_steps, KeptStep<T>, NoMemory> kept_;
};

namespace detail {

// Where speed does not matter the sum of no fields serves the free body too, and the compile time is half.
template <class T>
inline constexpr bool has_free_kernels = std::is_same_v<T, double>;

template <class M, class T>
inline constexpr bool is_compiled_for = derivatives_of<T> == 0 || has_tangent<M>;

template <class M, class Kernel, class T, class F>
std::unique_ptr<Stepper<T>> listed(std::string_view name, const System<T, F>& system,
                                   const ParametersOf<Kernel>& parameters) {
  return std::make_unique<ListedStepper<Kernel, T, F>>(system,
                                                       ListedEntry<Kernel, T, F>{name, &start<M, T, F>, parameters});
}

template <class T>
std::unique_ptr<Stepper<T>> make_listed(const MethodSpec& method, const Body<T>& body, const FieldSum<T>& field) {
  std::unique_ptr<Stepper<T>> made;
  [[maybe_unused]] const System<T, Free> alone{body, {}};
  const System<T, FieldSum<T>> in_field{body, field};
  std::size_t i = 0;
  Catalogue::for_each([&](auto entry) {
    using Entry = decltype(entry);
    using M = typename Entry::Method;
    if (i++ != method.index) return;
    if constexpr (is_compiled_for<M, T>) {
      const auto parameters = parameters_from<M>(method.parameters);
      if constexpr (has_free_kernels<T>) {
        if (field.empty() && !body.carries_wheels) {
          made = listed<M, M>(Entry::name, alone, parameters);
          return;
        }
      }
      made = listed<M, typename InAnyOrder<M>::type>(Entry::name, in_field, parameters);
    }
  });
  return made;
}

template <class T>
void require_fit(const MethodInfo& info, const Body<T>& body, const FieldSum<T>& field) {
  if (body.carries_wheels && !info.claims.wheels)
    throw MethodError(fmt::format(
        "{} cannot take a body with wheels; rkmk-4, taylor-4, mclachlan-reich-231 and every method of which 'polhode "
        "methods NAME' says so can",
        info.name));
  if (info.claims.needs == Needs::series && !field.offers_series())
    throw MethodError(fmt::format(
        "{} needs the torque on truncated power series, and this field gives values only; taylor-1, taylor-2, "
        "taylor-2-augmented and every method that 'polhode methods' lists with 'values' can take it",
        info.name));
  if (info.claims.needs == Needs::no_torque && !field.empty())
    throw MethodError(fmt::format(
        "{} is for a body without torque, and this one has a torque; 'polhode methods' lists the methods that take one",
        info.name));
  if (info.space == Space::sphere) require_sphere(info.name, info.claims.needs, body, field);
}

// With its suffixes, in a field without cuts.
template <class T>
std::unique_ptr<Stepper<T>> make_suffixed(const MethodSpec& method, const Body<T>& body, const FieldSum<T>& field) {
  auto stepper = make_listed<T>(method, body, field);
  Claims claims = methods()[method.index].claims_for(method.parameters);
  for (const Suffix& suffix : method.suffixes) {
    suffix::visit(suffix.index, [&](auto entry) {
      using Entry = decltype(entry);
      stepper = Entry::template around<T>(std::move(stepper), {{body, field}, claims, suffix.every, method.step_scale});
      claims = Entry::claims(claims, suffix.every);
    });
  }
  return stepper;
}

}  // namespace detail

template <class T>
std::unique_ptr<Stepper<T>> make_stepper(const MethodSpec& method, const Body<T>& body, const FieldSum<T>& field) {
  detail::require_fit(methods()[method.index], body, field);
  const auto make = [method, body](const FieldSum<T>& field_in_time) -> std::unique_ptr<Stepper<T>> {
    const auto smooth = [method, body](const FieldSum<T>& decided) {
      return detail::make_suffixed(method, body, decided);
    };
    const std::size_t count = switch_count(field_in_time);
    if (count > 64)
      throw MethodError(
          fmt::format("the torques have {} switches that the motion decides, more than 64 together", count));
    if (count == 0) return smooth(field_in_time);
    return std::make_unique<SwitchedStepper<T>>(smooth, body, field_in_time);
  };
  const auto is_cut = [](const auto& term) {
    return std::visit(
        [](const auto& torque) {
          if constexpr (CutField<std::decay_t<decltype(torque)>>) return !std::ranges::empty(torque.cuts());
          return false;
        },
        term);
  };
  const bool smooth_in_time = std::none_of(field.terms().begin(), field.terms().end(), is_cut);
  // At every cut it would begin anew, with other steps.
  if (method.claims.chooses_steps && !(smooth_in_time && switch_count(field) == 0))
    throw MethodError(
        fmt::format("{} chooses its steps by a torque that is smooth, and this one has jumps or corners (a pulse, a "
                    "table, abs, min, max or if); take the method without its last suffix",
                    method.name));
  if (smooth_in_time) return make(field);
  return std::make_unique<PulsedStepper<T>>(make, field);
}

}  // namespace polhode
