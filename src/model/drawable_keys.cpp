#include "model/drawable_keys.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "model/setup_keys.hpp"

namespace polhode {
namespace {

using Row = std::span<const double>;

Mat3<double> matrix_of(Row v) { return {{{v[0], v[1], v[2]}, {v[3], v[4], v[5]}, {v[6], v[7], v[8]}}}; }

// What a parameter of a torque takes, in the forms that a scenario has for it.
void put_numbers(double& number, Row v) { number = v[0]; }
void put_numbers(Vec3<double>& vector, Row v) { vector = {v[0], v[1], v[2]}; }
void put_numbers(Mat3<double>& matrix, Row v) {
  if (v.size() == 9) {
    matrix = matrix_of(v);
  } else {
    matrix = {{{v[0], 0, 0}, {0, v[v.size() / 2], 0}, {0, 0, v.back()}}};
  }
}
template <class Value>
void put_numbers(std::optional<Value>& value, Row v) {
  put_numbers(value.emplace(), v);
}

struct Form {
  std::vector<std::size_t> sizes;
  std::string_view wanted;
};
template <class Value>
Form form_of() {
  if constexpr (is_optional<Value>) {
    return form_of<typename Value::value_type>();
  } else if constexpr (std::is_same_v<Value, double>) {
    return {{1}, "a number"};
  } else if constexpr (std::is_same_v<Value, Vec3<double>>) {
    return {{3}, "three numbers"};
  } else if constexpr (std::is_same_v<Value, Mat3<double>>) {
    return {{9, 3, 1}, "three rows of three numbers, three for a diagonal matrix, or one"};
  } else {
    return {};
  }
}

class KeyList {
 public:
  explicit KeyList(const Setup& setup) : setup_(setup) {
    add_inertia();
    for (std::size_t i = 0; i < setup.wheels.size(); ++i) add_wheel(i);
    add_attitudes();
    add_motions();
    for (std::size_t i = 0; i < setup.torques.size(); ++i)
      std::visit([&](const auto& field) { add_torque(i, field); }, setup.torques[i]);
  }
  std::vector<DrawableKey> take() { return std::move(all_); }

 private:
  // Three moments are about the axes of the scenario; those of a tensor may be others.
  void add_inertia() {
    const bool moments = std::holds_alternative<Vec3<double>>(setup_.inertia);
    DrawableKey key{.name = std::string(inertia_key)};
    key.sizes = moments ? std::vector<std::size_t>{3, 9} : std::vector<std::size_t>{9};
    key.wanted = moments ? "three principal moments or a symmetric 3x3 tensor, in kg m^2"
                         : "a symmetric 3x3 tensor in kg m^2, as the scenario gives one";
    key.unit = "kg m^2";
    key.put = [](Setup& body, Row v) {
      if (v.size() == 3) {
        body.inertia = Vec3<double>{v[0], v[1], v[2]};
      } else {
        body.inertia = matrix_of(v);
      }
    };
    all_.push_back(std::move(key));
  }

  void add_wheel(std::size_t i) {
    const auto add = [&](std::string_view name, std::string_view wanted, std::string_view unit, auto member) {
      DrawableKey key{.name = fmt::format("body.wheels[{}].{}", i, name)};
      key.sizes = {1};
      key.wanted = wanted;
      key.unit = unit;
      key.put = [i, member](Setup& body, Row v) { body.wheels[i].*member = v[0]; };
      all_.push_back(std::move(key));
    };
    add("inertia", "a number of kg m^2, its moment of inertia about its axis", "kg m^2", &WheelData::inertia);
    add("speed", "a number of rad/s, its speed relative to the body", "rad/s", &WheelData::speed);
    add("torque", "a number of N m, the torque of its motor", "N m", &WheelData::torque);
  }

