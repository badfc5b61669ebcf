// The torque of a sum of fields on plain numbers, compiled once in the library (src/methods/steppers_*.cpp).
//
// A template that several units instantiate has a copy in each, of which the linker keeps any: in the innermost loop of a run
// it could be one from a unit that is hardly optimised, or from a user's program that is not optimised at all.
#pragma once

#include "polhode/model/any_field.hpp"

namespace polhode {

extern template Vec3<float> FieldSum<float>::torque(const Rotation<float>&, const Vec3<float>&, const float&) const;
extern template Vec3<double> FieldSum<double>::torque(const Rotation<double>&, const Vec3<double>&,
                                                      const double&) const;
extern template Vec3<long double> FieldSum<long double>::torque(const Rotation<long double>&, const Vec3<long double>&,
                                                                const long double&) const;

}  // namespace polhode
