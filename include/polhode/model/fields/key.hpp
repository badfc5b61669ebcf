// How a field describes its own parameters: the scenario reader, the documentation and the rescaling of units read them
// from here.
#pragma once

#include <concepts>
#include <string_view>
#include <tuple>

#include "polhode/model/field.hpp"

namespace polhode {

// What a parameter is: decides how it is checked, turned into principal axes and rescaled with the units.
enum class Quantity {
  number,             // without unit
  rotation_vector,    // of an attitude
  direction_body,     // made a unit vector
  direction_spatial,  // made a unit vector
  torque,             // [N m], and an energy [J]
  torque_body,
  torque_spatial,
  field_spatial,  // [N m], along an axis about which the field is symmetric
  impulse_spatial,
  rate,
  time,
  mass,
  length,
  position_spatial,  // [m]
  gravity            // gravitational parameter [m^3/s^2]
};

constexpr bool is_direction(Quantity quantity) {
  return quantity == Quantity::direction_body || quantity == Quantity::direction_spatial;
}
constexpr bool is_torque(Quantity quantity) {
  return quantity == Quantity::torque || quantity == Quantity::torque_body || quantity == Quantity::torque_spatial ||
         quantity == Quantity::field_spatial;
}

template <class Field, class Member>
struct Key {
  std::string_view name;
  Member Field::*member;
  Quantity quantity;
  bool required;
  std::string_view meaning;
};
template <class Field, class Member>
Key(std::string_view, Member Field::*, Quantity, bool, std::string_view) -> Key<Field, Member>;

// Stands for the callable that a field's check(report) is given, to which it says what no single key shows:
//   report(key, "is what it is: ", value, "; what to do about it")
// The parts are texts, scalars and vectors, and make one sentence. The first report counts.
struct SomeReport {
  template <class... Parts>
  void operator()(std::string_view, const Parts&...) const {}
};

// What a field must have to be listed in FieldKinds.
template <class F, class T>
concept DescribedField = TorqueField<F, T> && requires(const F field) {
  { F::kind } -> std::convertible_to<std::string_view>;
  { F::about } -> std::convertible_to<std::string_view>;
  F::keys();
  field.check(SomeReport{});
};

}  // namespace polhode
