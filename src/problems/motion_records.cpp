#include "problems/motion_records.hpp"

#include <fmt/format.h>

#include "core/json_text.hpp"
#include "polhode/core/error.hpp"
#include "polhode/core/version.hpp"
#include "problems/motion_name.hpp"

namespace polhode {
namespace {

constexpr int records_version = 1;

Json json_of(const ReferenceNode& node) {
  return {
      {"t", node.time}, {"attitude_wxyz", node.attitude_wxyz}, {"angular_momentum_body", node.angular_momentum_body}};
}

ReferenceNode node_of(const Json& json) {
  return {json.at("t").get<std::string>(), json.at("attitude_wxyz").get<std::array<std::string, 4>>(),
          json.at("angular_momentum_body").get<std::array<std::string, 3>>()};
}

Json json_of(const std::vector<MotionRecord>& records) {
  Json list = Json::array();
  for (const MotionRecord& record : records)
    list.push_back({{"turned", record.turned}, {"first", json_of(record.first)}, {"second", json_of(record.second)}});
  return list;
}

[[noreturn]] void refuse_records(const std::string& why) { throw Error(ErrorKind::bad_file, why); }

}  // namespace

std::string to_json(const std::string& motion, const std::vector<MotionRecord>& records) {
  const Json list = json_of(records);
  const Json object{{"schema_version", records_version},
                    {"version", version()},
                    {"motion", motion},
                    {"digest", name_of(list.dump())},
                    {"records", list}};
  return json_text(object, JsonLayout::record) + '\n';
}

std::vector<MotionRecord> parse_records(std::string_view text, const std::string& motion) {
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded()) refuse_records("is not JSON, or not all of it is there");
  try {
    if (const int found = json.at("schema_version").get<int>(); found != records_version)
      refuse_records(fmt::format("has the schema_version {}, and this version reads {}", found, records_version));
    if (json.at("motion").get<std::string>() != motion) refuse_records("is of another motion");
    const Json& list = json.at("records");
    if (json.at("digest").get<std::string>() != name_of(list.dump())) refuse_records("has been changed");
    std::vector<MotionRecord> records;
    for (const Json& record : list)
      records.push_back({node_of(record.at("first")), node_of(record.at("second")), record.at("turned").get<double>()});
    return records;
  } catch (const Json::exception&) {
    refuse_records("lacks a part, or has one of another type");
  }
}

}  // namespace polhode
