#include "io/watch_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "io/table_reader.hpp"
#include "model/setup_keys.hpp"

namespace polhode {
namespace {

constexpr std::string_view when_wanted = "an expression that is zero at the event, such as \"Rzz - 0.5\"";

std::string text_of(const TableReader& table, std::string_view key, std::string_view wanted) {
  const std::optional<std::string> text = table.string(key, wanted);
  if (!text) table.refuse(key, fmt::format("is missing; give {}", wanted));
  if (text->empty()) table.refuse(key, fmt::format("is empty; give {}", wanted));
  return *text;
}

EventData read_event(const TableReader& table) {
  table.allow_only(keys_by_table().at("event"), keys_by_table());
  EventData event;
  event.name = text_of(table, "name", "a name for the event");
  event.when = text_of(table, "when", when_wanted);
  if (const auto direction = table.string("direction", crossing_wanted)) {
    try {
      event.direction = parse_crossing(*direction);
    } catch (const std::invalid_argument& error) {
      table.refuse("direction", error.what());
    }
  }
  event.terminal = table.truth("terminal", "true to end the run there, or false").value_or(false);
  return event;
}

}  // namespace

void read_quantities(const toml::node& node, Scenario& scenario) {
  constexpr std::string_view wanted = "a [quantities] table of expressions, such as tilt_deg = \"acos(Rzz)*180/pi\"";
  const toml::table* table = node.as_table();
  if (table == nullptr)
    throw SetupError("quantities", fmt::format("{} is {}; give {}", quoted(node), type_name(node), wanted));
  const TableReader reader(*table, "quantities", scenario.origins);
  for (const auto& [key, value] : *table)
    scenario.quantities.push_back({std::string(key.str()), text_of(reader, key.str(), "an expression in quotes")});
  // toml++ sorts by name; their reader expects the columns in the order of the file.
  std::stable_sort(scenario.quantities.begin(), scenario.quantities.end(), [&](const auto& a, const auto& b) {
    const toml::source_position here = table->get(a.name)->source().begin, there = table->get(b.name)->source().begin;
    return std::tie(here.line, here.column) < std::tie(there.line, there.column);
  });
}

void read_events(const toml::node& node, Scenario& scenario) {
  constexpr std::string_view wanted = "[[event]] tables with name and when";
  const auto add = [&](const toml::table& table) {
    scenario.events.push_back(
        read_event(TableReader(table, fmt::format("event[{}]", scenario.events.size()), scenario.origins)));
  };
  if (const toml::table* table = node.as_table()) return add(*table);
  const toml::array* array = node.as_array();
  if (array == nullptr)
    throw SetupError("event", fmt::format("{} is {}; give {}", quoted(node), type_name(node), wanted));
  for (const toml::node& element : *array) {
    if (!element.is_table())
      throw SetupError("event", fmt::format("{} is not a table; give {}", quoted(element), wanted));
    add(*element.as_table());
  }
}

}  // namespace polhode
