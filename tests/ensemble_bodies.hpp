// Ensembles that tests follow in several ways, and all numbers that come of them.
#pragma once

#include <bit>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "polhode/ensemble/ensemble.hpp"

namespace polhode::ensemble_bodies {

// All numbers of all bodies, by name.
class Kept final : public EnsembleWriter {
 public:
  using Numbers = std::map<std::string, std::vector<double>>;

  void begin(const EnsembleAbout& about) override { about_ = about; }
  void chunk(const EnsembleChunk& chunk) override {
    const auto keep = [&](const std::string& name, const std::vector<double>& values, std::size_t width) {
      std::vector<double>& all = numbers_[name];
      all.resize((about_.last - about_.first) * width, -1);
      std::copy(values.begin(), values.end(),
                all.begin() + static_cast<std::ptrdiff_t>((chunk.first - about_.first) * width));
    };
    const auto keep_states = [&](const std::string& name, const BodyStates& states) {
      keep(name + " attitude", states.attitude_wxyz, 4);
      keep(name + " velocity", states.angular_velocity_body, 3);
      keep(name + " momentum", states.angular_momentum_spatial, 3);
      keep(name + " energy", states.energy, 1);
    };
    keep_states("start", chunk.start);
    keep_states("end", chunk.end);
    for (std::size_t k = 0; k < chunk.snapshots.size(); ++k) keep_states("at " + std::to_string(k), chunk.snapshots[k]);
    keep("energy error", chunk.energy_error, 1);
    keep("momentum error", chunk.momentum_error, 1);
    if (!chunk.attitude_error.empty()) keep("attitude error", chunk.attitude_error, 1);
    for (std::size_t k = 0; k < chunk.passages.size(); ++k) keep("passage " + std::to_string(k), chunk.passages[k], 1);
    for (std::size_t k = 0; k < chunk.quantities.size(); ++k)
      keep("quantity " + std::to_string(k), chunk.quantities[k], 1);
  }
  void end(const EnsembleResult&) override {}

  const Numbers& numbers() const { return numbers_; }

 private:
  EnsembleAbout about_;
  Numbers numbers_;
};

// The names of numbers that differ in a bit; NaN is NaN.
inline std::vector<std::string> differences(const Kept::Numbers& a, const Kept::Numbers& b) {
  std::vector<std::string> names;
  if (a.size() != b.size()) names.emplace_back("the names");
  for (const auto& [name, values] : a) {
    const auto other = b.find(name);
    if (other == b.end() || other->second.size() != values.size()) {
      names.push_back(name + " (how many)");
      continue;
    }
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double x = values[i], y = other->second[i];
      if ((std::isnan(x) && std::isnan(y)) || std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y))
        continue;
      names.push_back(name + " of number " + std::to_string(i));
      break;
    }
  }
  return names;
}

inline Setup typical(std::vector<FieldData<double>> torques = {}) {
  Setup setup;
  setup.inertia = Vec3<double>{0.9144, 1.098, 1.66};
  setup.attitude = {AttitudeData::Kind::rotation_vector, {0.3, -0.2, 0.5}};
  setup.motion.value = {0.4, 0.8, -0.3};
  setup.torques = std::move(torques);
  return setup;
}

inline HeavyTop<double> heavy_top() {
  HeavyTop<double> field;
  field.weight_times_arm = 0.7;
  field.axis_body = {0.3, -0.2, 0.9};
  field.up_spatial = {0.1, 0.2, 1.0};
  return field;
}

inline EnsembleSettings drawn(long long bodies, bool also_inertia = true) {
  EnsembleSettings settings;
  settings.bodies = bodies;
  settings.seed = 5;
  settings.drawn = {{"start.attitude", {Distribution::Kind::rotations}},
                    {"start.angular_velocity_body", {Distribution::Kind::normal, {0.2, 0.1, 0}, {0.5, 0.5, 0.8}}}};
  if (also_inertia)
    settings.drawn.push_back({"body.inertia", {Distribution::Kind::uniform, {0.9, 1.0, 1.5}, {1.1, 1.3, 1.9}}});
  return settings;
}

inline EnsembleRequest request_of(const Setup& setup, const std::string& method, EnsembleSettings settings,
                                  RunOptions options = {.step = 0.05, .steps = 37}) {
  EnsembleRequest request;
  request.run.setup = setup;
  request.run.run = std::move(options);
  request.run.run.method = method;
  request.ensemble = std::move(settings);
  request.threads = 1;
  return request;
}

// Of bodies that are followed by the program.
inline const std::string scenario = R"([body]
inertia = [1, 1.2, 1.7]
[start]
angular_velocity_body = [0, 0, 0.1]
[run]
method = "lie-verlet"
step = 0.5
steps = 20
[ensemble]
bodies = 90
attitude = "uniform"
angular_velocity_body = { normal = [[0, 0, 0.1], [0.05, 0.05, 0.05]] }
quantiles = [0.05, 0.5]
histogram = [{ quantity = "angular_speed", low = 0, high = 0.4, bins = 10 }]
)";

inline Kept::Numbers followed(EnsembleRequest request) {
  const Ensemble ensemble(std::move(request));
  Kept kept;
  ensemble.follow(&kept);
  return kept.numbers();
}

}  // namespace polhode::ensemble_bodies