  // An attitude stays one, and a direction a direction: methods for the one are not for the other.
  void add_attitudes() {
    const bool sphere = space_of(setup_) == Space::sphere;
    if (!sphere) {
      DrawableKey any{.name = "start.attitude", .group = "attitude"};
      any.sizes = {4};
      any.wanted = "\"uniform\", which prefers no attitude";
      any.unit = "1";
      any.takes_numbers = any.takes_tables = false;
      any.takes_rotations = true;
      any.put = [](Setup& body, Row v) { body.attitude = {AttitudeData::Kind::wxyz, {v.begin(), v.end()}}; };
      all_.push_back(std::move(any));
    }
    for (const AttitudeKey& attitude : attitude_keys) {
      using Kind = AttitudeData::Kind;
      if ((attitude.kind == Kind::direction) != sphere) continue;
      DrawableKey key{.name = fmt::format("start.{}", attitude.name), .group = "attitude"};
      key.sizes = {attitude.size};
      key.wanted = attitude.wanted;
      key.unit = "1";
      key.takes_numbers = attitude.kind != Kind::matrix;
      key.takes_rotations = sphere;
      key.of_length_one = attitude.size == 4;
      key.put = [kind = attitude.kind](Setup& body, Row v) { body.attitude = {kind, {v.begin(), v.end()}}; };
      all_.push_back(std::move(key));
    }
  }

  void add_motions() {
    for (const MotionKey& motion : motion_keys) {
      const bool is_velocity = motion.kind == MotionData::Kind::angular_velocity_body ||
                               motion.kind == MotionData::Kind::angular_velocity_spatial;
      DrawableKey key{.name = fmt::format("start.{}", motion.name), .group = "motion"};
      key.sizes = {3};
      key.wanted = motion.wanted;
      key.unit = is_velocity ? "rad/s" : "kg m^2/s";
      key.put = [kind = motion.kind](Setup& body, Row v) { body.motion = {kind, {v[0], v[1], v[2]}}; };
      all_.push_back(std::move(key));
    }
  }

  // The field lists its own keys: a new field needs nothing here.
  template <class Field>
  void add_torque(std::size_t i, const Field& field) {
    const auto add = [&](const auto& parameter) {
      auto member = parameter.member;
      using Value = std::decay_t<decltype(field.*member)>;
      const std::string name = fmt::format("torque[{}].{}", i, parameter.name);
      if constexpr (std::is_same_v<Value, NamedNumbers>) {
        for (const auto& constant : field.*member) {
          DrawableKey key{.name = fmt::format("{}.{}", name, constant.first)};
          key.sizes = {1};
          key.wanted = "a number";
          key.unit = "1";
          key.put = [i, member, of = constant.first](Setup& body, Row v) {
            (std::get<Field>(body.torques[i]).*member).find(of)->second = v[0];
          };
          all_.push_back(std::move(key));
        }
      } else if constexpr (requires(Value & value) { put_numbers(value, Row{}); }) {
        const Form form = form_of<Value>();
        DrawableKey key{.name = name};
        key.sizes = form.sizes;
        key.wanted = fmt::format("{}: {}", form.wanted, parameter.meaning);
        key.unit = unit_of(parameter);
        key.put = [i, member](Setup& body, Row v) { put_numbers(std::get<Field>(body.torques[i]).*member, v); };
        all_.push_back(std::move(key));
      }
    };
    std::apply([&](const auto&... parameter) { (add(parameter), ...); }, Field::keys());
  }

  const Setup& setup_;
  std::vector<DrawableKey> all_;
};

}  // namespace

std::vector<DrawableKey> drawable_keys(const Setup& setup) { return KeyList(setup).take(); }

const DrawableKey* find_key(const std::vector<DrawableKey>& keys, std::string_view name) {
  const auto found = std::find_if(keys.begin(), keys.end(), [&](const DrawableKey& key) { return key.name == name; });
  return found == keys.end() ? nullptr : &*found;
}

std::string name_in_ensemble(std::string_view key) {
  for (const std::string_view table : {"start.", "body."})
    if (key.starts_with(table)) key.remove_prefix(table.size());
  return std::string(key);
}

std::string ensemble_key(std::string_view key) { return "ensemble." + name_in_ensemble(key); }

}  // namespace polhode
