// Steppers for one scalar: the catalogue instantiated, and the suffixes as wrappers around it. Included by one
// translation unit per scalar.
#pragma once

#include <fmt/format.h>

#include <utility>

#include "polhode/methods/catalogue.hpp"
#include "polhode/methods/energy_projection.hpp"
#include "polhode/methods/registry.hpp"
#include "pulsed_stepper.hpp"
#include "sphere_checks.hpp"

namespace polhode {

template <class M, class T, class F>
class ListedStepper final : public Stepper<T> {
 public:
  explicit ListedStepper(System<T, F> system, std::string_view name) : system_(std::move(system)), name_(name) {}

  void start(const State<T>& s, const T& h) override {
    if constexpr (M::claims.space == Space::sphere) require_no_spin(name_, s);
    this->state = s;
    this->work = {};
    memory_ = polhode::start<M>(system_, s, h, this->work);
    if constexpr (M::claims.takes_tolerance) {
      if (tolerance_ > T(0)) memory_.tolerance = tolerance_;
    }
  }
  void set_tolerance(const T& tolerance) override { tolerance_ = tolerance; }
  void step(const T& h) override { this->state = advance<M>(system_, this->state, memory_, h, this->work); }
  void reverse() override { memory_ = memory_.reversed(); }

  void turn(const Rotation<T>& C) override {
    this->state.R_SB = renormalised(this->state.R_SB * C);
    if constexpr (MemoryOf<M, T>::carries_momentum) {
      this->state.pi_B = inverse(this->state.R_SB) * memory_.momentum_S;
    } else {
      // Through space and back, the rounding of |q| would add up; a small turn hardly feels it.
      this->state.pi_B = inverse(C) * this->state.pi_B;
    }
    memory_.attitude_changed();
  }
  Vec3<T> momentum_S() const override {
    if constexpr (MemoryOf<M, T>::carries_momentum) {
      return memory_.momentum_S;
    } else {
      return spatial_momentum(this->state);
    }
  }
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

