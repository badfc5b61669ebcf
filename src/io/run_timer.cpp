#include "run_timer.hpp"

#include "run_timer_in.hpp"

namespace polhode {

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
