// How a field describes its own parameters: the scenario reader, the documentation and the rescaling of units read them
// from here.
#pragma once

#include <array>
#include <concepts>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include "polhode/core/interpolation.hpp"
#include "polhode/model/data_table.hpp"
#include "polhode/model/field.hpp"
#include "polhode/model/units.hpp"

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
  gravity,           // gravitational parameter [m^3/s^2]
  damping_body,      // torque per angular velocity [N m s]
  drag_body,         // torque per square of angular velocity [N m s^2]
  dipole_body,       // [A m^2]: times teslas, which stay what they are, a torque
  magnetic_field,    // [T], spatial axes
  none               // of a truth value, a word, a text, named numbers or a file
};

constexpr bool is_direction(Quantity quantity) {
  return quantity == Quantity::direction_body || quantity == Quantity::direction_spatial;
}
constexpr bool is_torque(Quantity quantity) {
  return quantity == Quantity::torque || quantity == Quantity::torque_body || quantity == Quantity::torque_spatial ||
         quantity == Quantity::field_spatial;
}

// Given in the user's body axes, and turned into principal ones.
constexpr bool is_of_body(Quantity quantity) {
  return quantity == Quantity::direction_body || quantity == Quantity::torque_body ||
         quantity == Quantity::damping_body || quantity == Quantity::drag_body || quantity == Quantity::dipole_body;
}

// The power of two by which a parameter is multiplied on its way to internal units.
constexpr int exponent_of(Quantity quantity, const Units& units) {
  if (is_torque(quantity) || quantity == Quantity::dipole_body) return -units.energy_exponent();
  switch (quantity) {
    case Quantity::impulse_spatial:
    case Quantity::damping_body: return -units.momentum_exponent();
    case Quantity::rate: return units.time_exponent;
    case Quantity::time: return -units.time_exponent;
    case Quantity::mass:  // lengths stay in metres
    case Quantity::drag_body: return -units.inertia_exponent;
    case Quantity::gravity: return 2 * units.time_exponent;
    default: return 0;
  }
}

// Parameters are
//   T, Vec3<T>              numbers with a quantity
//   Mat3<T>                 a matrix with a quantity; a scenario gives nine numbers, three for a diagonal one, or one for a
//                           multiple of the identity
//   bool                    true or false
//   an enumeration          one of the words that Words<> has for it
//   std::string             a text
//   NamedNumbers            a table of names and plain numbers
//   DataFile                a file of numbers in columns
//   std::optional<> of one  where a field asks whether it was given
// What is not a number has to be given to be written, and a bool has to be true.
using NamedNumbers = std::map<std::string, double, std::less<>>;

// Specialised for an enumeration: `names`, in the order of its values, which count from 0.
template <class Choice>
struct Words;
template <class Choice>
concept OneOfWords = std::is_enum_v<Choice> && requires {
  Words<Choice>::names;
};
template <OneOfWords Choice>
constexpr std::string_view word_of(Choice choice) {
  return Words<Choice>::names[static_cast<std::size_t>(choice)];
}

// The axes in which the components of a torque are given.
enum class TorqueFrame { body, spatial };
template <>
struct Words<TorqueFrame> {
  static constexpr std::array<std::string_view, 2> names{"body", "spatial"};
};

template <>
struct Words<Interpolation> {
  static constexpr std::array<std::string_view, 3> names{"linear", "cubic-hermite", "natural-spline"};
};

template <class Value>
inline constexpr bool is_optional = false;
template <class Value>
inline constexpr bool is_optional<std::optional<Value>> = true;

template <class Value>
bool is_given(const Value& value) {
  if constexpr (is_optional<Value>) {
    return value.has_value();
  } else if constexpr (std::same_as<Value, bool>) {
    return value;
  } else if constexpr (std::same_as<Value, std::string> || std::same_as<Value, NamedNumbers>) {
    return !value.empty();
  } else if constexpr (std::same_as<Value, DataFile>) {
    return value.table != nullptr;
  } else {
    return true;
  }
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

// What a field must have to be listed in FieldKinds. It may also have
//   acts_on(body), acts_on(body, units)   called when its parameters are in internal units and principal axes
//   largest_torque()                      [N m], where no single parameter tells it
//   time_range()                          the times [s] for which it is given, an optional pair
//   cuts(), smooth_from(cut)              where it is not smooth, and what it is in between (src/model/cuts.hpp)
//   impulse_at(cut)                       by which the spatial momentum jumps there
template <class F, class T>
concept DescribedField = TorqueField<F, T> && requires(const F field) {
  { F::kind } -> std::convertible_to<std::string_view>;
  { F::about } -> std::convertible_to<std::string_view>;
  F::keys();
  field.check(SomeReport{});
};

}  // namespace polhode
