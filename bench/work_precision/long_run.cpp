#include "long_run.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "polhode/measure/extremes.hpp"
#include "polhode/methods/registry.hpp"
#include "polhode/problems/problem.hpp"

namespace polhode::bench {

LongRun long_run(const CaseSpec& spec, const std::string& method, double step) {
  const Prepared<double> prepared = prepare<double>(find_problem(spec.problem)->setup);
  const auto stepper = make_stepper<double>(parse_method(method), prepared.body, prepared.field);
  const auto energy = [&](const State<double>& s) {
    return prepared.body.kinetic_energy(s.pi_B) + prepared.field.potential(s.R_SB, s.t);
  };
  LongRun run;
  run.duration = 100 * spec.duration;
  const auto steps = static_cast<long long>(std::ceil(run.duration / step));
  const double h = prepared.time_in(run.duration) / static_cast<double>(steps);
  const double energy_0 = energy(prepared.start);
  const Vec3<double> momentum_0 = spatial_momentum(prepared.start);
  stepper->start(prepared.start, h);
  for (long long n = 1; n <= steps; ++n) {
    stepper->step(h);
    stepper->state.t = prepared.start.t + static_cast<double>(n) * h;
    const double off = std::abs(energy(stepper->state) - energy_0) / std::abs(energy_0);
    if (10 * n <= steps) run.energy_first = larger(run.energy_first, off);
    if (10 * n > 9 * steps) run.energy_last = larger(run.energy_last, off);
    const double change = spatial_momentum(stepper->state).z - momentum_0.z;
    run.momentum = larger(run.momentum, std::abs(change) / norm(momentum_0));
  }
  run.rounding = 4 * std::numeric_limits<double>::epsilon() * std::sqrt(static_cast<double>(steps));
  if (!all_finite(stepper->state) || !stepper->work.converged) run.momentum = run.energy_last = HUGE_VAL;
  return run;
}

}  // namespace polhode::bench
