#include "ensemble/quantities.hpp"

#include <cmath>

#include "ensemble/cells.hpp"

namespace polhode {
namespace {

using Of = std::function<double(const EnsembleChunk&, std::size_t)>;

double size_of(const std::vector<double>& vectors, std::size_t body) {
  return norm(Vec3<double>{vectors[3 * body], vectors[3 * body + 1], vectors[3 * body + 2]});
}

void add_states(std::vector<EnsembleQuantity>& all, std::optional<double> time,
                const std::function<const BodyStates&(const EnsembleChunk&)>& states) {
  all.push_back(
      {"energy", time, [states](const EnsembleChunk& chunk, std::size_t i) { return states(chunk).energy[i]; }});
  all.push_back({"angular_speed", time, [states](const EnsembleChunk& chunk, std::size_t i) {
                   return size_of(states(chunk).angular_velocity_body, i);
                 }});
  all.push_back({"angular_momentum", time, [states](const EnsembleChunk& chunk, std::size_t i) {
                   return size_of(states(chunk).angular_momentum_spatial, i);
                 }});
}

}  // namespace

std::vector<EnsembleQuantity> ensemble_quantities(const EnsembleAbout& about) {
  std::vector<EnsembleQuantity> all;
  for (std::size_t k = 0; k < about.snapshots.size(); ++k)
    add_states(all, about.snapshots[k],
               [k](const EnsembleChunk& chunk) -> const BodyStates& { return chunk.snapshots[k]; });
  add_states(all, std::nullopt, [](const EnsembleChunk& chunk) -> const BodyStates& { return chunk.end; });
  all.push_back({about.energy_conserved ? "energy_error" : "energy_change", std::nullopt,
                 [](const EnsembleChunk& chunk, std::size_t i) { return std::abs(chunk.energy_error[i]); }});
  all.push_back({about.free ? "momentum_error" : "momentum_change", std::nullopt,
                 [](const EnsembleChunk& chunk, std::size_t i) { return chunk.momentum_error[i]; }});
  if (about.has_attitude_error)
    all.push_back({"attitude_error", std::nullopt,
                   [](const EnsembleChunk& chunk, std::size_t i) { return chunk.attitude_error[i]; }});
  for (std::size_t k = 0; k < about.quantities.size(); ++k)
    all.push_back({about.quantities[k], std::nullopt,
                   [k](const EnsembleChunk& chunk, std::size_t i) { return chunk.quantities[k][i]; }});
  for (std::size_t k = 0; k < about.passages.size(); ++k)
    all.push_back({"passage_" + about.passages[k], std::nullopt,
                   [k](const EnsembleChunk& chunk, std::size_t i) { return chunk.passages[k][i]; }});
  return all;
}

}  // namespace polhode
