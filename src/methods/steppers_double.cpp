#include "methods/make_stepper.hpp"
#include "methods/series_torque.hpp"

namespace polhode {
template Vec3<double> FieldSum<double>::torque(const Rotation<double>&, const Vec3<double>&, const double&) const;
POLHODE_LONGER_SERIES_TORQUES(extern, double);
template std::unique_ptr<Stepper<double>> make_stepper(const MethodSpec&, const Body<double>&, const FieldSum<double>&);
}  // namespace polhode