 private:
  System<T, F> system_;
  std::string_view name_;
  T tolerance_{};
  MemoryOf<M, T> memory_{};
};

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
  void copy_from(const Stepper<T>& other) override {
    this->state = other.state;
    this->work = other.work;
    base_->copy_from(*static_cast<const WrappedStepper&>(other).base_);
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
      : WrappedStepper<T>(std::move(base)), system_(std::move(system)), every_(every) {}

  void start(const State<T>& s, const T& h) override {
    WrappedStepper<T>::start(s, h);
    energy_ = system_.body.kinetic_energy(s.pi_B);
    if (conservative_) energy_ = energy_ + system_.field.potential(s.R_SB);
    steps_ = 0;
  }

  void step(const T& h) override {
    Stepper<T>& base = *this->base_;
    base.state.t = this->state.t;
    const T power_before = conservative_ ? T(0) : power(base.state);
    base.step(h);
    const Vec3<T> w_B = system_.body.velocity(base.state.pi_B);
    if (!conservative_) {
      const std::optional<T> work_done = base.work_of_last_step();
      energy_ = energy_ + (work_done ? *work_done : T(T(0.5) * h * (power_before + power(base.state))));
    }
    if (++steps_ % every_ == 0) base.turn(correction(T(abs(h)) * norm(w_B)));
    this->show();
  }
  std::unique_ptr<Stepper<T>> clone() const override { return std::make_unique<EnergyStepper>(*this); }
  void copy_from(const Stepper<T>& other) override {
    WrappedStepper<T>::copy_from(other);
    energy_ = static_cast<const EnergyStepper&>(other).energy_;
    steps_ = static_cast<const EnergyStepper&>(other).steps_;
  }

 private:
  T power(const State<T>& s) {
    return dot(torque_body(system_, s.R_SB, s.pi_B, s.t, this->base_->work), system_.body.velocity(s.pi_B));
  }

  Rotation<T> correction(const T& largest_turn) {
    Stepper<T>& base = *this->base_;
    if (conservative_ && !system_.field.empty())
      return project_total_energy(system_, base.state, energy_, largest_turn, base.work);
    return project_energy(system_.body, base.state.pi_B, energy_, largest_turn, base.work);
  }

  System<T, FieldSum<T>> system_;
  int every_;
  bool conservative_ = system_.field.conserves_energy();
  T energy_{};
  long long steps_ = 0;
};

namespace detail {

// Where speed does not matter the sum of no fields serves the free body too, and the compile time is half.
template <class T>
inline constexpr bool has_free_kernels = std::is_same_v<T, double> || std::is_same_v<T, float>;

template <class T>
std::unique_ptr<Stepper<T>> make_listed(std::size_t index, const Body<T>& body, const FieldSum<T>& field) {
  std::unique_ptr<Stepper<T>> made;
  std::size_t i = 0;
  Catalogue::for_each([&](auto entry) {
    using Entry = decltype(entry);
    using M = typename Entry::Method;
    if (i++ != index) return;
    if constexpr (has_free_kernels<T>) {
      if (field.empty()) {
        made = std::make_unique<ListedStepper<M, T, Free>>(System<T, Free>{body, {}}, Entry::name);
        return;
      }
    }
    made = std::make_unique<ListedStepper<M, T, FieldSum<T>>>(System<T, FieldSum<T>>{body, field}, Entry::name);
  });
  return made;
}

template <class T>
std::vector<T> fractions(Suffix::Kind kind, int order) {
  const auto list = [](const auto& c) { return std::vector<T>(c.begin(), c.end()); };
  switch (kind) {
    case Suffix::Kind::triple_jump: return list(triple_jump<T>(order));
    case Suffix::Kind::suzuki: return list(suzuki<T>(order));
    case Suffix::Kind::kahan_li_6: return list(kahan_li_6<T>());
    default: return list(kahan_li_8<T>());
  }
}

template <class T>
void require_fit(const MethodInfo& info, const Body<T>& body, const FieldSum<T>& field) {
  if (info.claims.needs == Needs::series && !field.offers_series())
    throw MethodError(fmt::format(
        "{} needs the torque on truncated power series, and this field gives values only; taylor-1, taylor-2, "
        "taylor-2-augmented and every method that 'polhode methods' lists with 'values' can take it",
        info.name));
  if (info.claims.needs == Needs::no_torque && !field.empty())
    throw MethodError(fmt::format(
        "{} is for a body without torque, and this one has a torque; 'polhode methods' lists the methods that take one",
        info.name));
  if (info.space == Space::sphere) require_sphere(info.name, body, field);
}

// With its suffixes, in a field without pulses.
template <class T>
std::unique_ptr<Stepper<T>> make_suffixed(const MethodSpec& method, const Body<T>& body, const FieldSum<T>& field) {
  auto stepper = make_listed<T>(method.index, body, field);
  int order = methods()[method.index].claims.order_attitude;
  for (const Suffix& suffix : method.suffixes) {
    if (suffix.kind == Suffix::Kind::energy) {
      stepper =
          std::make_unique<EnergyStepper<T>>(std::move(stepper), System<T, FieldSum<T>>{body, field}, suffix.every);
    } else {
      stepper = std::make_unique<ComposedStepper<T>>(std::move(stepper), fractions<T>(suffix.kind, order));
      order += suffix.kind == Suffix::Kind::kahan_li_6 ? 4 : suffix.kind == Suffix::Kind::kahan_li_8 ? 6 : 2;
    }
  }
  return stepper;
}

}  // namespace detail

template <class T>
std::unique_ptr<Stepper<T>> make_stepper(const MethodSpec& method, const Body<T>& body, const FieldSum<T>& field) {
  detail::require_fit(methods()[method.index], body, field);
  const auto make = [method, body](const FieldSum<T>& smooth) { return detail::make_suffixed(method, body, smooth); };
  const auto is_pulse = [](const auto& term) { return std::holds_alternative<Pulse<T>>(term); };
  if (std::none_of(field.terms().begin(), field.terms().end(), is_pulse)) return make(field);
  return std::make_unique<PulsedStepper<T>>(make, field);
}

}  // namespace polhode
