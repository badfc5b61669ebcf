#include "run/pilot.hpp"

#include "run/pilot_in.hpp"

namespace polhode {

std::unique_ptr<Pilots> make_pilots(const Setup& setup, ScalarKind scalar, double horizon) {
  switch (scalar) {
    case ScalarKind::float_: return std::make_unique<PilotsIn<float, long double>>(setup, horizon);
    case ScalarKind::double_: return std::make_unique<PilotsIn<double, long double>>(setup, horizon);
    case ScalarKind::long_double_: return make_pilots_in_long_double(setup, horizon);
    case ScalarKind::quad_: break;
  }
  return make_pilots_in_quad(setup, horizon);
}

}  // namespace polhode
