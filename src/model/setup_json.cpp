// A situation as JSON, with the keys of a scenario file.
#include <fmt/format.h>

#include <algorithm>

#include "core/json_text.hpp"
#include "model/setup_keys.hpp"
#include "polhode/core/error.hpp"
#include "polhode/model/setup_json.hpp"

namespace polhode {
namespace {

Json json_of(double value) { return value; }
Json json_of(const Vec3<double>& v) { return Json::array({v.x, v.y, v.z}); }
Json json_of(const Mat3<double>& m) { return Json::array({m[0], m[1], m[2]}); }

Json json_of(bool truth) { return truth; }
template <OneOfWords Choice>
Json json_of(Choice choice) {
  return std::string(word_of(choice));
}
[[maybe_unused]] Json json_of(const std::string& text) { return text; }
[[maybe_unused]] Json json_of(const NamedNumbers& numbers) { return numbers; }
// As a scenario may have it in place of the file's name, and that as well.
Json json_of(const DataFile& file) {
  Json data = Json::object();
  if (!file.name.empty()) data["name"] = file.name;
  data["columns"] = Json::array();
  data["rows"] = Json::array();
  for (const DataTable::Column& column : file.table->columns) data["columns"].push_back(header_of(column));
  for (std::size_t row = 0; row < file.table->rows(); ++row) {
    Json values = Json::array();
    for (const DataTable::Column& column : file.table->columns) values.push_back(column.values[row]);
    data["rows"].push_back(std::move(values));
  }
  return data;
}
template <class Value>
Json json_of(const std::optional<Value>& value) {
  return json_of(*value);
}

Json attitude_of(const AttitudeData& attitude) {
  const auto& v = attitude.values;
  if (attitude.kind != AttitudeData::Kind::matrix) return v;
  return json_of(Mat3<double>{{{v[0], v[1], v[2]}, {v[3], v[4], v[5]}, {v[6], v[7], v[8]}}});
}

Json start_of(const Setup& setup) {
  Json start = Json::object();
  for (const AttitudeKey& key : attitude_keys) {
    if (key.kind == setup.attitude.kind) start[std::string(key.name)] = attitude_of(setup.attitude);
  }
  for (const MotionKey& key : motion_keys) {
    if (key.kind == setup.motion.kind) start[std::string(key.name)] = json_of(setup.motion.value);
  }
  start["time"] = setup.time;
  return start;
}

Json torque_of(const FieldData<double>& data) {
  Json torque = Json::object();
  std::visit(
      [&](const auto& field) {
        torque["kind"] = field.kind;
        const auto put = [&](const auto& key) {
          const auto& value = field.*(key.member);
          if (is_given(value)) torque[std::string(key.name)] = json_of(value);
        };
        std::apply([&](const auto&... key) { (put(key), ...); }, field.keys());
      },
      data);
  return torque;
}

Json wheel_of(const WheelData& wheel) {
  Json json = {{"axis", json_of(wheel.axis)}, {"inertia", wheel.inertia}, {"speed", wheel.speed}};
  if (wheel.torque) json["torque"] = *wheel.torque;
  return json;
}

void read(const Json& json, double& value) { value = json.get<double>(); }
void read(const Json& json, Vec3<double>& v) {
  v = {json.at(0).get<double>(), json.at(1).get<double>(), json.at(2).get<double>()};
}

void read(const Json& json, Mat3<double>& m) { m = json.get<Mat3<double>>(); }
void read(const Json& json, bool& truth) { truth = json.get<bool>(); }
template <OneOfWords Choice>
void read(const Json& json, Choice& choice) {
  const auto& names = Words<Choice>::names;
  const auto found = std::find(names.begin(), names.end(), json.get<std::string>());
  if (found == names.end()) throw std::invalid_argument("there is no such word as " + json.dump());
  choice = static_cast<Choice>(found - names.begin());
}
[[maybe_unused]] void read(const Json& json, std::string& text) { text = json.get<std::string>(); }
[[maybe_unused]] void read(const Json& json, NamedNumbers& numbers) { numbers = json.get<NamedNumbers>(); }
void read(const Json& json, DataFile& file) {
  DataTable table;
  for (const Json& header : json.at("columns")) table.columns.push_back(column_named(header.get<std::string>()));
  for (const Json& row : json.at("rows"))
    for (std::size_t i = 0; i < table.columns.size(); ++i) table.columns[i].values.push_back(row.at(i).get<double>());
  file = DataFile(json.value("name", ""), std::move(table));
}
template <class Value>
void read(const Json& json, std::optional<Value>& value) {
  read(json, value.emplace());
}

void read_start(const Json& start, Setup& setup) {
  for (const AttitudeKey& key : attitude_keys) {
    const auto found = start.find(std::string(key.name));
    if (found == start.end()) continue;
    setup.attitude = {key.kind, {}};
    for (const Json& entry : found->flatten()) setup.attitude.values.push_back(entry.get<double>());
  }
  for (const MotionKey& key : motion_keys) {
    const auto found = start.find(std::string(key.name));
    if (found == start.end()) continue;
    setup.motion.kind = key.kind;
    read(*found, setup.motion.value);
  }
  setup.time = start.at("time").get<double>();
}

FieldData<double> torque_from(const Json& json) {
  const auto kind = json.at("kind").get<std::string>();
  std::optional<FieldData<double>> made;
  for_each_field_kind([&](auto field) {
    if (field.kind != kind) return;
    const auto take = [&](const auto& key) {
      const std::string name(key.name);
      if (json.contains(name) || is_given(field.*(key.member))) read(json.at(name), field.*(key.member));
    };
    std::apply([&](const auto&... key) { (take(key), ...); }, field.keys());
    made = field;
  });
  return made.value();
}

Setup setup_of(const Json& json) {
  Setup setup;
  const Json& inertia = json.at("inertia");
  if (inertia.at(0).is_array()) {
    setup.inertia = inertia.get<Mat3<double>>();
  } else {
    read(inertia, setup.inertia.emplace<Vec3<double>>());
  }
  setup.unphysical = json.value("unphysical", false);
  if (const auto wheels = json.find("wheels"); wheels != json.end()) {
    for (const Json& wheel : *wheels) {
      WheelData data;
      read(wheel.at("axis"), data.axis);
      read(wheel.at("inertia"), data.inertia);
      read(wheel.at("speed"), data.speed);
      if (wheel.contains("torque")) data.torque = wheel.at("torque").get<double>();
      setup.wheels.push_back(data);
    }
  }
  read_start(json.at("start"), setup);
  for (const Json& torque : json.at("torque")) setup.torques.push_back(torque_from(torque));
  return setup;
}

}  // namespace

Setup setup_from_json(std::string_view text, std::string_view origin) {
  try {
    return setup_of(Json::parse(text));
  } catch (const std::exception& error) {
    throw Error(ErrorKind::bad_file,
                fmt::format("{}: the setup is not one that a situation is written as: {}", origin, error.what()));
  }
}

std::string to_json(const Setup& setup) {
  Json json = Json::object();
  json["inertia"] = std::visit([](const auto& inertia) { return json_of(inertia); }, setup.inertia);
  if (setup.unphysical) json["unphysical"] = true;
  for (const WheelData& wheel : setup.wheels) json["wheels"].push_back(wheel_of(wheel));
  json["start"] = start_of(setup);
  json["torque"] = Json::array();
  for (const FieldData<double>& torque : setup.torques) json["torque"].push_back(torque_of(torque));
  // For the record: nobody can read it back.
  for (const CalledTorque& called : setup.called_torques)
    json["torque"].push_back({{"kind", called_torque_kind}, {"name", called.name}});
  return json.dump();
}

}  // namespace polhode
