#include "methods/make_stepper.hpp"
#include "methods/series_torque.hpp"

namespace polhode {
POLHODE_LONGER_SERIES_TORQUES(extern, float);
template std::unique_ptr<Stepper<float>> make_stepper(const MethodSpec&, const Body<float>&, const FieldSum<float>&);
}  // namespace polhode
