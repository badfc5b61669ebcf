#include "integrator.hpp"

namespace polhode::bench {

Candidates candidates_for(const Case& subject, const AnyEquations& equations) {
  Candidates list;
  add_odeint(subject, equations, list);
#ifdef POLHODE_BENCH_SUNDIALS
  add_sundials(subject, equations, list);
#endif
#ifdef POLHODE_BENCH_GSL
  add_gsl(subject, equations, list);
#endif
  add_ours(subject, list);
  return list;
}

}  // namespace polhode::bench
