// A situation as JSON, with the keys of a scenario file.
#include <nlohmann/json.hpp>

#include "polhode/io/json.hpp"
#include "scenario_keys.hpp"

namespace polhode {
namespace {

using Json = nlohmann::ordered_json;

Json json_of(double value) { return value; }
Json json_of(const Vec3<double>& v) { return Json::array({v.x, v.y, v.z}); }
Json json_of(const Mat3<double>& m) { return Json::array({m[0], m[1], m[2]}); }

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
        std::apply([&](const auto&... key) { ((torque[std::string(key.name)] = json_of(field.*(key.member))), ...); },
                   field.keys());
      },
      data);
  return torque;
}

}  // namespace

std::string to_json(const Setup& setup) {
  Json json = Json::object();
  json["inertia"] = std::visit([](const auto& inertia) { return json_of(inertia); }, setup.inertia);
  if (setup.unphysical) json["unphysical"] = true;
  json["start"] = start_of(setup);
  json["torque"] = Json::array();
  for (const FieldData<double>& torque : setup.torques) json["torque"].push_back(torque_of(torque));
  return json.dump();
}

}  // namespace polhode
