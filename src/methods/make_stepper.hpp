// Steppers for one scalar: the catalogue instantiated, and the suffixes (suffixes.hpp) around it. Included by one
// translation unit per scalar.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <utility>

#include "methods/has_tangent.hpp"
#include "methods/plugins.hpp"
#include "methods/pulsed_stepper.hpp"
#include "methods/sphere_checks.hpp"
#include "methods/suffixes.hpp"
#include "methods/switched_stepper.hpp"
#include "polhode/methods/catalogue.hpp"
#include "polhode/methods/compensated.hpp"
#include "polhode/methods/method_stepper.hpp"

namespace polhode {

namespace detail {

template <class M, class T>
inline constexpr bool is_compiled_for = derivatives_of<T> == 0 || has_tangent<M>;

template <class M, class Kernel, class T, class F>
[[gnu::cold]] std::unique_ptr<Stepper<T>> listed(std::string_view name, const System<T, F>& system,
                                   const ParametersOf<Kernel>& parameters) {
  void (*check_start)(std::string_view, const State<T>&) = nullptr;
  if constexpr (M::claims.space == Space::sphere) check_start = require_no_spin<T>;
  return std::make_unique<MethodStepper<Kernel, T, F>>(
      system, ServedMethod<Kernel, T, F>{name, &start<M, T, F>, check_start, parameters});
}

template <class T>
[[gnu::cold]] std::unique_ptr<Stepper<T>> make_listed(const MethodSpec& method, const Body<T>& body, const FieldSum<T>& field) {
  if constexpr (derivatives_of<T> == 0) {
    if (const LoadedMethod* loaded = loaded_method(method.index)) return make_loaded(*loaded, method, body, field);
  }
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
      made = listed<KernelIn<M, T>, KernelIn<typename InAnyOrder<M>::type, T>>(Entry::name, in_field, parameters);
    }
  });
  return made;
}

template <class T>
[[gnu::cold]] void require_fit(const MethodInfo& info, const Body<T>& body, const FieldSum<T>& field) {
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
[[gnu::cold]] std::unique_ptr<Stepper<T>> make_suffixed(const MethodSpec& method, const Body<T>& body, const FieldSum<T>& field) {
  auto stepper = make_listed<T>(method, body, field);
  Claims claims = base_claims(method);
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
[[gnu::cold]] std::unique_ptr<Stepper<T>> make_stepper(const MethodSpec& method, const Body<T>& body, const FieldSum<T>& field) {
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
  const bool smooth_in_time = !has_cuts(field);
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
