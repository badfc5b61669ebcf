// Fields from C++ callables, and sums of fields.
#pragma once

#include <functional>
#include <tuple>
#include <type_traits>
#include <utility>

#include "polhode/model/field.hpp"

namespace polhode {

// Scalars on which a callable, or every term of a sum, can be evaluated. (Written as concepts of the scalar, because
// the formatter does not understand requires-clauses.)
// clang-format off
template <class S, class Function>
concept TakenWithAttitude = std::is_invocable_r_v<Vec3<S>, const Function&, const Rotation<S>&, const S&>;
template <class S, class Function>
concept TakenWithVelocity = std::is_invocable_r_v<Vec3<S>, const Function&, const Rotation<S>&, const Vec3<S>&, const S&>;

template <class S, class... Fields>
concept TakenByAttitudeFields = (AttitudeTorqueField<Fields, S> && ...);
template <class S, class... Fields>
concept TakenByMixedFields = (TorqueField<Fields, S> && ...) && !TakenByAttitudeFields<S, Fields...>;
template <class S, class... Fields>
concept TakenByPotentials = (Conservative<Fields, S> && ...);
// clang-format on

// A callable (R_SB, t) or (R_SB, w_B, t) -> tau_B. A generic lambda can be run on power series and on duals; one
// written for a single type offers values only. A generic lambda whose body does not compile for power series (because
// it calls a function that knows only double, say) goes through values_only.
template <class Function>
struct Callable {
  Function function;

  template <TakenWithAttitude<Function> S>
  Vec3<S> torque(const Rotation<S>& R_SB, const S& t) const {
    return function(R_SB, t);
  }
  template <TakenWithVelocity<Function> S>
  Vec3<S> torque(const Rotation<S>& R_SB, const Vec3<S>& w_B, const S& t) const {
    return function(R_SB, w_B, t);
  }
};

template <class Function>
Callable<std::decay_t<Function>> field_from(Function&& function) {
  return {std::forward<Function>(function)};
}

// The same callable, asked for values of T alone.
template <class T, class Function>
auto values_only(Function function) {
  if constexpr (std::is_invocable_v<const Function&, const Rotation<T>&, const T&>) {
    return field_from([function](const Rotation<T>& R_SB, const T& t) -> Vec3<T> { return function(R_SB, t); });
  } else {
    return field_from([function](const Rotation<T>& R_SB, const Vec3<T>& w_B, const T& t) -> Vec3<T> {
      return function(R_SB, w_B, t);
    });
  }
}

// Several fields at once. The sum is what its terms are in common: conservative if all are, and so on.
template <class... Fields>
struct Sum {
  std::tuple<Fields...> terms;

  explicit Sum(Fields... fields) : terms(std::move(fields)...) {}

  template <TakenByAttitudeFields<Fields...> S>
  Vec3<S> torque(const Rotation<S>& R_SB, const S& t) const {
    return std::apply([&](const Fields&... f) { return (f.torque(R_SB, t) + ...); }, terms);
  }
  template <TakenByMixedFields<Fields...> S>
  Vec3<S> torque(const Rotation<S>& R_SB, const Vec3<S>& w_B, const S& t) const {
    return std::apply([&](const Fields&... f) { return (torque_of(f, R_SB, w_B, t) + ...); }, terms);
  }
  template <TakenByPotentials<Fields...> S>
  S potential(const Rotation<S>& R_SB) const {
    return std::apply([&](const Fields&... f) { return (f.potential(R_SB) + ...); }, terms);
  }
};

}  // namespace polhode
