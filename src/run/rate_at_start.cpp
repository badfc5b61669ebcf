#include "run/rate_at_start.hpp"

#include <algorithm>
#include <cmath>

namespace polhode {

double rate_at_start(const Prepared<double>& prepared) {
  const auto& [body, field, start, units] = prepared;
  const Vec3<double> w_B = body.velocity(start.pi_B, start.t), torque_B = field.torque(start.R_SB, w_B, start.t);
  const double lightest = std::min({body.inertia.x, body.inertia.y, body.inertia.z});
  const double torques = norm(torque_B) + norm(body.wheels.rate), wheels = norm(body.wheels.at_epoch);
  return (norm(w_B) + wheels / lightest + std::sqrt(torques / lightest)) * prepared.time_in(1);
}

}  // namespace polhode
