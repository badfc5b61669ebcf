// Quad runs are compiled apart, because Boost's multiprecision headers are slow to compile.
#pragma once

#include "polhode/run/run.hpp"

namespace polhode {

Result run_in_quad(const Scenario& scenario, const Plan& plan, const Provenance& about, RowSink* rows,
                   const RunControl& control);

}  // namespace polhode
