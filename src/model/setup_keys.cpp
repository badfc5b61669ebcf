#include "model/setup_keys.hpp"

namespace polhode {

const std::map<std::string, std::vector<std::string>>& keys_by_table() {
  static const std::map<std::string, std::vector<std::string>> tables = [] {
    std::map<std::string, std::vector<std::string>> keys{
        {"body", {"inertia", "unphysical", "wheels"}},
        {"start", {}},
        {"run",
         {"method", "step", "step_file", "steps", "duration", "scalar", "on_failure", "tolerance", "goal", "parameters",
          "step_scale", "stop_when", "max_steps", "max_time", "sensitivities", "monodromy", "lyapunov", "reference"}},
        {"output", {"file", "every", "times", "times_file", "columns"}},
        {"event", {"name", "when", "direction", "terminal"}},
        {"ensemble", {"bodies", "seed", "snapshots", "quantiles", "histogram"}}};
    for (const AttitudeKey& key : attitude_keys) keys["start"].emplace_back(key.name);
    for (const MotionKey& key : motion_keys) keys["start"].emplace_back(key.name);
    keys["start"].emplace_back("time");
    return keys;
  }();
  return tables;
}

std::string unit_in(std::string_view meaning) {
  const std::size_t begin = meaning.rfind('['), end = meaning.rfind(']');
  if (begin == std::string_view::npos || end == std::string_view::npos || end < begin) return "1";
  return std::string(meaning.substr(begin + 1, end - begin - 1));
}

}  // namespace polhode
