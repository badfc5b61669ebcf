// Fields that pull one axis of the body along one direction in space, for methods with a faster way through them.
#pragma once

#include <concepts>
#include <optional>
#include <type_traits>
#include <variant>

#include "polhode/model/field.hpp"

namespace polhode {

// V = weight_times_arm (R axis_body) . up_spatial, and with it tau_B = weight_times_arm (R^T up_spatial) x axis_body: all
// that the torque knows of the attitude is one direction, R^T up_spatial. A field of this form says so, by
// `weighs_on_axis = true`.
template <class F, class T>
concept WeightOnAxis = requires(const F field) {
  requires F::weighs_on_axis;
  { field.weight_times_arm } -> std::same_as<const T&>;
  { field.axis_body } -> std::same_as<const Vec3<T>&>;
  { field.up_spatial } -> std::same_as<const Vec3<T>&>;
};

// What there is to know of such a field.
template <class T>
struct AxisWeight {
  T weight_times_arm;
  Vec3<T> axis_body, up_spatial;
};

// The weight that the field is, or that is its only term; none otherwise.
template <class T, class F>
[[gnu::always_inline]] constexpr std::optional<AxisWeight<T>> lone_weight(const F& field) {
  if constexpr (WeightOnAxis<F, T>) {
    return AxisWeight<T>{field.weight_times_arm, field.axis_body, field.up_spatial};
  } else if constexpr (SumAtRunTime<F>) {
    if (field.terms().size() != 1) return std::nullopt;
    return std::visit([](const auto& term) { return lone_weight<T>(term); }, field.terms()[0]);
  } else {
    return std::nullopt;
  }
}

// Calls the function with the only term of a sum put together at run time, where that is a weight on an axis, and with
// the sum otherwise.
template <class T, SumAtRunTime F, class Function>
[[gnu::always_inline]] constexpr auto with_weight_or_sum(const F& sum, const Function& function) {
  if (sum.terms().size() != 1) return function(sum);
  return std::visit(
      [&](const auto& term) {
        if constexpr (WeightOnAxis<std::decay_t<decltype(term)>, T>) {
          return function(term);
        } else {
          return function(sum);
        }
      },
      sum.terms()[0]);
}

}  // namespace polhode
