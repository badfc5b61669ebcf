// One body of a chunk.
#pragma once

#include <cmath>
#include <limits>

#include "polhode/ensemble/result.hpp"
#include "polhode/model/state.hpp"

namespace polhode {

inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

// In SI units and the user's axes.
struct BodyState {
  Rotation<double> R_SU;
  Vec3<double> w_U, momentum_S;
  double energy;
};

inline void put(BodyStates& all, std::size_t body, const BodyState& one) {
  const Rotation<double>& q = one.R_SU;
  const double attitude[4] = {q.w, q.v.x, q.v.y, q.v.z};
  for (std::size_t k = 0; k < 4; ++k) all.attitude_wxyz[4 * body + k] = attitude[k];
  for (std::size_t k = 0; k < 3; ++k) {
    all.angular_velocity_body[3 * body + k] = one.w_U[k];
    all.angular_momentum_spatial[3 * body + k] = one.momentum_S[k];
  }
  all.energy[body] = one.energy;
}

// As of a body that did not come so far.
inline void forget(BodyStates& all, std::size_t body) {
  const Vec3<double> none{not_a_number, not_a_number, not_a_number};
  put(all, body, {{not_a_number, none}, none, none, not_a_number});
}

// A change beside what it is a change of, where that is not zero.
inline double relative(double change, double whole) { return whole == 0 ? change : change / std::abs(whole); }

}  // namespace polhode
