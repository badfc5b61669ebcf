// Fields put together at run time: a sum of the listed kinds, evaluated on values or on power series.
#pragma once

#include <array>
#include <cassert>
#include <concepts>
#include <functional>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "polhode/core/lanes.hpp"
#include "polhode/core/visit.hpp"
#include "polhode/model/callable.hpp"
#include "polhode/model/fields.hpp"

namespace polhode {

// A callable (R_SB, t) or (R_SB, w_B, t) -> tau_B. One that is handed the angular velocity counts as depending on it.
template <class T>
class TorqueFunction {
 public:
  TorqueFunction() = default;
  template <class Function>
    requires(!std::same_as<std::decay_t<Function>, TorqueFunction> && TakenWithVelocity<T, std::decay_t<Function>>)
  TorqueFunction(Function&& function) : function_(std::forward<Function>(function)), takes_velocity_(true) {}
  template <class Function>
    requires(!TakenWithVelocity<T, std::decay_t<Function>> && TakenWithAttitude<T, std::decay_t<Function>>)
  TorqueFunction(Function&& function)
      : function_([function = std::forward<Function>(function)](const Rotation<T>& R_SB, const Vec3<T>&, const T& t) {
          return Vec3<T>(function(R_SB, t));
        }) {}

  bool takes_velocity() const { return takes_velocity_; }
  Vec3<T> operator()(const Rotation<T>& R_SB, const Vec3<T>& w_B, const T& t) const { return function_(R_SB, w_B, t); }

 private:
  std::function<Vec3<T>(const Rotation<T>&, const Vec3<T>&, const T&)> function_;
  bool takes_velocity_ = false;
};

// Where a torque is asked for.
template <class T>
struct TorqueNode {
  Rotation<T> R_SB;
  Vec3<T> w_B;
  T t;
};

// A torque known by its values only, with a potential where the caller has one.
template <class T>
struct Callback {
  static constexpr std::string_view kind = "callback";

  TorqueFunction<T> torque_B;
  std::function<T(const Rotation<T>&)> potential_V;  // may be empty
  // What the author knows better than the signature says. A torque that reads w_B and says false here drops methods of
  // kicks to order 1.
  std::optional<bool> velocity_dependent{};
  // The same at several attitudes in one call, where that costs less. May be empty.
  std::function<void(std::span<const TorqueNode<T>>, std::span<Vec3<T>>)> torques_B{};

  bool depends_on_velocity() const { return velocity_dependent.value_or(torque_B.takes_velocity()); }
  Vec3<T> torque(const Rotation<T>& R_SB, const Vec3<T>& w_B, const T& t) const { return torque_B(R_SB, w_B, t); }
  T potential(const Rotation<T>& R_SB) const { return potential_V ? potential_V(R_SB) : T(0); }
  bool conserves_energy() const { return potential_V && !depends_on_velocity(); }
};

// The list of kinds: a new field is a new struct and one entry here.
template <class T>
using FieldKinds =
    std::tuple<HeavyTop<T>, ConstantSpatial<T>, ConstantBody<T>, GravityGradient<T>, Coulomb<T>, StressTest<T>,
               UniformField<T>, TwoMasses<T>, Pulse<T>, Damping<T>, Magnetic<T>, TorqueTable<T>, ExpressionTorque<T>>;

template <class Tuple>
inline constexpr bool all_described = false;
template <class... Kinds>
inline constexpr bool all_described<std::tuple<Kinds...>> = (DescribedField<Kinds, double> && ...);
static_assert(all_described<FieldKinds<double>>,
              "a listed field has a kind, a sentence `about` it, keys(), check(report) and a torque");

template <class Tuple, class... More>
struct VariantOf;
template <class... Kinds, class... More>
struct VariantOf<std::tuple<Kinds...>, More...> {
  using type = std::variant<Kinds..., More...>;
};

// A field described by its data: what a scenario holds.
template <class T>
using FieldData = typename VariantOf<FieldKinds<T>>::type;

template <class T>
class FieldSum {
 public:
  using Term = typename VariantOf<FieldKinds<T>, Callback<T>>::type;

  FieldSum() = default;
  explicit FieldSum(std::vector<Term> terms) : terms_(std::move(terms)) {}

