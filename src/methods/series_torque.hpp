// The sum of fields on power series, compiled once per scalar, in double and float in a translation unit of its own. Only
// a macro can list explicit instantiations: on the truncated series of the Taylor methods of low order, which are longer
// in double and float (taylor_coefficients.hpp), and on the growing ones of the others.
#pragma once

#include "polhode/core/growing_series.hpp"
#include "polhode/model/any_field.hpp"

#define POLHODE_SERIES_TORQUE(T, K)                                                                         \
  template Vec3<Series<T, K>> FieldSum<T>::torque(const Rotation<Series<T, K>>&, const Vec3<Series<T, K>>&, \
                                                  const Series<T, K>&) const

#define POLHODE_GROWING_TORQUE(T)                                                        \
  template Vec3<GrowingSeries<T>> FieldSum<T>::torque(const Rotation<GrowingSeries<T>>&, \
                                                      const Vec3<GrowingSeries<T>>&, const GrowingSeries<T>&) const

// clang-format off
#define POLHODE_SERIES_TORQUES(prefix, T)                                         \
  prefix POLHODE_SERIES_TORQUE(T, 1);                                             \
  prefix POLHODE_SERIES_TORQUE(T, 2); prefix POLHODE_SERIES_TORQUE(T, 3);         \
  prefix POLHODE_GROWING_TORQUE(T)

#define POLHODE_LONGER_SERIES_TORQUES(prefix, T)                                  \
  POLHODE_SERIES_TORQUES(prefix, T);                                              \
  prefix POLHODE_SERIES_TORQUE(T, 4); prefix POLHODE_SERIES_TORQUE(T, 5);         \
  prefix POLHODE_SERIES_TORQUE(T, 6); prefix POLHODE_SERIES_TORQUE(T, 7)
// clang-format on
