#include "argument_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace polhode::python {
namespace {

using Name = std::pair<std::string_view, std::string_view>;

constexpr std::array names_of_keys{Name{"body", "body"},
                                   Name{"body.inertia", "body"},
                                   Name{"body.wheels", "body.wheels"},
                                   Name{"body.unphysical", "body.unphysical"},
                                   Name{"start", "start"},
                                   Name{"start.time", "t_span"},
                                   Name{"torque", "torque"},
                                   Name{"run", "method"},
                                   Name{"run.method", "method"},
                                   Name{"run.step", "step"},
                                   Name{"run.duration", "t_span"},
                                   Name{"run.tolerance", "tolerance"},
                                   Name{"run.goal", "goal"},
                                   Name{"run.scalar", "scalar"},
                                   Name{"run.on_failure", "on_failure"},
                                   Name{"run.step_scale", "step_scale"},
                                   Name{"run.stop_when", "stop_when"},
                                   Name{"run.max_steps", "max_steps"},
                                   Name{"run.max_time", "max_time"},
                                   Name{"run.sensitivities", "sensitivities"},
                                   Name{"run.reference", "reference"},
                                   Name{"run.parameters", "parameters"},
                                   Name{"output.times", "t_eval"},
                                   Name{"output.columns", "columns"},
                                   Name{"output.every", "every"},
                                   Name{"event", "events"},
                                   Name{"quantities", "quantities"}};

constexpr std::array<std::string_view, 4> keys_of_wheels{"axis", "inertia", "speed", "torque"};

std::string in_table(std::string_view table, std::string_view key) { return fmt::format("{}['{}']", table, key); }

}  // namespace

void NamesOfKeys::note(const std::string& table, const std::string& key) {
  if (key.find_first_of(".[") == std::string::npos) return;
  if (const auto name = of_table(table)) more_[table + '.' + key] = in_table(*name, key);
}

std::string NamesOfKeys::of(std::string_view key) const {
  for (std::size_t end = key.size(); end != std::string_view::npos && end > 0; end = key.find_last_of(".[", end - 1))
    if (const auto name = of_itself(key.substr(0, end))) return *name + std::string(key.substr(end));
  return {};
}

std::optional<std::string> NamesOfKeys::of_itself(std::string_view key) const {
  if (const auto found = more_.find(key); found != more_.end()) return found->second;
  const auto same = [&](const Name& one) { return one.first == key; };
  const auto known = std::find_if(names_of_keys.begin(), names_of_keys.end(), same);
  if (known != names_of_keys.end()) return std::string(known->second);
  const std::size_t dot = key.rfind('.');
  if (dot == std::string_view::npos) return of_table(key);
  const std::string_view table = key.substr(0, dot), within = key.substr(dot + 1);
  if (table.starts_with("body.wheels[") && table.ends_with(']') &&
      std::find(keys_of_wheels.begin(), keys_of_wheels.end(), within) != keys_of_wheels.end())
    return in_table(table, within);
  if (const auto name = of_table(table)) return in_table(*name, within);
  return std::nullopt;
}

// That a caller passes as a mapping.
std::optional<std::string> NamesOfKeys::of_table(std::string_view key) const {
  if (key == "start") return std::string(key);
  if (!key.ends_with(']') || key.find('.') != std::string_view::npos) return std::nullopt;
  if (key.starts_with("torque[")) return torques_ == 1 ? "torque" : std::string(key);
  if (key.starts_with("event[")) return fmt::format("events{}", key.substr(5));
  return std::nullopt;
}

}  // namespace polhode::python
