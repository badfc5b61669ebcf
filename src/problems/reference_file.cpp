#include "polhode/problems/reference_file.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/json_text.hpp"
#include "core/number_text.hpp"
#include "polhode/core/error.hpp"

namespace polhode {
namespace {

constexpr int schema_version = 1;

Json json_of(const ReferenceIntegrator& integrator) {
  return {{"name", integrator.name},
          {"order", integrator.order},
          {"tolerance", json_number(integrator.tolerance)},
          {"scalar", integrator.scalar}};
}

Json provenance_of(const ReferenceFile& file) {
  Json integrators = Json::array();
  for (const ReferenceIntegrator& integrator : file.integrators) integrators.push_back(json_of(integrator));
  return {{"version", file.version},
          {"date", file.date},
          {"integrators", std::move(integrators)},
          {"attitude_disagreement", verbatim(fmt::format("{:.1e}", file.attitude_disagreement))},
          {"momentum_disagreement", verbatim(fmt::format("{:.1e}", file.momentum_disagreement))}};
}

// Reads one file, and says of what it refuses where that stands.
class Reader {
 public:
  explicit Reader(std::string_view origin) : origin_(origin) {}

  ReferenceFile read(std::string_view text) const {
    const Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded()) refuse("the file", "is not valid JSON, or not all of it is there");
    if (const int version = number_at<int>(json, "schema_version"); version != schema_version) {
      refuse("schema_version", fmt::format("{} is not {}, which this version reads", version, schema_version));
    }
    ReferenceFile file;
    file.problem = text_at(json, "problem");
    file.setup = member(json, "setup").dump();
    read_provenance(member(json, "provenance"), file);
    for (const Json& node : list_at(json, "nodes")) file.nodes.push_back(read_node(node));
    check_times(file.nodes);
    return file;
  }

 private:
  void read_provenance(const Json& json, ReferenceFile& file) const {
    file.version = text_at(json, "version");
    file.date = text_at(json, "date");
    for (const Json& entry : list_at(json, "integrators")) {
      file.integrators.push_back({text_at(entry, "name"), text_at(entry, "scalar"), number_at<int>(entry, "order"),
                                  number_at<double>(entry, "tolerance")});
    }
    if (file.integrators.size() < 2) refuse("integrators", "are fewer than two, and one alone proves nothing");
    file.attitude_disagreement = disagreement(json, "attitude_disagreement");
    file.momentum_disagreement = disagreement(json, "momentum_disagreement");
  }

  double disagreement(const Json& json, const char* key) const {
    const double value = number_at<double>(json, key);
    if (!(value >= 0 && value <= largest_disagreement)) {
      refuse(key, fmt::format("{} is not between 0 and {}", value, largest_disagreement));
    }
    return value;
  }

  ReferenceNode read_node(const Json& json) const {
    ReferenceNode node;
    node.time = decimal(member(json, "t"), "t");
    read_decimals(json, "attitude_wxyz", node.attitude_wxyz);
    read_decimals(json, "angular_momentum_body", node.angular_momentum_body);
    double square = 0;
    for (const std::string& digits : node.attitude_wxyz) square += value(digits) * value(digits);
    if (!(std::abs(square - 1) < 1e-15)) refuse("attitude_wxyz", "at t = " + node.time + " is not a unit quaternion");
    return node;
  }

  template <std::size_t N>
  void read_decimals(const Json& json, const char* key, std::array<std::string, N>& numbers) const {
    const Json& list = list_at(json, key);
    if (list.size() != N) refuse(key, fmt::format("has {} numbers instead of {}", list.size(), N));
    for (std::size_t i = 0; i < N; ++i) numbers[i] = decimal(list[i], key);
  }

  std::string decimal(const Json& json, const char* key) const {
    if (!json.is_string() || !std::isfinite(value(json.get<std::string>()))) {
      refuse(key, json.dump() + " is not a decimal number in quotes");
    }
    return json.get<std::string>();
  }

  void check_times(const std::vector<ReferenceNode>& nodes) const {
    if (nodes.size() < 2) refuse("nodes", "are fewer than two");
    const double first = value(nodes.front().time), last = value(nodes.back().time);
    const double spacing = (last - first) / static_cast<double>(nodes.size() - 1);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const double expected = first + static_cast<double>(i) * spacing;
      if (!(spacing > 0 && std::abs(value(nodes[i].time) - expected) < 1e-9 * spacing)) {
        refuse("nodes",
               fmt::format("are not at equal distances in time: {} stands where {} should", nodes[i].time, expected));
      }
    }
  }

  const Json& member(const Json& json, const char* key) const {
    if (!json.is_object() || !json.contains(key)) refuse(key, "is missing");
    return json[key];
  }
  std::string text_at(const Json& json, const char* key) const {
    const Json& text = member(json, key);
    if (!text.is_string()) refuse(key, text.dump() + " is not a text in quotes");
    return text.get<std::string>();
  }
  template <class Number>
  Number number_at(const Json& json, const char* key) const {
    const Json& number = member(json, key);
    if (!number.is_number()) refuse(key, number.dump() + " is not a number");
    return number.get<Number>();
  }
  const Json& list_at(const Json& json, const char* key) const {
    const Json& list = member(json, key);
    if (!list.is_array()) refuse(key, "is not a list");
    return list;
  }

  static double value(const std::string& digits) {
    double number = 0;
    return read_number(digits, number) ? number : std::nan("");
  }

  [[noreturn]] void refuse(std::string_view key, std::string_view why) const {
    throw Error(ErrorKind::bad_file,
                fmt::format("{}: {} {}; 'make references' makes the file again", origin_, key, why));
  }

  std::string_view origin_;
};

}  // namespace

std::string to_json(const ReferenceFile& file) {
  Json nodes = Json::array();
  for (const ReferenceNode& node : file.nodes) {
    nodes.push_back({{"t", node.time},
                     {"attitude_wxyz", node.attitude_wxyz},
                     {"angular_momentum_body", node.angular_momentum_body}});
  }
  const Json object{{"schema_version", schema_version},
                    {"problem", file.problem},
                    {"setup", verbatim(file.setup)},
                    {"provenance", provenance_of(file)},
                    {"nodes", std::move(nodes)}};
  return json_text(object, JsonLayout::record) + '\n';
}

ReferenceFile parse_reference(std::string_view text, std::string_view origin) { return Reader(origin).read(text); }

}  // namespace polhode
