// A stepper out of a plug-in, with a guard at every door. Included by plugins.cpp alone.
#pragma once

#include <fmt/format.h>

#include <limits>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "methods/plugins.hpp"
#include "methods/sphere_checks.hpp"

namespace polhode {

template <class T>
class PluginStepper final : public Stepper<T> {
 public:
  PluginStepper(const LoadedMethod& method, std::unique_ptr<Stepper<T>> base)
      : method_(&method), base_(std::move(base)) {}
  PluginStepper(const PluginStepper& other)
      : Stepper<T>(other), method_(other.method_), base_(other.in("clone", [&] { return other.base_->clone(); })) {}

  void set_tolerance(const T& tolerance) override {
    in("set_tolerance", [&] { base_->set_tolerance(tolerance); });
  }
  void start(const State<T>& s, const T& h) override {
    if (method_->method != nullptr && method_->method->info.space == Space::sphere)
      require_no_spin(method_->method->info.name, s);
    in("start", [&] { base_->start(s, h); });
    show();
  }
  void step(const T& h) override {
    base_->state.t = this->state.t;
    base_->work = this->work;  // a projection counts its own there
    in("step", [&] { base_->step(h); });
    show();
  }
  void reverse() override {
    in("reversed", [&] { base_->reverse(); });
  }
  void turn(const Rotation<T>& C) override {
    base_->work = this->work;
    in("attitude_changed", [&] { base_->turn(C); });
    show();
  }
  Vec3<T> momentum_S() const override { return base_->momentum_S(); }
  std::optional<T> work_of_last_step() const override { return base_->work_of_last_step(); }
  std::unique_ptr<Stepper<T>> clone() const override { return std::make_unique<PluginStepper>(*this); }
  void copy_from(const Stepper<T>& other) override {
    base_->copy_from(*static_cast<const PluginStepper&>(other).base_);
    show();
  }
  MotionRates<T> rates() const override { return base_->rates(); }
  bool keep_steps() override { return base_->keep_steps(); }
  PassedState<T> within(const T& way) const override {
    return in("step", [&] { return base_->within(way); });
  }
  void transfer(Archive& archive) override {
    Stepper<T>::transfer(archive);
    base_->transfer(archive);
  }

 private:
  template <class Function>
  decltype(auto) in(const char* place, Function&& function) const {
    return in_plugin(method_->who, place, std::forward<Function>(function));
  }
  void show() {
    this->state = base_->state;
    this->work = base_->work;
  }

  const LoadedMethod* method_;
  std::unique_ptr<Stepper<T>> base_;
};

template <class T>
std::unique_ptr<Stepper<T>> make_loaded(const LoadedMethod& loaded, const MethodSpec& method, const Body<T>& body,
                                        const FieldSum<T>& field) {
  if (loaded.method == nullptr) {
    if constexpr (std::is_same_v<T, double>) {
      return std::make_unique<PluginStepper<T>>(
          loaded, in_plugin(loaded.who, "start", [&] { return loaded.own.make(body, field); }));
    } else {
      throw MethodError(fmt::format("{} is known in double; leave the scalar out", loaded.who));
    }
  }
  for (const PluginScalar& scalar : loaded.method->scalars) {
    if (scalar.digits != std::numeric_limits<T>::digits) continue;
    const auto make = reinterpret_cast<MakeStepper<T>*>(scalar.make);
    return std::make_unique<PluginStepper<T>>(
        loaded, in_plugin(loaded.who, "start", [&] { return make(body, field, method.parameters); }));
  }
  throw MethodError(
      fmt::format("{} was not made for numbers of {} binary digits; choose another scalar, or add this one "
                  "to its POLHODE_PLUGIN",
                  loaded.who, std::numeric_limits<T>::digits));
}

}  // namespace polhode
