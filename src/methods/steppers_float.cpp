#include "methods/make_stepper.hpp"
#include "methods/series_torque.hpp"

namespace polhode {
template Vec3<float> FieldSum<float>::torque(const Rotation<float>&, const Vec3<float>&, const float&) const;
POLHODE_LONGER_SERIES_TORQUES(extern, float);
template std::unique_ptr<Stepper<float>> make_stepper(const MethodSpec&, const Body<float>&, const FieldSum<float>&);
}  // namespace polhode
