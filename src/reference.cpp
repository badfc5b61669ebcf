#include "polhode/problems/reference.hpp"

#include <cmath>

#include "polhode/measure/error.hpp"
#include "polhode/methods/registry.hpp"

namespace polhode {

namespace {

// About the fastest rate the motion can reach: all momentum about the lightest axis, and what the torque can do.
long double fastest_rate(const Prepared<long double>& prepared) {
  const Vec3<long double> g = prepared.body.inverse_inertia;
  const long double lightest = std::fmax(g.x, std::fmax(g.y, g.z));
  Work work;
  const System<long double, FieldSum<long double>> system{prepared.body, prepared.field};
  const long double torque =
      norm(torque_body(system, prepared.start.R_SB, prepared.start.pi_B, prepared.start.t, work));
  return norm(prepared.start.pi_B) * lightest + 2 * std::sqrt(torque * lightest);
}

State<long double> integrate(const Prepared<long double>& prepared, long double span, long long steps) {
  const auto stepper = make_stepper(parse_method("taylor-12"), prepared.body, prepared.field);
  const long double h = span / static_cast<long double>(steps);
  stepper->start(prepared.start, h);
  for (long long n = 0; n < steps; ++n) {
    stepper->state.t = prepared.start.t + static_cast<long double>(n) * h;
    stepper->step(h);
  }
  stepper->state.t = prepared.start.t + span;
  return stepper->state;
}

}  // namespace

std::optional<Reference> reference_at(const Problem& problem, double t) {
  const double elapsed = t - problem.setup.time;
  // A run in float ends within its own rounding of the duration.
  if (!(std::abs(elapsed) <= problem.duration * (1 + 1e-6))) return std::nullopt;
  const auto prepared = prepare<long double>(problem.setup);
  const long double span = prepared.time_in(t) - prepared.start.t;
  // A twelfth-order step of 0.1 rad has a local error near the rounding of a long double.
  const auto steps = static_cast<long long>(std::ceil(std::fabs(span) * fastest_rate(prepared) / 0.1L)) + 1;
  const State<long double> coarse = integrate(prepared, span, steps), fine = integrate(prepared, span, 2 * steps);
  return Reference{prepared.in_user_units(fine), attitude_error(coarse, fine)};
}

}  // namespace polhode
