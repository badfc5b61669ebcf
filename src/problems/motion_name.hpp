// A name for a motion by its numbers, not by how they were written.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <concepts>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "polhode/model/setup.hpp"

namespace polhode {

// A name for any text, the same on every machine: its SHA-1 as a UUID of version 5.
std::string name_of(const std::string& text);

// In as many digits as tell any two numbers apart.
template <class T>
std::string digits_of(const T& x) {
  if constexpr (std::is_floating_point_v<T>) {
    return fmt::format("{:.{}g}", x + 0, std::numeric_limits<T>::max_digits10);  // -0 is 0
  } else {
    return T(x + T(0)).str();
  }
}

// The numbers of a prepared situation, one after the other.
template <class T>
class MotionNumbers {
 public:
  explicit MotionNumbers(const Prepared<T>& prepared) : prepared_(prepared) {
    const Body<T>& body = prepared.body;
    add(body.inertia);
    if (body.carries_wheels) {
      add(body.wheels.at_epoch);
      add(body.wheels.rate);
      add(body.wheels.epoch);
    }
    add_attitude(prepared.start.R_SB);
    add(prepared.start.pi_B);
    add(prepared.start.t);
    std::vector<std::string> torques;
    for (const auto& term : prepared.field.terms()) torques.push_back(written(term));
    std::sort(torques.begin(), torques.end());  // a sum does not depend on their order
    for (const std::string& torque : torques) text_ += torque;
  }

  const std::string& text() const { return text_; }

 private:
  using Term = typename FieldSum<T>::Term;

  void word(std::string_view text) { text_.append(text) += '\n'; }
  void add(const T& x) { word(digits_of(x)); }
  void add(const Vec3<T>& v) {
    for (std::size_t i = 0; i < 3; ++i) add(v[i]);
  }
  void add(const Mat3<T>& m) {
    for (const auto& row : m)
      for (const T& x : row) add(x);
  }
  template <class Value>
  void add(const std::optional<Value>& value) {
    word(value ? "given" : "none");
    if (value) add(*value);
  }
  void add(bool truth) { word(truth ? "true" : "false"); }
  template <OneOfWords Choice>
  void add(Choice choice) {
    word(word_of(choice));
  }
  void add(const std::string& text) { word(text); }
  void add(const NamedNumbers& numbers) {
    for (const auto& [name, value] : numbers) word(fmt::format("{} {}", name, value));
  }
  void add(const DataFile& file) {
    if (!file.table) return word("none");
    for (const DataTable::Column& column : file.table->columns) {
      word(column.name);
      for (const double value : column.values) word(fmt::format("{}", value + 0));
    }
  }
  // The two quaternions of an attitude are one.
  void add_attitude(const Rotation<T>& R) {
    const T first = R.w != T(0) ? R.w : R.v.x != T(0) ? R.v.x : R.v.y != T(0) ? R.v.y : R.v.z;
    const T sign(first < T(0) ? -1 : 1);
    add(sign * R.w);
    add(sign * R.v);
  }
  // Data that a field keeps in SI units say little without these.
  void add_units() { word(fmt::format("{} {}", prepared_.units.inertia_exponent, prepared_.units.time_exponent)); }
  void add_axes() { add_attitude(prepared_.body.principal_axes); }

  // Formulas by what they compute: spaces, names of constants and of columns do not matter.
  void add(const ExpressionTorque<T>& torque) {
    const ExpressionFormulas& of = torque.formula->of;
    const ExpressionProgram& program = of.torque.program;
    for (const ExpressionNode& node : program.nodes)
      word(fmt::format("{} {} {} {}", static_cast<unsigned>(node.op), node.a, node.b, node.c));
    for (const ExpressionConstant& c : program.constants) word(digits_of(c.high) + ' ' + digits_of(c.low));
    for (const auto output : program.outputs) word(fmt::format("{}", output));
    for (const std::size_t column : of.torque.columns) word(of.columns[column]);
    add(of.frame);
    add(torque.interpolation);
    add(torque.table);
    add_units();
    add_axes();
  }
  template <class Field>
  void add(const Field& field) requires requires {
    Field::keys();
  }
  {
    std::apply([&](const auto&... key) { (add(field.*(key.member)), ...); }, Field::keys());
    constexpr bool asks_units = requires(Field f) { f.acts_on(prepared_.body, prepared_.units); };
    constexpr bool asks_body = requires(Field f) { f.acts_on(prepared_.body); };
    if (asks_units) add_units();
    if (asks_units || asks_body) add_axes();
  }

  std::string written(const Term& term) {
    const std::string before = std::exchange(text_, {});
    std::visit(
        [&](const auto& field) {
          using Field = std::decay_t<decltype(field)>;
          word(Field::kind);
          if constexpr (!std::same_as<Field, Callback<T>>) add(field);
        },
        term);
    return std::exchange(text_, before);
  }

  const Prepared<T>& prepared_;
  std::string text_;
};

}  // namespace polhode
