#include "methods/make_stepper.hpp"
#include "methods/series_torque.hpp"
#include "polhode/core/quad.hpp"

namespace polhode {
template Vec3<long double> FieldSum<long double>::torque(const Rotation<long double>&, const Vec3<long double>&,
                                                         const long double&) const;
POLHODE_SERIES_TORQUES(, long double);
template std::unique_ptr<Stepper<long double>> make_stepper(const MethodSpec&, const Body<long double>&,
                                                            const FieldSum<long double>&);
}  // namespace polhode
