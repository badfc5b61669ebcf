#include "run/run_quad.hpp"
#include "polhode/core/quad.hpp"
#include "run/run_in.hpp"

namespace polhode {

Result run_in_quad(const Scenario& scenario, const Plan& plan, const Provenance& about, RowSink* rows,
                   const RunControl& control) {
  return run_in<quad>(scenario, plan, about, rows, control);
}

}  // namespace polhode
