#include "run/run_timer.hpp"

#include <algorithm>
#include <cmath>

#include "run/run_timer_in.hpp"

namespace polhode {

double calibrate(RunTimer& timer, double least_seconds, long long& runs, const std::atomic<bool>* stop) {
  for (;;) {
    const double seconds = timer.seconds(runs, stop);
    if (seconds >= least_seconds || (stop != nullptr && stop->load(std::memory_order_relaxed))) return seconds;
    const double wanted = 1.2 * least_seconds / std::max(seconds, least_seconds / 100);
    runs = static_cast<long long>(std::ceil(wanted * static_cast<double>(runs)));
  }
}

std::unique_ptr<RunTimer> make_run_timer(const Scenario& scenario, const Plan& plan) {
  switch (scenario.run.scalar) {
    case ScalarKind::float_: return std::make_unique<RunTimerIn<float>>(scenario, plan);
    case ScalarKind::double_: return std::make_unique<RunTimerIn<double>>(scenario, plan);
    case ScalarKind::long_double_: return std::make_unique<RunTimerIn<long double>>(scenario, plan);
    case ScalarKind::quad_: break;
  }
  return make_run_timer_in_quad(scenario, plan);
}

}  // namespace polhode
