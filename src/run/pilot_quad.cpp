#include "polhode/core/quad.hpp"
#include "run/pilot_in.hpp"

namespace polhode {

std::unique_ptr<Pilots> make_pilots_in_long_double(const Setup& setup, double horizon) {
  return std::make_unique<PilotsIn<long double, quad>>(setup, horizon);
}
std::unique_ptr<Pilots> make_pilots_in_quad(const Setup& setup, double horizon) {
  return std::make_unique<PilotsIn<quad, quad>>(setup, horizon);
}

}  // namespace polhode
