#include "polhode/core/quad.hpp"
#include "run/run_timer_in.hpp"

namespace polhode {

std::unique_ptr<RunTimer> make_run_timer_in_quad(const Scenario& scenario, const Plan& plan) {
  return std::make_unique<RunTimerIn<quad>>(scenario, plan);
}

}  // namespace polhode
