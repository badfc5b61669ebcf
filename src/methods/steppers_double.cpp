#include "methods/make_stepper.hpp"
#include "methods/series_torque.hpp"

namespace polhode {
POLHODE_LONGER_SERIES_TORQUES(extern, double);
template std::unique_ptr<Stepper<double>> make_stepper(const MethodSpec&, const Body<double>&, const FieldSum<double>&);
}  // namespace polhode
