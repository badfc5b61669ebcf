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
        {"event", {"name", "when", "direction", "terminal"}}};
    for (const AttitudeKey& key : attitude_keys) keys["start"].emplace_back(key.name);
    for (const MotionKey& key : motion_keys) keys["start"].emplace_back(key.name);
    keys["start"].emplace_back("time");
    return keys;
  }();
  return tables;
}

}  // namespace polhode
