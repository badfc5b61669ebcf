#include "make_stepper.hpp"
#include "polhode/core/quad.hpp"
#include "series_torque.hpp"

namespace polhode {
POLHODE_SERIES_TORQUES(extern, quad);
template std::unique_ptr<Stepper<quad>> make_stepper(const MethodSpec&, const Body<quad>&, const FieldSum<quad>&);
}  // namespace polhode
