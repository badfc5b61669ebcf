#include "polhode/ensemble/result.hpp"

#include "ensemble/cells.hpp"

namespace polhode {

void BodyStates::resize(std::size_t bodies) {
  attitude_wxyz.resize(4 * bodies, not_a_number);
  angular_velocity_body.resize(3 * bodies, not_a_number);
  angular_momentum_spatial.resize(3 * bodies, not_a_number);
  energy.resize(bodies, not_a_number);
}

EnsembleChunk::EnsembleChunk(const EnsembleAbout& about, std::uint64_t first_body, std::size_t bodies)
    : first(first_body),
      count(bodies),
      end_time(bodies, about.end),
      snapshots(about.snapshots.size()),
      energy_error(bodies, not_a_number),
      momentum_error(bodies, not_a_number),
      attitude_error(about.has_attitude_error ? bodies : 0, not_a_number),
      passages(about.passages.size(), std::vector<double>(bodies, not_a_number)),
      quantities(about.quantities.size(), std::vector<double>(bodies, not_a_number)) {
  start.resize(bodies);
  end.resize(bodies);
  for (BodyStates& states : snapshots) states.resize(bodies);
}

}  // namespace polhode
