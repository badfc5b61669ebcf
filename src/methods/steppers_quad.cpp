#include "methods/make_stepper.hpp"
#include "methods/series_torque.hpp"
#include "polhode/core/quad.hpp"

namespace polhode {
POLHODE_SERIES_TORQUES(, quad);
template std::unique_ptr<Stepper<quad>> make_stepper(const MethodSpec&, const Body<quad>&, const FieldSum<quad>&);
}  // namespace polhode
