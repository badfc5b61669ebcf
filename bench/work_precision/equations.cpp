#include "equations.hpp"

namespace polhode::bench {
namespace {

Vec3<double> arm_of(const HeavyTop<double>& top) {
  return (top.weight_times_arm / norm(top.axis_body)) * top.axis_body;  // whose length the problem leaves open
}

}  // namespace

std::optional<AnyEquations> equations_of(const Setup& setup, const Idling* idling) {
  const auto* I = std::get_if<Vec3<double>>(&setup.inertia);
  if (I == nullptr || setup.torques.size() > 1 || !setup.wheels.empty()) return std::nullopt;
  if (setup.torques.empty()) return Equations<NoPush>(*I, {});
  const Vec3<double> J{1 / I->x, 1 / I->y, 1 / I->z};
  const Vec3<double> e3{0, 0, 1};
  const auto& torque = setup.torques.front();
  if (const auto* top = std::get_if<HeavyTop<double>>(&torque); top != nullptr && top->up_spatial == e3) {
    const double weight = top->weight_times_arm;
    if (top->axis_body == e3) {
      if (idling != nullptr) return Equations<ExpensiveWeight>(*I, {weight, J, idling});
      return Equations<AxialWeight>(*I, {weight, J});
    }
    return Equations<TiltedWeight>(*I, {arm_of(*top), J});
  }
  // A field that pulls the axis its way is a weight that hangs.
  if (const auto* field = std::get_if<UniformField<double>>(&torque); field != nullptr && field->conserves_energy() &&
                                                                      field->axis_body == e3 && field->field.x == 0 &&
                                                                      field->field.y == 0) {
    return Equations<AxialWeight>(*I, {-field->field.z, J});
  }
  if (const auto* charge = std::get_if<Coulomb<double>>(&torque))
    return Equations<ChargedPush>(*I, {charge->sign * charge->strength, J});
  if (const auto* stress = std::get_if<StressTest<double>>(&torque))
    return Equations<ValleyAndWell>(*I, {stress->strength, stress->alpha, exp(stress->well), J});
  return std::nullopt;
}

}  // namespace polhode::bench
