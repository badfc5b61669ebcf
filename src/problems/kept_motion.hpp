// A motion in one scalar, as far as it has been asked for.
#pragma once

#include <memory>

#include "polhode/problems/motion_reference.hpp"

namespace polhode {

template <class T>
class KeptMotion {
 public:
  virtual ~KeptMotion() = default;
  // As MotionReference::at.
  virtual Reference<T> at(const T& t, double rounding, const ReferenceControl& control, ReferenceStore* store) = 0;
};

// Instantiated for long double and quad.
template <class T>
std::unique_ptr<KeptMotion<T>> make_kept_motion(const Setup& setup);

}  // namespace polhode
