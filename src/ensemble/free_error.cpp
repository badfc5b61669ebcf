#include "ensemble/free_error.hpp"

#include <limits>

#include "polhode/model/free_motion.hpp"
#include "polhode/problems/reference.hpp"

namespace polhode {
namespace {

using Wide = long double;

// Of the two terms of the excess over the energy of the middle axis, whose difference tells the sides of the separatrix
// apart.
constexpr Wide least_difference = 1.0L / 64;

bool keeps_its_digits(const Vec3<Wide>& inertia, const Vec3<Wide>& pi_B) {
  if (turns_steadily(inertia, pi_B)) return true;
  const MiddleExcess<Wide> middle(inertia, pi_B, axes_by_moment(inertia));
  return abs(middle.first - middle.second) >= least_difference * max(middle.first, middle.second);
}

}  // namespace

double free_attitude_error(const Setup& setup, const Rotation<double>& R_SU, double t) {
  const Prepared<Wide> body = prepare<Wide>(setup);
  const Rotation<Wide> reached = cast<Wide>(R_SU);
  if (!keeps_its_digits(body.body.inertia, body.start.pi_B)) {
    const auto exact = closed_form_at<Wide>(setup, t);
    return exact ? static_cast<double>(angle_between(reached, exact->state.R_SB))
                 : std::numeric_limits<double>::quiet_NaN();
  }
  const auto moved = FreeMotion<Wide>(body.body.inertia, body.start.pi_B).after(body.time_in(t) - body.start.t);
  const Rotation<Wide> exact = normalised(body.start.R_SB * moved.turn) * inverse(body.body.principal_axes);
  return static_cast<double>(angle_between(reached, exact));
}

}  // namespace polhode