  bool empty() const { return terms_.empty(); }
  const std::vector<Term>& terms() const { return terms_; }

  template <class S>
  Vec3<S> torque(const Rotation<S>& R_SB, const Vec3<S>& w_B, const S& t) const;

  T potential(const Rotation<T>& R_SB, const T& t = T(0)) const {
    T sum(0);
    for (const Term& term : terms_)
      sum = sum + visit_by_switch([&](const auto& field) { return potential_energy(field, R_SB, t); }, term);
    return sum;
  }

  // The uniform fields together, whichever axis each of them pulls.
  Vec3<T> field_at(const T& t) const {
    Vec3<T> sum{};
    for (const Term& term : terms_)
      if (const auto* uniform = std::get_if<UniformField<T>>(&term)) sum += uniform->field_at(t);
    return sum;
  }

  bool offers_series() const {
    return !any([](const auto& field) { return !SeriesField<std::decay_t<decltype(field)>, T>; });
  }
  bool depends_on_velocity() const {
    return any([](const auto& field) { return polhode::depends_on_velocity<T>(field); });
  }
  // Every term has a potential. With a drag or a thruster among them, energy is not a constant of the motion.
  bool conserves_energy() const {
    return !any([](const auto& field) { return !polhode::conserves_energy<T>(field); });
  }

 private:
  template <class Predicate>
  bool any(Predicate predicate) const {
    for (const Term& term : terms_)
      if (visit_by_switch(predicate, term)) return true;
    return false;
  }

  std::vector<Term> terms_;
};

template <class T>
inline constexpr bool is_sum_at_run_time<FieldSum<T>> = true;

// A field with much code says `is_large`: it is called, and leaves the others small enough to be inlined.
template <class F>
concept LargeField = requires {
  F::is_large;
};

template <class S, class F>
[[gnu::noinline]] Vec3<S> torque_of_large(const F& field, const Rotation<S>& R_SB, const Vec3<S>& w_B, const S& t) {
  return torque_of(field, R_SB, w_B, t);
}

// All lanes in one call where the caller's function takes them together.
template <class T, class S, class F>
Vec3<S> torque_of_lanes(const F& field, const Rotation<S>& R_SB, const Vec3<S>& w_B, const S& t) {
  if constexpr (std::is_same_v<F, Callback<T>>) {
    if (field.torques_B) {
      std::array<TorqueNode<T>, S::size> nodes;
      std::array<Vec3<T>, S::size> torques;
      for (std::size_t i = 0; i < S::size; ++i)
        nodes[i] = {{R_SB.w[i], {R_SB.v.x[i], R_SB.v.y[i], R_SB.v.z[i]}}, {w_B.x[i], w_B.y[i], w_B.z[i]}, t[i]};
      field.torques_B(nodes, torques);
      Vec3<S> all;
      for (std::size_t i = 0; i < S::size; ++i) {
        all.x.set(i, torques[i].x);
        all.y.set(i, torques[i].y);
        all.z.set(i, torques[i].z);
      }
      return all;
    }
  }
  return torque_lane_by_lane<T>(field, R_SB, w_B, t);
}

// Not in the class and so not inlined: all kinds on power series are a lot of code, which the library compiles once for
// all methods.
template <class T>
template <class S>
Vec3<S> FieldSum<T>::torque(const Rotation<S>& R_SB, const Vec3<S>& w_B, const S& t) const {
  Vec3<S> sum{};
  for (const Term& term : terms_) {
    visit_by_switch(
        [&](const auto& field) {
          using Field = std::decay_t<decltype(field)>;
          if constexpr (TorqueField<Field, S> && LargeField<Field>) {
            sum += torque_of_large(field, R_SB, w_B, t);
          } else if constexpr (TorqueField<Field, S>) {
            sum += torque_of(field, R_SB, w_B, t);
          } else if constexpr (is_lanes<S>) {
            sum += torque_of_lanes<T>(field, R_SB, w_B, t);
          } else {
            assert(false && "a field of values only was asked for a series; offers_series() says which are");
          }
        },
        term);
  }
  return sum;
}

}  // namespace polhode
